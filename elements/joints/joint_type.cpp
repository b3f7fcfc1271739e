// Lists the joints.
#include "joint_type.hpp"

#include <algorithm>

#include "list.hpp"

namespace mechfmu {

std::vector<std::string> JointForm::all_keys() const {
  std::vector<std::string> all = keys;
  for (const NumberKey& number : numbers) all.push_back(number.name);
  all.insert(all.end(), flags.begin(), flags.end());
  return all;
}

bool JointForm::has(const std::string& key) const {
  const std::vector<std::string> all = all_keys();
  return std::find(all.begin(), all.end(), key) != all.end();
}

std::span<const JointType> joint_types() {
#define MECHFMU_TYPE(name) joints::name(),
  static const JointType types[] = {MECHFMU_JOINTS(MECHFMU_TYPE)};
#undef MECHFMU_TYPE
  return types;
}

const JointForm* find_joint_form(const std::string& type, bool spatial) {
  const JointType* found = find_type(joint_types(), type);
  return found == nullptr ? nullptr : spatial ? found->spatial : found->planar;
}

}  // namespace mechfmu
