// Writes the output of --explain: plain text in aligned columns.
#include "explain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "explain_changes.hpp"
#include "explain_constraints.hpp"
#include "generation/emit.hpp"
#include "modelDescription/formulas/diagnostics.hpp"
#include "modelDescription/formulas/units.hpp"
#include "modelDescription/xml/documentation.hpp"
#include "numbers.hpp"
#include "preparation/assembly_checks.hpp"
#include "preparation/text_table.hpp"
#include "stepping/member_facts.hpp"

namespace mechfmu {
namespace {

std::string count_text(int count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// Is a variable at the start, SI.
struct Found {
  const Shown* variable = nullptr;
  double value = 0;
  std::optional<double> guess;  ///< none if the start parameter has the guess
};

std::vector<Found> found_variables(const Prepared& prepared) {
  const Equations& equations = prepared.derivation.equations;
  const FoundStart& start = prepared.start;
  std::vector<Found> result;
  for (std::size_t i = 0; i < equations.positions.size(); ++i)
    result.push_back({&equations.positions[i], start.q[i], start.q_guess[i]});
  for (std::size_t i = 0; i < equations.velocities.size(); ++i) {
    result.push_back({&equations.velocities[i], start.v[i], start.v_guess[i]});
    result.push_back({&equations.accelerations[i], start.acceleration[i], {}});
  }
  for (std::size_t i = 0; i < equations.outputs.size(); ++i)
    result.push_back({&equations.outputs[i].shown, start.outputs[i], {}});
  return result;
}

/// Holds the start values that the file fixes, by name, and how many velocities they determine.
struct FixedValues {
  std::vector<std::string> names;
  int count = 0;
};

FixedValues fixed_values(const Equations& equations, bool rates) {
  FixedValues result;
  for (const ShownParameter& parameter : equations.parameters) {
    if (parameter.start_of && parameter.start_of->fixed && parameter.start_of->rate == rates)
      result.names.push_back(parameter.start_of->variable);
  }
  for (const std::string& filter : equations.filters) result.names.push_back("the filter of " + filter);
  const std::vector<bool>& coordinates = rates ? equations.velocity_fixed : equations.position_fixed;
  const auto& others = rates ? equations.start_velocities : equations.start_positions;
  result.count = static_cast<int>(std::count(coordinates.begin(), coordinates.end(), true) + std::ssize(others));
  return result;
}

/// Says how many values a step of the start chooses freely, n less the independent constraints, and who chooses them
/// (Phong 2002, A.3).
std::string free_text(const Prepared& prepared, bool rates) {
  const Equations& equations = prepared.derivation.equations;
  const Sizes& sizes = prepared.derivation.sizes;
  const int independent = rates ? sizes.rank + sizes.nonlinear_rank : sizes.position_rank,
            free = sizes.velocities - independent;
  const FixedValues fixed = fixed_values(equations, rates);
  constexpr std::size_t most_names = 6;
  std::string text = std::string(rates ? "n_v" : "n_p") + " = " + std::to_string(sizes.velocities) + " - " +
                     std::to_string(independent) + " = " + std::to_string(free) + " free";
  if (free > 0 && fixed.count > 0) {
    const bool few = fixed.names.size() <= most_names;
    text += ", fixed: " + (few ? listed(fixed.names) : std::to_string(fixed.count) + " of them");
  }
  const int left = free - fixed.count;
  if (left > 0) text += ", " + std::to_string(left) + (equations.equilibrium ? " by equilibrium" : " by guesses");
  return text;
}

/// Returns the table of guesses and found values, which shows a wrong branch of the assembly at once. It follows the
/// three steps of Phong 2002, A.3.
std::string coordinates(const Prepared& prepared) {
  const FoundStart& start = prepared.start;
  std::map<std::string, Found> by_name, derivative;
  for (const Found& found : found_variables(prepared)) {
    by_name[found.variable->name] = found;
    if (!found.variable->derivative_of.empty()) derivative[found.variable->derivative_of] = found;
  }
  const Equations& equations = prepared.derivation.equations;
  const auto is_state = [&](const std::string& name) {
    return std::any_of(equations.states.begin(), equations.states.end(),
                       [&](const StateEquation& state) { return state.name == name; });
  };
  TextTable positions, rates, states;
  positions.add({"coordinate", "unit", "", "start", "found", "moved by", "description"});
  rates.add({"rate", "unit", "", "start", "found", "moved by", "acceleration"});
  states.add({"state", "unit", "", "start", "rate", "unit", "description"});
  const auto moved = [](double from, double to, const Unit& unit) {
    const double tiny = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(from), std::abs(to));
    Unit scale = unit;
    scale.offset = 0;
    return std::abs(to - from) <= tiny ? std::string("-") : shown(to - from, scale);
  };
  const std::vector<ShownParameter>& parameters = equations.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].start_of) continue;
    const auto& [name, rate, fixed] = *parameters[i].start_of;
    const auto& [variable, value, guess] = by_name.at(name);
    const Unit& unit = variable->unit;
    const double from = guess.value_or(start.parameters[i]);
    const auto change = derivative.find(name);
    if (is_state(name)) {
      const Unit& rate_unit = change->second.variable->unit;
      states.add({name, unit.text, fixed ? "" : "steady", shown(value, unit), shown(change->second.value, rate_unit),
                  rate_unit.text, variable->description});
      continue;
    }
    const std::string last =
        !rate                        ? variable->description
        : change == derivative.end() ? ""
                                     : shown(change->second.value, change->second.variable->unit);
    (rate ? rates : positions)
        .add({name, unit.text, fixed ? "fixed" : "guess", shown(from, unit), shown(value, unit),
              moved(from, value, unit), last});
  }
  const auto constraints = [&](Level level, const char* name) {
    return std::string(name) + " = " + std::to_string(equations.count(level));
  };
  return "  1. positions: " + constraints(Level::position, "s_p") + ", " + free_text(prepared, false) + "\n" +
         positions.text("  ") + "\n  2. velocities: " + constraints(Level::velocity, "s_v") + ", " +
         free_text(prepared, true) + "\n" + rates.text("  ") + "\n  3. accelerations, above" +
         (equations.constraints.empty() ? "" : ", and multipliers, below") + ": " +
         constraints(Level::acceleration, "s_a") + "\n  what stays open: positions " +
         shown(start.position_violation, 2) + ", velocities " + shown(start.velocity_violation, 2) +
         ", accelerations " + shown(start.acceleration_violation, 2) + " (largest residual, SI units)\n" +
         (equations.states.empty() ? "" : "  4. states, and their rates\n" + states.text("  "));
}

