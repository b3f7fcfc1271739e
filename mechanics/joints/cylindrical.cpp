// Cylindrical joint: position along and angle about one axis.
#include "joint_types.hpp"

namespace mechfmu {

const JointForm spatial_cylindrical{{{"position", false}, {"angle", true}}, false, {"axis"}, {}};

}  // namespace mechfmu
