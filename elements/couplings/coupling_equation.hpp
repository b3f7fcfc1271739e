// Holds the results of a coupling's formulas, and pieces that couplings share.
#pragma once

#include "elements/surroundings.hpp"
#include "equations/equations.hpp"

namespace mechfmu {

struct CouplingEquation {
  Level level;
  casadi::SX residual;
};

/// Returns second − ratio · first − offset; it is zero if two coordinates are coupled.
casadi::SX proportion(const Coupling&, const casadi::SX& ratio, const casadi::SX& offset, const Surroundings&);

/// Returns a group of the coupling between first and second, with its names, and with units of the second, or of the
/// first with the ground. `kind` is "clutch", for example.
ContactEquation contact_of(const Coupling&, const std::string& kind, const Surroundings&);

/// Returns the rate of first against second, or against the ground.
casadi::SX rate_of_first(const Coupling&, const Surroundings&);

}  // namespace mechfmu
