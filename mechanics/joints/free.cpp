// Free joint.
#include "joint_types.hpp"

namespace mechfmu {

const JointForm planar_free{{{"x", false}, {"y", false}, {"angle", true}}, false, {}, {}};
const JointForm spatial_free{{{"x", false}, {"y", false}, {"z", false}}, true, {}, {}};

}  // namespace mechfmu
