// Writes what --explain tells about constraints.
#pragma once

#include <string>

#include "preparation/pipeline.hpp"

namespace mechfmu {

/// Returns tables of all constraints, of local coordinates, and of the constraints that the program has added.
std::string explain_constraints(const Prepared&);

}  // namespace mechfmu
