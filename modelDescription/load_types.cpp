// The lists of forces and couplings.
#include "load_types.hpp"

#include <algorithm>

namespace mechfmu {

namespace {

template <class Type>
const Type* find_type(std::span<const Type> types, const std::string& name) {
  const auto found = std::find_if(types.begin(), types.end(), [&](const Type& type) { return name == type.name; });
  return found == types.end() ? nullptr : &*found;
}

}  // namespace

std::span<const ForceType> force_types() {
  constexpr LoadLimit giving = LoadLimit::not_negative_unless_allowed;
  static const ForceType types[] = {
      {"force", Acts::at_point, true, {}},
      {"torque", Acts::on_body, true, {}},
      {"joint_force", Acts::on_coordinate, true, {}},
      {"line_force", Acts::along_line, true, {}},
      {"spring_damper",
       Acts::along_line,
       false,
       {{"stiffness", LoadNumber::stiffness, true, giving},
        {"damping", LoadNumber::damping, false, giving},
        {"rest_length", LoadNumber::length}}},
      {"joint_spring_damper",
       Acts::on_coordinate,
       false,
       {{"stiffness", LoadNumber::effort_stiffness, true, giving},
        {"damping", LoadNumber::effort_damping, false, giving},
        {"rest", LoadNumber::coordinate},
        {"preload", LoadNumber::effort}}},
      {"friction",
       Acts::on_coordinate,
       false,
       {{"viscous", LoadNumber::effort_damping, false, giving},
        {"coulomb", LoadNumber::plain, false, LoadLimit::not_negative},
        {"radius", LoadNumber::length, false, LoadLimit::positive},
        {"stick_speed", LoadNumber::coordinate_rate, false, LoadLimit::positive}},
       true},
  };
  return types;
}

std::span<const CouplingType> coupling_types() {
  static const CouplingType types[] = {
      {"linear", false, true, {{"constant", LoadNumber::sum}}},
      {"gear", false, false, {{"ratio", LoadNumber::ratio, true}, {"offset", LoadNumber::second}}},
      {"rack", false, false, {{"radius", LoadNumber::length, true}}},
      {"mesh",
       true,
       false,
       {{"radius_first", LoadNumber::length, true}, {"radius_second", LoadNumber::length, true}}},
  };
  return types;
}

const ForceType* find_force_type(const std::string& name) { return find_type(force_types(), name); }
const CouplingType* find_coupling_type(const std::string& name) { return find_type(coupling_types(), name); }

}  // namespace mechfmu
