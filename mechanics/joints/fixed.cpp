// Fixed joint.
#include "joint_types.hpp"

namespace mechfmu {

const JointForm planar_fixed{{}, false, {"rotation"}, {}};
const JointForm spatial_fixed{{}, false, {"rotation"}, {}};

}  // namespace mechfmu
