// Makes rows of contacts: of C_a, and in the forces.
#pragma once

#include "equations/equations.hpp"

namespace mechfmu {

/// Returns the equations with the rows of their contacts (Equations::changing), multipliers and slides as symbols,
/// forces of groups that slide with a given capacity, and what contacts show. Nothing may add rows after that.
Equations with_contact_rows(Equations);

/// Returns what sliding makes of a group's tangential rows: directions of their slips, 0 where they do not slide. It is
/// an expression of Symbols::slide and, in space, of the slips. `first` is the place of the first tangential row among
/// the rows that come and go.
std::vector<casadi::SX> slip_directions(const ContactEquation&, const casadi::SX& slide, casadi_int first);

}  // namespace mechfmu
