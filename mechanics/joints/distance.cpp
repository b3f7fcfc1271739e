// Distance.
#include "joint_types.hpp"

namespace mechfmu {

const JointForm planar_distance{{}, false, {"length"}, {}};
const JointForm spatial_distance{{}, false, {"length"}, {}};

}  // namespace mechfmu
