// What numbers and geometry have to fulfil when an importer has set parameters: limits of single numbers, lengths that
// stay positive, axes that stay perpendicular, moments of inertia that a body can have.
#include "body_assembly.hpp"

#include "couplings.hpp"
#include "fmu_src/core/conditions.hpp"
#include "modelDescription/number_limits.hpp"
#include "rotations.hpp"

namespace mechfmu {

using casadi::SX;

/// What is a number for good is judged here.
void BodyAssembly::add_condition(ConditionEquation condition) {
  const auto plain = [this](const SX& expression) { return SX::densify(kinematics_.motions->real(expression)); };
  condition.number = plain(condition.number);
  condition.bound = plain(condition.bound);
  if (!condition.number.is_constant() || !condition.bound.is_constant()) {
    equations_.conditions.push_back(std::move(condition));
    return;
  }
  Message message;
  if (!condition_holds(condition.condition(), static_cast<double>(condition.number),
                       static_cast<double>(condition.bound), "", message))
    diagnostics_.add(condition.place, message.text, condition.repair);
}

void BodyAssembly::add_conditions() {
  limit_numbers();
  for (std::size_t i = 1; i < d_.bodies.size(); ++i) limit_inertia(d_.bodies[i]);
  for (const MovingJoint& joint : kinematics_.joints) {
    if (joint.joint->type == "distance") limit_length(joint);
    if (joint.joint->type == "universal") fit_universal(joint);
  }
  for (const Coupling& coupling : d_.couplings)
    for (ConditionEquation& condition :
         coupling_conditions(coupling, kinematics_, [this](const Expression& e) { return value(e); }))
      add_condition(std::move(condition));
}

/// The min of a parameter or an input that stands there by itself keeps it from being negative, but not from being 0.
void BodyAssembly::limit_numbers() {
  for (const NumberLimit& limit : number_limits(d_)) {
    if (!limit.positive && is_settable(*limit.number, d_)) continue;
    add_condition({limit.positive ? Condition::more_than : Condition::at_least, limit.what, "", limit.unit,
                   "set other values", limit.number->place, value(*limit.number)});
  }
}

/// No body has a principal moment that is larger than the sum of the others. Of a diagonal tensor that is said of its
/// elements; rounded digits are forgiven as in the file.
void BodyAssembly::limit_inertia(const Body& body) {
  if (!d_.spatial || body.allow_negative || body.inertia.empty()) return;
  std::vector<SX> I;
  for (const Expression& element : body.inertia) I.push_back(value(element));
  const bool diagonal = I[3].is_zero() && I[4].is_zero() && I[5].is_zero();
  if (!diagonal) return;
  const SX slip = 1e-6 * SX::norm_2(SX::vertcat({I[0], I[1], I[2]}));
  const std::string of = " of the inertia of the body " + mechfmu::quoted(body.name);
  constexpr const char* elements[] = {"the element xx", "the element yy", "the element zz"};
  constexpr const char* sums[] = {"the sum xx + yy - zz", "the sum yy + zz - xx", "the sum zz + xx - yy"};
  for (std::size_t i = 0; i < 3; ++i)
    if (body.rotor)
      add_condition({Condition::at_least, elements[i] + of, "", "kg.m2", "set other values", body.inertia_place, I[i],
                     -slip});
    else
      add_condition({Condition::at_least, sums[i] + of, "", "kg.m2", "no body has such an inertia", body.inertia_place,
                     I[i] + I[(i + 1) % 3] - I[(i + 2) % 3], -slip});
}

void BodyAssembly::limit_length(const MovingJoint& joint) {
  const Joint& rod = *joint.joint;
  ConditionEquation condition{Condition::more_than, "the length of the joint " + mechfmu::quoted(rod.name), "", "m", "",
                              rod.place};
  if (rod.length_motion) {  // a filter follows its input
    condition.number = value(rod.length_motion->value);
    condition.repair = "give its motion another value, or the input of its motion a start";
    condition.place = rod.length_motion->place;
  } else if (rod.numbers.count("length") == 0) {
    condition.number = joint.geometry.length;
    condition.repair = "without a key length it is the distance in the zero configuration: move its points apart, or give "
                       "it one";
  } else {
    return;  // one of the numbers with a limit
  }
  add_condition(std::move(condition));
}

void BodyAssembly::fit_universal(const MovingJoint& joint) {
  const Joint& universal = *joint.joint;
  const std::vector<SX> axes = kinematics_.axes_of(joint);
  add_condition({Condition::agrees_with, "the angle between the axes of the joint " + mechfmu::quoted(universal.name), "",
                 "deg", "set other values", universal.axes[1].place, degrees_between(axes[0], axes[1]), 90, 1e-6});
}

}  // namespace mechfmu
