// Couples two coordinates, or one and the ground, by friction of a given capacity: a clutch or a brake.
#include "coupling_equation.hpp"
#include "list.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

namespace {

std::vector<ContactEquation> clutch_contacts(const Coupling& coupling, const Surroundings& around) {
  ContactEquation group = contact_of(coupling, "clutch", around);
  group.law = contacts::Law::capacity;
  group.slips = {rate_of_first(coupling, around)};
  group.capacity = around.number(coupling.numbers, "capacity");
  group.rest = around.number(coupling.numbers, "static", 1);
  return {group};
}

std::vector<ConditionEquation> clutch_conditions(const Coupling& coupling, const Surroundings& around) {
  const std::string owner = " of the clutch " + in_quotes(coupling.name);
  const Unit unit = contact_of(coupling, "clutch", around).force_unit;
  return {{Condition::at_least, "'capacity'" + owner, "", unit, "set other values", coupling.place,
           around.number(coupling.numbers, "capacity"), 0},
          {Condition::at_least,
           "'static'" + owner,
           "",
           {},
           "set other values",
           coupling.place,
           around.number(coupling.numbers, "static", 1),
           1}};
}

}  // namespace

CouplingType couplings::clutch() {
  return {.name = "clutch",
          .couples = CouplingType::with_ground,
          .numbers = {},
          .changing = {{"capacity", Measures::effort, true, Bound::not_negative}, {"static", Measures::plain}},
          .contacts = clutch_contacts,
          .conditions = clutch_conditions};
}

}  // namespace mechfmu
