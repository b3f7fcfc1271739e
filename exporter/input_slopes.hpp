// How accelerations, multipliers and outputs change with the inputs: derivatives for directional ones of an FMU.
#pragma once

#include "derive.hpp"

namespace mechfmu {

/// Sets Derivation::input_slopes and output_slopes from the functions that are there. Nothing where there are no inputs.
void add_input_slopes(Derivation& derivation);

}  // namespace mechfmu
