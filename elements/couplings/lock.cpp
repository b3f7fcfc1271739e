// Holds a coordinate, or two against each other, while a condition is true.
#include "coupling_equation.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

/// Returns a number that is positive while a condition holds. For a comparison it is the difference of both sides: it
/// passes zero smoothly, so that the instant can be located.
SX margin(const Expression& condition, const Surroundings& around) {
  const std::vector<Expression>& parts = condition.arguments;
  const auto is = [&](const char* name) {
    return condition.kind == Expression::Kind::operation && condition.name == name;
  };
  if (is(">") || is(">=")) return around.value(parts[0]) - around.value(parts[1]);
  if (is("<") || is("<=")) return around.value(parts[1]) - around.value(parts[0]);
  if (is("and")) return SX::fmin(margin(parts[0], around), margin(parts[1], around));
  if (is("or")) return SX::fmax(margin(parts[0], around), margin(parts[1], around));
  if (is("not")) return -margin(parts[0], around);
  return SX::if_else(around.value(condition) != 0, 1, -1);
}

std::vector<ContactEquation> lock_contacts(const Coupling& coupling, const Surroundings& around) {
  ContactEquation group = contact_of(coupling, "lock", around);
  group.law = contacts::Law::bilateral;
  group.speed = rate_of_first(coupling, around);
  group.when = margin(coupling.numbers.at("when"), around);
  return {group};
}

}  // namespace

CouplingType couplings::lock() {
  return {.name = "lock",
          .couples = CouplingType::with_ground,
          .numbers = {},
          .has_condition = true,
          .contacts = lock_contacts};
}

}  // namespace mechfmu
