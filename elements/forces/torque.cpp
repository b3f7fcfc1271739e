// Applies a torque to a body: P = T·ω; in space its components are in the ground's axes or a body's.
#include "force_builder.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

void apply_torque(const ForceBuilder& b) {
  const SX angular_velocity = b.around.angular_velocity(b.force.body);
  if (!b.around.spatial()) {
    const SX effort = b.around.value(b.force.value.front());
    b.show("torque", effort);
    b.act(effort, angular_velocity);
    return;
  }
  const SX torque = b.components();
  b.show_components("torque", torque);
  b.act(SX::mtimes({b.around.rotation(b.force.body).T(), b.frame(), torque}), angular_velocity);
}

}  // namespace

ForceType forces::torque() {
  return {.name = "torque", .acts = Acts::on_body, .has_value = true, .apply = apply_torque};
}

}  // namespace mechfmu
