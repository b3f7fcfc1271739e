// Forces and accelerations of touching rows, and the modes in which the motion goes on. Groups that slide already, with
// a relative velocity along s, keep sliding: x_t = −μ x_n s is a load on their normal row, whose column of H becomes
// H_n − μ H_t s. Groups at rest stick if they can, with a coefficient of rest that may be larger.
#pragma once

#include "solver.hpp"

namespace mechfmu::contacts {

class Accelerations {
 public:
  Accelerations(Arena&, const Sizes&, Solver&);

  /// Solves for the forces. The problem's H is how accelerations respond to forces, q is what they are without forces.
  /// Its coefficients and capacities are those of sliding; `rest` has the factor ≥ 1 that those of rest are larger by,
  /// for each group, or is nullptr. `present` has the groups' modes: a group that slides is in slip, with the direction
  /// of its velocity; a group at rest is open or sticks.
  ///
  /// A group that begins to slip does so with the coefficient of sliding: its force jumps. The others are asked again
  /// then, and it may not come back to the coefficient of rest at the same instant.
  Outcome solve(const Problem&, const double* rest, const GroupMode* present);

  /// Forces, accelerations and modes for the rows of the given problem. A group that slides and is not pressed is open.
  const double* force() const { return x_.data(); }
  const double* acceleration() const { return w_.data(); }
  const GroupMode* modes() const { return modes_.data(); }
  /// The three have the meaning that they have in Solver.
  bool idle(int group) const { return place_[group] >= 0 && solver_.idle(place_[group]); }
  bool unsettled(int group) const { return place_[group] >= 0 && solver_.unsettled(place_[group]); }
  bool proved() const { return solver_.proved(); }

 private:
  void reduce(const Problem&, const double* rest);
  void take(const Problem&);

  Solver& solver_;
  int groups_ = 0, rows_ = 0;  ///< sizes of the reduced problem
  Array<Group> reduced_;
  Array<GroupMode> present_, modes_;
  IndexBuffer place_;  ///< group → group of the reduced problem, or −1
  IndexBuffer row_;    ///< row of the reduced problem → row
  Array<char> slides_, let_go_;
  RunTimeColumns H_, A_, B_;
  Buffer<dynamic> q_, mobility_, x_, w_;
  bool has_A_ = false;
};

}  // namespace mechfmu::contacts
