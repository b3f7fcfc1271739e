// A spring and damper between two points, pull positive: F = k (l − l₀) + d l̇, P = −F l̇, V = k (l − l₀)²/2.
#include "force_laws.hpp"

namespace mechfmu {

using casadi::SX;

void apply_spring_damper(const ForceBuilder& b) {
  const SX length = b.line_length(), rate = b.rate(length);
  const SX stiffness = b.number("stiffness"), rest = b.number("rest_length");
  const SX pull = stiffness * (length - rest) + b.number("damping") * rate;
  b.show("force", pull);
  b.act(-pull, rate);
  if (b.is_constant(stiffness) && b.is_constant(rest)) b.power.store(stiffness * SX::sq(length - rest) / 2);
}

}  // namespace mechfmu
