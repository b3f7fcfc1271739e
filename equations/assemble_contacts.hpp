// Enters groups of rows that come and go, in every kind of mechanism.
#pragma once

#include <functional>

#include "equations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Enters the limits of coordinates and the contacts of the file, and conditions on their numbers; `value` translates.
/// The equations have their symbols.
void add_contacts(const Description&, const std::function<casadi::SX(const Expression&)>& value, Equations&,
                  Diagnostics&);

/// Enters a group whose speeds an author gave, and adds an error if one is not linear in the velocities.
void enter_contact(ContactEquation, Equations&, Diagnostics&);

/// Enters the conditions that a coefficient of restitution is between 0 and 1. `owner` is a text such as " of the
/// contact 'heel'".
void limit_restitution(const casadi::SX& restitution, const std::string& owner, const Place&, Equations&, Diagnostics&);

}  // namespace mechfmu
