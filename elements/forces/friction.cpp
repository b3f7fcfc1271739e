// Applies friction at a joint's coordinate c: effort = −viscous ċ − coulomb N r tanh(ċ/stick_speed), with r = radius
// for an angle and 1 for a position. The normal force N is the joint's own reaction: across the sliding direction for a
// position, the whole force for an angle. It follows from v̇ and λ, which the friction changes: the core finds both
// together. The hyperbolic tangent replaces sticking by creeping below stick_speed.
#include "force_builder.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

void apply_friction(const ForceBuilder& b) {
  const SX rate = b.around.rate(b.around.named(b.force.coordinate));
  SX effort = -b.number("viscous") * rate;
  if (b.force.numbers.count("coulomb")) {
    const SX normal = b.normal_force();
    effort -= b.number("coulomb") * normal * b.number("radius", 1) * SX::tanh(rate / b.number("stick_speed", 1e-3));
    b.show("normal_force", normal);
  }
  b.act_on_coordinate(effort);
}

}  // namespace

ForceType forces::friction() {
  return {.name = "friction",
          .acts = Acts::on_coordinate,
          .numbers = {{"viscous", Measures::effort_damping, false, Bound::not_negative_unless_allowed},
                      {"coulomb", Measures::plain, false, Bound::not_negative},
                      {"radius", Measures::length, false, Bound::positive},
                      {"stick_speed", Measures::coordinate_rate, false, Bound::positive}},
          .normal_force = true,
          .apply = apply_friction};
}

}  // namespace mechfmu
