// Leads a mechanism from its file to all that an export needs.
#include "pipeline.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <optional>

#include "assembly_checks.hpp"
#include "derivation/program/interpret.hpp"
#include "fmu_src/constraints/agreement.hpp"
#include "fmu_src/linear/finite.hpp"
#include "fmu_src/mechanism/conditions.hpp"
#include "fmu_src/mechanism/families.hpp"
#include "fmu_src/mechanism/whole_turns.hpp"
#include "fmu_src/simulation/simulation.hpp"
#include "fmu_src/start/start.hpp"
#include "independent.hpp"
#include "modelDescription/formulas/units.hpp"
#include "modelDescription/variables/vectors.hpp"
#include "other_assembly.hpp"
#include "preparation/compose_mechanism.hpp"
#include "suited_resolution.hpp"
#include "surplus_motions.hpp"
#include "text_table.hpp"
#include "variable_facts.hpp"

namespace mechfmu {
namespace {

[[noreturn]] void fail(const std::vector<Diagnostic>& diagnostics) {
  std::string lines;
  for (const Diagnostic& diagnostic : diagnostics) lines += to_text(diagnostic) + '\n';
  throw MechanismErrors(lines);
}

/// Says which body has no inertia in a direction that a joint leaves free, if the core can name only a coordinate.
std::string moved_body(const Description& description, const std::string& text) {
  if (text.find("mass matrix") == std::string::npos) return "";
  for (const Joint& joint : description.joints) {
    if (text.find("'der(" + joint.name + ".") == std::string::npos &&
        text.find("'" + joint.name + ".") == std::string::npos)
      continue;
    return " " + joint.name + " moves the body " +
           in_quotes(description.bodies[static_cast<std::size_t>(joint.child.body)].name) + ".";
  }
  return "";
}

/// Returns the values that coordinates had reached when an assembly stopped.
std::string reached(const Equations& equations, const std::vector<double>& guess, const std::vector<double>& q) {
  TextTable table;
  table.add({"coordinate", "guess", "reached"});
  for (std::size_t i = 0; i < q.size(); ++i) {
    const Shown& shown = equations.positions[i];
    const auto text = [&](double si) {
      char number[32];
      std::snprintf(number, sizeof number, "%.9g", from_si(si, shown.unit));
      return std::string(number) + (shown.unit.text.empty() ? "" : " " + shown.unit.text);
    };
    table.add({shown.name, text(guess[i]), text(q[i])});
  }
  return "How far the assembly came\n" + table.text("  ");
}

/// Reports a message of the numeric core at the place of the first name of the equations that it quotes. A message
/// without names says that something cannot be realised.
[[noreturn]] void fail(const Description& description, const Equations& equations, const Message& message,
                       const std::string& how_far = "") {
  const std::string text = message.text;
  const Place* place = nullptr;
  for (const ConditionEquation& condition : equations.conditions)
    if (text.find(condition.what.substr(1)) == 1) place = &condition.place;  // Its first letter begins the sentence.
  std::size_t first = place == nullptr ? std::string::npos : 0;
  const auto consider_words = [&](const std::string& words, const Place& of) {
    const std::size_t at = text.find(words);
    if (at < first) first = at, place = &of;
  };
  const auto consider = [&](const auto& named) { consider_words(in_quotes(named.name), named.place); };
  for (const ConstraintEquation& row : equations.constraints) {
    consider(row);
    if (row.driven.empty()) continue;
    for (const char* words : {"motion of ", "motions of "}) consider_words(words + in_quotes(row.driven), row.place);
  }
  for (const StartEquation& row : equations.start_positions) consider(row);
  for (const StartEquation& row : equations.start_velocities) consider(row);
  for (const LoadEquation& load : equations.loads) consider(load);
  for (const BranchCondition& branch : equations.branches) consider(branch);
  for (const OutputEquation& output : equations.outputs) consider(output.shown);
  for (const Joint& joint : description.joints) {
    consider(joint);
    for (const JointCoordinate& coordinate : joint.coordinates) consider(coordinate);
  }
  for (const Shown& position : equations.positions) consider(position);
  for (const Shown& velocity : equations.velocities) consider(velocity);
  for (const ConstraintEquation& row : equations.constraints) {
    if (place == nullptr && row.realised_by) place = &row.place;
  }
  throw MechanismErrors(to_text(place == nullptr ? description.place : *place) + ": " + text +
                            moved_body(description, text) + '\n',
                        how_far);
}

int index_of(const std::string& name, const MemberNames& names) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

Settings settings_of(const SolverOptions& options) {
  Settings settings;
  settings.method = index_of(options.method, integration_methods);
  settings.tangent_basis = index_of(options.tangent_basis, tangent_bases);
  settings.drift_correction = index_of(options.drift_correction, drift_corrections);
  settings.tolerance = options.tolerance;
  settings.step = options.step;
  settings.drift_gain_1 = options.drift_gain_1;
  settings.drift_gain_0 = options.drift_gain_0;
  settings.closure_tolerance = options.closure_tolerance;
  settings.drift_interval = options.drift_interval;
  settings.drift_bound = options.drift_bound;
  settings.max_steps = options.max_steps;
  return settings;
}

std::vector<double> values(const double* first, int count) { return {first, first + count}; }

/// Decides the ranks of the constraints, which determine the sizes of all later stages. It assembles the positions for
/// this, and returns the coordinates that they hold.
ImmobileCoordinates find_ranks(const Description& description, Derivation& derivation,
                               std::vector<std::string>& redundant) {
  const Equations& equations = derivation.equations;
  const InterpretedMechanism interpreted(derivation);
  const Mechanism& mechanism = interpreted.table();
  Arena memory;
  ConsistentStart start(memory, mechanism);
  start.accept_gaps(description.solver.closure_tolerance);
  std::vector<double> q(mechanism.sizes.positions), pairs(2 * equations.conditions.size());
  const double *parameters = equations.parameter_values.data(), *inputs = equations.input_values.data();
  Message message;
  Point given;
  given.inputs = inputs;
  given.parameters = parameters;
  given.context = mechanism.context;
  std::vector<double> guess(q.size()), rates(static_cast<std::size_t>(mechanism.sizes.velocities));
  mechanism.guess(given, guess.data(), rates.data());
  double* turns = derivation.equations.input_values.data() + derivation.equations.first_turns();
  for (int i = 0; i < mechanism.sizes.turning; ++i)
    turns[i] = turns_of(guess[static_cast<std::size_t>(mechanism.turning[i])]);
  if (!conditions_hold(mechanism, given, Condition::before_assembly, false, pairs.data(), message))
    fail(description, equations, message);
  if (!start.solve_positions(0, parameters, inputs, q.data(), message)) {
    if (const std::string surplus = surplus_motions(equations, q); !surplus.empty())
      message.fail("%s", surplus.c_str());
    add_turns(mechanism, turns, q.data());
    fail(description, equations, message, reached(equations, guess, q));
  }
  const ConsistentStart::Ranks ranks = start.generic_ranks(0, parameters, inputs, q.data());
  const ConsistentStart::Ranks exact = start.ranks(0, parameters, inputs, q.data());
  if (exact.all > ranks.all) start.strong_ranks(0, parameters, inputs, q.data());  // The data are rounded.
  for (int row = 0; row < mechanism.sizes.rows(); ++row) {
    if (start.redundant(row)) redundant.push_back(mechanism.constraint_names[row]);
  }
  derivation.fix_ranks(ranks.all, ranks.position);
  derivation.sizes.nonlinear_rank = start.generic_nonlinear_rank(0, parameters, inputs, q.data());
  Diagnostics diagnostics;
  check_preference(description, derivation, q, diagnostics);
  if (!diagnostics.empty()) fail(diagnostics.sorted());
  return immobile_coordinates(derivation, q);
}

/// Adds an error if the start holds rates to which the constraints leave no motion: another start does not help then.
void check_held_rates(const Description& description, const Equations& equations, const Immobile& held,
                      const double* rates) {
  std::vector<std::string> fixed;
  for (const int j : held.velocities) {
    const auto i = static_cast<std::size_t>(j);
    if (equations.velocity_fixed[i] && rates[i] != 0) fixed.push_back(in_quotes(equations.velocities[i].name));
  }
  if (fixed.empty()) return;
  Message message;
  message.fail("%s Here the fixed start of %s cannot hold.", hidden_condition_text(held).c_str(),
               listed(fixed).c_str());
  fail(description, equations, message);
}

Assembled assembled(const Derivation& derivation, Simulation& simulation) {
  const Equations& equations = derivation.equations;
  const Sizes& sizes = derivation.sizes;
  return {equations.parameter_values,
          equations.input_values,
          values(simulation.positions(), sizes.positions),
          values(simulation.velocities(), sizes.velocities),
          std::vector<double>(static_cast<std::size_t>(equations.symbols.angles.numel())),
          values(simulation.loads(), sizes.loads)};
}

FoundStart find_start(const Description& description, const Derivation& derivation, const Settings& settings,
                      const Immobile& held) {
  const InterpretedMechanism interpreted(derivation);
  StandaloneSimulation simulation(interpreted.table(), settings, make_run_time_stepper);
  if (!simulation.ok()) throw std::bad_alloc();
  const Equations& equations = derivation.equations;
  for (std::size_t i = 0; i < equations.parameter_values.size(); ++i) {
    simulation.set_parameter(static_cast<int>(i), equations.parameter_values[i]);
  }
  for (std::size_t i = 0; i < equations.input_values.size(); ++i) {
    simulation.set_input(static_cast<int>(i), equations.input_values[i]);
  }
  if (!simulation.assemble(0)) {
    check_held_rates(description, equations, held, simulation.velocity_guesses());
    fail(description, equations, simulation.message());
  }
  const double *acceleration = simulation.accelerations(), *multipliers = simulation.multipliers();
  if (acceleration == nullptr || multipliers == nullptr) fail(description, equations, simulation.message());
  std::vector<double> outputs;
  for (const OutputEquation& output : equations.outputs) {
    const double* group = simulation.outputs(output.group);
    if (group != nullptr) outputs.push_back(group[output.index]);
    if (group != nullptr && is_finite(outputs.back())) continue;
    Message message;
    message.fail(
        "The output '%s' is not a number at the start. Look for a division by zero, or for a root or logarithm "
        "of a negative number.",
        output.shown.name.c_str());
    fail(description, equations, message);
  }
  const Assembled at = assembled(derivation, simulation);
  Diagnostics diagnostics;
  check_freedom(description, derivation, at, diagnostics);
  if (!diagnostics.empty()) fail(diagnostics.sorted());
  const Sizes& sizes = derivation.sizes;
  std::vector<double> gaps(static_cast<std::size_t>(sizes.contacts)),
      speeds(static_cast<std::size_t>(sizes.changing_rows));
  std::vector<int> contact_states;
  if (sizes.contacts > 0) simulation.find_gaps(gaps.data(), speeds.data());
  for (int i = 0; i < sizes.contacts; ++i) contact_states.push_back(simulation.contact_state(i));
  return {values(simulation.parameters(), sizes.parameters),
          values(simulation.position_guesses(), sizes.positions),
          values(simulation.velocity_guesses(), sizes.velocities),
          values(simulation.positions(), sizes.positions),
          values(simulation.velocities(), sizes.velocities),
          values(acceleration, sizes.velocities),
          values(multipliers, sizes.all_rows()),
          outputs,
          simulation.position_violation(),
          simulation.velocity_violation(),
          simulation.acceleration_violation(),
          gaps,
          speeds,
          contact_states,
          simulation.closure_gap(),
          {},
          undetermined_outputs(derivation, at),
          fastest_decay(derivation, at)};
}

/// Adds this to the descriptions of variables. The components of a vector are one array in FMI 3, so their text names
/// the components.
void tell_undetermined(Equations& equations, const std::vector<std::string>& undetermined) {
  const auto vector_of = [](const std::string& name) {
    const std::string vector = component_of(name).vector;
    return vector.empty() ? name : vector;
  };
  std::map<std::string, std::vector<std::string>> all, shared;  // letters of the components by vector
  for (const OutputEquation& output : equations.outputs) {
    const std::string& name = output.shown.name;
    const std::string letter(1, component_of(name).letter);
    all[vector_of(name)].push_back(letter);
    if (std::find(undetermined.begin(), undetermined.end(), name) != undetermined.end())
      shared[vector_of(name)].push_back(letter);
  }
  for (OutputEquation& output : equations.outputs) {
    const auto found = shared.find(vector_of(output.shown.name));
    if (found == shared.end()) continue;
    const std::vector<std::string>& letters = found->second;
    const bool whole = letters.size() == all[found->first].size();
    output.shown.description +=
        (output.shown.description.empty() ? "" : ", ") +
        (whole ? std::string("shared by redundant constraints: of least norm")
               : "of which " + listed(letters) + (letters.size() == 1 ? " is" : " are") +
                     " shared by redundant constraints: of least norm");
  }
}

/// Returns a remark about loops that have more constraints than they need and rounded data.
std::string open_loops_text(const FoundStart& start) {
  if (start.closure_gap <= rounding_of_closing || start.redundant.empty()) return "";
  char gap[20];
  std::snprintf(gap, sizeof gap, "%.2g", start.closure_gap);
  return std::string("The data of closed loops are rounded: at the start they leave ") + gap +
         " of the size open, where all constraints hold as nearly as they go. Implied by the others but for that: " +
         listed(start.redundant) + ".";
}

/// Adds the remarks about the results.
void add_remarks(Equations& equations, const FoundStart& start) {
  equations.remark = hidden_condition_text(start.immobile.by_velocities);
  if (!start.open_loops.empty()) equations.remark += (equations.remark.empty() ? "" : " ") + start.open_loops;
  if (start.undetermined.empty()) return;
  equations.remark +=
      (equations.remark.empty() ? "" : " ") + std::string("Redundant constraints share ") +
      listed(shortened(start.undetermined)) + ": the values shown are those of the multipliers of least norm.";
  tell_undetermined(equations, start.undetermined);
}

}  // namespace

std::vector<std::string> FoundStart::remarks() const {
  std::vector<std::string> result;
  for (const std::string& remark : {hidden_condition_text(immobile.by_velocities), open_loops, other_assembly})
    if (!remark.empty()) result.push_back(remark);
  return result;
}

namespace {

/// Is a mechanism with its ranks.
struct Ranked {
  Description description;
  Derivation derivation;
  ImmobileCoordinates immobile = {};
  std::vector<std::string> redundant = {};
};

Ranked derive_file(const std::filesystem::path& file, const std::vector<ParameterSetting>& parameters,
                   const std::vector<AddedConstraint>& added, const Progress& progress) {
  ReadResult read = read_mechanism(file.string(), parameters, added);
  if (!read.description) fail(read.diagnostics);
  progress("reading");
  Diagnostics diagnostics;
  std::optional<Derivation> derivation;
  if (const auto equations = compose_mechanism(*read.description, diagnostics)) {
    derivation = derive(*equations, diagnostics);
  }
  if (!derivation || !diagnostics.empty()) fail(diagnostics.sorted());
  progress("deriving");
  Ranked result{*std::move(read.description), *std::move(derivation)};
  result.immobile = find_ranks(result.description, result.derivation, result.redundant);
  return result;
}

/// Returns the constraint that the file asks to be added, if there is one.
std::optional<AddedConstraint> added_constraint(const Ranked& ranked) {
  const Immobile& held = ranked.immobile.by_velocities;
  if (!ranked.description.adds_hidden || !held.missing) return {};
  std::vector<std::string> names;
  for (const std::string& name : held.constraints) names.push_back(in_quotes(name));
  return AddedConstraint{held.missing->position, held.missing->like,
                         "where " + listed(names) + " depend on each other, and let the mechanism move"};
}

}  // namespace

Prepared prepare(const std::filesystem::path& file, const Progress& progress,
                 const std::vector<ParameterSetting>& parameters) {
  Ranked ranked = derive_file(file, parameters, {}, progress);
  if (const std::optional<AddedConstraint> hidden = added_constraint(ranked))
    ranked = derive_file(file, parameters, {*hidden}, progress);
  auto& [description, derivation, immobile, redundant] = ranked;
  SolverOptions& solver = description.solver;
  SuitedResolution suited = suited_resolution(derivation.sizes, derivation.character, description);
  if (solver.tangent_basis_given) suited.reason.clear();
  else solver.tangent_basis = suited.name;
  FoundStart start = find_start(description, derivation, settings_of(solver), immobile.by_velocities);
  if (!solver.method_given && !stiffness_text(start.decay, description).empty()) solver.method = method_for_stiff();
  start.redundant = std::move(redundant);
  start.open_loops = open_loops_text(start);
  start.immobile = std::move(immobile);
  start.other_assembly = other_assembly(derivation, solver.closure_tolerance, start.q);
  add_remarks(derivation.equations, start);
  progress("finding a consistent start");
  const Settings settings = settings_of(solver);

  VariableFacts facts = variable_facts(derivation);
  facts.assembled_positions = start.q;
  facts.assembled_velocities = start.v;
  ModelVariables variables = list_variables(description, facts);
  return {file,
          std::move(description),
          std::move(derivation),
          settings,
          std::move(suited.reason),
          std::move(start),
          std::move(facts),
          std::move(variables)};
}

}  // namespace mechfmu
