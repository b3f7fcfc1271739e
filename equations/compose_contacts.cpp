#include "equations/compose_contacts.hpp"

#include "contact_efforts.hpp"
#include "modelDescription/description/own_units.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

constexpr const char* set_other_values = "set other values";

class Groups {
 public:
  explicit Groups(const ContactSource& source) : source_(source), description_(source.description) {}

  std::vector<ContactEquation> all() {
    for (const Coordinate& coordinate : description_.coordinates) add_limits(coordinate);
    for (const Joint& joint : description_.joints)
      for (const JointCoordinate& coordinate : joint.coordinates) add_limits(coordinate);
    for (const Contact& contact : description_.contacts) add(contact);
    for (ContactEquation& group : groups_) make_contact_symbols(group);
    return std::move(groups_);
  }

 private:
  void at_least(const std::string& what, const Place& place, const SX& number, const SX& bound) {
    source_.require({Condition::at_least, what, "", {}, set_other_values, place, number, bound});
  }

  /// Requires that a coefficient of restitution is between 0 and 1, and returns it. `owner` is a text such as " of the
  /// contact 'heel'".
  SX restitution_of(const Expression& formula, const std::string& owner) {
    const SX restitution = source_.value(formula);
    at_least("'restitution'" + owner, formula.place, restitution, 0);
    at_least("1 - 'restitution'" + owner, formula.place, 1 - restitution, 0);
    return restitution;
  }

  /// Adds both limits of a coordinate.
  template <class Coordinate>
  void add_limits(const Coordinate& coordinate) {
    if (!coordinate.limits) return;
    const CoordinateLimits& limits = *coordinate.limits;
    const std::string& name = coordinate.name;
    Expression symbol;
    symbol.kind = Expression::Kind::symbol;
    symbol.name = name;
    const SX at = source_.value(symbol);
    ContactEquation group;
    group.place = limits.place;
    group.restitution = restitution_of(limits.restitution, " of the limits of " + in_quotes(name));
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
      groups_.push_back(group);
    };
    if (limits.lower) add("lower", at - source_.value(limits.lower->expression));
    if (limits.upper) add("upper", source_.value(limits.upper->expression) - at);
    if (limits.lower && limits.upper)
      source_.require({Condition::more_than, "the range between the limits of " + in_quotes(name), "", group.gap_unit,
                       "set a lower limit that is below the upper one", limits.place,
                       source_.value(limits.upper->expression) - source_.value(limits.lower->expression)});
  }

  void add(const Contact& contact) {
    const std::string owner = " of the contact " + in_quotes(contact.name);
    ContactEquation common;
    common.place = contact.place;
    common.description = contact.description;
    add_friction(contact, owner, common);
    common.restitution = restitution_of(contact.restitution, owner);
    common.gap_unit = own_unit(description_, contact.dimension);
    common.slip_unit = own_unit(description_, contact.dimension / time_dimension());
    common.force_unit = common.friction_unit = si_unit_of(energy_dimension() / contact.dimension);
    const std::vector<ContactEquation> places =
        contact.surfaces.empty() ? std::vector{by_formulas(contact)} : source_.touch(contact);
    for (std::size_t i = 0; i < places.size(); ++i) {
      ContactEquation group = common;
      group.name = contact.name + (places.size() > 1 ? "[" + std::to_string(i + 1) + "]" : "");
      group.what = "the contact " + in_quotes(group.name) + places[i].what;
      group.gap = SX::densify(places[i].gap);
      for (const SX& slip : places[i].slips) group.slips.push_back(SX::densify(slip));
      if (contact.compliance) give_way(contact, owner, group);
      groups_.push_back(std::move(group));
    }
  }

  /// Lets a group act by a force after Hunt and Crossley (1975) in place of a row for its gap: k δ^e (1 + d δ̇), where
  /// it does not pull. Friction has the capacity μ times this force then.
  void give_way(const Contact& contact, const std::string& owner, ContactEquation& group) {
    const SX stiffness = source_.value(contact.compliance->stiffness),
             damping = source_.value(contact.compliance->damping);
    at_least("'stiffness'" + owner, contact.compliance->stiffness.place, stiffness, 0);
    at_least("'damping'" + owner, contact.compliance->damping.place, damping, 0);
    const SX depth = -group.gap, rate = source_.rate(group.gap);
    // Beyond the place where it lets go, a step goes on smoothly, with the sign of the depth before its power.
    const SX side = SX::copysign(1, depth),
             power =
                 contact.compliance->exponent == 1 ? depth : side * SX::pow(side * depth, contact.compliance->exponent);
    const SX damped = damping.is_zero() ? SX(1) : SX::fmax(1 - damping * rate, 0);
    group.normal_force = SX::densify(SX::if_else(group.gap < 0, stiffness * power * damped, 0));
    group.law = contacts::Law::capacity;
    group.capacity = group.friction * group.normal_force;
    group.friction = 0;
    source_.act(group.normal_force, rate);
  }

  ContactEquation by_formulas(const Contact& contact) {
    ContactEquation group;
    group.gap = source_.value(contact.gap);
    for (const Expression& slip : contact.slips) group.slips.push_back(source_.value(slip));
    return group;
  }

  /// Adds friction and its factor at rest. A number that is 0 gives no friction, neither at rest.
  void add_friction(const Contact& contact, const std::string& owner, ContactEquation& group) {
    group.friction = source_.value(contact.friction);
    at_least("'friction'" + owner, contact.friction.place, group.friction, 0);
    if (!contact.static_friction) return;
    const SX at_rest = source_.value(*contact.static_friction);
    at_least("'static'" + owner, contact.static_friction->place, at_rest, group.friction);
    group.rest = group.friction.is_zero() ? SX(1) : SX::if_else(group.friction > 0, at_rest / group.friction, 1);
  }

  const ContactSource& source_;
  const Description& description_;
  std::vector<ContactEquation> groups_;
};

}  // namespace

std::vector<ContactEquation> contact_groups(const ContactSource& source) { return Groups(source).all(); }

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

}  // namespace mechfmu
