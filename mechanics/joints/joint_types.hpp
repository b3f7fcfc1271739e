// The joints, for their list.
#pragma once

#include "joint_type.hpp"

namespace mechfmu {

extern const JointForm planar_revolute, spatial_revolute;
extern const JointForm planar_prismatic, spatial_prismatic;
extern const JointForm spatial_cylindrical;
extern const JointForm spatial_screw;
extern const JointForm spatial_universal;
extern const JointForm spatial_spherical;
extern const JointForm spatial_planar;
extern const JointForm planar_fixed, spatial_fixed;
extern const JointForm planar_free, spatial_free;
extern const JointForm planar_distance, spatial_distance;
extern const JointForm planar_point_on_line, spatial_point_on_line;
extern const JointForm spatial_point_on_plane;
extern const JointForm planar_rolling, spatial_rolling;

}  // namespace mechfmu
