// Looks for a type in the families of the other sections.
#include "unknown_type.hpp"

#include "elements/couplings/coupling_type.hpp"
#include "elements/forces/force_type.hpp"
#include "elements/joints/joint_type.hpp"

namespace mechfmu {

namespace {

/// Returns the section whose members have this type, or an empty text.
std::string section_of(const std::string& type) {
  for (const JointType& joint : joint_types())
    if (joint.name == type) return "joints";
  if (find_force_type(type)) return "forces";
  return find_coupling_type(type) ? "couplings" : "";
}

}  // namespace

void add_unknown_type(const Place& place, const std::string& what, const std::string& type,
                      const std::vector<std::string>& known, Diagnostics& diagnostics) {
  const std::string section = section_of(type);
  diagnostics.add(place, what + " is of unknown type " + in_quotes(type),
                  section.empty() ? suggestion(type, known, "known are " + listed(known))
                                  : "it is a type of [" + section + "], so write it there");
}

}  // namespace mechfmu
