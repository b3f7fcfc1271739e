// Functions that serve by their derivatives: what has to balance in a motion, whose derivatives are what accelerations,
// reactions and loads change by, and what the consistent start is made of.
#pragma once

#include "derive.hpp"

namespace mechfmu {

/// Mechanism::balance, from the functions that are there.
casadi::Function balance_of(const Derivation& derivation);

/// Mechanism::start, likewise.
casadi::Function start_of(const Derivation& derivation);

}  // namespace mechfmu
