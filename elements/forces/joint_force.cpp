// Applies a force or torque along a joint's coordinate c: P = value ċ.
#include "force_builder.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

void apply_joint_force(const ForceBuilder& b) { b.act_on_coordinate(b.around.value(b.force.value.front())); }

}  // namespace

ForceType forces::joint_force() {
  return {.name = "joint_force", .acts = Acts::on_coordinate, .has_value = true, .apply = apply_joint_force};
}

}  // namespace mechfmu
