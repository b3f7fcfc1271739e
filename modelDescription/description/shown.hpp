// What an FMU says of a mechanism's variables: told once, with the equations, and read by everything that shows them:
// the table of variables, the XML, the documentation, explanations and the places of messages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "modelDescription/formulas/formulas.hpp"

namespace mechfmu {

/// One of a mechanism's variables.
struct Shown {
  std::string name, description;
  Unit unit;
  Place place;
  bool local = false;              ///< not an output
  bool hidden = false;             ///< no variable of the FMU
  std::string derivative_of = {};  ///< name of the variable, or empty
  double nominal = 0;              ///< SI; 0: none is known
  bool acceleration = false;       ///< of a coordinate: an output where the file exposes accelerations
};

/// What a start value is the start of.
struct StartOf {
  std::string variable;  ///< name of a position, a velocity or an output
  bool rate = false;     ///< a velocity
  bool fixed = false;    ///< held exactly, not a guess
};

/// A parameter: the author's, or a start value.
struct ShownParameter : Shown {
  std::optional<double> written = {};  ///< the number in its unit as the author wrote it
  bool calculated = false, tunable = false;
  std::optional<double> minimum = {}, maximum = {};  ///< in its unit
  std::optional<StartOf> start_of = {};              ///< of a start value
};

/// The rate of a coordinate, "der(x)", an output as the coordinate is, and its acceleration, "der(x,2)", which is one
/// always if the coordinate is driven.
Shown shown_rate(const Shown& coordinate, const Unit& unit);
Shown shown_acceleration(const Shown& coordinate, const Unit& unit, bool driven = false);

/// What is no variable of the FMU.
Shown hidden_variable(const std::string& name, const Place& place);

/// A start value of a variable, of a velocity if `rate`.
ShownParameter shown_start(const Shown& variable, const std::string& name, bool fixed, bool rate, const Place& place);

/// The start value of a coordinate ("x_start") or of its rate ("x_rate_start").
ShownParameter shown_start(const Shown& coordinate, const Start& start);
ShownParameter shown_rate_start(const Shown& coordinate, const Shown& rate, const Start& start);

template <class AnyShown>
std::vector<std::string> names_of(const std::vector<AnyShown>& all) {
  std::vector<std::string> names;
  for (const AnyShown& shown : all) names.push_back(shown.name);
  return names;
}

}  // namespace mechfmu
