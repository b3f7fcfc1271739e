// Lists conditions on numbers and geometry that hold after an importer has set parameters: limits of single numbers,
// moments of inertia that a body can have, and conditions of joints and couplings on their geometry.
#include "mechanics/body_composer.hpp"

#include "elements/couplings/coupling_type.hpp"
#include "elements/forces/force_type.hpp"
#include "elements/number_limits.hpp"
#include "equations/enter_condition.hpp"
#include "modelDescription/description/principal_moments.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"

namespace mechfmu {

using casadi::SX;

void BodyComposer::add_condition(ConditionEquation condition) {
  const auto plain = [this](const SX& expression) { return SX::densify(kinematics_.motions->real(expression)); };
  condition.number = plain(condition.number);
  condition.bound = plain(condition.bound);
  enter_condition(std::move(condition), equations_, diagnostics_);
}

void BodyComposer::add_conditions() {
  limit_numbers();
  for (std::size_t i = 1; i < d_.bodies.size(); ++i) limit_inertia(d_.bodies[i]);
  const auto add_all = [this](std::vector<ConditionEquation> conditions) {
    for (ConditionEquation& condition : conditions) add_condition(std::move(condition));
  };
  for (const MovingJoint& joint : kinematics_.joints)
    if (joint.form->conditions) add_all(joint.form->conditions(placed(joint), surroundings_));
  for (const Force& force : d_.forces)
    if (const ForceType& type = *find_force_type(force.type); type.conditions)
      add_all(type.conditions(force, surroundings_));
  for (const Coupling& coupling : d_.couplings)
    if (const CouplingType& type = *find_coupling_type(coupling.type); type.conditions)
      add_all(type.conditions(coupling, surroundings_));
}

/// If a parameter or an input stands there alone, its min keeps it from being negative, but not from being 0.
void BodyComposer::limit_numbers() {
  for (const NumberLimit& limit : number_limits(d_)) {
    if (!limit.positive && is_settable(*limit.number, d_)) continue;
    add_condition({limit.positive ? Condition::more_than : Condition::at_least, limit.what, "", limit.unit,
                   "set other values", limit.number->place, value(*limit.number)});
  }
}

/// No body has a principal moment that is larger than the sum of the others; it follows that none has a negative one.
/// For a diagonal tensor the condition names its elements. Rounded digits are allowed as in the file.
void BodyComposer::limit_inertia(const Body& body) {
  if (!d_.spatial || body.allow_negative || body.inertia.empty()) return;
  std::vector<SX> I;
  for (const Expression& element : body.inertia) I.push_back(value(element));
  const SX slip = rounded_inertia * SX::norm_2(SX::vertcat(I));
  const Unit unit = unit_of_inertia(body, d_);
  const auto not_negative = [&](const std::string& what, const SX& number, const std::string& repair) {
    add_condition({Condition::at_least, what + " of the inertia of the body " + in_quotes(body.name), "", unit, repair,
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

}  // namespace mechfmu
