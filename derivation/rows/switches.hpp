// Finds where formulas change their branch, so that a motion can be stopped there.
#pragma once

#include "equations/equations.hpp"

namespace mechfmu {

/// Returns the equations with Equations::switches, and with a further input for each of them: its side. While the side
/// is 0, comparisons, abs, sign, min, max and mod in formulas of the motion are what they were. A side that is given
/// holds them: then the formulas are smooth across the place where the branch changes, and a step may end exactly
/// there.
Equations with_switches(Equations);

}  // namespace mechfmu
