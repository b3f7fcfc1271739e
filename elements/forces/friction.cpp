// Applies friction at a joint's coordinate c: effort = −viscous ċ − coulomb N r sign(ċ), with r = radius for an angle
// and 1 for a position. The normal force N is the joint's own reaction: across the sliding direction for a position,
// the whole force for an angle. It follows from v̇ and λ, which the friction changes: the core finds both together. At
// rest the coordinate sticks, as a clutch does, up to static N r. With stick_speed, tanh(ċ/stick_speed) replaces the
// sign, and the coordinate creeps below stick_speed instead.
#include "equations/equations.hpp"
#include "force_builder.hpp"
#include "list.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

void apply_friction(const ForceBuilder& b) {
  const SX rate = b.around.rate(b.around.named(b.force.coordinate));
  const SX viscous = -b.number("viscous") * rate;
  if (!b.force.numbers.count("coulomb")) return b.act_on_coordinate(viscous);
  const SX normal = b.normal_force(), coulomb = b.number("coulomb"), sliding = coulomb * normal * b.number("radius", 1);
  b.show("normal_force", normal);
  if (b.force.numbers.count("stick_speed"))
    return b.act_on_coordinate(viscous - sliding * SX::tanh(rate / b.number("stick_speed")));
  const bool larger_at_rest = b.force.numbers.count("static") > 0;
  b.act_on_coordinate(
      viscous, b.stick(sliding, larger_at_rest ? SX::if_else(coulomb > 0, b.number("static") / coulomb, 1) : SX(1)));
}

std::vector<ConditionEquation> friction_conditions(const Force& force, const Surroundings& around) {
  if (!force.numbers.count("static")) return {};
  return {{Condition::at_least,
           "'static' of the force " + in_quotes(force.name),
           "",
           {},
           "set other values",
           force.place,
           around.number(force.numbers, "static"),
           around.number(force.numbers, "coulomb")}};
}

}  // namespace

ForceType forces::friction() {
  return {.name = "friction",
          .acts = Acts::on_coordinate,
          .numbers = {{"viscous", Measures::effort_damping, false, Bound::not_negative_unless_allowed},
                      {"coulomb", Measures::plain, false, Bound::not_negative},
                      {"static", Measures::plain, false, Bound::not_negative},
                      {"radius", Measures::length, false, Bound::positive},
                      {"stick_speed", Measures::coordinate_rate, false, Bound::positive}},
          .normal_force = true,
          .apply = apply_friction,
          .conditions = friction_conditions};
}

}  // namespace mechfmu
