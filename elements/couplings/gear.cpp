// Couples two coordinates by a gear: second = ratio · first + offset. With backlash, the second is free between two
// gaps that are half of it on either side.
#include "coupling_equation.hpp"
#include "list.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

namespace {

CouplingEquation gear_equation(const Coupling& coupling, const Surroundings& around) {
  const casadi::SX ratio = around.number(coupling.numbers, "ratio");
  return {Level::position, proportion(coupling, ratio, around.number(coupling.numbers, "offset"), around)};
}

std::vector<ContactEquation> gear_contacts(const Coupling& coupling, const Surroundings& around) {
  const casadi::SX beyond = gear_equation(coupling, around).residual;
  const casadi::SX play = around.number(coupling.numbers, "backlash") / 2;
  ContactEquation lower = contact_of(coupling, "gear", around);
  lower.restitution = around.number(coupling.numbers, "restitution");
  lower.one_side_of = lower.name;
  ContactEquation upper = lower;
  upper.upper_side = true;
  lower.name += ".lower";
  lower.gap = play + beyond;
  upper.name += ".upper";
  upper.gap = play - beyond;
  return {lower, upper};
}

std::vector<ConditionEquation> gear_conditions(const Coupling& coupling, const Surroundings& around) {
  if (coupling.numbers.count("backlash") == 0) return {};
  const std::string owner = " of the gear " + in_quotes(coupling.name);
  const casadi::SX restitution = around.number(coupling.numbers, "restitution");
  constexpr const char* repair = "set other values";
  return {{Condition::more_than, "'backlash'" + owner, "", contact_of(coupling, "gear", around).gap_unit, repair,
           coupling.place, around.number(coupling.numbers, "backlash"), 0},
          {Condition::at_least, "'restitution'" + owner, "", {}, repair, coupling.place, restitution, 0},
          {Condition::at_least, "1 - 'restitution'" + owner, "", {}, repair, coupling.place, 1 - restitution, 0}};
}

}  // namespace

CouplingType couplings::gear() {
  return {.name = "gear",
          .numbers = {{"ratio", Measures::ratio, true, Bound::not_zero},
                      {"offset", Measures::second},
                      {"backlash", Measures::second}},
          .changing = {{"restitution", Measures::plain}},
          .equation = gear_equation,
          .contacts = gear_contacts,
          .conditions = gear_conditions};
}

}  // namespace mechfmu
