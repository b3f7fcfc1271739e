// Checks masses, inertias, lengths and directions by their numbers alone.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "elements/contacts/surface_shape.hpp"
#include "elements/couplings/coupling_type.hpp"
#include "elements/forces/force_type.hpp"
#include "elements/joints/joint_type.hpp"
#include "elements/number_limits.hpp"
#include "fmu_src/linear/finite.hpp"
#include "modelDescription/description/own_units.hpp"
#include "modelDescription/description/principal_moments.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "modelDescription/formulas/units.hpp"
#include "read_checks.hpp"

namespace mechfmu {

namespace {

using Numbers = std::vector<double>;

std::string short_text(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string short_text(double si, const Unit& unit) {
  return short_text(from_si(si, unit)) + (unit.text.empty() ? "" : " ") + unit.text;
}

double norm(const Numbers& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

class NumberCheck {
 public:
  NumberCheck(const Description& description, const std::map<std::string, double>& values, Diagnostics& diagnostics)
      : description_(description), values_(values), diagnostics_(diagnostics) {}

  void all() {
    for (const Body& body : description_.bodies) check(body);
    for (const Joint& joint : description_.joints) check(joint);
    for (const Force& force : description_.forces) check(force);
    for (const Coupling& coupling : description_.couplings) check(coupling);
    for (const Coordinate& coordinate : description_.coordinates) check_limits(coordinate);
    for (const Contact& contact : description_.contacts) check(contact);
    for (const NumberLimit& limit : number_limits(description_)) check(limit);
  }

 private:
  std::optional<double> value_of(const Expression& expression) const {
    return evaluate(expression, values_, description_.functions);
  }

  /// Returns the values of all expressions, or none if one has no value.
  std::optional<Numbers> values_of(const std::vector<Expression>& expressions) const {
    Numbers numbers;
    for (const Expression& expression : expressions) {
      const std::optional<double> value = value_of(expression);
      if (!value) return std::nullopt;
      numbers.push_back(*value);
    }
    return numbers;
  }

  void error(const Place& place, std::string problem, std::string repair) {
    diagnostics_.add(place, std::move(problem), std::move(repair));
  }

  /// Adds an error if a number is not finite, or not above its limit.
  void finite(const Expression& expression, const std::string& what) {
    if (const auto value = value_of(expression); value && !is_finite(*value))
      error(expression.place, what + " is not a finite number",
            "look for divisions by zero and roots of negative numbers");
  }

  void finite(const std::map<std::string, Vector>& vectors, const std::string& what) {
    for (const auto& [key, vector] : vectors)
      for (const Expression& component : vector.components) finite(component, in_quotes(key) + " of " + what);
  }

  void positive_length(const Expression& expression, const std::string& what) {
    finite(expression, what);
    if (const auto value = value_of(expression); value && *value <= 0)
      error(expression.place,
            what + " is " + short_text(*value, unit_of_formula(description_, expression, known_unit("m"))),
            "write a positive number");
  }

  /// Checks a number that physics bounds. For an input it takes the value at the start.
  void check(const NumberLimit& limit) {
    std::optional<double> value = value_of(*limit.number);
    for (const Input& input : description_.inputs)
      if (limit.number->kind == Expression::Kind::symbol && limit.number->name == input.name)
        value = to_si(input.start, input.unit);
    if (!value || *value > 0 || (*value == 0 && !limit.positive)) return;
    error(limit.number->place,
          limit.what + (limit.positive ? " is " : " is negative: ") + short_text(*value, limit.unit), limit.repair);
  }

  void check(const Body& body) {
    const std::string what = "the body " + in_quotes(body.name);
    finite(body.mass, "the mass of " + what);
    for (const Expression& component : body.center_of_mass.components) finite(component, "center_of_mass of " + what);
    for (const Expression& element : body.inertia) finite(element, "the inertia of " + what);
    if (const auto inertia = values_of(body.inertia)) check_inertia(body, *inertia);
    rotation(body.rotation, "the rotation of " + what);
    for (const BodyPoint& point : body.points) {
      const std::string name = "the point " + in_quotes(point.name) + " of " + what;
      for (const Expression& component : point.at.components) finite(component, name);
      rotation(point.rotation, "the rotation of " + name);
    }
    rotation(body.shape.rotation, "the rotation of the shape of " + what);
    for (const Expression& size : body.shape.sizes) positive_length(size, "a size of the shape of " + what);
  }

  void check_inertia(const Body& body, const Numbers& inertia) {
    if (!description_.spatial || body.allow_negative || !is_finite(norm(inertia))) return;
    const std::string what = "the inertia of the body " + in_quotes(body.name);
    const Unit unit = unit_of_inertia(body, description_);
    const auto number = [&](double si) { return short_text(from_si(si, unit)); };
    const auto moments = principal_moments(inertia);
    const double slip = rounded_inertia * norm(inertia);
    const double least = *std::min_element(moments.begin(), moments.end());
    if (least < -slip)
      error(body.inertia_place, what + " is negative: " + short_text(least, unit),
            "check the signs: the elements are those of the tensor, xy = −∫ x y dm");
    else if (!body.rotor && moments[0] > moments[1] + moments[2] + slip)
      error(
          body.inertia_place,
          what + " breaks the triangle inequality: no body has the principal moments " +
              listed({number(moments[0]), number(moments[1]), number(moments[2])}) + " " + unit.text,
          "the largest is at most the sum of the others; check that it is about the mass centre, and in kg.m2, or write "
          "rotor = true for a body that turns about its axis only");
  }

  void rotation(const Rotation& rotation, const std::string& what) {
    for (const Expression& number : rotation.numbers) finite(number, what);
    std::optional<Numbers> numbers = values_of(rotation.numbers);
    if (!numbers) return;
    if (rotation.kind == Rotation::Kind::axis_angle) numbers->pop_back();
    const bool has_length = rotation.kind == Rotation::Kind::axis_angle || rotation.kind == Rotation::Kind::quaternion;
    if (has_length && norm(*numbers) == 0)
      error(rotation.place,
            (rotation.kind == Rotation::Kind::quaternion ? "the quaternion of " : "the axis of ") + what +
                " has length zero",
            rotation.kind == Rotation::Kind::quaternion ? "write [1, 0, 0, 0] for no rotation"
                                                        : "write a direction such as [0, 0, 1]");
  }

  /// Returns the direction as numbers; adds an error if it is none.
  std::optional<Numbers> direction(const Axis& axis, int body, const std::string& what) {
    std::optional<Numbers> numbers;
    if (axis.points) {
      const auto& points = description_.bodies[static_cast<std::size_t>(body)].points;
      numbers = values_of(points[static_cast<std::size_t>(axis.points->second)].at.components);
      const auto from = values_of(points[static_cast<std::size_t>(axis.points->first)].at.components);
      if (!numbers || !from) return std::nullopt;
      for (std::size_t i = 0; i < numbers->size(); ++i) (*numbers)[i] -= (*from)[i];
    } else {
      for (const Expression& component : axis.components.components) finite(component, what);
      numbers = values_of(axis.components.components);
    }
    if (!numbers || !is_finite(norm(*numbers))) return std::nullopt;
    if (norm(*numbers) > 0) return numbers;
    const std::string example = description_.spatial ? "[0, 0, 1]" : "[1, 0]";
    error(axis.place, what + " has length zero",
          axis.points ? "name two points that are apart" : "write a direction such as " + example);
    return std::nullopt;
  }

  void check(const Joint& joint) {
    const std::string what = "the joint " + in_quotes(joint.name);
    const JointForm* form = find_joint_form(joint.type, description_.spatial);
    const int owner = form->axis_in_child ? joint.child.body : joint.parent.body;
    std::vector<std::optional<Numbers>> directions;
    for (const Axis& axis : joint.axes) directions.push_back(direction(axis, owner, "the axis of " + what));
    if (joint.normal) direction(*joint.normal, joint.parent.body, "the normal of " + what);
    if (directions.size() == 2 && directions[0] && directions[1])
      check_perpendicular(joint, *directions[0], *directions[1]);
    for (const auto& [key, number] : joint.numbers) finite(number, "the " + key + " of " + what);
    finite(joint.vectors, what);
    rotation(joint.rotation, "the rotation of " + what);
    if (joint.orientation) {
      rotation(joint.orientation->start, "the start of the orientation of " + what);
      for (const Expression& component : joint.orientation->rate.components)
        finite(component, "the angular velocity of " + what);
    }
    for (const JointCoordinate& coordinate : joint.coordinates) check(coordinate);
    if (joint.length_motion) check(*joint.length_motion, joint.name + ".length");
    if (description_.equilibrium) check_at_rest(joint);
  }

  void check_perpendicular(const Joint& joint, const Numbers& first, const Numbers& second) {
    double product = 0;
    for (std::size_t i = 0; i < first.size(); ++i) product += first[i] * second[i];
    const double cosine = product / (norm(first) * norm(second));
    if (std::abs(cosine) < right_angle) return;
    const double degrees = std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
    error(joint.axes[1].place,
          "the axes of the joint " + in_quotes(joint.name) + " are not perpendicular: the angle between them is " +
              short_text(degrees) + " degrees",
          "choose two perpendicular directions, or put two revolute joints in a row");
  }

  void check(const JointCoordinate& coordinate) {
    finite(coordinate.start.value.expression, "the start of " + in_quotes(coordinate.name));
    finite(coordinate.rate_start.value.expression, "the rate_start of " + in_quotes(coordinate.name));
    if (coordinate.motion) check(*coordinate.motion, coordinate.name);
    check_limits(coordinate);
  }

  /// Checks the limits of a coordinate. A start that is a guess is moved by the assembly.
  template <class Coordinate>
  void check_limits(const Coordinate& coordinate) {
    if (!coordinate.limits) return;
    const auto& [lower, upper, restitution, place] = *coordinate.limits;
    const std::string name = in_quotes(coordinate.name);
    const auto number = [&](const std::optional<Value>& end, const char* which) -> std::optional<double> {
      if (!end) return std::nullopt;
      finite(end->expression, which + (" limit of " + name));
      return value_of(end->expression);
    };
    const auto least = number(lower, "the lower"), most = number(upper, "the upper");
    const auto text = [&](double si) { return short_text(si, coordinate.unit); };
    if (least && most && !(*least < *most))
      error(place, "the lower limit " + text(*least) + " of " + name + " is not below its upper limit " + text(*most),
            "write limits = [lower, upper]");
    check_restitution(restitution, " of the limits of " + name);
    const auto start = value_of(coordinate.start.value.expression);
    if (!start || !coordinate.start.fixed) return;
    const auto slip = [&](double end) { return rounding_of_limits * std::max(std::abs(end), std::abs(*start)); };
    const bool below = least && *start < *least - slip(*least), above = most && *start > *most + slip(*most);
    if (below || above)
      error(coordinate.start.place,
            "the start " + text(*start) + " of " + name + " is fixed " + (below ? "below" : "above") + " its limit " +
                text(below ? *least : *most),
            "correct one of them, or remove fixed, so that the start is a guess");
  }

  void check(const PrescribedMotion& motion, const std::string& name) {
    if (motion.filter) finite(*motion.filter, "the filter of the motion of " + in_quotes(name));
  }

  /// The search for an equilibrium needs zero rates.
  void check_at_rest(const Joint& joint) {
    const auto moving = [&](const Expression& rate) { return value_of(rate).value_or(0) != 0; };
    const auto tell = [&](const Place& place, const std::string& what) {
      error(place, what + " is fixed and not zero, but start = \"equilibrium\" starts at rest",
            "remove it, or start from guesses");
    };
    for (const JointCoordinate& coordinate : joint.coordinates)
      if (coordinate.rate_start.fixed && moving(coordinate.rate_start.value.expression))
        tell(coordinate.rate_start.place, "the rate_start of " + in_quotes(coordinate.name));
    const auto& orientation = joint.orientation;
    if (!orientation || !orientation->rate_fixed) return;
    const std::vector<Expression>& rate = orientation->rate.components;
    if (std::any_of(rate.begin(), rate.end(), moving))
      tell(orientation->rate_place, "the angular velocity of the joint " + in_quotes(joint.name));
  }

  void check(const Force& force) {
    const std::string what = "the force " + in_quotes(force.name);
    const ForceType& type = *find_force_type(force.type);
    for (const Expression& value : force.value) finite(value, "the value of " + what);
    for (const NumberKey& key : type.numbers) {
      const auto number = force.numbers.find(key.name);
      if (number == force.numbers.end()) continue;
      finite(number->second, in_quotes(key.name) + " of " + what);
    }
    finite(force.vectors, what);
  }

  void check(const Coupling& coupling) {
    const std::string what = "the coupling " + in_quotes(coupling.name);
    for (const NumberKey& key : find_coupling_type(coupling.type)->numbers) {
      const auto number = coupling.numbers.find(key.name);
      if (number == coupling.numbers.end()) continue;
      finite(number->second, in_quotes(key.name) + " of " + what);
      if (key.bound == Bound::not_zero && value_of(number->second) == 0.0)
        error(number->second.place, in_quotes(key.name) + " of " + what + " is zero", "write another number");
    }
    finite(coupling.vectors, what);
    if (!comes_and_goes(coupling)) return;
    const auto given = [&](const char* key) -> const Expression* {
      const auto number = coupling.numbers.find(key);
      return number == coupling.numbers.end() ? nullptr : &number->second;
    };
    const std::string owner = " of " + what;
    if (const Expression* capacity = given("capacity")) not_negative(*capacity, "'capacity'" + owner);
    if (const Expression* restitution = given("restitution")) check_restitution(*restitution, owner);
    if (const Expression* backlash = given("backlash"))
      if (const auto value = value_of(*backlash); value && *value <= 0)
        error(backlash->place, "'backlash'" + owner + " is " + short_text(*value),
              "write a positive number, or remove it");
    if (const Expression* at_rest = given("static")) {
      finite(*at_rest, "'static'" + owner);
      if (const auto value = value_of(*at_rest); value && *value < 1)
        error(at_rest->place, "'static'" + owner + " is " + short_text(*value) + ", smaller than 1",
              "write by which factor the capacity is larger at rest");
    }
  }

  void check(const Surface& surface, const std::string& what) {
    const std::string whole = "the " + surface.shape + " of " + what;
    for (const Expression& size : surface.sizes) finite(size, "a size of " + whole);
    if (!surface.direction.components.empty()) {
      Axis axis;
      axis.components = surface.direction;
      axis.place = surface.direction.place;
      direction(axis, surface.at.body,
                find_surface_shape(surface.shape)->has_axis ? "the axis of " + whole : "the normal of " + whole);
    }
    if (surface.points.size() != 2) return;  // corners may coincide
    const std::vector<BodyPoint>& points = description_.bodies[static_cast<std::size_t>(surface.at.body)].points;
    const auto place = [&](std::size_t i) {
      return values_of(points[static_cast<std::size_t>(surface.points[i].point)].at.components);
    };
    const auto from = place(0), to = place(1);
    if (from && to && *from == *to)
      error(surface.points[1].place, "the points of " + whole + " are in one place", "name two points that are apart");
  }

  void check(const Contact& contact) {
    const std::string owner = " of the contact " + in_quotes(contact.name);
    for (const Surface& surface : contact.surfaces) check(surface, "the contact " + in_quotes(contact.name));
    not_negative(contact.friction, "'friction'" + owner);
    if (contact.static_friction) {
      finite(*contact.static_friction, "'static'" + owner);
      const auto at_rest = value_of(*contact.static_friction), sliding = value_of(contact.friction);
      if (at_rest && sliding && *at_rest < *sliding)
        error(contact.static_friction->place,
              "'static'" + owner + " is " + short_text(*at_rest) + ", smaller than its friction " +
                  short_text(*sliding),
              "write a number that is not smaller: static holds at rest, friction while it slides");
      else if (at_rest && sliding && *at_rest > 0 && *sliding == 0)
        error(contact.static_friction->place,
              "'static'" + owner + " is " + short_text(*at_rest) + ", but its friction is 0",
              "write a friction that is positive: static may be larger, but without it nothing rests");
    }
    check_restitution(contact.restitution, owner);
    if (!contact.compliance) return;
    not_negative(contact.compliance->stiffness, "'stiffness'" + owner);
    not_negative(contact.compliance->damping, "'damping'" + owner);
  }

  /// Adds an error if a number is not finite, or negative.
  void not_negative(const Expression& number, const std::string& what) {
    finite(number, what);
    if (const auto value = value_of(number); value && *value < 0)
      error(number.place, what + " is negative: " + short_text(*value), "write a positive number or 0");
  }

  void check_restitution(const Expression& restitution, const std::string& owner) {
    finite(restitution, "'restitution'" + owner);
    if (const auto value = value_of(restitution); value && (*value < 0 || *value > 1))
      error(restitution.place, "'restitution'" + owner + " is " + short_text(*value),
            "write a number from 0, without a rebound, to 1, without a loss");
  }

  const Description& description_;
  const std::map<std::string, double>& values_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_numbers(const Description& description, const std::map<std::string, double>& values,
                   Diagnostics& diagnostics) {
  NumberCheck(description, values, diagnostics).all();
}

}  // namespace mechfmu
