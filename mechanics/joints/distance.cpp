// Distance.
#include "joint_types.hpp"

namespace mechfmu {

const JointForm planar_distance{{}, false, {"length"}, {}, nullptr, nullptr, true};
const JointForm spatial_distance{{}, false, {"length"}, {}, nullptr, nullptr, true};

}  // namespace mechfmu
