// This tier solves smoothed laws. Normal and tangential parts of a group lie in the second-order cone together,
//   X = (μ x_n, x_t),  Y = (w_n + μ |w_t|, μ w_t),  X, Y in the cone and X · Y = 0 (De Saxcé and Feng 1998),
//   or X = (c, x_t),  Y = (y, w_t) with an unknown y for a given capacity,
// which is X + Y = (X² + Y²)^½ in the cone's Jordan algebra (Fischer 1992; Fukushima, Luo and Tseng 2002). A number σ
// under the root smooths it and |w_t|. Newton's method follows σ down to 0; the modes on the way are tried.
#pragma once

#include "contacts/search.hpp"

namespace mechfmu::contacts {

class Smoothed {
 public:
  Smoothed(Arena&, const Sizes&);
  /// Finds a solution of the softened problem, and of the given one by its finish.
  Found find(Search&);

 private:
  static constexpr int most = 3;  ///< size of a cone
  /// How one member's equations change with its speeds, and with its own unknowns.
  struct Slopes {
    double speed[most][most], own[most][most], bound[most];
  };
  /// This is F = X + Y − (X² + Y² + 2 σ² e)^½ with its derivatives.
  struct Cone {
    void evaluate(int size, double sigma);
    double X[most], Y[most], F[most], by_X[most][most], by_Y[most][most];
  };
  double evaluate(Search&, const double* z, bool slopes);
  double evaluate_member(Search&, int member, int bound, const double* z, Slopes* slopes);
  void fill(Search&);
  int converge(Search&);
  bool try_modes(Search&, bool always);
  int row(const Member&, int bound, int k) const;

  int rows_ = 0, size_ = 0;  ///< rows of the problem; and of the equations, with an unknown for each capacity
  int steps_ = 0;            ///< number of Newton's steps so far
  double sigma_ = 0;
  bool has_last_ = false;  ///< modes have been tried: these are in last_
  Array<Slopes> slopes_;
  Array<GroupMode> last_;
  Buffer<dynamic> F_, z_, trial_;
};

}  // namespace mechfmu::contacts
