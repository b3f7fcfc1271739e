// What numbers and geometry have to fulfil when an importer has set parameters: limits of single numbers, lengths that
// stay positive, axes that stay perpendicular, moments of inertia that a body can have.
#include "body_assembly.hpp"

#include "couplings.hpp"
#include "fmu_src/core/conditions.hpp"
#include "modelDescription/number_limits.hpp"
#include "modelDescription/own_units.hpp"
#include "modelDescription/principal_moments.hpp"
#include "modelDescription/units.hpp"
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
    if (joint.joint->type == "rolling" && d_.spatial) tilt_disk(joint);
    if (joint.joint->type == "universal") fit_universal(joint);
  }
  for (const Coupling& coupling : d_.couplings)
    for (ConditionEquation& condition :
         coupling_conditions(coupling, kinematics_, own_length_unit(d_), [this](const Expression& e) { return value(e); }))
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

/// No body has a principal moment that is larger than the sum of the others, and none has a negative one, which follows.
/// Of a diagonal tensor that is said of its elements; rounded digits are forgiven as in the file.
void BodyAssembly::limit_inertia(const Body& body) {
  if (!d_.spatial || body.allow_negative || body.inertia.empty()) return;
  std::vector<SX> I;
  for (const Expression& element : body.inertia) I.push_back(value(element));
  const SX slip = 1e-6 * SX::norm_2(SX::vertcat(I));
  const Unit unit = unit_of_inertia(body, d_);
  const auto not_negative = [&](const std::string& what, const SX& number, const std::string& repair) {
    add_condition({Condition::at_least, what + " of the inertia of the body " + mechfmu::quoted(body.name), "", unit, repair,
                   body.inertia_place, number, -slip});
  };
  const bool diagonal = I[3].is_zero() && I[4].is_zero() && I[5].is_zero();
  constexpr const char *set = "set other values", *none = "no body has such an inertia";
  if (!diagonal) {
    const std::array<SX, 3> moments = principal_moments(I);
    if (body.rotor) return not_negative("the least principal moment", moments[2], set);
    return not_negative("the sum of the two smaller principal moments minus the largest",
                        moments[1] + moments[2] - moments[0], none);
  }
  constexpr const char* elements[] = {"the element xx", "the element yy", "the element zz"};
  constexpr const char* sums[] = {"the sum xx + yy - zz", "the sum yy + zz - xx", "the sum zz + xx - yy"};
  for (std::size_t i = 0; i < 3; ++i) {
    if (body.rotor) not_negative(elements[i], I[i], set);
    else not_negative(sums[i], I[i] + I[(i + 1) % 3] - I[(i + 2) % 3], none);
  }
}

void BodyAssembly::limit_length(const MovingJoint& joint) {
  const Joint& rod = *joint.joint;
  ConditionEquation condition{Condition::more_than, "the length of the joint " + mechfmu::quoted(rod.name), "",
                              own_length_unit(d_), "",
                              rod.place};
  if (rod.length_motion) {  // a filter follows its input
    condition.number = value(rod.length_motion->value);
    condition.unit = unit_of_formula(d_, rod.length_motion->value, condition.unit);
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

/// No point of a disk that lies flat is the lowest one.
void BodyAssembly::tilt_disk(const MovingJoint& joint) {
  const auto direction = [&](int body, const SX& joint_frame, const SX& in_joint) {
    return SX::mtimes({kinematics_.bodies[static_cast<std::size_t>(body)].frame.R, joint_frame, in_joint});
  };
  const Joint& rolling = *joint.joint;
  const SX axis = direction(rolling.child.body, joint.child_frame, joint.geometry.axis);
  const SX normal = direction(rolling.parent.body, joint.parent_frame, third(joint.geometry));
  const SX angle = angle_between(axis, normal);
  const double least = 1e-4 * casadi::pi / 180;  // inertias that grow with its inverse still have half of their digits
  add_condition({Condition::at_least, "the angle between the axis of the disk of the joint " + mechfmu::quoted(rolling.name) +
                                          " and the normal of the plane that it rolls on",
                 "", known_unit("deg"), "a disk that lies flat touches at no single point: tilt it", rolling.place,
                 SX::fmin(angle, casadi::pi - angle), least});
}

void BodyAssembly::fit_universal(const MovingJoint& joint) {
  const Joint& universal = *joint.joint;
  const std::vector<SX> axes = kinematics_.axes_of(joint);
  add_condition({Condition::agrees_with, "the angle between the axes of the joint " + mechfmu::quoted(universal.name), "",
                 known_unit("deg"), "set other values", universal.axes[1].place, angle_between(axes[0], axes[1]),
                 casadi::pi / 2, 1e-6});
}

}  // namespace mechfmu
