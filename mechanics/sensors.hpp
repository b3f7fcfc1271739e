// Shows the places of bodies and sensors by name.
#pragma once

#include <functional>

#include "kinematics.hpp"

namespace mechfmu {

/// Calls `show(name, value)` for everything that a sensor measures: "S.x", …
void show_sensor(const Sensor& sensor, const Kinematics& kinematics,
                 const std::function<void(const std::string&, const casadi::SX&)>& show);

/// Calls `show(name, value)` for everything that a body shows: "crank.position.x", …
void show_body(const MovingBody& body, const Kinematics& kinematics,
               const std::function<void(const std::string&, const casadi::SX&)>& show);

/// Returns one component of a body's quantity that [outputs] declares.
casadi::SX declared_output(const Output& output, const Kinematics& kinematics);

}  // namespace mechfmu
