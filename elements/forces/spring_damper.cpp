// Applies a spring and damper between two points; pull is positive: F = k (l − l₀) + d l̇, P = −F l̇, V = k (l −
// l₀)²/2.
#include "force_builder.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

void apply_spring_damper(const ForceBuilder& b) {
  const SX length = b.line_length(), rate = b.around.rate(length);
  const SX stiffness = b.number("stiffness"), rest = b.number("rest_length");
  const SX pull = stiffness * (length - rest) + b.number("damping") * rate;
  b.show("force", pull);
  b.act(-pull, rate);
  if (b.is_constant(stiffness) && b.is_constant(rest)) b.store(stiffness * SX::sq(length - rest) / 2);
}

}  // namespace

ForceType forces::spring_damper() {
  return {.name = "spring_damper",
          .acts = Acts::along_line,
          .numbers = {{"stiffness", Measures::stiffness, true, Bound::not_negative_unless_allowed},
                      {"damping", Measures::damping, false, Bound::not_negative_unless_allowed},
                      {"rest_length", Measures::length}},
          .apply = apply_spring_damper};
}

}  // namespace mechfmu
