// Writes the output of --explain.
#pragma once

#include <string>

#include "preparation/pipeline.hpp"

namespace mechfmu {

/// Returns coordinates, constraints, degrees of freedom, the start, the solution method, the cost of an evaluation, and
/// the variables.
std::string explain(const Prepared& prepared);

}  // namespace mechfmu
