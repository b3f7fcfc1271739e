// Mechanisms for tests of the core: from text or from models/, evaluated by CasADi, sizes at run time.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/simulation.hpp"
#include "exporter/derive.hpp"
#include "exporter/interpret.hpp"

namespace mechfmu::testing {

/// A mechanism that is ready to run.
class Loaded {
 public:
  explicit Loaded(Derivation derivation, const SolverOptions& options);
  static Loaded text(const std::string& toml);
  static Loaded model(const std::string& name);

  const Mechanism& table() const { return interpreted_->table(); }
  const Derivation& derivation() const { return derivation_; }
  Settings settings;       ///< the file's
  double stop_time = 0, communication_step = 0;
  int index(const std::string& coordinate) const;
  int parameter(const std::string& name) const;
  int input(const std::string& name) const;

  /// A simulation with the file's parameters and inputs, not yet assembled.
  std::unique_ptr<Simulation> simulation(const Settings&) const;
  std::unique_ptr<Simulation> simulation() const { return simulation(settings); }

 private:
  Derivation derivation_;
  std::shared_ptr<InterpretedMechanism> interpreted_;
};

}  // namespace mechfmu::testing