std::string solver(const Prepared& prepared) {
  const SolverOptions& solver = prepared.description.solver;
  TextTable table;
  const std::string stiffness = stiffness_text(prepared.start.decay, prepared.description);
  const bool chosen = !solver.method_given && !stiffness.empty();
  table.add({"method", solver.method + (chosen ? ", chosen as " + stiffness : "")});
  if (!stiffness.empty() && !serves_stiff(prepared.settings.method))
    table.add({"stiffness", stiffness + "; " + method_for_stiff() + " needs few"});
  if (has_fixed_step(prepared.settings.method)) table.add({"step", shown(solver.step) + " s"});
  else table.add({"tolerance", shown(solver.tolerance)});
  const std::string& reason = prepared.basis_reason;
  table.add({"tangent basis", solver.tangent_basis + (reason.empty() ? "" : ", chosen " + reason)});
  std::vector<std::string> independent;
  for (const NamedPlace& one : solver.independent) independent.push_back(one.name);
  if (!independent.empty()) table.add({"independent", listed(independent) + ", as far as their quality allows"});
  table.add({"drift correction", solver.drift_correction});
  table.add({"stop time", shown(solver.stop_time) + " s"});
  table.add({"communication step", shown(solver.communication_step) + " s"});
  return table.text("  ");
}

const char* origin_text(NominalOrigin origin) {
  switch (origin) {
    case NominalOrigin::file: return "'nominal' of the file";
    case NominalOrigin::angle: return "1 rad, as of any angle";
    case NominalOrigin::mechanism_length: return "the largest distance between joints and mass centres, or a radius";
    case NominalOrigin::largest_start: return "the largest start of this unit";
    case NominalOrigin::own_start: return "its start";
    case NominalOrigin::mechanism_sizes: return "the mechanism's length, mass or force, and stop_time";
    case NominalOrigin::own_unit: return "nothing in the file tells it: 1 in its unit; 'nominal' would";
    default: return "nothing in the file tells it: 1 in SI units; 'nominal' would";
  }
}

/// Returns the sizes that unknowns are small against; empty if there are no unknowns.
std::string unknown_sizes_text(const Prepared& prepared) {
  TextTable table;
  table.add({"unknown", "size", "unit", "size from"});
  bool any = false;
  for (const LoadEquation& load : prepared.derivation.equations.loads) {
    if (!load.start) continue;  // frictions have none
    Unit unit = load.unit;
    unit.offset = 0;
    table.add({load.name, shown(from_si(load.nominal, unit), 4), unit.text, origin_text(load.nominal_origin)});
    any = true;
  }
  return any ? table.text("  ") : "";
}

