// A mechanism written as equations: description to symbolic equations.
#pragma once

#include <optional>

#include "equations.hpp"
#include "modelDescription/diagnostics.hpp"

namespace mechfmu {

/// The equations of a checked description, none if something in it could not be translated.
std::optional<Equations> assemble_equations(const Description& description, Diagnostics& diagnostics);

}  // namespace mechfmu
