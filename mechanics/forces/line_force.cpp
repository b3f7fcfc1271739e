// A force along the line between two points, pull positive: P = −F l̇. Its value may use the length.
#include "force_laws.hpp"

namespace mechfmu {

void apply_line_force(const ForceBuilder& b) {
  const casadi::SX length = b.line_length(), pull = b.value(b.force.value.front());
  b.show("force", pull);
  b.act(-pull, b.rate(length));
}

}  // namespace mechfmu
