// Applies a force along the line between two points; pull is positive: P = −F l̇. Its value may use the length.
#include "force_builder.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

void apply_line_force(const ForceBuilder& b) {
  const SX length = b.line_length(), pull = b.around.value(b.force.value.front());
  b.show("force", pull);
  b.act(-pull, b.around.rate(length));
}

}  // namespace

ForceType forces::line_force() {
  return {.name = "line_force", .acts = Acts::along_line, .has_value = true, .apply = apply_line_force};
}

}  // namespace mechfmu
