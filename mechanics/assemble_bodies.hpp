// From bodies, joints, forces and couplings to equations.
#pragma once

#include <optional>

#include "equations/equations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// The equations of a mechanism of bodies. What contradicts itself is added to the diagnostics.
std::optional<Equations> assemble_bodies(const Description& description, Diagnostics& diagnostics);

}  // namespace mechfmu
