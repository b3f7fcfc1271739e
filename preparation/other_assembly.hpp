// Checks whether start values say which assembly is meant: near the one that was found there may be another.
#pragma once

#include <string>
#include <vector>

#include "derivation/derive.hpp"

namespace mechfmu {

/// Returns "Another assembly is about as near to the start values: …", with the guesses that lead to it, or an empty
/// text if none was found. `reached` is the assembled position.
std::string other_assembly(const Derivation& derivation, double closure_tolerance, const std::vector<double>& reached);

}  // namespace mechfmu
