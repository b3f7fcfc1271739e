// A spring and damper at a joint's coordinate c: effort = preload − k (c − rest) − d ċ, V = k (c − rest)²/2 − preload c.
#include "force_laws.hpp"

namespace mechfmu {

using casadi::SX;

void apply_joint_spring_damper(const ForceBuilder& b) {
  const SX c = b.named(b.force.coordinate);
  const SX stiffness = b.number("stiffness"), rest = b.number("rest"), preload = b.number("preload");
  b.act_on_coordinate(preload - stiffness * (c - rest) - b.number("damping") * b.rate(c));
  if (b.is_constant(stiffness) && b.is_constant(rest) && b.is_constant(preload))
    b.power.store(stiffness * SX::sq(c - rest) / 2 - preload * c);
}

}  // namespace mechfmu
