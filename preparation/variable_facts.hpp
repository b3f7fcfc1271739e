// Finds what the table of variables needs to know of the derived equations.
#pragma once

#include "derivation/derive.hpp"
#include "modelDescription/variables/variables.hpp"

namespace mechfmu {

/// Returns names, places and dependencies, by structure: which inputs, parameters and starts can influence which
/// variables, in a step and through the assembly at the start. Call it after Derivation::fix_ranks.
VariableFacts variable_facts(const Derivation& derivation);

}  // namespace mechfmu
