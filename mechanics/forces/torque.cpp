// A torque on a body: P = T·ω; in space its components in the ground's axes or a body's.
#include "force_laws.hpp"

namespace mechfmu {

using casadi::SX;

void apply_torque(const ForceBuilder& b) {
  const MovingBody& body = b.kinematics.bodies[static_cast<std::size_t>(b.force.body)];
  if (b.kinematics.space() == 2) {
    const SX effort = b.value(b.force.value.front());
    b.show("torque", effort);
    b.act(effort, body.angular_velocity);
    return;
  }
  const SX torque = b.components();
  b.show_components("torque", torque);
  b.act(SX::mtimes({body.frame.R.T(), b.frame(), torque}), body.angular_velocity);
}

}  // namespace mechfmu
