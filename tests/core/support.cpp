// Makes mechanisms for tests of the core.
#include "support.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "derivation/derive.hpp"
#include "derivation/program/interpret.hpp"
#include "fmu_src/start/start.hpp"
#include "mechanisms.hpp"
#include "modelDescription/reading/read.hpp"
#include "preparation/compose_mechanism.hpp"

namespace mechfmu::testing {

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& folder : std::filesystem::directory_iterator(std::string(MECHFMU_SOURCE_DIR) + "/models")) {
    if (std::filesystem::exists(folder.path() / "mechanism.toml")) names.push_back(folder.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> models_of_equations() {
  std::vector<std::string> names = model_names();
  std::erase_if(names, [](const std::string& name) {
    return text_of_model(name).find("\n[coordinates") == std::string::npos;
  });
  return names;
}

struct Loaded::Contents {
  explicit Contents(Derivation d) : derivation(std::move(d)), interpreted(derivation) {}
  Derivation derivation;
  InterpretedMechanism interpreted;
  SolverOptions options;
};

namespace {

int find(const std::vector<std::string>& names, const std::string& name) {
  const auto place = std::find(names.begin(), names.end(), name);
  INFO(name);
  REQUIRE(place != names.end());
  return static_cast<int>(place - names.begin());
}

Equations assemble_text(const ReadResult& read) {
  std::string problems;
  for (const Diagnostic& diagnostic : read.diagnostics) problems += to_text(diagnostic) + "\n";
  INFO(problems);
  REQUIRE(read.description.has_value());
  Diagnostics diagnostics;
  const auto equations = compose_mechanism(*read.description, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.sorted()) FAIL(to_text(diagnostic));
  return *equations;
}

Derivation derive_equations(const Equations& equations) {
  Diagnostics diagnostics;
  auto derivation = derive(equations, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.sorted()) FAIL(to_text(diagnostic));
  return *std::move(derivation);
}

/// Sets the generic ranks at the file's start.
void fix_ranks(Derivation& derivation, double closure_tolerance) {
  const InterpretedMechanism general(derivation);
  Arena memory;
  ConsistentStart start(memory, general.table());
  start.accept_gaps(closure_tolerance);
  std::vector<double> q(derivation.sizes.positions + 1);
  Message message;
  const auto& parameters = derivation.equations.parameter_values;
  const auto& inputs = derivation.equations.input_values;
  const bool assembled = start.solve_positions(0, parameters.data(), inputs.data(), q.data(), message);
  INFO(message.text);
  REQUIRE(assembled);
  const ConsistentStart::Ranks ranks = start.generic_ranks(0, parameters.data(), inputs.data(), q.data());
  derivation.fix_ranks(ranks.all, ranks.position);
  derivation.sizes.nonlinear_rank = start.generic_nonlinear_rank(0, parameters.data(), inputs.data(), q.data());
}

}  // namespace

Loaded::Loaded(std::shared_ptr<Contents> contents) : contents_(std::move(contents)) {
  const SolverOptions& options = contents_->options;
  settings.method = method(options.method);
  settings.tangent_basis = basis(options.tangent_basis);
  settings.drift_correction = drift(options.drift_correction);
  settings.tolerance = options.tolerance;
  settings.step = options.step;
  settings.drift_gain_1 = options.drift_gain_1;
  settings.drift_gain_0 = options.drift_gain_0;
  settings.closure_tolerance = options.closure_tolerance;
  settings.max_steps = options.max_steps;
  stop_time = options.stop_time;
  communication_step = options.communication_step;
}

namespace {

template <class Contents>
std::shared_ptr<Contents> load(const Equations& equations, const SolverOptions& options) {
  Derivation derivation = derive_equations(equations);
  fix_ranks(derivation, options.closure_tolerance);
  auto contents = std::make_shared<Contents>(std::move(derivation));
  contents->options = options;
  return contents;
}

template <class Contents>
std::shared_ptr<Contents> load(const ReadResult& read) {
  const Equations equations = assemble_text(read);
  return load<Contents>(equations, read.description->solver);
}

}  // namespace

Loaded Loaded::text(const std::string& toml) {
  INFO(toml);
  return Loaded(load<Contents>(read_mechanism_text(toml, "test.toml")));
}

Loaded Loaded::text(const std::string& toml, const std::function<void(Equations&)>& change) {
  INFO(toml);
  const ReadResult read = read_mechanism_text(toml, "test.toml");
  Equations equations = assemble_text(read);
  change(equations);
  return Loaded(load<Contents>(equations, read.description->solver));
}

Loaded Loaded::model(const std::string& name) {
  const std::string path = std::string(MECHFMU_SOURCE_DIR) + "/models/" + name + "/mechanism.toml";
  return Loaded(load<Contents>(read_mechanism(path)));
}

Loaded Loaded::equations(const Equations& equations) { return Loaded(load<Contents>(equations, {})); }

Equations equations_of(const std::string& toml) { return assemble_text(read_mechanism_text(toml, "test.toml")); }

Loaded Loaded::long_form() const {
  Derivation derivation = contents_->derivation;
  const bool ideal = derivation.character.ideal_without_contacts;
  derivation.character.ideal_without_contacts = false;  // This rules the short form out.
  derivation.fix_ranks(derivation.sizes.rank, derivation.sizes.position_rank);
  derivation.character.ideal_without_contacts = ideal;
  auto contents = std::make_shared<Contents>(std::move(derivation));
  contents->options = contents_->options;
  return Loaded(contents);
}

const Mechanism& Loaded::table() const { return contents_->interpreted.table(); }
const std::vector<double>& Loaded::parameters() const { return contents_->derivation.equations.parameter_values; }
const std::vector<double>& Loaded::inputs() const { return contents_->derivation.equations.input_values; }

int Loaded::index(const std::string& coordinate) const {
  return find(names_of(contents_->derivation.equations.positions), coordinate);
}
int Loaded::parameter(const std::string& name) const {
  return find(names_of(contents_->derivation.equations.parameters), name);
}
int Loaded::input(const std::string& name) const { return find(contents_->derivation.equations.input_names, name); }
int Loaded::impulse(const std::string& name) const {
  std::vector<std::string> names;
  for (const ChangingVariable& one : contents_->derivation.equations.impulses) names.push_back(one.shown.name);
  return contents_->derivation.equations.impulses[static_cast<std::size_t>(find(names, name))].plus;
}

double Loaded::output(Simulation& simulation, const std::string& name) const {
  for (const OutputEquation& one : contents_->derivation.equations.outputs) {
    if (one.shown.name != name) continue;
    const double* values = simulation.outputs(one.group);
    REQUIRE(values != nullptr);
    return values[one.index];
  }
  FAIL(name << " is no output");
  return 0;
}

std::unique_ptr<StandaloneSimulation> Loaded::simulation(const Settings& wanted) const {
  auto made = std::make_unique<StandaloneSimulation>(table(), wanted, make_run_time_stepper);
  REQUIRE(made->ok());
  for (std::size_t i = 0; i < parameters().size(); ++i) made->set_parameter(static_cast<int>(i), parameters()[i]);
  for (std::size_t i = 0; i < inputs().size(); ++i) made->set_input(static_cast<int>(i), inputs()[i]);
  return made;
}

std::vector<double> copy_state(const Simulation& simulation) {
  return {simulation.state(), simulation.state() + simulation.state_size()};
}

bool same_state(const Simulation& simulation, const std::vector<double>& state) {
  return std::memcmp(simulation.state(), state.data(), state.size() * sizeof(double)) == 0;
}

void assemble(Simulation& simulation, double time) {
  const bool done = simulation.assemble(time);
  INFO(simulation.message().text);
  REQUIRE(done);
}

void advance(Simulation& simulation, double end) {
  const bool done = simulation.advance(end);
  INFO(simulation.message().text);
  REQUIRE(done);
}

void check_reads_and_rollback(const Loaded& loaded, const char* name, const std::function<double(Simulation&)>& read) {
  INFO(name);
  Settings settings = loaded.settings;
  settings.method = method(name);
  const auto simulation = loaded.simulation(settings), unread = loaded.simulation(settings);
  assemble(*simulation);
  assemble(*unread);
  const double first = read(*simulation);
  const std::vector<double> start = copy_state(*simulation);
  advance(*simulation, 0.1);
  const std::vector<double> saved = copy_state(*simulation);
  const double then = read(*simulation);
  advance(*simulation, 0.3);
  advance(*unread, 0.1);
  advance(*unread, 0.3);
  CHECK(same_state(*unread, copy_state(*simulation)));
  simulation->restore(saved.data());
  CHECK(read(*simulation) == then);
  advance(*simulation, 0.3);
  CHECK(same_state(*unread, copy_state(*simulation)));
  simulation->restore(start.data());
  CHECK(read(*simulation) == first);
  assemble(*simulation);
  CHECK(same_state(*simulation, start));
}

double regression_slope(const std::vector<double>& x, const std::vector<double>& y) {
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / x.size();
    mean_y += y[i] / y.size();
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xy / xx;
}

double distance(const Simulation& a, const Simulation& b) {
  const auto largest = [](int n, const double* x, const double* y) {
    double result = 0;
    for (int i = 0; i < n; ++i) {
      const double size = std::fabs(x[i] - y[i]) / (1 + std::fabs(y[i]));
      if (!(size <= result)) result = size;
    }
    return result;
  };
  const Sizes& s = a.mechanism().sizes;
  return std::fmax(largest(s.positions, a.positions(), b.positions()),
                   largest(s.velocities, a.velocities(), b.velocities()));
}

}  // namespace mechfmu::testing
