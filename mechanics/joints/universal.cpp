// Universal joint.
#include "joint_types.hpp"

namespace mechfmu {

const JointForm spatial_universal{{{"angle_1", true}, {"angle_2", true}}, false, {"axes"}, {"axes"}};

}  // namespace mechfmu
