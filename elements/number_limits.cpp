// Finds the numbers that have a limit (masses, stiffness, damping, radii, …), and says what an author can do.
#include "number_limits.hpp"

#include <algorithm>

#include "contacts/surface_shape.hpp"
#include "forces/force_type.hpp"
#include "joints/joint_type.hpp"
#include "modelDescription/description/own_units.hpp"
#include "modelDescription/formulas/diagnostics.hpp"
#include "modelDescription/formulas/units.hpp"
#include "quantities.hpp"

namespace mechfmu {

namespace {

/// Returns the SI unit of an element's number that has a limit.
std::string unit_text(Measures number, bool of_angle) {
  switch (number) {
    case Measures::length: return "m";
    case Measures::stiffness: return "N/m";
    case Measures::damping: return "N.s/m";
    case Measures::coordinate_rate: return of_angle ? "rad/s" : "m/s";
    case Measures::effort_stiffness: return of_angle ? "N.m/rad" : "N/m";
    case Measures::effort_damping: return of_angle ? "N.m.s/rad" : "N.s/m";
    default: return "";
  }
}

bool has_limit(const NumberKey& key) { return key.bound != Bound::none && key.bound != Bound::not_zero; }

std::string repair_of(const NumberKey& key) {
  switch (key.bound) {
    case Bound::not_negative: return "write a positive number or 0";
    case Bound::not_negative_unless_allowed:
      return "write a positive number or 0, or allow_negative = true if it is meant";
    default: return "write a positive number";
  }
}

class Limits {
 public:
  explicit Limits(const Description& description) : description_(description) {}

  std::vector<NumberLimit> all() {
    for (std::size_t i = 1; i < description_.bodies.size(); ++i) add(description_.bodies[i]);
    for (const Joint& joint : description_.joints) add(joint);
    for (const Force& force : description_.forces) add(force);
    for (const Contact& contact : description_.contacts)
      for (const Surface& surface : contact.surfaces) add(surface, contact);
    return std::move(limits_);
  }

 private:
  void add(const Expression& number, const std::string& what, const std::string& owner, const std::string& unit,
           bool positive, const std::string& repair) {
    limits_.push_back(
        {&number, what, owner, unit_of_formula(description_, number, known_unit(unit)), positive, repair});
  }

  void add(const Body& body) {
    if (body.allow_negative) return;
    const std::string what = " of the body " + in_quotes(body.name);
    add(body.mass, "the mass" + what, body.name, "kg", false,
        "write a positive mass, or 0 for a body without mass; allow_negative = true if it is to be taken away from another "
        "body");
    if (!description_.spatial)
      add(body.inertia.front(), "the inertia" + what, body.name, "kg.m2", false, "write a positive number");
  }

  void positive(const Expression& number, const std::string& what, const std::string& owner, const char* unit) {
    add(number, what, owner, unit, true, "write a positive number");
  }

  void add(const Joint& joint) {
    const std::string what = " of the joint " + in_quotes(joint.name);
    for (const NumberKey& key : find_joint_form(joint.type, description_.spatial)->numbers)
      if (const auto number = joint.numbers.find(key.name); number != joint.numbers.end() && has_limit(key))
        add(number->second, "the " + std::string(key.name) + what, joint.name, unit_text(key.measures, false),
            key.bound == Bound::positive, repair_of(key));
    const auto filter = [&](const std::optional<PrescribedMotion>& motion, const std::string& name) {
      if (motion && motion->filter)
        positive(*motion->filter, "the filter of the motion of " + in_quotes(name), joint.name, "s");
    };
    for (const JointCoordinate& coordinate : joint.coordinates) filter(coordinate.motion, coordinate.name);
    filter(joint.length_motion, joint.name + ".length");
  }

  void add(const Force& force) {
    const JointCoordinate* coordinate = find_coordinate(description_, force.coordinate);
    const bool of_angle = coordinate && coordinate->unit.dimension == Dimension{};
    for (const NumberKey& key : find_force_type(force.type)->numbers) {
      const auto number = force.numbers.find(key.name);
      if (number == force.numbers.end() || !has_limit(key)) continue;
      const bool gives_energy = key.bound == Bound::not_negative_unless_allowed;
      if (gives_energy && force.allow_negative) continue;
      add(number->second, in_quotes(key.name) + " of the force " + in_quotes(force.name), force.name,
          unit_text(key.measures, of_angle), key.bound == Bound::positive, repair_of(key));
    }
  }

  void add(const Surface& surface, const Contact& contact) {
    const std::string what = " of the " + surface.shape + " of the contact " + in_quotes(contact.name);
    const SurfaceValue value = find_surface_shape(surface.shape)->value;
    for (std::size_t i = 0; i < surface.sizes.size(); ++i) {
      const bool length = value == SurfaceValue::radius_and_length && i == 1;
      positive(surface.sizes[i],
               (value == SurfaceValue::lengths ? "an edge"
                : length                       ? "the length"
                                               : "the radius") +
                   what,
               contact.name, "m");
    }
  }

  const Description& description_;
  std::vector<NumberLimit> limits_;
};

/// Returns the parameter or input of this name; null if there is none.
template <class Variables>
auto find(Variables& variables, const std::string& name) -> decltype(variables.data()) {
  const auto found =
      std::find_if(variables.begin(), variables.end(), [&](const auto& each) { return each.name == name; });
  return found == variables.end() ? nullptr : &*found;
}

template <class Variable>
void bound(Variable& variable) {
  const double zero = from_si(0, variable.unit);
  variable.minimum = std::max(zero, variable.minimum.value_or(zero));
}

}  // namespace

std::vector<NumberLimit> number_limits(const Description& description) { return Limits(description).all(); }

bool is_settable(const Expression& formula, const Description& description) {
  if (formula.kind != Expression::Kind::symbol) return false;
  const Parameter* parameter = find(description.parameters, formula.name);
  return (parameter && !parameter->calculated) || find(description.inputs, formula.name);
}

Unit unit_of_inertia(const Body& body, const Description& description) {
  const Unit si = known_unit("kg.m2");
  for (const Expression& element : body.inertia)
    if (element.kind != Expression::Kind::number) return unit_of_formula(description, element, si);
  return si;
}

void bound_variables(Description& description) {
  for (const NumberLimit& limit : number_limits(description)) {
    if (!is_settable(*limit.number, description)) continue;
    if (Parameter* parameter = find(description.parameters, limit.number->name)) bound(*parameter);
    if (Input* input = find(description.inputs, limit.number->name)) bound(*input);
  }
}

}  // namespace mechfmu
