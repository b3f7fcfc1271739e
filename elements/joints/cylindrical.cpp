// A cylindrical joint lets the child slide along an axis and turn about it.
//   pose   d = a position, R = J Rz(angle) Jᵀ
//   cut    d across a = 0 (two), e1·Ra = e2·Ra = 0, a·Ra > 0
// Singular configurations: it has none of its own.
#include "elements/rotations.hpp"
#include "joint_equations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

const JointForm cylindrical_in_space{
    .coordinates = {{"position", false}, {"angle", true}},
    .keys = {"axis"},
    .move = [](const JointGeometry& g) -> JointMotion {
      return {third(g) * g.q(0),
              rotation_about(g.frame, g.q(1)),
              {},
              third(g) * g.v(1),
              {{third(g), none(3)}, {none(3), third(g)}}};
    },
    .close = [](const JointGeometry& g, const JointPose& relative) -> JointClosure {
      JointClosure closure;
      close_line(g, relative, closure.rows);
      align_axes(g, relative, closure);
      closure.coordinates = {{SX::dot(third(g), relative.position)}, angle_about(g, relative)};
      return closure;
    }};

}  // namespace

JointType joints::cylindrical() { return {"cylindrical", nullptr, &cylindrical_in_space}; }

}  // namespace mechfmu
