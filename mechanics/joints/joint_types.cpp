// The list of joints; each is defined in a file of its own.
#include "joint_types.hpp"

#include <algorithm>

namespace mechfmu {

std::span<const JointType> joint_types() {
  static const JointType types[] = {
      {"revolute", &planar_revolute, &spatial_revolute},
      {"prismatic", &planar_prismatic, &spatial_prismatic},
      {"cylindrical", nullptr, &spatial_cylindrical},
      {"screw", nullptr, &spatial_screw},
      {"universal", nullptr, &spatial_universal},
      {"spherical", nullptr, &spatial_spherical},
      {"planar", nullptr, &spatial_planar},
      {"fixed", &planar_fixed, &spatial_fixed},
      {"free", &planar_free, &spatial_free},
      {"distance", &planar_distance, &spatial_distance},
      {"point_on_line", &planar_point_on_line, &spatial_point_on_line},
      {"point_on_plane", nullptr, &spatial_point_on_plane},
      {"rolling", &planar_rolling, &spatial_rolling},
  };
  return types;
}

const JointForm* find_joint_form(const std::string& type, bool spatial) {
  const auto types = joint_types();
  const auto found = std::find_if(types.begin(), types.end(), [&](const JointType& each) { return type == each.name; });
  return found == types.end() ? nullptr : spatial ? found->spatial : found->planar;
}

}  // namespace mechfmu
