// What couplings share.
#include "coupling_equation.hpp"

namespace mechfmu {

using casadi::SX;

SX number_of(const Coupling& coupling, const char* key, const Surroundings& around) {
  const auto found = coupling.numbers.find(key);
  return found == coupling.numbers.end() ? SX(0) : around.value(found->second);
}

SX proportion(const Coupling& coupling, const SX& ratio, const SX& offset, const Surroundings& around) {
  return around.named(coupling.second) - ratio * around.named(coupling.first) - offset;
}

}  // namespace mechfmu
