// Numbers of bodies, joints and forces that physics bounds from below: what nobody can build is an error while the file
// is read, and in the FMU when an importer sets it.
#pragma once

#include <string>
#include <vector>

#include "modelDescription/description/description.hpp"

namespace mechfmu {

/// A number that is not to be negative.
struct NumberLimit {
  const Expression* number = nullptr;
  std::string what;       ///< "the mass of the body 'crank'"
  std::string owner;      ///< "crank"
  Unit unit;              ///< what it is shown in
  bool positive = false;  ///< nor zero
  std::string repair;
};

/// All of them; not those that the file allows to be negative.
std::vector<NumberLimit> number_limits(const Description& description);

/// Is the formula a name of a parameter or an input that the FMU may set, and nothing else?
bool is_settable(const Expression& formula, const Description& description);

/// What the elements of a body's inertia are shown in.
Unit unit_of_inertia(const Body& body, const Description& description);

/// Parameters and inputs that stand there by themselves get the limit as their min.
void bound_variables(Description& description);

}  // namespace mechfmu
