// Whether start values say which assembly is meant: near the one that was found there may be another.
#pragma once

#include <string>
#include <vector>

#include "derivation/derive.hpp"

namespace mechfmu {

/// "Another assembly is about as near to the start values: …", with the guesses that lead to it; empty: none was found.
/// `reached`: the assembled position.
std::string other_assembly(const Derivation& derivation, double closure_tolerance, const std::vector<double>& reached);

}  // namespace mechfmu
