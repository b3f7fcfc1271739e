// A fixed joint allows no motion; the child's joint frame is turned by a constant rotation.
//   pose           d = 0, R = rotation
//   cut (space)    d = 0, rotation held: six equations
//   cut (plane)    d = 0, angle = rotation: three equations
// Singular configurations: it has none.
#include "elements/rotations.hpp"
#include "joint_equations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

const JointForm fixed_in_plane{.keys = {"rotation"},
                               .any_axes = true,
                               .move = [](const JointGeometry& g) -> JointMotion {
                                 return {none(2), planar_rotation(g.rotation_angle), g.rotation_angle, 0, {}};
                               },
                               .close = [](const JointGeometry& g, const JointPose& relative) -> JointClosure {
                                 JointClosure closure;
                                 close_points(relative, closure.rows);
                                 closure.rows.add("turn", relative.angle - g.rotation_angle, turned_apart);
                                 return closure;
                               }};

const JointForm fixed_in_space{
    .keys = {"rotation"},
    .any_axes = true,
    .move = [](const JointGeometry& g) -> JointMotion { return {none(3), g.rotation, {}, none(3), {}}; },
    .close = [](const JointGeometry& g, const JointPose& relative) -> JointClosure {
      JointClosure closure;
      close_points(relative, closure.rows);
      hold_rotation(g.rotation, relative, closure);
      return closure;
    }};

}  // namespace

JointType joints::fixed() { return {"fixed", &fixed_in_plane, &fixed_in_space}; }

}  // namespace mechfmu
