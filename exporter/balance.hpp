// What has to balance in a motion, as one function: its derivatives are what accelerations, reactions and loads change by.
#pragma once

#include "derive.hpp"

namespace mechfmu {

/// Mechanism::balance, from the functions that are there.
casadi::Function balance_of(const Derivation& derivation);

}  // namespace mechfmu
