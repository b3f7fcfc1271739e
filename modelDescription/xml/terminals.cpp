// Finds the flanges at which a mechanism is driven.
#include "terminals.hpp"

#include <algorithm>

#include "elements/forces/force_type.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "modelDescription/formulas/units.hpp"
#include "xml.hpp"

namespace mechfmu {

namespace {

/// Adds the inputs in a formula, also through definitions.
void add_inputs(const Expression& expression, const Description& description, std::vector<const Input*>& inputs) {
  for (const Expression* name : names_used(expression)) {
    for (const Input& input : description.inputs)
      if (input.name == name->name) inputs.push_back(&input);
    for (const Definition& definition : description.definitions)
      if (definition.name == name->name) add_inputs(definition.value, description, inputs);
  }
}

/// Returns the first input of this dimension that acts on the coordinate.
std::string acting_input(const Description& description, const std::string& coordinate, const Dimension& effort) {
  std::vector<const Input*> inputs;
  for (const Force& force : description.forces) {
    if (!find_force_type(force.type)->has_value || force.coordinate != coordinate) continue;
    for (const Expression& value : force.value) add_inputs(value, description, inputs);
  }
  const auto found =
      std::find_if(inputs.begin(), inputs.end(), [&](const Input* input) { return input->unit.dimension == effort; });
  return found == inputs.end() ? "" : (*found)->name;
}

bool connectable(const ModelVariables& variables, const std::string& name) {
  return std::any_of(variables.all.begin(), variables.all.end(), [&](const ModelVariable& variable) {
    return variable.name == name && (variable.role == Role::input || variable.role == Role::output);
  });
}

/// Returns the input that a motion, its rate or its acceleration follows, if the formula is only this input; else the
/// resulting variable.
std::string driving(const Description& description, const PrescribedMotion& motion,
                    const std::optional<Expression>& value, const std::string& result) {
  const bool follows = std::any_of(description.inputs.begin(), description.inputs.end(), [&](const Input& input) {
    return value && value->kind == Expression::Kind::symbol && input.name == value->name;
  });
  return follows && !motion.filter ? value->name : result;
}

}  // namespace

std::vector<Flange> flanges(const Description& description, const ModelVariables& variables) {
  std::vector<Flange> result;
  const auto add = [&](Flange flange) {
    for (std::string* further : {&flange.rate, &flange.acceleration})
      if (!connectable(variables, *further)) further->clear();
    if (connectable(variables, flange.position) && connectable(variables, flange.effort)) result.push_back(flange);
  };
  const auto rate = [](const std::string& name) { return "der(" + name + ")"; };
  const auto acceleration = [](const std::string& name) { return "der(" + name + ",2)"; };
  const auto driven = [&](const std::string& name, bool angle, const PrescribedMotion& motion) {
    return Flange{name,
                  angle,
                  driving(description, motion, motion.value, name),
                  driving(description, motion, motion.rate, rate(name)),
                  driving(description, motion, motion.acceleration, acceleration(name)),
                  name + ".drive"};
  };
  for (const Joint& joint : description.joints) {
    if (joint.length_motion) add(driven(joint.name + ".length", false, *joint.length_motion));
    for (const JointCoordinate& coordinate : joint.coordinates) {
      const Dimension effort = force_unit_of(coordinate.unit).dimension;
      const bool angle = coordinate.unit.dimension == Dimension{};
      if (coordinate.motion) add(driven(coordinate.name, angle, *coordinate.motion));
      else
        add({coordinate.name, angle, coordinate.name, rate(coordinate.name), acceleration(coordinate.name),
             acting_input(description, coordinate.name, effort)});
    }
  }
  return result;
}

std::string write_terminals_and_icons(const std::vector<Flange>& flanges) {
  XmlWriter xml;
  const auto square = [&xml](const char* element) -> XmlWriter& {
    return xml.open(element).attribute("x1", -100).attribute("y1", -100).attribute("x2", 100).attribute("y2", 100);
  };
  xml.open("fmiTerminalsAndIcons").attribute("fmiVersion", "3.0");  // FMI 2 has this version, too.
  xml.open("GraphicalRepresentation");
  square("CoordinateSystem").attribute("suggestedScalingFactorTo_mm", 0.1).close();
  square("Icon").close();
  xml.close();
  // The names are those of Modelica's flanges and of its adaptors between flanges and signals; the effort is positive
  // into the FMU. A partner may have fewer members: matching ones are connected, as on a bus.
  if (!flanges.empty()) xml.open("Terminals");
  for (const Flange& flange : flanges) {
    const auto member = [&xml](const char* name, const std::string& variable, const char* kind) {
      if (variable.empty()) return;
      xml.open("TerminalMemberVariable").attribute("variableName", variable).attribute("memberName", name);
      xml.attribute("variableKind", kind).close();
    };
    xml.open("Terminal").attribute("name", flange.name).attribute("matchingRule", "bus");
    xml.attribute("terminalKind", flange.angle ? "Modelica.Mechanics.Rotational.Interfaces.Flange_a"
                                               : "Modelica.Mechanics.Translational.Interfaces.Flange_a");
    member(flange.angle ? "phi" : "s", flange.position, "signal");
    member(flange.angle ? "w" : "v", flange.rate, "signal");
    member("a", flange.acceleration, "signal");
    member(flange.angle ? "tau" : "f", flange.effort, "inflow");
    xml.close();
  }
  if (!flanges.empty()) xml.close();
  return xml.close().text();
}

}  // namespace mechfmu
