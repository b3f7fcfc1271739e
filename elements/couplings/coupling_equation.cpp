// Makes equations that couplings share.
#include "coupling_equation.hpp"

namespace mechfmu {

using casadi::SX;

SX proportion(const Coupling& coupling, const SX& ratio, const SX& offset, const Surroundings& around) {
  return around.named(coupling.second) - ratio * around.named(coupling.first) - offset;
}

}  // namespace mechfmu
