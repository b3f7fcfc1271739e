// Spherical joint.
#include "joint_types.hpp"

namespace mechfmu {

const JointForm spatial_spherical{{}, true, {}, {}};

}  // namespace mechfmu
