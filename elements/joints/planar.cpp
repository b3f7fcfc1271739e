// A planar joint lets the child's point move in a plane of the parent, and the child turn about its normal.
//   pose   d = e1 x + e2 y, R = J Rz(angle) Jᵀ, J = [e1 e2 normal]
//   cut    normal·d = 0, e1·R normal = e2·R normal = 0, normal·R normal > 0: three equations
// Singular configurations: it has none of its own.
#include "elements/rotations.hpp"
#include "joint_equations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

const JointForm planar_in_space{
    .coordinates = {{"x", false, 0}, {"y", false, 1}, {"angle", true}},
    .keys = {"axis"},
    .first_is_x = true,
    .move = [](const JointGeometry& g) -> JointMotion {
      return {first(g) * g.q(0) + second(g) * g.q(1),
              rotation_about(g.frame, g.q(2)),
              {},
              third(g) * g.v(2),
              {{first(g), none(3)}, {second(g), none(3)}, {none(3), third(g)}}};
    },
    .close = [](const JointGeometry& g, const JointPose& relative) -> JointClosure {
      JointClosure closure;
      closure.rows.add("height", SX::dot(third(g), relative.position), off_plane);
      align_axes(g, relative, closure);
      closure.coordinates = {{SX::dot(first(g), relative.position)},
                             {SX::dot(second(g), relative.position)},
                             angle_about(g, relative)};
      return closure;
    },
    .drawn = JointForm::Drawn::nothing};

}  // namespace

JointType joints::planar() { return {"planar", nullptr, &planar_in_space}; }

}  // namespace mechfmu
