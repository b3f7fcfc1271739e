// Reads the sections on forces, couplings and sensors.
#include <algorithm>

#include "elements/couplings/coupling_type.hpp"
#include "elements/forces/force_type.hpp"
#include "elements/joints/joint_type.hpp"
#include "elements/quantities.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "read_values.hpp"
#include "unknown_type.hpp"

namespace mechfmu {

namespace {

/// Friction that is not to stick creeps below this speed, in 1/s or m/s.
constexpr double usual_stick_speed = 1e-3;

/// Returns "joint_force, line_force and friction".
template <class Type>
std::vector<std::string> names_of(std::span<const Type> types) {
  std::vector<std::string> names;
  for (const Type& type : types) names.push_back(type.name);
  return names;
}

/// Reads the key "type"; null, with an error, if there is none of that name.
template <class Type>
const Type* read_type(const TomlNode::Entry& entry, const std::string& what, std::span<const Type> types,
                      const Type* (*find)(const std::string&), Reading& reading) {
  if (entry.value.kind != TomlNode::Kind::table) {
    const TableReader fault(entry.value, entry.place, what, {}, reading.diagnostics);
    return nullptr;
  }
  const TomlNode::Entry* key = entry.value.find("type");
  if (!key) {
    reading.diagnostics.add(entry.place, what + " has no type",
                            "write type = one of " + listed(names_of(types)) + " in quotes");
    return nullptr;
  }
  const std::string name = read_text(key->value, "'type' of " + what, "put it in quotes", reading);
  const Type* type = find(name);
  if (!type && key->value.kind == TomlNode::Kind::text)
    add_unknown_type(key->value.place, what, name, names_of(types), reading.diagnostics);
  return type;
}

/// Returns the key, or null with an error if it is missing.
const TomlNode::Entry* require(const TableReader& table, const std::string& key, const std::string& what,
                               const std::string& repair, Reading& reading) {
  const TomlNode::Entry* entry = table.find(key);
  if (!entry) reading.diagnostics.add(table.place(), what + " has no " + key, repair);
  return entry;
}

void read_point_key(const TableReader& table, const std::string& key, const std::string& what, PointReference& point,
                    Reading& reading) {
  if (const auto* entry = require(table, key, what, "write " + key + " = \"body.point\"", reading))
    point = read_point(entry->value, in_quotes(key) + " of " + what, reading).value_or(point);
}

void read_body_key(const TableReader& table, const std::string& key, const std::string& what, int& body,
                   Reading& reading) {
  if (const TomlNode::Entry* entry = table.find(key))
    body = read_body(entry->value, in_quotes(key) + " of " + what, reading).value_or(body);
}

std::string read_coordinate_key(const TableReader& table, const std::string& key, const std::string& what,
                                Reading& reading) {
  const std::string repair = "write " + key + " = \"joint.coordinate\", such as \"A.angle\"";
  const TomlNode::Entry* entry = require(table, key, what, repair, reading);
  if (!entry) return "";
  const std::string name = read_text(entry->value, in_quotes(key) + " of " + what, "put it in quotes", reading);
  return name.empty() ? "" : read_coordinate_name(name, entry->value.place, reading);
}

std::vector<std::string> keys_of(const ForceType& type) {
  std::vector<std::string> keys = {"type", "description"};
  switch (type.acts) {
    case Acts::at_point: keys.insert(keys.end(), {"at", "frame"}); break;
    case Acts::on_body: keys.insert(keys.end(), {"on", "frame"}); break;
    case Acts::along_line: keys.insert(keys.end(), {"from", "to"}); break;
    case Acts::on_coordinate: keys.push_back("coordinate"); break;
  }
  if (type.has_value) keys.push_back("value");
  for (const NumberKey& key : type.numbers) keys.push_back(key.name);
  if (type.normal_force) keys.push_back("stick");
  if (type.may_give_energy()) keys.push_back("allow_negative");
  return keys;
}

void read_force_value(const TableReader& table, const ForceType& type, const std::string& what, Force& force,
                      Reading& reading) {
  const bool components = type.acts == Acts::at_point || (type.acts == Acts::on_body && reading.description.spatial);
  const std::string repair =
      !components ? "write value = a number, or a formula in quotes"
                  : std::string("write value = ") + (reading.description.spatial ? "[x, y, z]" : "[x, y]");
  const TomlNode::Entry* entry = require(table, "value", what, repair, reading);
  if (!entry) return;
  const Usage usage = force_usage("the value of " + what);
  if (components) {
    force.value =
        read_vector(entry->value, known_unit(type.acts == Acts::at_point ? "N" : "N.m"), usage, reading).components;
    return;
  }
  const JointCoordinate* coordinate = find_coordinate(reading.description, force.coordinate);
  if (type.acts == Acts::on_coordinate && !coordinate) return;
  const Unit unit = coordinate ? force_unit_of(coordinate->unit) : known_unit(type.acts == Acts::on_body ? "N.m" : "N");
  force.value = {read_number(entry->value, unit, usage, reading)};
}

/// Reads whether friction sticks. It does unless there is a speed below which it creeps.
void read_sticking(const TableReader& table, const std::string& what, Force& force, Reading& reading) {
  const TomlNode::Entry *stick = table.find("stick"), *speed = table.find("stick_speed"),
                        *at_rest = table.find("static");
  const bool sticks = table.boolean("stick", !speed);
  if (sticks && speed)
    reading.diagnostics.add(speed->place, what + " sticks and has a stick_speed, below which it would creep",
                            "keep one of them");
  if (!sticks && at_rest)
    reading.diagnostics.add(at_rest->place, what + " does not stick, and has the key 'static' for rest",
                            std::string("remove it, or ") + (speed ? "stick_speed" : "stick = false"));
  if (at_rest && !table.find("coulomb"))
    reading.diagnostics.add(at_rest->place, what + " has the key 'static' and no coulomb",
                            "write coulomb = the coefficient while it slides");
  if (stick && !sticks && !speed) force.numbers["stick_speed"] = number_expression(usual_stick_speed, stick->place);
}

Force read_force(const TomlNode::Entry& entry, Reading& reading) {
  const std::size_t errors = reading.diagnostics.size();
  const std::string what = "the force " + in_quotes(entry.key);
  Force force;
  force.name = entry.key;
  force.place = force.at.place = force.to.place = entry.place;
  const ForceType* type = read_type(entry, what, force_types(), find_force_type, reading);
  if (!type) return force;
  force.type = type->name;
  const TableReader table(entry.value, entry.place, what, keys_of(*type), reading.diagnostics);
  force.description = table.text("description");
  switch (type->acts) {
    case Acts::at_point: read_point_key(table, "at", what, force.at, reading); break;
    case Acts::on_body:
      if (require(table, "on", what, "write on = \"body\"", reading))
        read_body_key(table, "on", what, force.body, reading);
      break;
    case Acts::along_line:
      read_point_key(table, "from", what, force.at, reading);
      read_point_key(table, "to", what, force.to, reading);
      break;
    case Acts::on_coordinate: force.coordinate = read_coordinate_key(table, "coordinate", what, reading); break;
  }
  read_body_key(table, "frame", what, force.frame, reading);
  if (type->has_value) read_force_value(table, *type, what, force, reading);
  const JointCoordinate* coordinate = find_coordinate(reading.description, force.coordinate);
  read_own_keys(table, type->numbers, what, force_usage, coordinate, nullptr, force, reading);
  force.allow_negative = table.boolean("allow_negative");
  if (type->normal_force && coordinate && coordinate->unit.dimension == Dimension{} && table.find("coulomb") &&
      !table.find("radius"))
    reading.diagnostics.add(table.find("coulomb")->place,
                            what + " acts on the angle " + in_quotes(force.coordinate) + " and has no radius",
                            "write radius = that of the pin: the normal force times coulomb acts on it");
  if (type->normal_force) read_sticking(table, what, force, reading);
  if (type->acts == Acts::along_line && table.find("from") && table.find("to") && force.at.body == force.to.body &&
      reading.diagnostics.size() == errors)
    reading.diagnostics.add(table.find("to")->value.place, what + " acts between two points of the same body",
                            "name points of two bodies");
  return force;
}

/// Is true if the joint can carry a wheel: it has an angle, or it is rigid and the wheel does not turn.
bool carries_a_wheel(const Name& joint, const Description& description) {
  const Joint& found = description.joints[joint.index];
  const JointForm* form = find_joint_form(found.type, description.spatial);
  return (form && form->is_rigid()) || find_coordinate(description, found.name + ".angle");
}

/// Reads `first` or `second` of a coupling between joints.
std::string read_joint_key(const TableReader& table, const std::string& key, const std::string& what,
                           Reading& reading) {
  const auto* entry = require(table, key, what, "write " + key + " = the name of a joint", reading);
  if (!entry) return "";
  const std::string name = read_text(entry->value, in_quotes(key) + " of " + what, "put it in quotes", reading);
  if (name.empty()) return "";
  const Name* found = reading.names.find(name);
  if (!found || found->kind != NameKind::joint)
    reading.diagnostics.add(entry->value.place,
                            in_quotes(name) + " is " + (found ? std::string(kind_text(found->kind)) + ", not" : "not") +
                                " a joint",
                            suggestion(name, reading.names.of_kinds({NameKind::joint}), "write the name of a joint"));
  else if (!found->broken && !carries_a_wheel(*found, reading.description))
    reading.diagnostics.add(entry->value.place,
                            "the joint " + in_quotes(name) + " has no angle, so " + what + " cannot act on it",
                            "write the name of a revolute or fixed joint, whose child is the wheel");
  return name;
}

Coupling read_coupling(const TomlNode::Entry& entry, Reading& reading) {
  const std::string what = "the coupling " + in_quotes(entry.key);
  Coupling coupling;
  coupling.name = entry.key;
  coupling.place = entry.place;
  const CouplingType* type = read_type(entry, what, coupling_types(), find_coupling_type, reading);
  if (!type) return coupling;
  coupling.type = type->name;
  std::vector<std::string> keys = {"type", "description"};
  if (type->couples == CouplingType::sum) keys.push_back("sum");
  else keys.insert(keys.end(), {"first", "second"});
  if (type->couples == CouplingType::with_ground) keys.push_back("coordinate");
  if (type->has_condition) keys.push_back("when");
  for (const std::vector<NumberKey>* own : {&type->numbers, &type->changing})
    for (const NumberKey& key : *own) keys.push_back(key.name);
  const TableReader table(entry.value, entry.place, what, keys, reading.diagnostics);
  coupling.description = table.text("description");
  if (type->couples == CouplingType::sum) {
    const std::string repair = "write sum = { A.angle = 1, B.angle = -2 }";
    const TomlNode::Entry* sum = require(table, "sum", what, repair, reading) ? table.table("sum") : nullptr;
    if (sum && sum->value.entries.empty())
      reading.diagnostics.add(sum->place, "the sum of " + what + " is empty", repair);
    if (sum)
      for (const TomlNode::Entry& term : dotted_entries(sum->value)) {
        const std::string name = read_coordinate_name(term.key, term.place, reading);
        const Usage usage = parameter_usage("the factor of " + in_quotes(term.key) + " in " + what);
        Expression factor = read_value(term.value, Unit{}, usage.what, reading.diagnostics).expression;
        reading.wanted.push_back({{factor}, usage, Measure{}});
        if (!name.empty()) coupling.terms.emplace_back(name, std::move(factor));
      }
  } else if (const TomlNode::Entry* coordinate = table.find("coordinate")) {
    coupling.first = read_coordinate_key(table, "coordinate", what, reading);
    coupling.second = "ground";
    for (const char* key : {"first", "second"})
      if (table.find(key))
        reading.diagnostics.add(
            coordinate->place, what + " has both coordinate and " + key,
            "keep one of them: coordinate = \"A.angle\" is first = \"A.angle\", second = \"ground\"");
  } else {
    const TomlNode::Entry* second = table.find("second");
    const bool to_ground = type->couples == CouplingType::with_ground && second && second->value.text == "ground";
    const auto read_end = type->couples == CouplingType::wheels ? read_joint_key : read_coordinate_key;
    coupling.first = read_end(table, "first", what, reading);
    coupling.second = to_ground ? "ground" : read_end(table, "second", what, reading);
    if (!coupling.first.empty() && coupling.first == coupling.second)
      reading.diagnostics.add(table.find("second")->value.place,
                              what + " couples " + in_quotes(coupling.first) + " with itself",
                              "name two different ones");
  }
  read_own_keys(table, type->numbers, what, parameter_usage, find_coordinate(reading.description, coupling.first),
                find_coordinate(reading.description, coupling.second), coupling, reading);
  read_own_keys(table, type->changing, what, contact_force_usage, find_coordinate(reading.description, coupling.first),
                find_coordinate(reading.description, coupling.second), coupling, reading);
  if (type->has_condition) {
    const std::string example = "write when = \"…\", the condition while it holds, such as \"locked > 0.5\"";
    if (const TomlNode::Entry* when = require(table, "when", what, example, reading))
      coupling.numbers["when"] = read_condition(when->value, "'when' of " + what, example, reading);
  }
  if (const TomlNode::Entry* restitution = table.find("restitution"); restitution && !table.find("backlash"))
    reading.diagnostics.add(restitution->place, what + " has restitution but no backlash", "remove it");
  return coupling;
}

}  // namespace

void read_forces(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::size_t errors = reading.diagnostics.size();
    reading.description.forces.push_back(read_force(entry, reading));
    Name name{NameKind::force, reading.description.forces.size() - 1, entry.place, Measure{}};
    name.broken = reading.diagnostics.size() > errors;
    reading.names.declare(entry.key, name);
  }
}

