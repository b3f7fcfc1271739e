// Point on a plane.
#include "joint_types.hpp"

namespace mechfmu {

const JointForm spatial_point_on_plane{{{"x", false}, {"y", false}}, true, {"axis"}, {}};

}  // namespace mechfmu