/// Returns the sizes to which the tolerance is relative if coordinates and rates are small.
std::string nominal_sizes_text(const Prepared& prepared) {
  const Equations& equations = prepared.derivation.equations;
  TextTable table;
  table.add({"coordinate", "size", "unit", "rate", "unit", "size from"});
  std::size_t position = 0, next = 0;
  for (std::size_t j = 0; j < equations.nominal.size(); ++j, ++position) {
    const bool turned =
        next < equations.quaternions.size() && equations.quaternions[next].velocity == static_cast<int>(j);
    const Shown &shown_position = equations.positions[position], &velocity = equations.velocities[j];
    Unit unit = turned ? known_unit("rad") : shown_position.unit, rate_unit = velocity.unit;
    unit.offset = rate_unit.offset = 0;
    table.add({shown_position.name, shown(from_si(equations.nominal[j], unit), 4), unit.text,
               shown(from_si(equations.rate_nominal[j], rate_unit), 4), rate_unit.text,
               origin_text(equations.nominal_origins[j])});
    if (turned) j += 2, position += 3, ++next;
  }
  for (const StateEquation& state : equations.states) {
    Unit unit = equations.positions[position++].unit;
    unit.offset = 0;
    table.add(
        {state.name, shown(from_si(state.nominal, unit), 4), unit.text, "", "", origin_text(state.nominal_origin)});
  }
  return table.text("  ");
}

std::string operations(const Prepared& prepared) {
  const Derivation& derivation = prepared.derivation;
  const OperationCounts counts = count_operations(derivation);
  const bool short_form = derivation.character.short_form;
  TextTable table;
  table.add({"once, of the parameters", std::to_string(counts.prepare)});
  table.add({"M and C, of time and coordinates", std::to_string(counts.position)});
  table.add({short_form ? "the applied forces" : "forces, dM/dt and dC/dt", std::to_string(counts.velocity)});
  if (counts.violation > 0) table.add({"constraints' values", std::to_string(counts.violation)});
  table.add({"accelerations and reactions, when read", std::to_string(counts.acceleration)});
  int outputs = 0;
  for (const int count : counts.outputs) outputs += count;
  table.add({"outputs, when read", std::to_string(outputs)});
  return table.text("  ") +
         (short_form ? "  One degree of freedom under ideal constraints: a step needs w_d'Q only.\n" : "");
}

}  // namespace

/// Returns lines indented by two columns.
std::string indented(const std::string& lines) {
  std::string text = "  ";
  for (const char c : lines) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string explain(const Prepared& prepared) {
  const Description& description = prepared.description;
  const Sizes& sizes = prepared.derivation.sizes;
  std::string text =
      description.name + (description.description.empty() ? "" : ": " + description.description) + "\n\n";
  text += prepared.facts.degrees_of_freedom_text() + ": " + count_text(sizes.velocities, "coordinate", "coordinates");
  if (const auto filters = static_cast<int>(prepared.facts.filters.size()); filters > 0)
    text += filters == 1 ? ", the filter's among them" : ", the filters' among them";
  if (sizes.rate_rows() > 0) {
    text += " - " + count_text(sizes.rank + sizes.nonlinear_rank, "independent constraint", "independent constraints") +
            " of " + std::to_string(sizes.rate_rows());
  }
  text += "\n";
  if (!prepared.start.redundant.empty()) {
    text += "redundant at the start, implied by the others: " + listed(prepared.start.redundant) + "\n";
  }
  if (!prepared.start.undetermined.empty()) {
    text += "shared by redundant constraints, least-norm values are shown: " +
            listed(shortened(prepared.start.undetermined)) + "\n";
  }
  const Immobile& by_positions = prepared.start.immobile.by_positions;
  if (by_positions.any())
    text += "cannot move: " + listed(by_positions.coordinates) + ", held by " + listed(by_positions.constraints) + "\n";
  for (const std::string& remark : prepared.start.remarks()) text += remark + "\n";
  const std::string& structure = prepared.derivation.equations.structure;
  if (!structure.empty()) text += "\nBodies and joints\n" + indented(structure);
  text += "\nThe start\n" + coordinates(prepared);
  if (sizes.lasting_rows() > 0) text += explain_constraints(prepared);
  text += explain_changes(prepared);
  text += "\nSolution\n" + solver(prepared);
  if (sizes.velocities > 0)
    text +=
        "\nNominal sizes, that the tolerance is relative to where numbers are smaller\n" + nominal_sizes_text(prepared);
  if (const std::string unknowns = unknown_sizes_text(prepared); !unknowns.empty())
    text += "\nNominal sizes of unknowns, that the search for them is relative to where these are smaller\n" + unknowns;
  text += "\nArithmetic operations of one evaluation\n" + operations(prepared);
  return text + "\nVariables of the FMU\n" + listing(prepared.variables);
}

}  // namespace mechfmu
