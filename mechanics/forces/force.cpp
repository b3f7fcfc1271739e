// A force at a point of a body, its components in the ground's axes or a body's: P = F·ẋ.
#include "force_laws.hpp"

namespace mechfmu {

void apply_force(const ForceBuilder& b) {
  const casadi::SX force = b.components();
  b.show_components("force", force);
  b.act(casadi::SX::mtimes(b.frame(), force), b.rate(b.kinematics.point(b.force.at)));
}

}  // namespace mechfmu
