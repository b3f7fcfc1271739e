// Enters conditions, in every kind of mechanism.
#pragma once

#include "equations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Enters a condition. If its numbers are constant, it is checked here, and adds an error if it does not hold.
void enter_condition(ConditionEquation, Equations&, Diagnostics&);

}  // namespace mechfmu
