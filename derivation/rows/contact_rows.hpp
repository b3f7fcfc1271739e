// Makes rows of contacts: of C_a, and in the forces.
#pragma once

#include "derivation/rows/motion_rates.hpp"
#include "equations/equations.hpp"

namespace mechfmu {

/// Returns the equations with the rows of their contacts (Equations::changing), multipliers and slides as symbols,
/// forces of groups that slide with a given capacity, and what contacts show. Nothing may add rows after that.
Equations with_contact_rows(Equations);

/// Is true for a group whose normal force has friction.
inline bool rubs(const ContactEquation& contact) {
  return contact.law == contacts::Law::unilateral && !contact.slips.empty() && !contact.friction.is_zero();
}

/// Adds γ and the rows of C_a of contacts, and their columns of B: the reaction of a normal row that slides has
/// friction along the slips.
void add_contact_rows(const Equations&, const MotionRates&, std::vector<casadi::SX>& gamma,
                      std::vector<casadi::SX>& C_a, std::vector<casadi::SX>& B);

}  // namespace mechfmu
