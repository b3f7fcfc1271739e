// Applies a spring and damper at a joint's coordinate c: effort = preload − k (c − rest) − d ċ, V = k (c − rest)²/2 −
// preload c.
#include "force_builder.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

void apply_joint_spring_damper(const ForceBuilder& b) {
  const SX at = b.around.named(b.force.coordinate);
  const SX stiffness = b.number("stiffness"), rest = b.number("rest"), preload = b.number("preload");
  b.act_on_coordinate(preload - stiffness * (at - rest) - b.number("damping") * b.around.rate(at));
  if (b.is_constant(stiffness) && b.is_constant(rest) && b.is_constant(preload))
    b.store(stiffness * SX::sq(at - rest) / 2 - preload * at);
}

}  // namespace

ForceType forces::joint_spring_damper() {
  return {.name = "joint_spring_damper",
          .acts = Acts::on_coordinate,
          .numbers = {{"stiffness", Measures::effort_stiffness, true, Bound::not_negative_unless_allowed},
                      {"damping", Measures::effort_damping, false, Bound::not_negative_unless_allowed},
                      {"rest", Measures::coordinate},
                      {"preload", Measures::effort}},
          .apply = apply_joint_spring_damper};
}

}  // namespace mechfmu
