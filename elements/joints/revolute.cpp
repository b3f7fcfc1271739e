// A revolute joint holds the points together and lets the child turn by one angle about an axis.
//   pose (space)   d = 0, R = J Rz(angle) Jᵀ, J = [e1 e2 a]
//   cut (space)    d = 0; e1·Ra = e2·Ra = 0, a·Ra > 0: five equations
//   cut (plane)    d = 0: two equations
// Singular configurations: it has none of its own.
#include "elements/rotations.hpp"
#include "joint_equations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

const JointForm revolute_in_plane{.coordinates = {{"angle", true}},
                                  .any_axes = true,
                                  .move = [](const JointGeometry& g) -> JointMotion {
                                    return {none(2), planar_rotation(g.q), g.q, g.v, {{none(2), 1}}};
                                  },
                                  .close = [](const JointGeometry&, const JointPose& relative) -> JointClosure {
                                    JointClosure closure;
                                    close_points(relative, closure.rows, pins_apart);
                                    closure.coordinates = {{relative.angle}};
                                    return closure;
                                  }};

const JointForm revolute_in_space{
    .coordinates = {{"angle", true}},
    .keys = {"axis"},
    .any_axes = true,
    .move = [](const JointGeometry& g) -> JointMotion {
      return {none(3), rotation_about(g.frame, g.q), {}, third(g) * g.v, {{none(3), third(g)}}};
    },
    .close = [](const JointGeometry& g, const JointPose& relative) -> JointClosure {
      JointClosure closure;
      close_points(relative, closure.rows, pins_apart);
      align_axes(g, relative, closure);
      closure.coordinates = {angle_about(g, relative)};
      return closure;
    }};

}  // namespace

JointType joints::revolute() { return {"revolute", &revolute_in_plane, &revolute_in_space}; }

}  // namespace mechfmu
