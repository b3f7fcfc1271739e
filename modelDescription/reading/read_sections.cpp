// Lists the sections, and reads those that declare variables.
#include "read_sections.hpp"

#include <algorithm>

#include "modelDescription/formulas/expression.hpp"
#include "read_values.hpp"

namespace mechfmu {

namespace {

/// Says which mechanisms have a section.
enum class Style { both, bodies, equations };

/// Lists all sections of a file in the order in which one needs another. `example` shows a required section in the
/// message that it is missing.
struct Section {
  const char* name;
  void (*read)(const TomlNode::Entry&, Reading&);
  Style style = Style::both;
  const char* example = nullptr;  ///< null if the section is optional
};

constexpr Section sections[] = {
    {"mechanism", read_mechanism_section, Style::both, "write [mechanism] and below it name = \"MyMechanism\""},
    {"parameters", read_parameters},
    {"inputs", read_inputs},
    {"coordinates", read_coordinates, Style::equations,
     "write [coordinates] and below it for example x = { unit = \"m\", start = 0 }, or describe bodies by [bodies]"},
    {"velocities", read_velocities, Style::equations},
    {"states", read_states},
    {"unknowns", read_unknowns},
    {"definitions", read_definitions},
    {"functions", read_functions},
    {"bodies", read_bodies, Style::bodies,
     "write for example [bodies.crank] and below it mass = 1, or remove what belongs to bodies"},
    {"ground", read_ground, Style::bodies},
    {"joints", read_joints, Style::bodies},
    {"sensors", read_sensors, Style::bodies},
    {"forces", read_forces, Style::bodies},
    {"couplings", read_couplings, Style::bodies},
    {"dynamics", read_dynamics, Style::equations,
     "write [dynamics] and below it for example kinetic_energy = \"m*der(x)^2/2\""},
    {"constraints", read_constraints},
    {"contacts", read_contacts},
    {"outputs", read_outputs},
    {"solver", read_solver},
};

/// Adds an error if a range is empty.
void check_range(const std::optional<double>& minimum, const std::optional<double>& maximum, const Place& place,
                 const std::string& what, Diagnostics& diagnostics) {
  if (minimum && maximum && *minimum > *maximum)
    diagnostics.add(place, "min of " + what + " is larger than its max", "exchange them");
}

/// A variable may be written `name = 1` or `name = "formula"` instead of `name = { value = … }`.
bool is_bare(const TomlNode& node) { return node.kind != TomlNode::Kind::table; }

/// Reads expose = "all" or expose = ["accelerations", "solver"].
void read_exposed(const TableReader& table, Reading& reading) {
  const TomlNode::Entry* entry = table.find("expose");
  if (!entry) return;
  Description& description = reading.description;
  description.expose_place = entry->value.place;
  const std::vector<std::string> words = table.choices("expose", {"all", "accelerations", "declared", "solver"});
  const auto has = [&words](const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  description.exposes_solver = has("solver");
  description.expose = has("declared") ? Expose::declared : has("accelerations") ? Expose::accelerations : Expose::all;
  if (has("declared") && (has("all") || has("accelerations")))
    reading.diagnostics.add(entry->value.place, "'expose' of [mechanism] lists \"declared\" beside other outputs",
                            "remove \"declared\" to have them, or the others");
}

/// Reads the keys of [mechanism] that bodies need; the first body is the ground.
void read_mechanism_of_bodies(const TableReader& table, Reading& reading) {
  Description& description = reading.description;
  const std::string dimension = table.choice("dimension", {"planar", "spatial"}, "");
  if (!table.find("dimension"))
    reading.diagnostics.add(table.place(), "the mechanism's dimension is not given",
                            "write dimension = \"planar\" or dimension = \"spatial\" below [mechanism]");
  if (dimension != "planar" && dimension != "spatial") return;
  description.spatial = dimension == "spatial";
  description.absolute = table.choice("coordinates", {"relative", "absolute"}, "relative") == "absolute";
  description.equilibrium = table.choice("start", {"guesses", "equilibrium"}, "guesses") == "equilibrium";
  description.gravity = zero_vector(table.place(), reading);
  if (const TomlNode::Entry* gravity = table.find("gravity"))
    description.gravity = read_vector(gravity->value, known_unit("m/s2"), parameter_usage("gravity"), reading);
  add_ground(table.place(), reading);
}

}  // namespace

void read_sections(const TomlNode& document, Reading& reading) {
  std::vector<std::string> names;
  for (const Section& section : sections) names.push_back(section.name);
  const TableReader file(document, document.place, "the file", names, reading.diagnostics, "section");
  const auto given = [&](Style style) {
    const Section* first = nullptr;
    for (const Section& section : sections)
      if (!first && section.style == style && file.find(section.name)) first = &section;
    return first;
  };
  const Section *of_bodies = given(Style::bodies), *of_equations = given(Style::equations);
  reading.of_bodies = file.find("bodies") || (of_bodies && !of_equations);
  if (of_bodies && of_equations) {
    const Section &wrong = *(reading.of_bodies ? of_equations : of_bodies),
                  &right = *(reading.of_bodies ? of_bodies : of_equations);
    reading.diagnostics.add(file.find(wrong.name)->place,
                            "[" + std::string(wrong.name) + "] cannot stand beside [" + right.name + "]",
                            reading.of_bodies ? "remove it: coordinates and masses follow from bodies and joints, and "
                                                "[constraints] may use their coordinates"
                                              : "remove it, or describe the whole mechanism by bodies and joints");
  }
  for (const Section& section : sections) {
    if (section.style == (reading.of_bodies ? Style::equations : Style::bodies)) continue;
    const TomlNode::Entry* entry = file.find(section.name);
    if (!entry && section.example)
      reading.diagnostics.add(document.place, "the section [" + std::string(section.name) + "] is missing",
                              section.example);
    if (!entry && section.example && reading.of_bodies) return;  // All other sections refer to it.
    if (entry && file.table(section.name)) section.read(*entry, reading);
    // Vectors cannot be read while their length is unknown.
    if (reading.of_bodies && reading.description.bodies.empty()) return;
  }
  if (reading.description.expose == Expose::declared && !file.find("outputs"))
    reading.diagnostics.add(reading.description.place, "expose = \"declared\" leaves no outputs: none are declared",
                            "declare some below [outputs], or remove expose");
}

void read_mechanism_section(const TomlNode::Entry& section, Reading& reading) {
  const TableReader table(section.value, section.place, "[mechanism]",
                          {"name", "description", "expose", "hidden", "dimension", "gravity", "coordinates", "start"},
                          reading.diagnostics);
  Description& description = reading.description;
  description.place = section.place;
  description.name = table.text("name");
  description.description = table.text("description");
  if (table.choice("hidden", {"refuse", "add"}, "refuse") == "add")
    description.adds_hidden = table.find("hidden")->place;
  read_exposed(table, reading);
  const TomlNode::Entry* name = table.find("name");
  if (!name)
    reading.diagnostics.add(section.place, "the mechanism has no name",
                            "write name = \"MyMechanism\" below [mechanism]");
  else if (name->value.kind == TomlNode::Kind::text)
    check_identifier(description.name, name->value.place, reading.diagnostics);
  if (reading.of_bodies) {
    read_mechanism_of_bodies(table, reading);
    return;
  }
  for (const char* key : {"dimension", "gravity", "coordinates", "start"})
    if (const TomlNode::Entry* entry = table.find(key))
      reading.diagnostics.add(entry->place, in_quotes(key) + " of [mechanism] belongs to a mechanism of bodies",
                              "remove it, or describe the mechanism by [bodies] and [joints]");
}

void read_parameters(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::string what = "the parameter " + in_quotes(entry.key);
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
    reading.names.declare(entry.key,
                          {NameKind::parameter, reading.description.parameters.size(), entry.place, Measure::of(unit)});
    reading.description.parameters.push_back(std::move(parameter));
  }
}

void read_inputs(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::string what = "the input " + in_quotes(entry.key);
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
    const TableReader table(entry.value, entry.place, "the coordinate " + in_quotes(entry.key),
                            {"unit", "start", "fixed", "rate_start", "rate_fixed", "nominal", "rate_nominal", "limits",
                             "restitution", "description"},
                            reading.diagnostics);
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
    coordinate.nominal =
        read_nominal(table, entry.key, unit, unit ? std::optional(coordinate.rate_unit) : std::nullopt, reading);
    coordinate.limits = read_limits(table, entry.key, unit, reading);
    reading.names.declare(entry.key, {NameKind::coordinate, reading.description.coordinates.size(), entry.place,
                                      Measure::of(unit)});
    reading.description.coordinates.push_back(std::move(coordinate));
  }
  if (section.value.entries.empty())
    reading.diagnostics.add(section.place, "a mechanism needs a coordinate",
                            "write for example x = { unit = \"m\", start = 0 } below [coordinates]");
}

}  // namespace mechfmu
