// Planar joint.
#include "joint_types.hpp"

namespace mechfmu {

const JointForm spatial_planar{{{"x", false}, {"y", false}, {"angle", true}}, false, {"axis"}, {}};

}  // namespace mechfmu
