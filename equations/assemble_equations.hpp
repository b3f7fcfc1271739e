// A mechanism written as equations: description to symbolic equations.
#pragma once

#include <optional>

#include "equations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// The equations of a checked description; none, and diagnostics, if a parameter's value turns out not to be finite.
std::optional<Equations> assemble_equations(const Description& description, Diagnostics& diagnostics);

}  // namespace mechfmu
