// What --explain prints.
#pragma once

#include <string>

#include "preparation/pipeline.hpp"

namespace mechfmu {

/// Coordinates, constraints, degrees of freedom, the start, the solution method, what an evaluation costs, the
/// variables.
std::string explain(const Prepared& prepared);

}  // namespace mechfmu
