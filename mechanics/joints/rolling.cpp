// Rolling.
#include "joint_types.hpp"

namespace mechfmu {

const JointForm planar_rolling{{{"position", false}, {"angle", true}}, false, {"radius", "axis"}, {"radius"}};
const JointForm spatial_rolling{{{"x", false}, {"y", false}}, true, {"radius", "axis", "normal", "side_slip"},
                                {"radius"}, nullptr, nullptr, false, true};

}  // namespace mechfmu
