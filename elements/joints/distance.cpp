// A distance is a massless rod between the two points; it is always a cut.
//   cut    (d·d − length²)/(2 length) = 0: one equation, whose derivative by d is the rod's direction, so that its
//          multiplier is the rod's thrust
// Singular configurations: its length is zero.
#include "elements/surroundings.hpp"
#include "equations/equations.hpp"
#include "joint_equations.hpp"
#include "list.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

JointClosure close(const JointGeometry& g, const JointPose& relative) {
  JointClosure closure;
  const SX& length = g.number("length");
  closure.rows.add("length", (SX::dot(relative.position, relative.position) - SX::sq(length)) / (2 * length),
                   {"the distance of <parent> and <child> stays # from its length of #", false, ToldRows::Gap::rod});
  return closure;
}

/// Returns the condition that its length is positive. A length that the file gives as a number has a limit already.
std::vector<ConditionEquation> distance_conditions(const PlacedJoint& rod, const Surroundings& around) {
  const Joint& joint = rod.joint;
  ConditionEquation condition{
      Condition::more_than, "the length of the joint " + in_quotes(joint.name), "", around.length_unit(), "",
      joint.place};
  if (joint.length_motion) {  // a filter follows its input
    const Expression& length = joint.length_motion->value;
    condition.number = around.value(length);
    condition.unit = around.unit_of(length, condition.unit);
    condition.repair = "give its motion another value, or the input of its motion a start";
    condition.place = joint.length_motion->place;
  } else if (joint.numbers.count("length") == 0) {
    condition.number = rod.geometry.number("length");
    condition.repair =
        "without a key length it is the distance in the zero configuration: move its points apart, or give it one";
  } else {
    return {};
  }
  return {condition};
}

const JointForm form{.numbers = {{"length", Measures::length, false, Bound::positive}},
                     .pulls = true,
                     .any_axes = true,
                     .close = close,
                     .conditions = distance_conditions,
                     .drawn = JointForm::Drawn::rod};

}  // namespace

JointType joints::distance() { return {"distance", &form, &form}; }

}  // namespace mechfmu
