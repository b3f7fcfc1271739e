// Lists the variables that every joint, body, force, coupling, constraint and sensor has. This is the one table of
// their dotted names, "A.angle", "A.reaction.force.x", "motor.power", "energy.kinetic".
#pragma once

#include <string>
#include <vector>

#include "modelDescription/description/description.hpp"
#include "modelDescription/description/shown.hpp"

namespace mechfmu {

/// Is a variable with a dotted name.
struct Quantity {
  enum class Kind {
    coordinate,  ///< depends on the configuration; a formula may take der(…) of it, up to twice
    rate,        ///< a velocity that is no derivative of a coordinate, of angular_velocity for example: der(…) once
    force,       ///< effect of a force: it is known after the motion only
    result,      ///< a reaction, a multiplier, a drive, an energy: known after the motion only
  };
  std::string name, description;
  Unit unit;
  Place place;
  Kind kind = Kind::result;
};

/// Returns the scalar coordinate of a joint with this dotted name, or null.
const JointCoordinate* find_coordinate(const Description& description, const std::string& name);

/// Returns all of them, in the order of the file within each family.
std::vector<Quantity> quantities(const Description& description);

/// Returns what the FMU says about a quantity, and about the one of this name.
Shown shown(const Quantity& quantity);
Shown shown(const std::vector<Quantity>& quantities, const std::string& name);

}  // namespace mechfmu
