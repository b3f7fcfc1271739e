// Reads the sections that hold formulas: states, unknowns, dynamics, constraints, definitions, functions; and the
// solver's options.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "fmu_src/mechanism/families.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "read_sections.hpp"
#include "read_values.hpp"

namespace mechfmu {

namespace {

/// Reads coordinate = formula, as in [dynamics.forces] and realised_by. It also checks that the keys are coordinates.
std::vector<std::pair<std::string, Expression>> read_by_coordinate(const TomlNode::Entry& entry,
                                                                   const std::string& what, Reading& reading) {
  std::vector<std::pair<std::string, Expression>> result;
  if (reading.of_bodies) {
    for (const TomlNode::Entry& item : dotted_entries(entry.value)) {
      const std::string value = in_quotes(item.key) + " of " + what;
      Expression formula = read_value(item.value, Unit{}, value, reading.diagnostics).expression;
      if (!read_coordinate_name(item.key, item.place, reading).empty())
        result.emplace_back(item.key, std::move(formula));
    }
    return result;
  }
  for (const TomlNode::Entry& item : entry.value.entries) {
    const Name* name = reading.names.find(item.key);
    const bool known = name && (name->kind == NameKind::coordinate || name->kind == NameKind::velocity);
    if (!known && !reading.description.coordinates.empty())
      reading.diagnostics.add(
          item.place,
          in_quotes(item.key) + " is " + (name ? kind_text(name->kind) : "unknown") + ", but the keys of " + what +
              " are coordinates" + (reading.description.velocities.empty() ? "" : " and velocities"),
          suggestion(item.key, reading.names.of_kinds({NameKind::coordinate, NameKind::velocity}),
                     "write the name of a coordinate"));
    const std::string value = in_quotes(item.key) + " of " + what;
    Expression formula = read_value(item.value, Unit{}, value, reading.diagnostics).expression;
    if (known) result.emplace_back(item.key, std::move(formula));
  }
  return result;
}

std::vector<std::vector<Expression>> read_mass_matrix(const TomlNode& node, Reading& reading) {
  const std::size_t n = reading.description.coordinates.size();
  const std::string size = std::to_string(n);
  const std::string repair = "write mass_matrix = [[…], …] with " + size + " rows of " + size +
                             " numbers or formulas, in the order of the coordinates";
  std::vector<std::vector<Expression>> matrix;
  bool square = node.kind == TomlNode::Kind::array && node.items.size() == n;
  for (const TomlNode& row : node.items) {
    square = square && row.kind == TomlNode::Kind::array && row.items.size() == n;
    matrix.emplace_back();
    for (const TomlNode& item : row.items)
      matrix.back().push_back(read_value(item, Unit{}, "an entry of mass_matrix", reading.diagnostics).expression);
  }
  if (!square && n > 0) {
    reading.diagnostics.add(node.place, "mass_matrix is not a list of " + size + " lists of " + size + " entries",
                            repair);
    return {};
  }
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const std::optional<double> lower = evaluate(matrix[i][j]), upper = evaluate(matrix[j][i]);
      if (lower && upper && *lower != *upper)
        reading.diagnostics.add(matrix[i][j].place,
                                "mass_matrix is not symmetric: row " + std::to_string(i + 1) + ", column " +
                                    std::to_string(j + 1) + " differs from row " + std::to_string(j + 1) + ", column " +
                                    std::to_string(i + 1),
                                "write the same in both");
    }
  return matrix;
}

std::vector<std::array<double, 2>> read_table_points(const TomlNode& node, const std::string& what, Reading& reading) {
  const std::string repair = "write table = [[x, y], [x, y], …] with x ascending";
  std::vector<std::array<double, 2>> points;
  if (node.kind != TomlNode::Kind::array || node.items.size() < 2) {
    reading.diagnostics.add(node.place, "'table' of " + what + " is not a list of two points or more", repair);
    return points;
  }
  for (const TomlNode& item : node.items) {
    if (item.kind != TomlNode::Kind::array || item.items.size() != 2) {
      reading.diagnostics.add(item.place, "a point of " + what + " is not a pair of numbers", repair);
      return {};
    }
    const auto x = read_constant(item.items[0], Unit{}, "a point of " + what, reading.diagnostics);
    const auto y = read_constant(item.items[1], Unit{}, "a point of " + what, reading.diagnostics);
    if (!x || !y) return {};
    if (!points.empty() && *x <= points.back()[0]) {
      reading.diagnostics.add(item.items[0].place, "the points of " + what + " do not ascend", repair);
      return {};
    }
    points.push_back({*x, *y});
  }
  return points;
}

/// A periodic table must end before its period or with its first value.
void check_period(const Function& function, const Place& place, Reading& reading) {
  const std::optional<double> period = evaluate(*function.period);
  if (!period || function.table.empty()) return;
  const double length = function.table.back()[0] - function.table.front()[0];
  const double slip = written_digits * std::abs(*period);  // "2*pi" beside 6.283185307
  const std::string what = "the function " + in_quotes(function.name);
  if (!(*period > 0))
    reading.diagnostics.add(place, "the period of " + what + " is not positive", "write a positive number");
  else if (length > *period + slip)
    reading.diagnostics.add(place, "the table of " + what + " is longer than its period",
                            "shorten the table or correct the period");
  else if (length > *period - slip && function.table.front()[1] != function.table.back()[1])
    reading.diagnostics.add(place, "the table of " + what + " ends one period after its begin with another value",
                            "give the first and the last point the same value");
}

std::vector<std::string> read_arguments(const TomlNode& node, const std::string& what, Reading& reading) {
  std::vector<std::string> arguments;
  const auto is_text = [](const TomlNode& item) { return item.kind == TomlNode::Kind::text; };
  if (node.kind != TomlNode::Kind::array || node.items.empty() ||
      !std::all_of(node.items.begin(), node.items.end(), is_text)) {
    reading.diagnostics.add(node.place, "'of' of " + what + " is not a list of names", "write of = [\"u\"]");
    return arguments;
  }
  for (const TomlNode& item : node.items) {
    if (check_identifier(item.text, item.place, reading.diagnostics) &&
        std::find(arguments.begin(), arguments.end(), item.text) != arguments.end())
      reading.diagnostics.add(item.place, what + " has two arguments " + in_quotes(item.text), "rename one of them");
    arguments.push_back(item.text);
  }
  return arguments;
}

/// Reads local = { name = formula, … }.
std::vector<LocalCoordinate> read_local(const TomlNode::Entry& entry, const std::string& what, Reading& reading) {
  std::vector<LocalCoordinate> local;
  for (const TomlNode::Entry& item : entry.value.entries) {
    check_identifier(item.key, item.place, reading.diagnostics);
    const std::string value = "the local coordinate " + in_quotes(item.key) + " of " + what;
    local.push_back({item.key, item.place, read_value(item.value, Unit{}, value, reading.diagnostics).expression, {}});
  }
  if (local.empty())
    reading.diagnostics.add(entry.place, "'local' of " + what + " names no coordinate",
                            "write local = { x = \"formula\" }, or leave it out");
  return local;
}

/// Reads reset = { when = "condition", value = formula }.
std::optional<StateReset> read_reset(const TomlNode::Entry& entry, const std::string& what,
                                     const std::optional<Unit>& unit, Reading& reading) {
  const TableReader table(entry.value, entry.place, "the reset of " + what, {"when", "value"}, reading.diagnostics);
  const TomlNode::Entry *when = table.find("when"), *value = table.find("value");
  const char* repair = "write reset = { when = \"condition\", value = a number or a formula }";
  if (!when || !value) {
    reading.diagnostics.add(entry.place, "the reset of " + what + " has no " + (when ? "value" : "when"), repair);
    return std::nullopt;
  }
  StateReset reset;
  reset.place = entry.place;
  reset.when = read_condition(when->value, "'when' of the reset of " + what, repair, reading);
  reset.value =
      read_number_in(value->value, unit, contact_force_usage("the value of the reset of " + what), reading).expression;
  return reset;
}

}  // namespace

