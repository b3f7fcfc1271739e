// The flanges that a mechanism is driven at.
#include "terminals.hpp"

#include <algorithm>

#include "expression.hpp"
#include "units.hpp"
#include "xml.hpp"

namespace mechfmu {

namespace {

/// Inputs in a formula, definitions looked through.
void add_inputs(const Expression& expression, const Description& description, std::vector<const Input*>& inputs) {
  for (const Expression* name : names_used(expression)) {
    for (const Input& input : description.inputs)
      if (input.name == name->name) inputs.push_back(&input);
    for (const Definition& definition : description.definitions)
      if (definition.name == name->name) add_inputs(definition.value, description, inputs);
  }
}

/// The first input of this dimension that acts on the coordinate.
std::string acting_input(const Description& description, const std::string& coordinate, const Dimension& effort) {
  std::vector<const Input*> inputs;
  for (const Force& force : description.forces) {
    if (force.type != "joint_force" || force.coordinate != coordinate) continue;
    for (const Expression& value : force.value) add_inputs(value, description, inputs);
  }
  const auto found = std::find_if(inputs.begin(), inputs.end(),
                                  [&](const Input* input) { return input->unit.dimension == effort; });
  return found == inputs.end() ? "" : (*found)->name;
}

bool connectable(const ModelVariables& variables, const std::string& name) {
  return std::any_of(variables.all.begin(), variables.all.end(), [&](const ModelVariable& variable) {
    return variable.name == name && (variable.role == Role::input || variable.role == Role::output);
  });
}

/// The input that a motion follows, if that is all there is to it.
std::string driving_input(const Description& description, const Motion& motion) {
  const Expression& value = motion.value;
  const bool follows = std::any_of(description.inputs.begin(), description.inputs.end(), [&](const Input& input) {
    return value.kind == Expression::Kind::symbol && input.name == value.name;
  });
  return follows && !motion.filter ? value.name : "";
}

}  // namespace

std::vector<Flange> flanges(const Description& description, const ModelVariables& variables) {
  std::vector<Flange> result;
  const auto add = [&](const Flange& flange) {
    if (connectable(variables, flange.position) && connectable(variables, flange.effort)) result.push_back(flange);
  };
  const auto driven = [&](const std::string& name, bool angle, const Motion& motion) {
    const std::string input = driving_input(description, motion);
    return Flange{name, angle, input.empty() ? name : input, name + ".drive"};
  };
  for (const Joint& joint : description.joints) {
    if (joint.length_motion) add(driven(joint.name + ".length", false, *joint.length_motion));
    for (const JointCoordinate& coordinate : joint.coordinates) {
      const Dimension effort = force_unit_of(coordinate.unit).dimension;
      const bool angle = coordinate.unit.dimension == Dimension{};
      if (coordinate.motion)
        add(driven(coordinate.name, angle, *coordinate.motion));
      else
        add({coordinate.name, angle, coordinate.name, acting_input(description, coordinate.name, effort)});
    }
  }
  return result;
}

std::string write_terminals_and_icons(const std::vector<Flange>& flanges) {
  XmlWriter xml;
  const auto square = [&xml](const char* element) -> XmlWriter& {
    return xml.open(element).attribute("x1", -100).attribute("y1", -100).attribute("x2", 100).attribute("y2", 100);
  };
  xml.open("fmiTerminalsAndIcons").attribute("fmiVersion", "3.0");  // in FMI 2, too
  xml.open("GraphicalRepresentation");
  square("CoordinateSystem").attribute("suggestedScalingFactorTo_mm", 0.1).close();
  square("Icon").close();
  xml.close();
  // Names and order are those of Modelica's flanges: the effort is positive into the FMU.
  if (!flanges.empty()) xml.open("Terminals");
  for (const Flange& flange : flanges) {
    const auto member = [&xml](const char* name, const std::string& variable, const char* kind) {
      xml.open("TerminalMemberVariable").attribute("variableName", variable).attribute("memberName", name);
      xml.attribute("variableKind", kind).close();
    };
    xml.open("Terminal").attribute("name", flange.name).attribute("matchingRule", "plug");
    xml.attribute("terminalKind", flange.angle ? "Modelica.Mechanics.Rotational.Interfaces.Flange_a"
                                               : "Modelica.Mechanics.Translational.Interfaces.Flange_a");
    member(flange.angle ? "phi" : "s", flange.position, "signal");
    member(flange.angle ? "tau" : "f", flange.effort, "inflow");
    xml.close();
  }
  if (!flanges.empty()) xml.close();
  return xml.close().text();
}

}  // namespace mechfmu
