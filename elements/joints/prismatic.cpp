// A prismatic joint lets the child slide along an axis; it does not let the child turn.
//   pose           d = a position, R = 1
//   cut (space)    d across a = 0 (two), rotation held (three)
//   cut (plane)    n·d = 0, angle = 0
// Singular configurations: it has none of its own.
#include "elements/rotations.hpp"
#include "joint_equations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

const JointForm prismatic_in_plane{
    .coordinates = {{"position", false}},
    .keys = {"axis"},
    .move = [](const JointGeometry& g) -> JointMotion { return {g.axis * g.q, SX::eye(2), 0, 0, {{g.axis, 0}}}; },
    .close = [](const JointGeometry& g, const JointPose& relative) -> JointClosure {
      JointClosure closure;
      closure.rows.add("across", SX::dot(cross_product(1, g.axis), relative.position), beside_line);
      closure.rows.add("turn", relative.angle, turned_apart);
      closure.coordinates = {{SX::dot(g.axis, relative.position)}};
      return closure;
    }};

const JointForm prismatic_in_space{.coordinates = {{"position", false}},
                                   .keys = {"axis"},
                                   .move = [](const JointGeometry& g) -> JointMotion {
                                     return {third(g) * g.q, SX::eye(3), {}, none(3), {{third(g), none(3)}}};
                                   },
                                   .close = [](const JointGeometry& g, const JointPose& relative) -> JointClosure {
                                     JointClosure closure;
                                     close_line(g, relative, closure.rows);
                                     hold_rotation(SX::eye(3), relative, closure);
                                     closure.coordinates = {{SX::dot(third(g), relative.position)}};
                                     return closure;
                                   }};

}  // namespace

JointType joints::prismatic() { return {"prismatic", &prismatic_in_plane, &prismatic_in_space}; }

}  // namespace mechfmu
