// Describes a mechanism's variables as the FMU shows them. The description is made once, together with the equations.
// The table of variables, the XML, the documentation, explanations and the places of messages all read it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "modelDescription/formulas/formulas.hpp"

namespace mechfmu {

/// Describes one variable of a mechanism.
struct Shown {
  std::string name, description;
  Unit unit;
  Place place;
  bool local = false;              ///< is true if it is not an output
  bool hidden = false;             ///< is true if the FMU does not have this variable
  std::string derivative_of = {};  ///< name of the variable, or empty
  double nominal = 0;              ///< SI; 0 if none is known
  /// is true for the acceleration of a coordinate: an output if the file exposes accelerations
  bool acceleration = false;
};

/// Says which variable a start value belongs to.
struct StartOf {
  std::string variable;  ///< name of a position, a velocity or an output
  bool rate = false;     ///< is true if the variable is a velocity
  bool fixed = false;    ///< is true if the value is held exactly, false if it is a guess
};

/// Describes a parameter: one of the file, or a start value.
struct ShownParameter : Shown {
  std::optional<double> written = {};  ///< the number in the declared unit, as the file writes it
  bool calculated = false, tunable = false;
  std::optional<double> minimum = {}, maximum = {};  ///< have the declared unit
  std::optional<StartOf> start_of = {};              ///< is there for a start value
};

/// Describes the rate of a coordinate, "der(x)", and its acceleration, "der(x,2)". The rate is an output if the
/// coordinate is one; the acceleration of a driven coordinate always is.
Shown shown_rate(const Shown& coordinate, const Unit& unit);
Shown shown_acceleration(const Shown& coordinate, const Unit& unit, bool driven = false);

/// Returns the name of the sum of impulses that belongs to a reaction, "A.impulse.force.x" to "A.reaction.force.x". It
/// is empty for what is no reaction.
std::string impulse_name(const std::string& reaction);

/// Describes a value that is not a variable of the FMU.
Shown hidden_variable(const std::string& name, const Place& place);

/// Describes the start value of a variable; if `rate` is true, that of a velocity.
ShownParameter shown_start(const Shown& variable, const std::string& name, bool fixed, bool rate, const Place& place);

/// Describes the start value of a velocity of the file, "omega_start".
ShownParameter shown_velocity_start(const Shown& velocity, const Start& start);

/// Describes the start value of a coordinate ("x_start") or of its rate ("x_rate_start").
ShownParameter shown_start(const Shown& coordinate, const Start& start);
ShownParameter shown_rate_start(const Shown& coordinate, const Shown& rate, const Start& start);

template <class AnyShown>
std::vector<std::string> names_of(const std::vector<AnyShown>& all) {
  std::vector<std::string> names;
  for (const AnyShown& shown : all) names.push_back(shown.name);
  return names;
}

}  // namespace mechfmu
