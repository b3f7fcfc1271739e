// Screw joint.
#include "joint_types.hpp"

namespace mechfmu {

const JointForm spatial_screw{{{"angle", true}}, false, {"axis", "lead"}, {"lead"}};

}  // namespace mechfmu
