// Lists the couplings.
#include "coupling_type.hpp"

#include "list.hpp"
#include "modelDescription/description/bodies.hpp"

namespace mechfmu {

std::span<const CouplingType> coupling_types() {
#define MECHFMU_TYPE(name) couplings::name(),
  static const CouplingType types[] = {MECHFMU_COUPLINGS(MECHFMU_TYPE)};
#undef MECHFMU_TYPE
  return types;
}

const CouplingType* find_coupling_type(const std::string& name) { return find_type(coupling_types(), name); }

bool comes_and_goes(const Coupling& coupling) {
  const CouplingType* type = find_coupling_type(coupling.type);
  return type && type->contacts && (!type->equation || coupling.numbers.count("backlash") > 0);
}

}  // namespace mechfmu
