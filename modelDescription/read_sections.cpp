// The list of sections, and those that declare variables.
#include "read_sections.hpp"

#include "expression.hpp"
#include "read_table.hpp"

namespace mechfmu {

namespace {

/// All sections of a file; what is missing of the required ones is said by `example`.
struct Section {
  const char* name;
  void (*read)(const TomlNode::Entry&, Reading&);
  const char* example;  ///< null: may be left out
};

constexpr Section sections[] = {
    {"mechanism", read_mechanism_section, "write [mechanism] and below it name = \"MyMechanism\""},
    {"parameters", read_parameters, nullptr},
    {"inputs", read_inputs, nullptr},
    {"coordinates", read_coordinates, "write [coordinates] and below it for example x = { unit = \"m\", start = 0 }"},
    {"dynamics", read_dynamics, "write [dynamics] and below it for example kinetic_energy = \"m*der(x)^2/2\""},
    {"constraints", read_constraints, nullptr},
    {"definitions", read_definitions, nullptr},
    {"functions", read_functions, nullptr},
    {"outputs", read_outputs, nullptr},
    {"solver", read_solver, nullptr},
};

/// Errors if a range is empty.
void check_range(const std::optional<double>& minimum, const std::optional<double>& maximum, const Place& place,
                 const std::string& what, Diagnostics& diagnostics) {
  if (minimum && maximum && *minimum > *maximum)
    diagnostics.add(place, "min of " + what + " is larger than its max", "exchange them");
}

/// A variable may be written `name = 1` or `name = "formula"` instead of `name = { value = … }`.
bool is_bare(const TomlNode& node) { return node.kind != TomlNode::Kind::table; }

Start read_start(const TableReader& table, const std::string& key, const std::string& fixed_key,
                 const std::optional<Unit>& unit) {
  const TomlNode::Entry* entry = table.find(key);
  Start start;
  start.value = table.value(key, unit);
  if (!entry) start.value.written = 0;
  start.fixed = table.boolean(fixed_key);
  start.place = entry ? entry->place : table.place();
  return start;
}

}  // namespace

void read_sections(const TomlNode& document, Reading& reading) {
  std::vector<std::string> names;
  for (const Section& section : sections) names.push_back(section.name);
  const TableReader file(document, document.place, "the file", names, reading.diagnostics, "section");
  for (const Section& section : sections) {
    const TomlNode::Entry* entry = file.find(section.name);
    if (!entry) {
      if (section.example)
        reading.diagnostics.add(document.place, "the section [" + std::string(section.name) + "] is missing",
                                section.example);
    } else if (file.table(section.name)) {
      section.read(*entry, reading);
    }
  }
}

void read_mechanism_section(const TomlNode::Entry& section, Reading& reading) {
  const TableReader table(section.value, section.place, "[mechanism]", {"name", "description"}, reading.diagnostics);
  Description& description = reading.description;
  description.place = section.place;
  description.name = table.text("name");
  description.description = table.text("description");
  const TomlNode::Entry* name = table.find("name");
  if (!name)
    reading.diagnostics.add(section.place, "the mechanism has no name",
                            "write name = \"MyMechanism\" below [mechanism]");
  else if (name->value.kind == TomlNode::Kind::text)
    check_identifier(description.name, name->value.place, reading.diagnostics);
}

void read_parameters(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::string what = "the parameter " + quoted(entry.key);
    Parameter parameter;
    parameter.name = entry.key;
    parameter.place = entry.place;
    std::optional<Unit> unit = Unit{};
    if (is_bare(entry.value)) {
      const std::size_t errors = reading.diagnostics.size();
      parameter.value = read_value(entry.value, unit, what, reading.diagnostics);
      if (reading.diagnostics.size() > errors) unit.reset();
    } else {
      const TableReader table(entry.value, entry.place, what, {"value", "unit", "min", "max", "tunable", "description"},
                              reading.diagnostics);
      unit = table.unit();
      parameter.value = table.value("value", unit);
      parameter.minimum = table.constant("min", unit);
      parameter.maximum = table.constant("max", unit);
      parameter.tunable = table.boolean("tunable");
      parameter.description = table.text("description");
      check_range(parameter.minimum, parameter.maximum, entry.place, what, reading.diagnostics);
      if (!table.find("value"))
        reading.diagnostics.add(entry.place, what + " has no value", "write value = a number, or a formula in quotes");
    }
    parameter.unit = unit.value_or(Unit{});
    reading.names.declare(entry.key, {NameKind::parameter, reading.description.parameters.size(), entry.place,
                                      Measure::of(unit)});
    reading.description.parameters.push_back(std::move(parameter));
  }
}

