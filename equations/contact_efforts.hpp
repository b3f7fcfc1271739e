// Says with which efforts rows of contacts act, while they hold and while they slide.
#pragma once

#include "equations.hpp"

namespace mechfmu {

/// Gives a group that has its gap and slips the symbols of its rows.
void make_contact_symbols(ContactEquation&);

/// Returns what sliding makes of a group's tangential rows: directions of their slips, 0 where they do not slide. It is
/// an expression of the slide and, in space, of the slips.
std::vector<casadi::SX> slip_directions(const ContactEquation&);

/// Returns the effort of each row, in the direction in which its gap or its slip grows: forces that hold and friction
/// of what slides.
std::vector<casadi::SX> contact_efforts(const ContactEquation&);

}  // namespace mechfmu
