// Turns a description into equations, for both ways to describe a mechanism.
#pragma once

#include <optional>

#include "equations/equations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Returns the equations of a description: of its bodies, or those that it gives itself. Adds an error to the
/// diagnostics if it contradicts the rules.
std::optional<Equations> compose_mechanism(const Description& description, Diagnostics& diagnostics);

}  // namespace mechfmu
