// What the formulas of a coupling give, and what couplings share.
#pragma once

#include "elements/surroundings.hpp"
#include "equations/equations.hpp"

namespace mechfmu {

struct CouplingEquation {
  Level level;
  casadi::SX residual;
};

/// second − ratio · first − offset: what couples two coordinates.
casadi::SX proportion(const Coupling&, const casadi::SX& ratio, const casadi::SX& offset, const Surroundings&);

}  // namespace mechfmu
