// Makes variables of relative and absolute poses and velocities.
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
  const SX& R_GA = kinematics.bodies[static_cast<std::size_t>(sensor.axes)].frame.R_GF;
  const SX p_FT_G = to.p_GF - from.p_GF;
  show_each(sensor.name, SX::mtimes(R_GA.T(), p_FT_G), xyz, show);
  show(sensor.name + ".distance", SX::norm_2(p_FT_G));
  if (kinematics.space() == 2) {
    show(sensor.name + ".angle", to.angle_GF - from.angle_GF);
    return;
  }
  const SX R_FT = SX::mtimes(from.R_GF.T(), to.R_GF);  // = Rz(yaw) Ry(pitch) Rx(roll)
  show(sensor.name + ".roll", SX::atan2(R_FT(2, 1), R_FT(2, 2)));
  show(sensor.name + ".pitch", SX::atan2(-R_FT(2, 0), SX::sqrt(SX::sq(R_FT(0, 0)) + SX::sq(R_FT(1, 0)))));
  show(sensor.name + ".yaw", SX::atan2(R_FT(1, 0), R_FT(0, 0)));
  show_each(sensor.name + ".orientation", quaternion_of(R_FT), wxyz, show);
}

void show_body(const MovingBody& body, const Kinematics& kinematics, const Show& show) {
  const std::string& name = body.body->name;
  show_each(name + ".position", body.frame.p_GF, xyz, show);
  show_each(name + ".velocity", body.v_GB, xyz, show);
  if (kinematics.space() == 2) {
    show(name + ".angle", body.frame.angle_GF);
    show(name + ".angular_velocity", body.w_GB_B);
    return;
  }
  show_each(name + ".orientation", quaternion_of(body.frame.R_GF), wxyz, show);
  show_each(name + ".angular_velocity", body.w_GB_B, xyz, show);
}

SX declared_output(const Output& output, const Kinematics& kinematics) {
  using Kind = Output::Kind;
  const MovingBody& body = kinematics.bodies[static_cast<std::size_t>(output.point.body)];
  const auto rate = [&](const SX& expression) { return kinematics.motions->rate(expression); };
  const bool plane = kinematics.space() == 2;
  SX vector;  // has components in the ground's axes
  switch (output.kind) {
    case Kind::value:
    case Kind::angle: return body.frame.angle_GF;
    case Kind::orientation: return quaternion_of(body.frame.R_GF)(output.component);
    case Kind::position: vector = kinematics.point(output.point); break;
    case Kind::velocity: vector = rate(kinematics.point(output.point)); break;
    case Kind::acceleration: vector = rate(rate(kinematics.point(output.point))); break;
    case Kind::angular_velocity:
      if (plane) return body.w_GB_B;
      vector = SX::mtimes(body.frame.R_GF, body.w_GB_B);
      break;
    case Kind::angular_acceleration:
      if (plane) return rate(body.w_GB_B);
      vector = SX::mtimes(body.frame.R_GF, rate(body.w_GB_B));
      break;
  }
  const SX& R_GA = kinematics.bodies[static_cast<std::size_t>(output.frame)].frame.R_GF;
  return SX::mtimes(R_GA.T(), vector)(output.component);
}

}  // namespace mechfmu
