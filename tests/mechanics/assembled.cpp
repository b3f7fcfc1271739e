// Interprets mechanisms of bodies.
#include "assembled.hpp"

#include <algorithm>
#include <stdexcept>

#include "derivation/derive.hpp"
#include "derivation/program/interpret.hpp"
#include "equations/rates.hpp"
#include "fmu_src/mechanism/conditions.hpp"
#include "fmu_src/mechanism/families.hpp"
#include "fmu_src/start/start.hpp"
#include "mechanics/tree.hpp"
#include "modelDescription/reading/read.hpp"
#include "preparation/assembly_checks.hpp"
#include "preparation/compose_mechanism.hpp"

namespace mechfmu::testing {

namespace {

void require(bool done, const std::string& message) {
  if (!done) throw std::runtime_error(message);
}

void require(bool done, const Message& message) {
  if (!done) throw std::runtime_error(message.text);
}

void require(const std::vector<Diagnostic>& none) {
  for (const Diagnostic& diagnostic : none) require(false, to_text(diagnostic));
}

Description read_text(const std::string& text, const std::string& file_name) {
  ReadResult read = read_mechanism_text(text, file_name);
  require(read.diagnostics);
  return *std::move(read.description);
}

Derivation derive_description(const Description& description) {
  Diagnostics diagnostics;
  const auto equations = compose_mechanism(description, diagnostics);
  require(diagnostics.sorted());
  auto derivation = derive(*equations, diagnostics);
  require(diagnostics.sorted());
  const InterpretedMechanism general(*derivation);
  Arena memory;
  ConsistentStart start(memory, general.table());
  std::vector<double> q(static_cast<std::size_t>(derivation->sizes.positions + 1));
  const Equations& whole = derivation->equations;  // has inputs that count whole turns
  const auto &parameters = whole.parameter_values, &inputs = whole.input_values;
  Message message;
  Point given;
  given.parameters = parameters.data();
  given.inputs = inputs.data();
  given.context = general.context();
  std::vector<double> numbers(2 * whole.conditions.size());
  require(conditions_hold(general.table(), given, Condition::before_assembly, false, numbers.data(), message), message);
  require(start.solve_positions(0, parameters.data(), inputs.data(), q.data(), message), message);
  const ConsistentStart::Ranks ranks = start.generic_ranks(0, parameters.data(), inputs.data(), q.data());
  derivation->fix_ranks(ranks.all, ranks.position);
  derivation->sizes.nonlinear_rank = start.generic_nonlinear_rank(0, parameters.data(), inputs.data(), q.data());
  return *std::move(derivation);
}

std::vector<double> copied(const double* values, int count) { return {values, values + count}; }

}  // namespace

struct Assembled::Contents {
  Contents(const std::string& text, const std::string& file_name)
      : description(read_text(text, file_name)), derivation(derive_description(description)), interpreted(derivation) {}
  Description description;
  Derivation derivation;
  InterpretedMechanism interpreted;
  std::map<std::string, casadi::Function> rates;
};

Assembled::Assembled(const std::string& text, const std::string& file_name)
    : contents_(std::make_unique<Contents>(text, file_name)) {
  const Equations& e = contents_->derivation.equations;
  simulation_ = std::make_unique<StandaloneSimulation>(table(), settings(), make_run_time_stepper);
  require(simulation_->ok(), "out of memory");
  set_all();
  const auto enter = [&](Kind kind, const auto& all) {
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!all[i].hidden) places_[all[i].name] = {kind, static_cast<int>(i), 0};
  };
  enter(Kind::position, e.positions);
  enter(Kind::velocity, e.velocities);
  enter(Kind::acceleration, e.accelerations);
  for (std::size_t i = 0; i < e.constraints.size(); ++i)
    if (!e.constraints[i].multiplier.hidden)
      places_[e.constraints[i].multiplier.name] = {Kind::multiplier, static_cast<int>(i), 0};
  for (const OutputEquation& output : e.outputs)
    places_[output.shown.name] = {Kind::output, output.index, output.group};
}

Assembled::~Assembled() = default;

Settings Assembled::settings() {
  Settings settings;
  settings.method =
      static_cast<int>(std::find(integration_methods.begin(), integration_methods.end(), std::string("dop853")) -
                       integration_methods.begin());
  settings.tolerance = 1e-10;
  return settings;
}

void Assembled::set_all() {
  const Equations& e = contents_->derivation.equations;
  for (std::size_t i = 0; i < e.parameter_values.size(); ++i)
    simulation_->set_parameter(static_cast<int>(i), e.parameter_values[i]);
  for (std::size_t i = 0; i < e.input_values.size(); ++i)
    simulation_->set_input(static_cast<int>(i), e.input_values[i]);
  for (const auto& [index, value] : set_parameters_) simulation_->set_parameter(index, value);
}

