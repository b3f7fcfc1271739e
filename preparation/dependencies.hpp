// Finds what a mechanism's values depend on: in a step, at the start, and integrated from outside.
#pragma once

#include "derivation/derive.hpp"
#include "nearest_dependencies.hpp"

namespace mechfmu {

class Dependencies {
 public:
  explicit Dependencies(const Derivation&);

  Dependence at_start() const;
  /// Returns dependencies in a step. Positions, velocities and turns are states: they depend on themselves, unless
  /// inputs move the constraints.
  Dependence in_step() const;
  /// Returns dependencies in model exchange: the motion is that of the velocities that fit, and both rates lead back
  /// onto the constraints.
  Dependence from_outside() const;

  const std::vector<Known>& calculated() const { return knowns_.calculated(); }

 private:
  void add_tunable_parameters(KnownState&) const;
  void balance(KnownState&) const;
  void find_steady_states(KnownState&) const;
  std::vector<Known> found_turns(const KnownState&) const;
  casadi::SX what_chooses_modes() const;
  casadi::SX gaps_and_speeds() const;
  casadi::SX laws() const;
  Dependence motion(const KnownState&, const casadi::SX& of_contacts) const;
  std::vector<Known> rates(const KnownState&, const std::vector<Known>& outputs) const;
  casadi::SX violation() const { return d_.violation(s_.all()).front(); }
  casadi::SX given_inputs() const { return s_.inputs(casadi::Slice(0, d_.equations.given_inputs())); }

  const Derivation& d_;
  const Symbols& s_;
  Knowns knowns_;
  NearestDependencies nearest_;
};

}  // namespace mechfmu
