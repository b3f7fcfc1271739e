// Forces and accelerations of touching rows, and the modes in which the motion goes on. Groups that slide already, with
// a relative velocity along s, keep sliding: x_t = −μ x_n s is a load on their normal row, whose column of H becomes
// H_n − μ H_t s. Groups at rest stick if they can, with a coefficient of rest that may be larger.
#pragma once

#include "solver.hpp"

namespace mechfmu::contacts {

class Accelerations {
 public:
  Accelerations(Arena&, const Sizes&, Solver&);

  /// This function solves for the forces. The problem's H is how accelerations respond to forces, q is what they are
  /// without forces.
  /// Its coefficients and capacities are those of sliding; `rest` has the factor ≥ 1 that those of rest are larger by,
  /// for each group, or is nullptr. `present` has the groups' modes: a group that slides is in slip, with the direction
  /// of its velocity; a group at rest is open or sticks.
  ///
  /// A group that begins to slip does so with the coefficient of sliding: its force jumps. The others are asked again
  /// then, and it may not come back to the coefficient of rest at the same instant.
  ///
  /// Forces at the bound of friction may be a solution although nothing moves, where contacts depend on each other. A
  /// group without acceleration sticks then, if it can while the others of them keep their forces: if it slid, nothing
  /// would tell where it rests.
  /// `likely` has modes that the search tries first for groups that do not slide, such as those of a similar problem:
  /// where there are several solutions, it then stays with one of them. nullptr: those of `present`.
  Outcome solve(const Problem&, const double* rest, const GroupMode* present, const GroupMode* likely = nullptr);

  /// Forces, accelerations and modes for the rows of the given problem. A group that slides and is not pressed is open.
  const double* force() const { return x_.data(); }
  const double* acceleration() const { return w_.data(); }
  const GroupMode* modes() const { return modes_.data(); }
  /// The two have the meaning that they have in Solver.
  bool unsettled(int group) const { return place_[group] >= 0 && solver_.unsettled(place_[group]); }
  bool proved() const { return solver_.proved(); }

 private:
  Outcome solve_reduced(const Problem&, const double* rest, const GroupMode* likely = nullptr);
  void stick_at_rest(const Problem&, const double* rest);
  bool rests(const Problem&, int group, int first) const;
  void reduce(const Problem&, const double* rest, const GroupMode* likely);
  void take(const Problem&);

  Solver& solver_;
  int groups_ = 0, rows_ = 0;  ///< sizes of the reduced problem
  Array<Group> reduced_;
  Array<GroupMode> present_, modes_, kept_modes_;
  IndexBuffer place_;  ///< group → group of the reduced problem, or −1
  IndexBuffer row_;    ///< row of the reduced problem → row
  Array<char> slides_, let_go_, at_bound_;
  RunTimeColumns H_, A_, B_;
  Buffer<dynamic> q_, mobility_, x_, w_, kept_x_, kept_w_;
  bool has_A_ = false;
};

}  // namespace mechfmu::contacts
