// A point on a plane lets the child's point move in a plane of the parent, and the child turn freely.
//   pose   d = e1 x + e2 y, R of a unit quaternion, J = [e1 e2 normal]
//   cut    normal·d = 0: one equation
// Singular configurations: it has none.
#include "elements/rotations.hpp"
#include "joint_equations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

const JointForm point_on_plane_in_space{
    .coordinates = {{"x", false, 0}, {"y", false, 1}},
    .orientation = true,
    .keys = {"axis"},
    .first_is_x = true,
    .move = [](const JointGeometry& g) -> JointMotion {
      return {first(g) * g.q(0) + second(g) * g.q(1),
              rotation_of(g.quaternion),
              {},
              g.angular_velocity,
              {{first(g), none(3)}, {second(g), none(3)}}};
    },
    .close = [](const JointGeometry& g, const JointPose& relative) -> JointClosure {
      JointClosure closure;
      closure.rows.add("height", SX::dot(third(g), relative.position), off_plane);
      closure.coordinates = {{SX::dot(first(g), relative.position)}, {SX::dot(second(g), relative.position)}};
      return closure;
    }};

}  // namespace

JointType joints::point_on_plane() { return {"point_on_plane", nullptr, &point_on_plane_in_space}; }

}  // namespace mechfmu
