// Description to equations, whichever way the mechanism is described.
#pragma once

#include <optional>

#include "equations/equations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// The equations of a description: of its bodies, or those that it gives itself. What contradicts the rules is added to
/// the diagnostics.
std::optional<Equations> assemble_mechanism(const Description& description, Diagnostics& diagnostics);

}  // namespace mechfmu