void read_couplings(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::size_t errors = reading.diagnostics.size();
    reading.description.couplings.push_back(read_coupling(entry, reading));
    Name name{NameKind::coupling, reading.description.couplings.size() - 1, entry.place, Measure{}};
    name.broken = reading.diagnostics.size() > errors;
    reading.names.declare(entry.key, name);
  }
}

void read_sensors(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::string what = "the sensor " + in_quotes(entry.key);
    const std::size_t errors = reading.diagnostics.size();
    const TableReader table(entry.value, entry.place, what, {"from", "to", "axes", "description"}, reading.diagnostics);
    Sensor sensor;
    sensor.name = entry.key;
    sensor.place = sensor.from.place = sensor.to.place = entry.place;
    sensor.description = table.text("description");
    if (const TomlNode::Entry* from = table.find("from"))
      sensor.from = read_point(from->value, "'from' of " + what, reading).value_or(sensor.from);
    if (entry.value.kind == TomlNode::Kind::table) read_point_key(table, "to", what, sensor.to, reading);
    sensor.axes = sensor.from.body;
    read_body_key(table, "axes", what, sensor.axes, reading);
    Name name{NameKind::sensor, reading.description.sensors.size(), entry.place, Measure{}};
    name.broken = reading.diagnostics.size() > errors;
    reading.names.declare(entry.key, name);
    reading.description.sensors.push_back(std::move(sensor));
  }
}

}  // namespace mechfmu
