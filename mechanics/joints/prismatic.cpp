// Prismatic joint: one position.
#include "joint_types.hpp"

namespace mechfmu {

const JointForm planar_prismatic{{{"position", false}}, false, {"axis"}, {}};
const JointForm spatial_prismatic{{{"position", false}}, false, {"axis"}, {}};

}  // namespace mechfmu
