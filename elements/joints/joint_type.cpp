// The joints as a list.
#include "joint_type.hpp"

#include <algorithm>

#include "list.hpp"

namespace mechfmu {

bool JointForm::has(const std::string& key) const { return std::find(keys.begin(), keys.end(), key) != keys.end(); }

std::span<const JointType> joint_types() {
#define MECHFMU_TYPE(name) joints::name(),
  static const JointType types[] = {MECHFMU_JOINTS(MECHFMU_TYPE)};
#undef MECHFMU_TYPE
  return types;
}

const JointForm* find_joint_form(const std::string& type, bool spatial) {
  const auto types = joint_types();
  const auto found = std::find_if(types.begin(), types.end(), [&](const JointType& each) { return type == each.name; });
  return found == types.end() ? nullptr : spatial ? found->spatial : found->planar;
}

}  // namespace mechfmu
