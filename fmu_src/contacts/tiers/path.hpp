// This tier follows a path of exact solutions. Normal rows get q_n + τ d_n with d_n > 0, and rows of given capacities
// q_t + τ d_t: for a large τ all contacts are open and all capacities slip along d_t. As τ falls, laws end one after
// the other: open groups close, sticking ones slip, slipping ones stick, closed ones open. One group changes its mode
// then, and the path goes on in the direction in which the new law becomes true; τ may rise again. At τ = 0 the problem
// is solved. This is Lemke's method, with the disk of Coulomb's law in place of a pyramid (compare Stewart and Trinkle
// 1996). Pieces on which nothing slips in space are straight; others are followed by predictor and corrector.
//
// For H = AᵀA + ε I, the path cannot escape: xᵀ (H x + q + τ d) ≤ 0 bounds x for every τ.
#pragma once

#include "contacts/search.hpp"
#include "linear/finite.hpp"

namespace mechfmu::contacts {

class Path {
 public:
  Path(Arena&, const Sizes&);
  /// Finds a solution of the softened problem, and of the given one by its finish.
  Found find(Search&);

 private:
  /// Laws that end.
  enum class End : unsigned char { nothing, path, open, closed, stick, slip };
  struct Event {
    double way = beyond_all;
    int member = -1;
    End end = End::nothing;
  };
  void choose_shift(const Search&);
  Found follow(Search&);
  bool begin(Search&);
  bool find_tangent(Search&);
  Event first_end(const Search&) const;
  void see(Event&, double margin, double rate, int member, End) const;
  double way_to_slip(const Search&, int member) const;
  void change_mode(Search&, const Event&);
  void let_slip(Search&, int member, Pair direction) const;
  int border(Search&, const double* row);
  bool correct(Search&, const double* row);
  double least_margin(const Search&) const;
  double size(const Search&) const;
  void move(Search&);
  void keep(const Search&);
  void back(Search&);

  double tau_ = 0, kept_tau_ = 0, size_of_data_ = 0;
  int n_ = 0;          ///< number of unknowns of the present piece, without τ
  bool fresh_ = true;  ///< is true if a mode has just changed
  Event last_;         ///< the law whose end changed it
  Buffer<dynamic> q_, shift_, tangent_, old_, dx_, dw_, x_;
  Array<GroupMode> modes_;
};

}  // namespace mechfmu::contacts