void Assembled::begin_anew(const Settings& settings) {
  simulation_->reset();
  require(simulation_->use(settings), "out of memory");
  set_all();
}

const Mechanism& Assembled::table() const { return contents_->interpreted.table(); }
const Description& Assembled::description() const { return contents_->description; }
int Assembled::degrees_of_freedom() const { return table().sizes.degrees_of_freedom(); }
bool Assembled::redundant() const { return table().sizes.rank < table().sizes.rows(); }

std::set<std::string> Assembled::cut_joints() const {
  const Description& d = contents_->description;
  const Tree tree = d.absolute ? absolute_tree(d) : spanning_tree(d);
  std::set<std::string> cut;
  for (std::size_t i = 0; i < d.joints.size(); ++i)
    if (tree.is_cut(static_cast<int>(i))) cut.insert(d.joints[i].name);
  return cut;
}

void Assembled::start() { require(simulation_->assemble(0), simulation_->message()); }

void Assembled::advance(double end) { require(simulation_->advance(end), simulation_->message()); }

double Assembled::operator[](const std::string& name) const {
  const auto found = places_.find(name);
  require(found != places_.end(), "no variable " + name);
  const Place& place = found->second;
  const double* values = nullptr;
  switch (place.kind) {
    case Kind::position: values = simulation_->positions(); break;
    case Kind::velocity: values = simulation_->velocities(); break;
    case Kind::acceleration: values = simulation_->accelerations(); break;
    case Kind::multiplier: values = simulation_->multipliers(); break;
    case Kind::output: values = simulation_->outputs(place.group); break;
  }
  require(values, simulation_->message());
  return values[place.index];
}

Eigen::Vector3d Assembled::vector(const std::string& name) const {
  return {(*this)[name + ".x"], (*this)[name + ".y"], has(name + ".z") ? (*this)[name + ".z"] : 0};
}

double Assembled::rate_of(const std::string& name) {
  const Derivation& d = contents_->derivation;
  casadi::Function& rate = contents_->rates[name];
  if (rate.is_null()) {
    Rates rates(d.equations.symbols);
    rates.set(d.equations.symbols.states, d.equations.state_rates());
    for (const OutputEquation& output : d.equations.outputs)
      if (output.shown.name == name) rate = casadi::Function("rate", d.equations.symbols.all(), {rates(output.value)});
    require(!rate.is_null(), "no output " + name);
  }
  const Sizes& s = d.sizes;
  const auto zeros = [](int count) { return std::vector<double>(static_cast<std::size_t>(count)); };
  // Angles of cut joints stay within half a turn of zero here.
  const std::vector<casadi::DM> at = {
      simulation_->time(),
      copied(simulation_->positions(), s.positions),
      copied(simulation_->velocities(), s.velocities),
      copied(simulation_->inputs(), s.inputs),
      copied(simulation_->parameters(), s.parameters),
      copied(simulation_->accelerations(), s.velocities),
      copied(simulation_->multipliers(), s.all_rows()),
      zeros(s.angles),
      zeros(s.loads),
      zeros(s.changing_rows)};
  return static_cast<double>(rate(at).at(0));
}

void Assembled::set_parameter(const std::string& name, double value) {
  const std::vector<std::string> names = names_of(contents_->derivation.equations.parameters);
  const auto found = std::find(names.begin(), names.end(), name);
  require(found != names.end(), "no parameter " + name);
  const int index = static_cast<int>(found - names.begin());
  set_parameters_[index] = value;
  simulation_->set_parameter(index, value);
}

std::vector<int> Assembled::acting_rows() const {
  std::vector<int> rows;
  int first = 0;
  for (int group = 0; group < table().sizes.contacts; ++group) {
    const contacts::Group& kind = table().contacts[group];
    // Friction at its bound leaves forces open, too, where nothing slips although it might.
    for (int i = 0; i < kind.rows() && simulation_->contact_state(group) > 0; ++i) rows.push_back(first + i);
    first += kind.rows();
  }
  return rows;
}

bool Assembled::is_determined() const {
  const std::vector<int> held = acting_rows();
  return !redundant() && (held.empty() || undetermined().empty());
}

std::set<std::string> Assembled::undetermined() const {
  const Sizes& s = contents_->derivation.sizes;
  const mechfmu::Assembled at{copied(simulation_->parameters(), s.parameters),
                              copied(simulation_->inputs(), s.inputs),
                              copied(simulation_->positions(), s.positions),
                              copied(simulation_->velocities(), s.velocities),
                              std::vector<double>(static_cast<std::size_t>(s.angles)),
                              std::vector<double>(static_cast<std::size_t>(s.loads)),
                              acting_rows()};
  const std::vector<std::string> names = undetermined_outputs(contents_->derivation, at);
  return {names.begin(), names.end()};
}

}  // namespace mechfmu::testing
