// Applies a force at a point of a body; it has components in the ground's axes or a body's: P = F·ẋ.
#include "force_builder.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

void apply_force(const ForceBuilder& b) {
  const SX force = b.components();
  b.show_components("force", force);
  b.act(SX::mtimes(b.frame(), force), b.around.rate(b.around.point(b.force.at)));
}

}  // namespace

ForceType forces::force() { return {.name = "force", .acts = Acts::at_point, .has_value = true, .apply = apply_force}; }

}  // namespace mechfmu
