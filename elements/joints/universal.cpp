// A universal joint lets the child turn about a first axis a1, which is fixed in the parent, then about a second one
// a2, which is fixed in the child and perpendicular to the first.
//   pose   d = 0, R = J Rz(angle_1) Rx(angle_2) Jᵀ, J = [a2 a1×a2 a1]
//   cut    d = 0, a1·Ra2 = 0: four equations
// Singular configurations: it has none of its own (its angles cover all of its poses twice: angle_2 and π − …).
#include "elements/rotations.hpp"
#include "elements/surroundings.hpp"
#include "equations/equations.hpp"
#include "joint_equations.hpp"
#include "list.hpp"
#include "modelDescription/formulas/diagnostics.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

std::vector<ConditionEquation> universal_conditions(const PlacedJoint& universal, const Surroundings&) {
  const Joint& joint = universal.joint;
  return {{Condition::agrees_with, "the angle between the axes of the joint " + in_quotes(joint.name), "",
           known_unit("deg"), "set other values", joint.axes[1].place,
           angle_between(universal.geometry.axis, universal.geometry.second_axis), casadi::pi / 2, right_angle}};
}

const JointForm universal_in_space{
    .coordinates = {{"angle_1", true}, {"angle_2", true}},
    .keys = {"axes"},
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
      closure.coordinates = {
          {SX::atan2(along(second(g), relative, first(g)), along(first(g), relative, first(g))), true},
          {SX::atan2(along(third(g), relative, second(g)), along(third(g), relative, third(g))), true}};
      return closure;
    },
    .conditions = universal_conditions};

}  // namespace

JointType joints::universal() { return {"universal", nullptr, &universal_in_space}; }

}  // namespace mechfmu