void read_states(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::string what = "the state " + in_quotes(entry.key);
    const TableReader table(entry.value, entry.place, what,
                            {"unit", "start", "guess", "nominal", "rate", "reset", "description"}, reading.diagnostics);
    const std::optional<Unit> unit = table.unit();
    OwnState state;
    state.name = entry.key;
    state.place = entry.place;
    state.description = table.text("description");
    state.unit = unit.value_or(Unit{});
    state.rate_unit = per_second(state.unit);
    const TomlNode::Entry *start = table.find("start"), *guess = table.find("guess");
    state.steady = start && start->value.kind == TomlNode::Kind::text && start->value.text == "steady";
    state.start = read_start(table, state.steady ? "guess" : "start", "", unit);
    state.start.fixed = !state.steady;
    if (guess && !state.steady)
      reading.diagnostics.add(guess->place, "the guess of " + what + " belongs to start = \"steady\"",
                              "write start = \"steady\", or give the value as start");
    if (const TomlNode::Entry* reset = table.table("reset")) state.reset = read_reset(*reset, what, unit, reading);
    state.nominal = read_size(table, "nominal", state.name, unit, reading);
    state.rate = number_expression(0, entry.place);
    if (table.find("rate")) state.rate = table.formula("rate");
    else if (entry.value.kind == TomlNode::Kind::table)
      reading.diagnostics.add(entry.place, what + " has no rate", "write rate = \"…\", its derivative by time");
    reading.names.declare(entry.key,
                          {NameKind::state, reading.description.states.size(), entry.place, Measure::of(unit)});
    reading.description.states.push_back(std::move(state));
  }
}

