// Functions that serve by their derivatives: what has to balance in a motion, whose derivatives are what accelerations,
// reactions and loads change by, and what the consistent start is made of.
#pragma once

#include "derive.hpp"

namespace mechfmu {

/// Forces that move, M v̇ = h + B λ, and what constraints demand: h + B λ − M v̇ and γ + C_a v̇.
struct MotionBalance {
  casadi::SX force, acceleration;
};
/// Returns the balance; `motion` holds h, γ, C_a, B as Derivation::acceleration returns them.
MotionBalance balance_of_motion(const Derivation& derivation, const std::vector<casadi::SX>& motion);

/// Returns Mechanism::balance, made from the functions that are there.
casadi::Function balance_of(const Derivation& derivation);

/// Returns Mechanism::start, made from the functions that are there.
casadi::Function start_of(const Derivation& derivation);

}  // namespace mechfmu
