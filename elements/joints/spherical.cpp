// A spherical joint holds the points together and lets the child turn freely.
//   pose   d = 0, R of a unit quaternion
//   cut    d = 0: three equations
// Singular configurations: the quaternion has none.
#include "elements/rotations.hpp"
#include "joint_equations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

const JointForm spherical_in_space{.orientation = true,
                                   .any_axes = true,
                                   .move = [](const JointGeometry& g) -> JointMotion {
                                     return {none(3), rotation_of(g.quaternion), {}, g.angular_velocity, {}};
                                   },
                                   .close = [](const JointGeometry&, const JointPose& relative) -> JointClosure {
                                     JointClosure closure;
                                     close_points(relative, closure.rows);
                                     return closure;
                                   }};

}  // namespace

JointType joints::spherical() { return {"spherical", nullptr, &spherical_in_space}; }

}  // namespace mechfmu
