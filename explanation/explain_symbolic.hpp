// Writes what --explain --symbolic adds.
#pragma once

#include <string>

#include "preparation/pipeline.hpp"

namespace mechfmu {

/// Returns constraints, M, C and D (D Cᵀ = 0) as formulas in the user's names.
std::string explain_symbolic(const Prepared& prepared);

}  // namespace mechfmu
