// The forces, for their list.
#pragma once

#include "force_law.hpp"

namespace mechfmu {

void apply_force(const ForceBuilder& builder);
void apply_torque(const ForceBuilder& builder);
void apply_joint_force(const ForceBuilder& builder);
void apply_line_force(const ForceBuilder& builder);
void apply_spring_damper(const ForceBuilder& builder);
void apply_joint_spring_damper(const ForceBuilder& builder);
void apply_friction(const ForceBuilder& builder);

}  // namespace mechfmu
