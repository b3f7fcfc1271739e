// Enumeration: all modes of few groups without slip in space are tried, one after the other. If none keeps its laws,
// there is no solution.
#pragma once

#include "contacts/search.hpp"

namespace mechfmu::contacts {

/// Returns how many combinations of modes there are, or 0 if there are too many or a group slips in space.
int combinations(const Scaled&);

/// Tries all combinations on the given problem, which is not soft.
Found enumerate(Search&);

}  // namespace mechfmu::contacts