void read_unknowns(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::string what = "the unknown " + in_quotes(entry.key);
    const TableReader table(entry.value, entry.place, what, {"unit", "start", "nominal", "equation", "description"},
                            reading.diagnostics);
    const std::optional<Unit> unit = table.unit();
    Unknown unknown;
    unknown.name = entry.key;
    unknown.place = entry.place;
    unknown.description = table.text("description");
    unknown.unit = unit.value_or(Unit{});
    unknown.start = read_start(table, "start", "", unit);
    unknown.nominal = read_size(table, "nominal", unknown.name, unit, reading);
    unknown.equation = number_expression(0, entry.place);
    const bool has_equation = table.find("equation") != nullptr;
    if (has_equation) unknown.equation = table.formula("equation");
    else if (entry.value.kind == TomlNode::Kind::table)
      reading.diagnostics.add(entry.place, what + " has no equation", "write equation = \"…\", which is held at 0");
    reading.names.declare(entry.key,
                          {NameKind::unknown, reading.description.unknowns.size(), entry.place, Measure::of(unit)});
    reading.description.unknowns.push_back(std::move(unknown));
  }
}

void read_dynamics(const TomlNode::Entry& section, Reading& reading) {
  const TableReader table(section.value, section.place, "[dynamics]",
                          {"kinetic_energy", "mass_matrix", "potential_energy", "forces"}, reading.diagnostics);
  Dynamics& dynamics = reading.description.dynamics;
  dynamics.place = section.place;
  if (table.find("kinetic_energy")) dynamics.kinetic_energy = table.formula("kinetic_energy");
  if (table.find("potential_energy")) dynamics.potential_energy = table.formula("potential_energy");
  if (const TomlNode::Entry* matrix = table.find("mass_matrix"))
    dynamics.mass_matrix = read_mass_matrix(matrix->value, reading);
  if (const TomlNode::Entry* forces = table.table("forces"))
    dynamics.forces = read_by_coordinate(*forces, "[dynamics.forces]", reading);
  if (table.find("kinetic_energy") && table.find("mass_matrix"))
    reading.diagnostics.add(table.find("mass_matrix")->place, "both kinetic_energy and mass_matrix are given",
                            "remove one of them: each alone says how the masses move");
  if (!table.find("kinetic_energy") && !table.find("mass_matrix"))
    reading.diagnostics.add(section.place, "[dynamics] says nothing of the masses",
                            "write kinetic_energy = \"…\" or mass_matrix = [[…], …]");
}

