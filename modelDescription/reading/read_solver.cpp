// Reads the solver's options.
#include <algorithm>
#include <cmath>

#include "fmu_src/mechanism/drift.hpp"
#include "fmu_src/mechanism/families.hpp"
#include "read_sections.hpp"
#include "read_values.hpp"

namespace mechfmu {

namespace {

std::vector<std::string> words(const MemberNames& names) { return {names.begin(), names.end()}; }

/// Is true for a component of the angular velocity of a joint that turns freely: "S.angular_velocity.x".
bool is_angular_velocity(const std::string& name, const Description& description) {
  return std::any_of(description.joints.begin(), description.joints.end(), [&](const Joint& joint) {
    const std::string vector = joint.name + ".angular_velocity.";
    return joint.orientation && (name == vector + "x" || name == vector + "y" || name == vector + "z");
  });
}

/// Is true if the name is that of a coordinate that may be independent; otherwise it adds an error.
bool may_be_independent(const std::string& name, const Place& place, Reading& reading) {
  if (reading.of_bodies) {
    if (is_angular_velocity(name, reading.description)) return true;
    if (read_coordinate_name(name, place, reading).empty()) return false;
    if (!find_coordinate(reading.description, name)->motion) return true;
    reading.diagnostics.add(place, in_quotes(name) + " of 'independent' follows a prescribed motion",
                            "name coordinates that are free");
    return false;
  }
  const Name* known = reading.names.find(name);
  if (known && known->kind == NameKind::coordinate) return true;
  if (reading.description.coordinates.empty()) return false;  // The file has another error.
  reading.diagnostics.add(
      place,
      in_quotes(name) + " is " + (known ? kind_text(known->kind) : "unknown") + ", but 'independent' lists coordinates",
      suggestion(name, reading.names.of_kinds({NameKind::coordinate}), "write the name of a coordinate"));
  return false;
}

/// Reads independent = ["x", "y"].
void read_independent(const TableReader& table, Reading& reading) {
  const TomlNode::Entry* entry = table.find("independent");
  if (!entry) return;
  SolverOptions& solver = reading.description.solver;
  solver.independent_place = entry->value.place;
  const auto is_text = [](const TomlNode& item) { return item.kind == TomlNode::Kind::text; };
  const std::vector<TomlNode>& items = entry->value.items;
  if (entry->value.kind != TomlNode::Kind::array || items.empty() ||
      !std::all_of(items.begin(), items.end(), is_text)) {
    reading.diagnostics.add(entry->value.place, "'independent' of [solver] is not a list of coordinates",
                            reading.of_bodies ? "write independent = [\"A.angle\"]" : "write independent = [\"x\"]");
    return;
  }
  for (const TomlNode& item : items) {
    if (!may_be_independent(item.text, item.place, reading)) continue;
    const auto same = [&item](const NamedPlace& other) { return other.name == item.text; };
    if (std::any_of(solver.independent.begin(), solver.independent.end(), same))
      reading.diagnostics.add(item.place, in_quotes(item.text) + " stands twice in 'independent'", "remove it once");
    solver.independent.push_back({item.text, item.place});
  }
}

/// Reads when `projection` corrects: after so many steps, beyond a bound.
void read_occasions(const TableReader& table, Reading& reading) {
  SolverOptions& solver = reading.description.solver;
  const TomlNode::Entry *interval = table.find("drift_interval"), *bound = table.find("drift_bound");
  const std::size_t errors = reading.diagnostics.size();
  solver.drift_bound = read_positive(table, "drift_bound", "[solver]", true, reading).value_or(solver.drift_bound);
  if (bound) solver.drift_interval = 0;  // The bound alone decides, unless the file says more.
  solver.drift_interval =
      read_positive(table, "drift_interval", "[solver]", true, reading).value_or(solver.drift_interval);
  if (solver.drift_interval != std::floor(solver.drift_interval))
    reading.diagnostics.add(interval->value.place, "'drift_interval' of [solver] is not a whole number",
                            "write a number of steps");
  if (reading.diagnostics.size() != errors) return;
  if (solver.drift_interval == 0 && solver.drift_bound == 0)
    reading.diagnostics.add((interval ? interval : bound)->value.place,
                            "neither drift_interval nor drift_bound of [solver] says when drift is corrected",
                            "write drift_interval = 1, or drift_correction = \"none\" to see the drift");
  else if (!corrects_each_step(solver.drift_interval, solver.drift_bound))
    solver.occasional =
        interval ? NamedPlace{"drift_interval", interval->value.place} : NamedPlace{"drift_bound", bound->value.place};
  else if (solver.drift_bound > 0)
    reading.diagnostics.add(
        bound->value.place,
        "'drift_bound' of [solver] has no effect with drift_interval = 1, which corrects after each step",
        "remove one of them");
  if (solver.occasional && solver.drift_correction != "projection")
    reading.diagnostics.add(solver.occasional->place,
                            in_quotes(solver.occasional->name) + " of [solver] has no effect with drift_correction " +
                                in_quotes(solver.drift_correction),
                            "remove it, or write drift_correction = \"projection\"");
}

}  // namespace

void read_solver(const TomlNode::Entry& section, Reading& reading) {
  const TableReader table(section.value, section.place, "[solver]",
                          {"method", "tolerance", "step", "tangent_basis", "independent", "drift_correction",
                           "drift_gain_1", "drift_gain_0", "drift_interval", "drift_bound", "closure_tolerance",
                           "max_steps", "stop_time", "communication_step"},
                          reading.diagnostics);
  SolverOptions& solver = reading.description.solver;
  const auto number = [&](const char* key, double& value, bool zero_allowed) {
    value = read_positive(table, key, "[solver]", zero_allowed, reading).value_or(value);
  };
  solver.method_given = table.find("method") != nullptr;
  solver.method = table.choice("method", words(integration_methods), solver.method);
  solver.tangent_basis_given = table.find("tangent_basis") != nullptr;
  solver.tangent_basis = table.choice("tangent_basis", words(tangent_bases), solver.tangent_basis);
  read_independent(table, reading);
  solver.drift_correction = table.choice("drift_correction", words(drift_corrections), solver.drift_correction);
  number("tolerance", solver.tolerance, false);
  number("step", solver.step, false);
  number("drift_gain_1", solver.drift_gain_1, true);
  number("drift_gain_0", solver.drift_gain_0, true);
  number("closure_tolerance", solver.closure_tolerance, true);
  read_occasions(table, reading);
  number("max_steps", solver.max_steps, false);
  number("stop_time", solver.stop_time, false);
  number("communication_step", solver.communication_step, false);
  const double stop_time = solver.stop_time;
  if (table.find("tolerance") && solver.tolerance >= 1)
    reading.diagnostics.add(table.find("tolerance")->value.place, "'tolerance' of [solver] is not below 1",
                            "write a small number such as 1e-8");
  const std::pair<const char*, double*> steps[] = {{"step", &solver.step},
                                                   {"communication_step", &solver.communication_step}};
  for (const auto& [key, step] : steps) {
    if (table.find(key) && *step > stop_time)
      reading.diagnostics.add(table.find(key)->value.place, in_quotes(key) + " of [solver] is longer than stop_time",
                              "write a shorter step or a later stop_time");
    *step = std::min(*step, stop_time);  // A default may be longer than a very short simulation.
  }
}

}  // namespace mechfmu
