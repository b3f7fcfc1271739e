// Relative and absolute poses and velocities as variables.
#include "sensors.hpp"

#include "elements/components.hpp"
#include "elements/rotations.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

using Show = std::function<void(const std::string&, const SX&)>;

}  // namespace

void show_sensor(const Sensor& sensor, const Kinematics& kinematics, const Show& show) {
  const Frame from = kinematics.frame(sensor.from), to = kinematics.frame(sensor.to);
  const SX& axes = kinematics.bodies[static_cast<std::size_t>(sensor.axes)].frame.R;
  const SX difference = to.position - from.position;
  show_each(sensor.name, SX::mtimes(axes.T(), difference), xyz, show);
  show(sensor.name + ".distance", SX::norm_2(difference));
  if (kinematics.space() == 2) {
    show(sensor.name + ".angle", to.angle - from.angle);
    return;
  }
  const SX R = SX::mtimes(from.R.T(), to.R);  // = Rz(yaw) Ry(pitch) Rx(roll)
  show(sensor.name + ".roll", SX::atan2(R(2, 1), R(2, 2)));
  show(sensor.name + ".pitch", SX::atan2(-R(2, 0), SX::sqrt(SX::sq(R(0, 0)) + SX::sq(R(1, 0)))));
  show(sensor.name + ".yaw", SX::atan2(R(1, 0), R(0, 0)));
  show_each(sensor.name + ".orientation", quaternion_of(R), wxyz, show);
}

void show_body(const MovingBody& body, const Kinematics& kinematics, const Show& show) {
  const std::string& name = body.body->name;
  show_each(name + ".position", body.frame.position, xyz, show);
  show_each(name + ".velocity", body.origin_velocity, xyz, show);
  if (kinematics.space() == 2) {
    show(name + ".angle", body.frame.angle);
    show(name + ".angular_velocity", body.angular_velocity);
    return;
  }
  show_each(name + ".orientation", quaternion_of(body.frame.R), wxyz, show);
  show_each(name + ".angular_velocity", body.angular_velocity, xyz, show);
}

SX declared_output(const Output& output, const Kinematics& kinematics) {
  using Kind = Output::Kind;
  const MovingBody& body = kinematics.bodies[static_cast<std::size_t>(output.point.body)];
  const auto rate = [&](const SX& expression) { return kinematics.motions->rate(expression); };
  const bool plane = kinematics.space() == 2;
  SX vector;  // in the ground's axes
  switch (output.kind) {
    case Kind::value:
    case Kind::angle: return body.frame.angle;
    case Kind::orientation: return quaternion_of(body.frame.R)(output.component);
    case Kind::position: vector = kinematics.point(output.point); break;
    case Kind::velocity: vector = rate(kinematics.point(output.point)); break;
    case Kind::acceleration: vector = rate(rate(kinematics.point(output.point))); break;
    case Kind::angular_velocity:
      if (plane) return body.angular_velocity;
      vector = SX::mtimes(body.frame.R, body.angular_velocity);
      break;
    case Kind::angular_acceleration:
      if (plane) return rate(body.angular_velocity);
      vector = SX::mtimes(body.frame.R, rate(body.angular_velocity));
      break;
  }
  const SX& axes = kinematics.bodies[static_cast<std::size_t>(output.frame)].frame.R;
  return SX::mtimes(axes.T(), vector)(output.component);
}

}  // namespace mechfmu
