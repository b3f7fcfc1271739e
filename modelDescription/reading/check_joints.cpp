// Checks joints and couplings: their formulas, and whether joints place every body.
#include <algorithm>
#include <set>

#include "elements/couplings/coupling_type.hpp"
#include "elements/joints/joint_type.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "read_checks.hpp"

namespace mechfmu {

namespace {

/// An input has no derivatives, and a motion needs two.
void check_prescribed_motion(PrescribedMotion& motion, const std::string& name, Reading& reading, Checker& checker) {
  const Content content = checker.content(motion.value);
  motion.by_input = !content.input.empty();
  if (motion.by_input && !motion.rate && !motion.acceleration && !motion.filter)
    reading.diagnostics.add(motion.place,
                            "the motion of " + in_quotes(name) + " depends on the input " + in_quotes(content.input) +
                                ", whose derivatives are not known",
                            "add rate = \"…\" and acceleration = \"…\", inputs too, or filter = a time constant in s");
  if (!motion.by_input && (motion.rate || motion.acceleration))
    reading.diagnostics.add((motion.rate ? *motion.rate : *motion.acceleration).place,
                            "the motion of " + in_quotes(name) +
                                " depends on no input, so that its derivatives are known",
                            "remove rate and acceleration");
}

void check_coordinate(JointCoordinate& coordinate, Reading& reading, Checker& checker) {
  const Dimension dimension = coordinate.unit.dimension;
  check_start(coordinate.start, "the start of " + in_quotes(coordinate.name), Measure::quantity(dimension), checker);
  check_start(coordinate.rate_start, "the rate_start of " + in_quotes(coordinate.name),
              Measure::quantity(dimension / time_dimension()), checker);
  if (!coordinate.motion) return;
  check_prescribed_motion(*coordinate.motion, coordinate.name, reading, checker);
  for (const Start* start : {&coordinate.start, &coordinate.rate_start})
    if (start->fixed)
      reading.diagnostics.add(start->place,
                              in_quotes(coordinate.name) + " is driven by its motion and also fixed at its " +
                                  (start == &coordinate.start ? "start" : "rate_start"),
                              "remove one of them: the motion says where it starts");
}

/// Returns Σ factor·coordinate − constant, for the dimensions.
Expression sum_of(const Coupling& coupling) {
  const auto joined = [](const char* name, Expression left, Expression right) {
    const Place place = left.place;
    return Expression{Expression::Kind::operation, 0, name, {std::move(left), std::move(right)}, place};
  };
  std::optional<Expression> sum;
  for (const auto& [name, factor] : coupling.terms) {
    Expression term = joined("*", factor, {Expression::Kind::symbol, 0, name, {}, factor.place});
    sum = sum ? joined("+", std::move(*sum), std::move(term)) : std::move(term);
  }
  const auto constant = coupling.numbers.find("constant");
  return constant == coupling.numbers.end() ? *sum : joined("-", std::move(*sum), constant->second);
}

/// Returns the measure of what the coupling holds at zero: power ÷ its rate is the multiplier's unit.
Measure residual_measure(const Coupling& coupling, Reading& reading, Checker& checker) {
  const JointCoordinate *first = find_coordinate(reading.description, coupling.first),
                        *second = find_coordinate(reading.description, coupling.second);
  const CouplingType* type = find_coupling_type(coupling.type);
  if (!type) return {};
  if (type->holds == CouplingType::the_sum)
    return coupling.terms.empty()
               ? Measure{}
               : checker.check(sum_of(coupling),
                               constraint_usage(Level::position, "the coupling " + in_quotes(coupling.name)));
  const Measure angle = Measure::quantity({}), length = Measure::of(known_unit("m"));
  if (type->holds == CouplingType::a_length) return length;
  if (type->couples != CouplingType::angle_and_position) return second ? Measure::of(second->unit) : Measure{};
  if (first && second && (first->unit.dimension != angle.dimension || second->unit.dimension != length.dimension))
    reading.diagnostics.add(coupling.place,
                            "the " + std::string(type->name) + " " + in_quotes(coupling.name) + " couples " +
                                in_quotes(first->name) + " with " + in_quotes(second->name),
                            "write first = an angle and second = a position");
  return length;
}

/// Rows that come and go act on coordinates that can move, and compare speeds of one kind.
void check_ends(const Coupling& coupling, Reading& reading) {
  const JointCoordinate *first = find_coordinate(reading.description, coupling.first),
                        *second = find_coordinate(reading.description, coupling.second);
  const std::string what = "the coupling " + in_quotes(coupling.name);
  const bool compares = find_coupling_type(coupling.type)->couples == CouplingType::with_ground;
  if (compares && first && second && first->unit.dimension != second->unit.dimension)
    reading.diagnostics.add(coupling.place,
                            what + " couples " + in_quotes(first->name) + " with " + in_quotes(second->name) +
                                ", an angle with a position",
                            "name two angles or two positions");
  if (first && first->motion && (!second || second->motion))
    reading.diagnostics.add(coupling.place,
                            what + " acts on " + in_quotes(first->name) + ", which is driven by its motion",
                            "name a coordinate that can move, or remove the motion");
}

}  // namespace

void check_joints(Reading& reading, Checker& checker) {
  for (Joint& joint : reading.description.joints) {
    for (JointCoordinate& coordinate : joint.coordinates) check_coordinate(coordinate, reading, checker);
    if (joint.length_motion) check_prescribed_motion(*joint.length_motion, joint.name + ".length", reading, checker);
  }
}

void check_couplings(Reading& reading, Checker& checker) {
  for (Coupling& coupling : reading.description.couplings) {
    const Name* name = reading.names.find(coupling.name);
    if (!name || name->broken) continue;
    const std::size_t errors = reading.diagnostics.size();
    Measure residual;
    if (comes_and_goes(coupling)) {
      check_ends(coupling, reading);
      const JointCoordinate* moved =
          find_coordinate(reading.description, coupling.second == "ground" ? coupling.first : coupling.second);
      if (moved) residual = Measure::of(moved->unit);
    } else {
      residual = residual_measure(coupling, reading, checker);
    }
    if (reading.diagnostics.size() > errors || residual.kind == Measure::Kind::unknown) continue;
    const Dimension multiplier = energy_dimension() / residual.dimension;
    coupling.multiplier_unit = si_unit_of(multiplier);
    checker.set_reaction("coupling." + coupling.name + ".multiplier", Measure::quantity(multiplier));
  }
}

void check_connections(Reading& reading) {
  const Description& description = reading.description;
  // A joint that could not be read may be the missing one.
  const auto sound = [&](NameKind kind) {
    return [&reading, kind](const auto& item) {
      const Name* name = reading.names.find(item.name);
      return name && name->kind == kind && !name->broken;
    };
  };
  if (!std::all_of(description.joints.begin(), description.joints.end(), sound(NameKind::joint)) ||
      !std::all_of(description.bodies.begin() + 1, description.bodies.end(), sound(NameKind::body)))
    return;

  std::vector<int> group(description.bodies.size());
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = static_cast<int>(i);
  std::set<int> pulled;
  for (const Joint& joint : description.joints) {
    const JointForm* form = find_joint_form(joint.type, description.spatial);
    if (!form) return;  // It is the second of two joints with one name.
    if (form->pulls) {
      pulled.insert({joint.parent.body, joint.child.body});
      continue;
    }
    const int a = group[static_cast<std::size_t>(joint.parent.body)];
    const int b = group[static_cast<std::size_t>(joint.child.body)];
    std::replace(group.begin(), group.end(), std::max(a, b), std::min(a, b));
  }
  std::set<int> told = {0};
  for (std::size_t first = 1; first < group.size(); ++first) {
    if (!told.insert(group[first]).second) continue;
    std::vector<std::string> members;
    bool held = false;
    for (std::size_t i = first; i < group.size(); ++i) {
      if (group[i] != group[first]) continue;
      members.push_back(in_quotes(description.bodies[i].name));
      held = held || pulled.count(static_cast<int>(i));
    }
    const bool many = members.size() > 1;
    const std::string who = std::string(many ? "the bodies " : "the body ") + listed(members);
    const std::string& name = description.bodies[first].name;
    reading.diagnostics.add(
        description.bodies[first].place,
        who + (many ? " are" : " is") +
            (held ? " held by distances only, which do not say where " + std::string(many ? "they are" : "it is")
                  : " not connected to the ground by joints"),
        (held ? "add" : "add a joint, or for free motion") + std::string(" [joints.") + name +
            "_motion] with type = \"free\", parent = \"ground\", child = \"" + name + "\"");
  }
}

}  // namespace mechfmu
