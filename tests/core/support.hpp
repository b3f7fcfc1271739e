// Makes mechanisms for tests of the core: from text or from models/, evaluated by CasADi, with sizes at run time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fmu_src/mechanism/families.hpp"
#include "fmu_src/simulation/simulation.hpp"
#include "fmu_src/stepping/member_facts.hpp"

namespace mechfmu {
struct Equations;
}

namespace mechfmu::testing {

/// Returns the names of all models in models/.
std::vector<std::string> model_names();
/// Returns those whose files give the mechanism by equations.
std::vector<std::string> models_of_equations();

/// Returns the equations of a mechanism file's text.
Equations equations_of(const std::string& toml);

/// A mechanism that is ready to run. Copies share its functions.
class Loaded {
 public:
  static Loaded text(const std::string& toml);
  /// Reads a text; `change` adds to its equations what formulas cannot say.
  static Loaded text(const std::string& toml, const std::function<void(Equations&)>& change);
  static Loaded model(const std::string& name);
  static Loaded equations(const Equations&);
  /// Returns this mechanism without the short form for one degree of freedom: it evaluates Ṁ and Ċ.
  Loaded long_form() const;

  const Mechanism& table() const;
  const Sizes& sizes() const { return table().sizes; }
  const std::vector<double>& parameters() const;
  const std::vector<double>& inputs() const;

  Settings settings;  ///< the file's
  double stop_time = 0, communication_step = 0;

  int index(const std::string& coordinate) const;
  int parameter(const std::string& name) const;  ///< "m", "x_start", "x_rate_start"
  int input(const std::string& name) const;
  int impulse(const std::string& name) const;  ///< is that of Simulation::impulse()
  double output(Simulation&, const std::string& name) const;

  /// Returns a simulation with the file's parameters and inputs, not yet assembled.
  std::unique_ptr<StandaloneSimulation> simulation(const Settings&) const;
  std::unique_ptr<StandaloneSimulation> simulation() const { return simulation(settings); }

 private:
  struct Contents;
  explicit Loaded(std::shared_ptr<Contents>);
  std::shared_ptr<Contents> contents_;
};

/// Returns the index of a member in a list of families.hpp.
template <class List>
int member(const List& list, const std::string& name) {
  int i = 0;
  for (const char* candidate : list) {
    if (name == candidate) return i;
    ++i;
  }
  return -1;
}
/// All members of tangent_bases; the first basis_count of them give a W_d.
inline const int resolution_count = static_cast<int>(tangent_bases.size());
inline int method(const std::string& name) { return member(integration_methods, name); }
inline int basis(const std::string& name) { return member(tangent_bases, name); }
inline int drift(const std::string& name) { return member(drift_corrections, name); }

/// Is true if this member of tangent_bases can serve the mechanism's constraints.
inline bool serves(int b, const Loaded& loaded) {
  const Mechanism& m = loaded.table();
  return (m.character.ideal || !needs_ideal_constraints(b)) &&
         (m.sizes.velocity_rows + m.sizes.nonlinear_rows == 0 || !integrates_independent(b));
}
/// Is true if this member of tangent_bases goes with this member of drift_corrections: some leave no drift to correct.
inline bool takes_drift(int b, const std::string& drift_name) {
  return !integrates_independent(b) || drift_name == "projection" || drift_name == "none";
}

/// Is true if the states have equal bits.
bool same_state(const Simulation&, const std::vector<double>& state);
std::vector<double> copy_state(const Simulation&);

/// assemble() or advance() that must succeed: the message is shown if it does not.
void assemble(Simulation&, double time = 0);
void advance(Simulation&, double end);

/// Reading a value on the way, and going back to a saved state or to the start, leaves the bits of a motion.
void check_reads_and_rollback(const Loaded&, const char* method, const std::function<double(Simulation&)>& read);

/// Returns the slope of the straight line through points, by regression.
double regression_slope(const std::vector<double>& x, const std::vector<double>& y);

/// Returns the largest difference of positions and velocities, each relative to 1 + its size.
double distance(const Simulation&, const Simulation&);

}  // namespace mechfmu::testing
