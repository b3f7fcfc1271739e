// Lists numbers of bodies, joints and forces that physics bounds from below. If nobody can build them, they are an
// error while the file is read, and in the FMU when an importer sets them.
#pragma once

#include <string>
#include <vector>

#include "modelDescription/description/description.hpp"

namespace mechfmu {

/// Is a number that must not be negative.
struct NumberLimit {
  const Expression* number = nullptr;
  std::string what;       ///< "the mass of the body 'crank'"
  std::string owner;      ///< "crank"
  Unit unit;              ///< unit in which it is shown
  bool positive = false;  ///< is true if it must not be zero either
  std::string repair;
};

/// Returns all of them, without those that the file allows to be negative.
std::vector<NumberLimit> number_limits(const Description& description);

/// Is true if the formula is the name of a parameter or an input that the FMU may set, and nothing else.
bool is_settable(const Expression& formula, const Description& description);

/// Returns the unit in which the elements of a body's inertia are shown.
Unit unit_of_inertia(const Body& body, const Description& description);

/// Gives parameters and inputs that stand there by themselves the limit as their min.
void bound_variables(Description& description);

}  // namespace mechfmu
