// A free joint has no constraint; it says where the child is against the parent.
//   pose (space)   d = (x, y, z), R of a unit quaternion
//   pose (plane)   d = (x, y), angle
//   cut            no equation
// Singular configurations: it has none.
#include "elements/rotations.hpp"
#include "joint_equations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

SX direction(casadi_int i, casadi_int dimension) { return SX::eye(dimension)(casadi::Slice(), i); }

const JointForm free_in_plane{
    .coordinates = {{"x", false, 0}, {"y", false, 1}, {"angle", true}},
    .move = [](const JointGeometry& g) -> JointMotion {
      return {g.q(casadi::Slice(0, 2)),
              planar_rotation(g.q(2)),
              g.q(2),
              g.v(2),
              {{direction(0, 2), 0}, {direction(1, 2), 0}, {none(2), 1}}};
    },
    .close = [](const JointGeometry&, const JointPose& relative) -> JointClosure {
      JointClosure closure;
      closure.coordinates = {{relative.position(0)}, {relative.position(1)}, {relative.angle}};
      return closure;
    },
    .drawn = JointForm::Drawn::nothing};

const JointForm free_in_space{
    .coordinates = {{"x", false, 0}, {"y", false, 1}, {"z", false, 2}},
    .orientation = true,
    .first_is_x = true,
    .move = [](const JointGeometry& g) -> JointMotion {
      return {g.q,
              rotation_of(g.quaternion),
              {},
              g.angular_velocity,
              {{direction(0, 3), none(3)}, {direction(1, 3), none(3)}, {direction(2, 3), none(3)}}};
    },
    .close = [](const JointGeometry&, const JointPose& relative) -> JointClosure {
      JointClosure closure;
      for (casadi_int i = 0; i < 3; ++i) closure.coordinates.push_back({relative.position(i)});
      return closure;
    },
    .drawn = JointForm::Drawn::nothing};

}  // namespace

JointType joints::free() { return {"free", &free_in_plane, &free_in_space}; }

}  // namespace mechfmu
