// An impact: rows that touch change speeds at an instant. One problem has all of them, also those at rest.
//   g⁺ = H x + g⁻,   normal rows that close rebound,   g_n⁺ + e g_n⁻ ≥ 0,   and the others keep g_n⁺ ≥ 0 (Newton's e).
// With e > 0 at several rows there may be no solution, and friction may let the energy grow (Kane and Levinson 1985).
// All e are scaled down together then, until the energy does not grow; e = 0 always has a solution, and never lets it
// grow.
//
// A force has no impulse: capacities of frictions and clutches are 0 here. A row that moves with its slip sticks and
// slides with the coefficient of sliding.
#pragma once

#include "solver.hpp"

namespace mechfmu::contacts {

class Impact {
 public:
  Impact(Arena&, const Sizes&, Solver&);

  /// Solves an impact. The problem's q is g⁻, its H is symmetric, and `restitution` has an e from 0 to 1 for each
  /// group.
  Outcome solve(const Problem&, const double* restitution, const GroupMode* present = nullptr);

  /// Solves an impact without collision: the accelerations of touching rows have no solution (Painlevé 1895), although
  /// no row closes. No impulse is a solution, too; what is sought is another one, in which the groups marked by
  /// `pressed` have impulses: they stick, or they slip on as before. Returns no_solution if there is no such one.
  Outcome without_collision(const Problem&, const bool* pressed);

  /// Impulses, speeds afterwards and modes.
  const double* impulse() const { return x_.data(); }
  const double* speed() const { return speed_.data(); }
  const GroupMode* modes() const { return modes_.data(); }
  /// Returns the common factor of all e: 1, or less if they have been scaled down.
  double restitution_scale() const { return scale_; }
  /// Returns the change of the kinetic energy: x · (g⁻ + g⁺)/2.
  double energy_gain() const { return gain_; }
  /// Is true for a group without impulse that stays closed: see Solver::idle().
  bool idle(int group) const { return idle_[group] != 0; }

 private:
  bool attempt(const Problem&, const double* restitution, const GroupMode* present, double scale);
  void take(const Problem&);

  Solver& solver_;
  Buffer<dynamic> q_, x_, speed_;
  Array<GroupMode> modes_, tried_;
  Array<char> idle_;
  double scale_ = 1, gain_ = 0;
  Outcome outcome_ = Outcome::solved;
};

}  // namespace mechfmu::contacts
