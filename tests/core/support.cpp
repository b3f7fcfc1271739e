// Mechanisms for tests of the core.
#include "support.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>

#include "core/families.hpp"
#include "core/start.hpp"
#include "exporter/assemble_equations.hpp"
#include "modelDescription/read.hpp"

namespace mechfmu::testing {

namespace {

Loaded load(const ReadResult& read) {
  std::string problems;
  for (const Diagnostic& diagnostic : read.diagnostics) problems += to_text(diagnostic) + "\n";
  INFO(problems);
  REQUIRE(read.description.has_value());
  Diagnostics diagnostics;
  const auto equations = assemble_equations(*read.description, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.sorted()) FAIL(to_text(diagnostic));
  auto derivation = derive(*equations, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.sorted()) FAIL(to_text(diagnostic));
  return Loaded(*std::move(derivation), read.description->solver);
}

int find(const std::vector<std::string>& names, const std::string& name) {
  const auto place = std::find(names.begin(), names.end(), name);
  INFO(name);
  REQUIRE(place != names.end());
  return static_cast<int>(place - names.begin());
}

template <std::size_t n>
int find(const char* const (&names)[n], const std::string& name) {
  return find(std::vector<std::string>(std::begin(names), std::end(names)), name);
}

}  // namespace

Loaded::Loaded(Derivation derivation, const SolverOptions& options) : derivation_(std::move(derivation)) {
  const InterpretedMechanism general(derivation_);
  ConsistentStart start(general.table());
  std::vector<double> q(derivation_.sizes.positions + 1);
  Message message;
  const auto& parameters = derivation_.equations.parameter_values;
  const auto& inputs = derivation_.equations.input_values;
  const bool assembled = start.solve_positions(0, parameters.data(), inputs.data(), q.data(), message);
  INFO(message.text);
  REQUIRE(assembled);
  const ConsistentStart::Ranks ranks = start.generic_ranks(0, parameters.data(), inputs.data(), q.data());
  derivation_.fix_ranks(ranks.all, ranks.position);
  interpreted_ = std::make_shared<InterpretedMechanism>(derivation_);
  settings.method = find(integration_methods, options.method);
  settings.tangent_basis = find(tangent_bases, options.tangent_basis);
  settings.drift_correction = find(drift_corrections, options.drift_correction);
  settings.tolerance = options.tolerance;
  settings.step = options.step;
  settings.drift_gain_1 = options.drift_gain_1;
  settings.drift_gain_0 = options.drift_gain_0;
  stop_time = options.stop_time;
  communication_step = options.communication_step;
}

Loaded Loaded::text(const std::string& toml) { return load(read_mechanism_text(toml, "test.toml")); }

Loaded Loaded::model(const std::string& name) {
  return load(read_mechanism(std::string(MECHFMU_SOURCE_DIR) + "/models/" + name + "/mechanism.toml"));
}

int Loaded::index(const std::string& coordinate) const {
  return find(derivation_.equations.position_names, coordinate);
}
int Loaded::parameter(const std::string& name) const { return find(derivation_.equations.parameter_names, name); }
int Loaded::input(const std::string& name) const { return find(derivation_.equations.input_names, name); }

std::unique_ptr<Simulation> Loaded::simulation(const Settings& wanted) const {
  auto made = std::make_unique<Simulation>(table(), wanted, make_run_time_stepper);
  REQUIRE(made->ok());
  const auto& parameters = derivation_.equations.parameter_values;
  const auto& inputs = derivation_.equations.input_values;
  for (std::size_t i = 0; i < parameters.size(); ++i) made->set_parameter(static_cast<int>(i), parameters[i]);
  for (std::size_t i = 0; i < inputs.size(); ++i) made->set_input(static_cast<int>(i), inputs[i]);
  return made;
}

}  // namespace mechfmu::testing