void read_inputs(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::string what = "the input " + quoted(entry.key);
    const TableReader table(entry.value, entry.place, what, {"unit", "start", "min", "max", "description"},
                            reading.diagnostics);
    const std::optional<Unit> unit = table.unit();
    Input input;
    input.name = entry.key;
    input.place = entry.place;
    input.description = table.text("description");
    input.unit = unit.value_or(Unit{});
    input.minimum = table.constant("min", unit);
    input.maximum = table.constant("max", unit);
    const std::optional<double> start = table.constant("start", unit);
    const bool faulty_start = table.find("start") && !start;
    input.start = start.value_or(0);
    check_range(input.minimum, input.maximum, entry.place, what, reading.diagnostics);
    const bool outside =
        (input.minimum && input.start < *input.minimum) || (input.maximum && input.start > *input.maximum);
    if (outside && !faulty_start)
      reading.diagnostics.add(entry.place, "the start of " + what + " is outside its min and max",
                              "choose a start between them");
    reading.names.declare(entry.key,
                          {NameKind::input, reading.description.inputs.size(), entry.place, Measure::of(unit)});
    reading.description.inputs.push_back(std::move(input));
  }
}

void read_coordinates(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const TableReader table(entry.value, entry.place, "the coordinate " + quoted(entry.key),
                            {"unit", "start", "fixed", "rate_start", "rate_fixed", "description"}, reading.diagnostics);
    const std::optional<Unit> unit = table.unit();
    Coordinate coordinate;
    coordinate.name = entry.key;
    coordinate.place = entry.place;
    coordinate.description = table.text("description");
    coordinate.unit = unit.value_or(Unit{});
    coordinate.rate_unit = per_second(coordinate.unit);
    coordinate.acceleration_unit = per_second(coordinate.rate_unit);
    coordinate.start = read_start(table, "start", "fixed", unit);
    coordinate.rate_start = read_start(table, "rate_start", "rate_fixed", coordinate.rate_unit);
    reading.names.declare(entry.key, {NameKind::coordinate, reading.description.coordinates.size(), entry.place,
                                      Measure::of(unit)});
    reading.description.coordinates.push_back(std::move(coordinate));
  }
  if (section.value.entries.empty())
    reading.diagnostics.add(section.place, "a mechanism needs a coordinate",
                            "write for example x = { unit = \"m\", start = 0 } below [coordinates]");
}

void read_outputs(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::string what = "the output " + quoted(entry.key);
    Output output;
    output.name = entry.key;
    output.place = entry.place;
    std::optional<Measure> measure;  // without a unit it follows from the formula
    if (is_bare(entry.value)) {
      output.value = read_value(entry.value, Unit{}, what, reading.diagnostics).expression;
    } else {
      const TableReader table(entry.value, entry.place, what, {"value", "unit", "description"}, reading.diagnostics);
      const std::optional<Unit> unit = table.unit();
      if (table.find("unit")) measure = Measure::of(unit);
      output.unit = unit.value_or(Unit{});
      output.value = table.value("value", unit).expression;
      output.description = table.text("description");
      if (!table.find("value"))
        reading.diagnostics.add(entry.place, what + " has no value", "write value = \"formula\"");
    }
    reading.names.declare(entry.key, {NameKind::output, reading.description.outputs.size(), entry.place, measure});
    reading.description.outputs.push_back(std::move(output));
  }
}

}  // namespace mechfmu
