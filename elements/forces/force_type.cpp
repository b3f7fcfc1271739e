// Lists the forces.
#include "force_type.hpp"

#include "list.hpp"

namespace mechfmu {

std::span<const ForceType> force_types() {
#define MECHFMU_TYPE(name) forces::name(),
  static const ForceType types[] = {MECHFMU_FORCES(MECHFMU_TYPE)};
#undef MECHFMU_TYPE
  return types;
}

const ForceType* find_force_type(const std::string& name) { return find_type(force_types(), name); }

}  // namespace mechfmu
