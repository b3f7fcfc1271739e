// Checks across the sections of a mechanism file, and what follows from them: dimensions, order of calculation, units.
#pragma once

#include "read_sections.hpp"

namespace mechfmu {

/// Reports every name that depends on itself and marks it, so that nothing follows it round the cycle.
void check_cycles(Reading& reading);

/// Checks all formulas and completes the description.
void check_description(Reading& reading);

}  // namespace mechfmu
