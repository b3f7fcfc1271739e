// A point on a line lets the child's point slide along an axis of the parent, and the child turn freely.
//   pose           d = a position; R of a unit quaternion; in the plane by an angle
//   cut            d across a = 0: two equations, one in the plane
// Singular configurations: it has none.
#include "elements/rotations.hpp"
#include "joint_equations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

const JointForm point_on_line_in_plane{
    .coordinates = {{"position", false}, {"angle", true}},
    .keys = {"axis"},
    .move = [](const JointGeometry& g) -> JointMotion {
      return {g.axis * g.q(0), planar_rotation(g.q(1)), g.q(1), g.v(1), {{g.axis, 0}, {none(2), 1}}};
    },
    .close = [](const JointGeometry& g, const JointPose& relative) -> JointClosure {
      JointClosure closure;
      closure.rows.add("across", SX::dot(cross_product(1, g.axis), relative.position), beside_line);
      closure.coordinates = {{SX::dot(g.axis, relative.position)}, {relative.angle}};
      return closure;
    }};

const JointForm point_on_line_in_space{
    .coordinates = {{"position", false}},
    .orientation = true,
    .keys = {"axis"},
    .move = [](const JointGeometry& g) -> JointMotion {
      return {third(g) * g.q, rotation_of(g.quaternion), {}, g.angular_velocity, {{third(g), none(3)}}};
    },
    .close = [](const JointGeometry& g, const JointPose& relative) -> JointClosure {
      JointClosure closure;
      close_line(g, relative, closure.rows);
      closure.coordinates = {{SX::dot(third(g), relative.position)}};
      return closure;
    }};

}  // namespace

JointType joints::point_on_line() { return {"point_on_line", &point_on_line_in_plane, &point_on_line_in_space}; }

}  // namespace mechfmu
