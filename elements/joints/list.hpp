// Lists the joints. Each line is a function of the member's file that returns the type of this name.
#pragma once

#include "joint_type.hpp"

#define MECHFMU_JOINTS(MEMBER) \
  MEMBER(revolute)             \
  MEMBER(prismatic)            \
  MEMBER(cylindrical)          \
  MEMBER(screw)                \
  MEMBER(universal)            \
  MEMBER(spherical)            \
  MEMBER(planar)               \
  MEMBER(fixed)                \
  MEMBER(free)                 \
  MEMBER(distance)             \
  MEMBER(point_on_line)        \
  MEMBER(point_on_plane)       \
  MEMBER(rolling)

namespace mechfmu::joints {

#define MECHFMU_DECLARE(name) JointType name();
MECHFMU_JOINTS(MECHFMU_DECLARE)
#undef MECHFMU_DECLARE

}  // namespace mechfmu::joints
