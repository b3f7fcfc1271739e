// A force or torque along a joint's coordinate c: P = value ċ.
#include "force_laws.hpp"

namespace mechfmu {

void apply_joint_force(const ForceBuilder& b) { b.act_on_coordinate(b.value(b.force.value.front())); }

}  // namespace mechfmu