void read_constraints(const TomlNode::Entry& section, Reading& reading) {
  constexpr std::pair<const char*, Level> levels[] = {
      {"position", Level::position}, {"velocity", Level::velocity}, {"acceleration", Level::acceleration}};
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::string what = "the constraint " + in_quotes(entry.key);
    const TableReader table(entry.value, entry.place, what,
                            {"position", "velocity", "acceleration", "local", "realised_by", "drift_gain_1",
                             "drift_gain_0", "description"},
                            reading.diagnostics);
    Constraint constraint;
    constraint.name = entry.key;
    constraint.place = entry.place;
    constraint.description = table.text("description");
    constraint.residual = number_expression(0, entry.place);
    const std::size_t errors = reading.diagnostics.size();
    std::string given;
    for (const auto& [key, level] : levels) {
      if (!table.find(key)) continue;
      if (!given.empty())
        reading.diagnostics.add(table.find(key)->place, what + " has both " + given + " and " + key,
                                "keep one of them: derivatives are taken automatically");
      given = key;
      constraint.level = level;
      constraint.residual = table.formula(key);
    }
    constraint.gains = read_drift_gains(table, what, reading);
    for (const auto& [key, most] : {std::pair("drift_gain_1", Level::velocity), {"drift_gain_0", Level::position}})
      if (table.find(key) && constraint.level > most)
        reading.diagnostics.add(
            table.find(key)->place,
            what + " is given as " + given + ", of which nothing drifts that " + key + " could correct", "remove it");
    if (given.empty() && entry.value.kind == TomlNode::Kind::table)
      reading.diagnostics.add(entry.place, what + " has no formula", "write position = \"…\", which is held at 0");
    if (const TomlNode::Entry* local = table.table("local")) constraint.local = read_local(*local, what, reading);
    if (const TomlNode::Entry* realised = table.table("realised_by")) {
      constraint.realised_by = read_by_coordinate(*realised, "realised_by of " + what, reading);
      if (realised->value.entries.empty())
        reading.diagnostics.add(realised->place, "realised_by of " + what + " names no coordinate",
                                "write realised_by = { coordinate = 1 }, or leave it out for an ideal constraint");
    }
    Name name{NameKind::constraint, reading.description.constraints.size(), entry.place, Measure{}};
    name.broken = given.empty() || reading.diagnostics.size() > errors;
    reading.names.declare(entry.key, name);
    reading.description.constraints.push_back(std::move(constraint));
  }
}

void read_definitions(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::string what = "the definition " + in_quotes(entry.key);
    Definition definition;
    definition.name = entry.key;
    definition.place = entry.place;
    if (entry.value.kind == TomlNode::Kind::table) {
      const TableReader table(entry.value, entry.place, what, {"value", "description"}, reading.diagnostics);
      definition.value = table.formula("value");
      definition.description = table.text("description");
      if (!table.find("value"))
        reading.diagnostics.add(entry.place, what + " has no value", "write value = \"formula\"");
    } else {
      definition.value = read_value(entry.value, Unit{}, what, reading.diagnostics).expression;
    }
    reading.names.declare(entry.key, {NameKind::definition, reading.description.definitions.size(), entry.place, {}});
    reading.description.definitions.push_back(std::move(definition));
  }
}

void read_functions(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::string what = "the function " + in_quotes(entry.key);
    const std::size_t errors = reading.diagnostics.size();
    const TableReader table(entry.value, entry.place, what, {"of", "value", "table", "period", "beyond", "description"},
                            reading.diagnostics);
    Function function;
    function.name = entry.key;
    function.place = entry.place;
    function.description = table.text("description");
    const bool formula = table.find("value") || table.find("of");
    if (entry.value.kind == TomlNode::Kind::table && formula == (table.find("table") != nullptr))
      reading.diagnostics.add(entry.place, what + (formula ? " has both a formula and a table" : " has no value"),
                              "write { of = [\"u\"], value = \"formula\" } or { table = [[x, y], …] }");
    if (formula && (!table.find("value") || !table.find("of")))
      reading.diagnostics.add(entry.place,
                              what + (table.find("of") ? " has arguments but no value" : " has no arguments"),
                              "write { of = [\"u\"], value = \"formula of u\" }");
    if (table.find("of")) function.arguments = read_arguments(table.find("of")->value, what, reading);
    if (formula) function.formula = table.formula("value");
    if (table.find("table")) function.table = read_table_points(table.find("table")->value, what, reading);
    for (const char* key : {"period", "beyond"})
      if (formula && table.find(key))
        reading.diagnostics.add(table.find(key)->place, in_quotes(key) + " of " + what + " belongs to a table",
                                "remove it");
    if (table.find("period") && !formula && table.constant("period")) {
      function.period = table.formula("period");
      check_period(function, table.find("period")->value.place, reading);
      if (table.find("beyond"))
        reading.diagnostics.add(table.find("beyond")->place, what + " has both a period and 'beyond'",
                                "remove one of them: a periodic table has no ends");
    }
    if (table.choice("beyond", {"hold", "line"}, "hold") == "line") function.beyond = Function::Beyond::line;
    Name name{NameKind::function, reading.description.functions.size(), entry.place, Measure{}};
    name.broken = reading.diagnostics.size() > errors;
    reading.names.declare(entry.key, name);
    reading.description.functions.push_back(std::move(function));
  }
}

}  // namespace mechfmu
