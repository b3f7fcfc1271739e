// What bodies and sensors show of their places, by name.
#pragma once

#include <functional>

#include "kinematics.hpp"

namespace mechfmu {

/// Calls `show(name, value)` for everything that a sensor measures: "S.x", …
void show_sensor(const Sensor& sensor, const Kinematics& kinematics,
                 const std::function<void(const std::string&, const casadi::SX&)>& show);

/// The same for a body: "crank.position.x", …
void show_body(const MovingBody& body, const Kinematics& kinematics,
               const std::function<void(const std::string&, const casadi::SX&)>& show);

/// One component of what [outputs] declares of a body.
casadi::SX declared_output(const Output& output, const Kinematics& kinematics);

}  // namespace mechfmu
