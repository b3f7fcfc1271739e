// Turns bodies, joints, forces and couplings into equations.
#pragma once

#include <optional>

#include "equations/equations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Returns the equations of a mechanism of bodies. Adds an error to the diagnostics if the bodies contradict
/// themselves.
std::optional<Equations> compose_bodies(const Description& description, Diagnostics& diagnostics);

}  // namespace mechfmu
