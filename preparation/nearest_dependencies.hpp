// Finds what the values depend on that are the nearest to others on rows: assembled positions, consistent velocities.
#pragma once

#include "known_sets.hpp"

namespace mechfmu {

class NearestDependencies {
 public:
  NearestDependencies(const Derivation&, const Knowns&);

  /// Puts positions on their constraints and on further rows f = 0, from their present place. F are the derivatives of
  /// these rows along velocities.
  void assemble(KnownState&, const casadi::SX& f, const casadi::SX& F, const std::vector<bool>& fixed) const;
  void assemble(KnownState&) const;
  /// Puts positions on the rows f = 0, from their present place.
  void meet(KnownState&, const casadi::SX& f, const casadi::SX& F, const std::vector<bool>& fixed,
            bool redundant = true) const;
  /// Makes velocities fit their constraints and the rows r; R are the derivatives of these by velocities.
  void make_consistent(KnownState&, const casadi::SX& r, const casadi::SX& R, const std::vector<bool>& fixed) const;
  void make_consistent(KnownState&) const;
  /// Lets all contacts collide whose modes depend on this: velocities that are fixed change, too.
  void collide(KnownState&, const casadi::SX& modes) const;

  casadi::SX along_velocities(const casadi::SX& f) const;
  /// Returns the velocities by which each position moves; a state has none.
  const std::vector<std::vector<casadi_int>>& velocities_of() const { return velocities_of_; }
  /// Returns the equations with all knowns as inputs.
  const Equations& equations() const { return equations_; }

 private:
  std::vector<Known> nearest(const KnownState& state, std::vector<Known> KnownState::* values, const casadi::SX& from,
                             const casadi::SX& C, const casadi::SX& residual, const std::vector<bool>& fixed,
                             bool redundant) const;
  casadi::SX metric(const casadi::SX& C) const;

  const Derivation& d_;
  const Knowns& knowns_;
  const Symbols& s_;
  Equations equations_;
  std::vector<std::vector<casadi_int>> velocities_of_;
  std::vector<bool> none_;  ///< has no velocity
};

}  // namespace mechfmu
