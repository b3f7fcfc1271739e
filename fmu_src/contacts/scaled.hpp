// This class takes the units from a problem. Rows of one group share one scale, so that a disk stays a disk, and all
// scales are powers of two, so that no digits change. Groups that no law can move or brake are left out. The rest may
// be softened.
#pragma once

#include "linear/columns.hpp"
#include "problem.hpp"

namespace mechfmu::contacts {

/// A group that takes part.
struct Member {
  int group = 0;        ///< its place in the given problem
  int first = 0;        ///< its first row
  bool normal = false;  ///< its first row is a normal one
  bool holds = false;   ///< it is bilateral
  int tangential = 0;   ///< rows behind the normal row; all rows if there is none. A bilateral row counts as one
  double friction = 0, capacity = 0;
  double unit = 1;        ///< x is divided by it and by the problem's scale; w is multiplied, and divided by the scale
  double compliance = 1;  ///< softens its rows if equal compliances in the caller's units are meant

  int rows() const { return (normal ? 1 : 0) + tangential; }
  int tangent() const { return first + (normal ? 1 : 0); }
  bool rubs() const { return tangential > 0 && !holds; }
  /// Returns the radius of the disk that friction lies in.
  double radius(const double* x) const { return normal ? friction * (x[first] > 0 ? x[first] : 0) : capacity; }
};

/// Two tangential components; the second is 0 if there is one row.
struct Pair {
  double a = 0, b = 0;
  double length() const;
  double part_in(const double* s) const { return a * s[0] + b * s[1]; }
};

class Scaled {
 public:
  Scaled(Arena&, const Sizes&);

  /// Takes a problem. Returns false if a number is not finite, or a group can neither be moved nor keep its law; then
  /// unmoved() names it.
  bool take(const Problem&);
  int unmoved() const { return unmoved_; }

  int members() const { return members_count_; }
  const Member& member(int i) const { return members_.data()[i]; }
  int rows() const { return rows_; }
  const RunTimeColumns& H() const { return H_; }
  const double* q() const { return q_.data(); }
  double* q() { return q_.data(); }
  bool has_A() const { return freedoms_ > 0; }
  int freedoms() const { return freedoms_; }
  const RunTimeColumns& A() const { return A_; }
  const RunTimeColumns& B() const { return has_B_ ? B_ : A_; }
  /// Is true if a group has two tangential rows.
  bool in_space() const { return in_space_; }

  /// Adds ε times each group's compliance to the diagonal of H.
  void soften(double epsilon);
  double softness() const { return softness_; }

  /// Computes w = H x + q.
  void speeds(const double* x, double* w) const;
  /// Returns what tolerances are relative to.
  double size(const double* x) const;
  /// Returns the largest of the numbers that are given: speeds without forces, and capacities.
  double given() const;
  Pair tangential(const Member&, const double* v) const;
  /// Returns the largest |x − projection of x − w| of a group: zero if its law holds (Alart and Curnier 1991).
  double open_law(const Member&, const double* x, const double* w) const;
  double open_law(const double* x, const double* w) const;
  /// Reads modes from x − w, as the projection does.
  void read_modes(const double* x, const double* w, GroupMode* modes) const;
  /// Is true if all laws hold at x and its w. Normal forces that are negative by rounding become zero.
  bool laws_hold(double* x, double* w) const;

  /// Brings modes, x and w between the given problem and this one. Groups that were left out get x = 0 and their w.
  void modes_in(const GroupMode* given, GroupMode* modes) const;
  void results_out(const Problem&, const GroupMode* modes, const double* x, GroupMode* all_modes, double* all_x,
                   double* all_w) const;

 private:
  bool moves(const Problem&, int a) const;
  double mobility(const Problem&, int a) const;
  bool take_group(const Problem&, int group, int first);
  void take_numbers(const Problem&);

  int members_count_ = 0, rows_ = 0, freedoms_ = 0, unmoved_ = -1;
  bool in_space_ = false, has_B_ = false;
  double softness_ = 0, scale_ = 1;
  Array<Member> members_;
  IndexBuffer row_;  ///< row → row of the given problem
  RunTimeColumns H_, A_, B_;
  Buffer<dynamic> q_, diagonal_;
};

}  // namespace mechfmu::contacts
