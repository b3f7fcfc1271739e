// Turns the description of a mechanism that is written as equations into symbolic equations.
#pragma once

#include <optional>

#include "equations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Returns the equations of a checked description. Adds an error and returns nothing if a parameter's value turns out
/// not to be finite.
std::optional<Equations> compose_equations(const Description& description, Diagnostics& diagnostics);

}  // namespace mechfmu
