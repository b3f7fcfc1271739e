// Lists the couplings.
#include "coupling_type.hpp"

#include "list.hpp"

namespace mechfmu {

std::span<const CouplingType> coupling_types() {
#define MECHFMU_TYPE(name) couplings::name(),
  static const CouplingType types[] = {MECHFMU_COUPLINGS(MECHFMU_TYPE)};
#undef MECHFMU_TYPE
  return types;
}

const CouplingType* find_coupling_type(const std::string& name) { return find_type(coupling_types(), name); }

}  // namespace mechfmu
