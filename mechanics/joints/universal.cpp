// Universal joint: turns about a first axis a1, fixed in the parent, then about a second one a2, fixed in the child and
// perpendicular to the first.
//   pose   d = 0, R = J Rz(angle_1) Rx(angle_2) Jᵀ, J = [a2 a1×a2 a1]
//   cut    d = 0, a1·Ra2 = 0: four equations
// Singular configurations: none of its own (its angles cover all of its poses twice: angle_2 and π − …).
#include "joint_equations.hpp"
#include "joint_types.hpp"
#include "mechanics/rotations.hpp"

namespace mechfmu {

using casadi::SX;

const JointForm spatial_universal{
    .coordinates = {{"angle_1", true}, {"angle_2", true}},
    .keys = {"axes"},
    .required = {"axes"},
    .any_axes = true,
    .move = [](const JointGeometry& g) -> JointMotion {
      const SX one = rotation_about(g.frame, g.q(0)), two = rotation_about_first(g.frame, g.q(1));
      return {none(3),
              SX::mtimes(one, two),
              {},
              SX::mtimes(two.T(), third(g)) * g.v(0) + first(g) * g.v(1),
              {{none(3), third(g)}, {none(3), SX::mtimes(one, first(g))}}};
    },
    .close = [](const JointGeometry& g, const JointPose& relative) -> JointClosure {
      JointClosure closure;
      close_points(relative, closure.rows);
      closure.rows.add("cross", along(third(g), relative, first(g)),
                       {"its two axes stay # from a right angle", true, ToldRows::Gap::sine});
      closure.coordinates = {{SX::atan2(along(second(g), relative, first(g)), along(first(g), relative, first(g))), true},
                             {SX::atan2(along(third(g), relative, second(g)), along(third(g), relative, third(g))), true}};
      return closure;
    }};

}  // namespace mechfmu
