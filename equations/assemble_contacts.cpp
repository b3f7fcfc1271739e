#include "assemble_contacts.hpp"

#include "enter_condition.hpp"
#include "modelDescription/description/own_units.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

constexpr const char* set_other_values = "set other values";

/// Enters friction and its factor at rest. A number that is 0 gives no friction, neither at rest.
void add_friction(const Contact& contact, const std::string& owner, const std::function<SX(const Expression&)>& value,
                  ContactEquation& group, Equations& equations, Diagnostics& diagnostics) {
  group.friction = value(contact.friction);
  const auto limit = [&](const std::string& what, const Place& place, const SX& number, const SX& bound) {
    enter_condition({Condition::at_least, what + owner, "", {}, set_other_values, place, number, bound}, equations,
                    diagnostics);
  };
  limit("'friction'", contact.friction.place, group.friction, 0);
  if (!contact.static_friction) return;
  const SX at_rest = value(*contact.static_friction);
  limit("'static'", contact.static_friction->place, at_rest, group.friction);
  group.rest = group.friction.is_zero() ? SX(1) : SX::if_else(group.friction > 0, at_rest / group.friction, 1);
}

/// Enters both limits of a coordinate.
template <class Coordinate>
void add_limits(const Coordinate& coordinate, const std::function<SX(const Expression&)>& value, Equations& equations,
                Diagnostics& diagnostics) {
  if (!coordinate.limits) return;
  const CoordinateLimits& limits = *coordinate.limits;
  const std::string& name = coordinate.name;
  Expression symbol;
  symbol.kind = Expression::Kind::symbol;
  symbol.name = name;
  const SX at = value(symbol);
  ContactEquation group;
  group.place = limits.place;
  group.restitution = value(limits.restitution);
  limit_restitution(group.restitution, " of the limits of " + in_quotes(name), limits.restitution.place, equations,
                    diagnostics);
  group.gap_unit = coordinate.unit;
  group.gap_unit.offset = 0;  // A gap is a difference.
  group.slip_unit = coordinate.rate_unit;
  group.force_unit = group.friction_unit = force_unit_of(coordinate.unit);
  const auto add = [&](const char* end, const SX& gap) {
    group.name = name + ".limit." + end;
    group.one_side_of = name + ".limit";
    group.upper_side = end == std::string("upper");
    group.what = "the " + std::string(end) + " limit of " + in_quotes(name);
    group.gap = SX::densify(gap);
    equations.contacts.push_back(group);
  };
  if (limits.lower) add("lower", at - value(limits.lower->expression));
  if (limits.upper) add("upper", value(limits.upper->expression) - at);
  if (limits.lower && limits.upper)
    enter_condition({Condition::more_than, "the range between the limits of " + in_quotes(name), "", group.gap_unit,
                     "set a lower limit that is below the upper one", limits.place,
                     value(limits.upper->expression) - value(limits.lower->expression)},
                    equations, diagnostics);
}

}  // namespace

void limit_restitution(const SX& restitution, const std::string& owner, const Place& place, Equations& equations,
                       Diagnostics& diagnostics) {
  enter_condition({Condition::at_least, "'restitution'" + owner, "", {}, set_other_values, place, restitution, 0},
                  equations, diagnostics);
  enter_condition(
      {Condition::at_least, "1 - 'restitution'" + owner, "", {}, set_other_values, place, 1 - restitution, 0},
      equations, diagnostics);
}

void enter_contact(ContactEquation group, Equations& equations, Diagnostics& diagnostics) {
  const SX& v = equations.symbols.v;
  const auto check = [&](const SX& speed, const char* which) {
    if (SX::depends_on(SX::jacobian(speed, v), v))
      diagnostics.add(group.place, "the " + std::string(which) + " of " + group.what + " is not linear in the rates",
                      "write it as a sum of rates times factors");
  };
  for (const SX& slip : group.slips) check(slip, "slip");
  if (!group.speed.is_empty()) check(group.speed, "speed");
  equations.contacts.push_back(std::move(group));
}

void add_contacts(const Description& description, const std::function<SX(const Expression&)>& value,
                  Equations& equations, Diagnostics& diagnostics) {
  for (const Coordinate& coordinate : description.coordinates) add_limits(coordinate, value, equations, diagnostics);
  for (const Joint& joint : description.joints)
    for (const JointCoordinate& coordinate : joint.coordinates) add_limits(coordinate, value, equations, diagnostics);
  for (const Contact& contact : description.contacts) {
    ContactEquation group;
    group.name = contact.name;
    group.what = "the contact " + in_quotes(contact.name);
    group.place = contact.place;
    group.description = contact.description;
    group.gap = SX::densify(value(contact.gap));
    for (const Expression& slip : contact.slips) group.slips.push_back(SX::densify(value(slip)));
    const std::string owner = " of " + group.what;
    add_friction(contact, owner, value, group, equations, diagnostics);
    group.restitution = value(contact.restitution);
    limit_restitution(group.restitution, owner, contact.restitution.place, equations, diagnostics);
    const Dimension rate = contact.dimension / time_dimension();
    group.gap_unit = own_unit(description, contact.dimension);
    group.slip_unit = own_unit(description, rate);
    group.force_unit = group.friction_unit = si_unit_of(energy_dimension() / contact.dimension);
    enter_contact(std::move(group), equations, diagnostics);
  }
}

}  // namespace mechfmu
