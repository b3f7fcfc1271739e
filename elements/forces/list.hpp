// Lists the forces. Each line is a function of the member's file that returns the type of this name.
#pragma once

#include "force_type.hpp"

#define MECHFMU_FORCES(MEMBER) \
  MEMBER(force)                \
  MEMBER(torque)               \
  MEMBER(joint_force)          \
  MEMBER(line_force)           \
  MEMBER(spring_damper)        \
  MEMBER(joint_spring_damper)  \
  MEMBER(friction)

namespace mechfmu::forces {

#define MECHFMU_DECLARE(name) ForceType name();
MECHFMU_FORCES(MECHFMU_DECLARE)
#undef MECHFMU_DECLARE

}  // namespace mechfmu::forces
