// Point on a line.
#include "joint_types.hpp"

namespace mechfmu {

const JointForm planar_point_on_line{{{"position", false}, {"angle", true}}, false, {"axis"}, {}};
const JointForm spatial_point_on_line{{{"position", false}}, true, {"axis"}, {}};

}  // namespace mechfmu
