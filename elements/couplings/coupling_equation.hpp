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

}  // namespace mechfmu
