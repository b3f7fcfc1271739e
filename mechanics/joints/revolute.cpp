// Revolute joint: one angle.
#include "joint_types.hpp"

namespace mechfmu {

const JointForm planar_revolute{{{"angle", true}}, false, {}, {}};
const JointForm spatial_revolute{{{"angle", true}}, false, {"axis"}, {}};

}  // namespace mechfmu
