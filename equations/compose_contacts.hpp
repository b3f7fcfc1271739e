// Makes and enters groups of rows that come and go, in every kind of mechanism.
#pragma once

#include <functional>

#include "equations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Is what groups are made from.
struct ContactSource {
  const Description& description;
  std::function<casadi::SX(const Expression&)> value;  ///< translates
  std::function<void(ConditionEquation)> require;      ///< enters a condition
  std::function<casadi::SX(const casadi::SX&)> rate;   ///< differentiates by time
  /// Enters an effort on something that has this rate.
  std::function<void(const casadi::SX& effort, const casadi::SX& rate)> act;
  /// Returns the gaps and slips of a contact between surfaces, one group for each place where they may touch. Only
  /// bodies have surfaces.
  std::function<std::vector<ContactEquation>(const Contact&)> touch = nullptr;
};

/// Returns the limits of coordinates and the contacts of the file, and requires that their numbers are possible.
std::vector<ContactEquation> contact_groups(const ContactSource&);

/// Enters a group, and adds an error if a speed that an author gave is not linear in the velocities. The equations have
/// their symbols.
void enter_contact(ContactEquation, Equations&, Diagnostics&);

}  // namespace mechfmu
