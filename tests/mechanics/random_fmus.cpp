// Tests some of the random mechanisms as FMUs: compiled and driven through FMI 3, they show the numbers of CasADi's own
// evaluator under the core.
#include <dlfcn.h>
#include <fmi3FunctionTypes.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

#include "assembled.hpp"
#include "derivation/program/interpret.hpp"
#include "fmu_src/mechanism/families.hpp"
#include "fmu_src/simulation/simulation.hpp"
#include "modelDescription/formulas/units.hpp"
#include "random_changing.hpp"
#include "random_members.hpp"
#include "tool/compile.hpp"
#include "tool/export.hpp"
#include "tool/workspace.hpp"

namespace mechfmu::testing {
namespace {

void log(fmi3InstanceEnvironment environment, fmi3Status, fmi3String, fmi3String message) {
  *static_cast<std::string*>(environment) += std::string(message) + "\n";
}

/// An instance of the FMU that a prepared mechanism becomes.
class Fmu {
 public:
  explicit Fmu(const Prepared& prepared) {
    const Workspace workspace(false);
    const GeneratedSources sources = generate_sources(prepared);
    workspace.write("equations.cpp", sources.equations);
    workspace.write("variables.cpp", sources.variables);
    // The compiler takes most of the time of this test, and most of that to read headers, or to optimise.
    workspace.write("all.cpp", "#include \"equations.cpp\"\n#include \"variables.cpp\"\n");
    compile_library(workspace, host_platform(), {"all.cpp"}, "library.so", {"-O0"});
    library_ = dlopen((workspace.folder() / "library.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw std::runtime_error(dlerror());
    instance_ = function<fmi3InstantiateCoSimulationTYPE>("fmi3InstantiateCoSimulation")(
        "random", sources.token.c_str(), nullptr, false, true, false, false, nullptr, 0, &messages_, log, nullptr);
    if (!instance_) throw std::runtime_error(messages_);
  }
  ~Fmu() {
    if (instance_) function<fmi3FreeInstanceTYPE>("fmi3FreeInstance")(instance_);
    if (library_) dlclose(library_);
  }
  Fmu(const Fmu&) = delete;
  Fmu& operator=(const Fmu&) = delete;

  void set(unsigned reference, double value) {
    require(function<fmi3SetFloat64TYPE>("fmi3SetFloat64")(instance_, &reference, 1, &value, 1));
  }
  double get(unsigned reference) {
    double value = std::nan("");
    require(function<fmi3GetFloat64TYPE>("fmi3GetFloat64")(instance_, &reference, 1, &value, 1));
    return value;
  }
  void start() {
    require(function<fmi3EnterInitializationModeTYPE>("fmi3EnterInitializationMode")(instance_, false, 0, 0, false, 0));
    require(function<fmi3ExitInitializationModeTYPE>("fmi3ExitInitializationMode")(instance_));
  }
  void step(double time, double size) {
    bool event = false, end = false, early = false;
    double last = 0;
    require(function<fmi3DoStepTYPE>("fmi3DoStep")(instance_, time, size, true, &event, &end, &early, &last));
  }

 private:
  template <class Type>
  Type* function(const char* name) const {
    void* found = dlsym(library_, name);
    if (!found) throw std::runtime_error(dlerror());
    return reinterpret_cast<Type*>(found);
  }
  void require(fmi3Status status) const {
    if (status != fmi3OK) throw std::runtime_error(messages_);
  }

  void* library_ = nullptr;
  fmi3Instance instance_ = nullptr;
  std::string messages_;
};

/// Interprets the mechanism of an FMU.
class Interpreted {
 public:
  explicit Interpreted(const Prepared& prepared)
      : mechanism_(prepared.derivation), simulation_(mechanism_.table(), prepared.settings, make_run_time_stepper) {
    const Equations& e = prepared.derivation.equations;
    for (std::size_t i = 0; i < e.parameter_values.size(); ++i)
      simulation_.set_parameter(static_cast<int>(i), e.parameter_values[i]);
    for (std::size_t i = 0; i < e.input_values.size(); ++i)
      simulation_.set_input(static_cast<int>(i), e.input_values[i]);
  }

  void start() { require(simulation_.assemble(0)); }
  void advance(double end) { require(simulation_.advance(end)); }
  double events() const { return simulation_.events(); }
  /// Sets a value in SI.
  void set(const ModelVariable& variable, double value) {
    if (variable.source == Source::input) simulation_.set_input(variable.index, value);
    else simulation_.set_parameter(variable.index, value);
  }

  /// In SI; null: nothing that a mechanism has.
  const double* find(const ModelVariable& variable) {
    switch (variable.source) {
      case Source::parameter: return simulation_.parameters() + variable.index;
      case Source::input: return simulation_.inputs() + variable.index;
      case Source::position: return simulation_.positions() + variable.index;
      case Source::velocity: return simulation_.velocities() + variable.index;
      case Source::acceleration: return simulation_.accelerations() + variable.index;
      case Source::multiplier: return simulation_.multipliers() + variable.index;
      case Source::output: return simulation_.outputs(variable.group) + variable.index;
      default: return nullptr;
    }
  }

 private:
  void require(bool done) const {
    if (!done) throw std::runtime_error(simulation_.message().text);
  }
  InterpretedMechanism mechanism_;
  StandaloneSimulation simulation_;
};

/// Compares every variable. Sums in another order round differently: by some 1e-16 of the terms, times the factor by
/// which solving for accelerations and reactions increases it.
void compare(const Prepared& prepared, Fmu& fmu, Interpreted& interpreted, double tolerance) {
  double size = 1;
  for (const ModelVariable& variable : prepared.variables.all)
    if (variable.source == Source::acceleration || variable.source == Source::multiplier)
      size = std::max(size, std::abs(*interpreted.find(variable)));
  unsigned reference = 0;
  for (const ModelVariable& variable : prepared.variables.all) {
    ++reference;
    const double* si = interpreted.find(variable);
    if (!si) continue;
    const bool late = variable.source == Source::acceleration || variable.source == Source::multiplier ||
                      (variable.source == Source::output && variable.group == reaction_outputs);
    const double expected = from_si(*si, variable.unit), found = fmu.get(reference);
    INFO(variable.name << ": " << found << " instead of " << expected);
    CHECK(std::abs(found - expected) <= tolerance * (late ? size : 1) * (1 + std::abs(expected)));
  }
}

Prepared prepared_from(const RandomMechanism& m) {
  const Workspace workspace(false);
  workspace.write("random.toml", text_of(m));
  return prepare(workspace.folder() / "random.toml", [](const char*) {});
}

/// Returns how many lengths and coordinates motions drive.
std::size_t motions_of(const RandomMechanism& m) {
  std::size_t result = 0;
  for (const RandomJoint& joint : m.joints) {
    result += joint.length_driven;
    for (const RandomCoordinate& c : joint.coordinates) result += !c.motion.empty();
  }
  return result;
}

/// Is false for a mechanism that contradicts itself, as few random ones do, that jams, or whose constraints and
/// contacts leave forces open: then rounding decides, in which the compiler's sums differ.
bool is_possible(const RandomMechanism& chosen, unsigned seed) {
  const bool rubs = std::any_of(chosen.forces.begin(), chosen.forces.end(), [](const RandomForce& force) {
    return force.type == "friction";
  });
  if (!has_what_changes(chosen) && motions_of(chosen) == 0 && !rubs) return true;
  const RandomMechanism m = with_gaps_at_start(chosen, seed);
  Assembled a(text_of(m));
  a.start();
  bool determined = true;
  for (const double time : {0.0, 0.02, 0.04, 0.06}) {
    if (time > 0) a.advance(time);
    determined = determined && (a.acting_rows().empty() || a.is_determined());
  }
  return determined;
}

void check_fmu(const RandomMechanism& chosen, unsigned seed) {
  const RandomMechanism m = with_gaps_at_start(chosen, seed);
  const Prepared prepared = prepared_from(m);
  Fmu fmu(prepared);
  Interpreted interpreted(prepared);
  const auto set = [&](const std::string& name, double value) {
    unsigned reference = 0;
    for (const ModelVariable& variable : prepared.variables.all) {
      ++reference;
      if (variable.name != name) continue;
      fmu.set(reference, value);
      interpreted.set(variable, value);
      return;
    }
    throw std::logic_error("no variable " + name);
  };
  set("push", -0.3);
  for (const RandomJoint& joint : m.joints)
    for (const RandomCoordinate& c : joint.coordinates)
      if (!joint.closes && c.motion.empty()) set(c.name + "_rate_start", c.rate + 0.1);
  fmu.start();
  interpreted.start();
  compare(prepared, fmu, interpreted, 1e-12);
  for (const double time : {0.0, 0.02, 0.04, 0.06}) {
    set("push", 0.5 + 10 * time);
    fmu.step(time, 0.02);
    interpreted.advance(time + 0.02);
    // Bounces end in rest where a flight would stay below the tolerance: rounding decides about the last one.
    compare(prepared, fmu, interpreted, interpreted.events() > 0 ? 10 * prepared.settings.tolerance : 1e-11);
  }
}

/// Returns seeds of mechanisms that have every member together, and a motion. This is no member, so that a further
/// mechanism joins them if none of them has one.
std::vector<unsigned> seeds_with_motion(bool spatial) {
  const std::size_t most_bodies = most_bodies_of_fmus(spatial);
  const auto usable = [](const RandomMechanism& m, unsigned seed) {
    try {
      return is_possible(m, seed);
    } catch (const std::runtime_error&) {  // properties.cpp tells what may be wrong
      return false;
    }
  };
  std::vector<unsigned> seeds = seeds_of_few(spatial, usable);
  const auto is_driven = [&](unsigned seed) { return motions_of(random_mechanism(spatial, seed)) > 0; };
  if (std::any_of(seeds.begin(), seeds.end(), is_driven)) return seeds;
  for (unsigned seed = 0; seed < last_seed; ++seed) {
    const RandomMechanism m = random_mechanism(spatial, seed);
    const bool closed =
        std::any_of(m.joints.begin(), m.joints.end(), [](const RandomJoint& joint) { return joint.closes; });
    if (m.bodies.size() > most_bodies || !closed || motions_of(m) == 0 || !usable(m, seed)) continue;
    seeds.push_back(seed);
    break;
  }
  return seeds;
}

void check_fmus(bool spatial) {
  std::size_t loops = 0, driven = 0;
  const std::vector<unsigned> seeds = seeds_with_motion(spatial);
  for (const unsigned seed : seeds) {
    const RandomMechanism m = random_mechanism(spatial, seed);
    for (const RandomJoint& joint : m.joints) loops += joint.closes;
    driven += motions_of(m);
    INFO("seed " << seed << "\n" << text_of(m));
    try {
      check_fmu(m, seed);
    } catch (const std::runtime_error& error) {
      FAIL_CHECK(error.what());
    }
  }
  // Together they have every joint, force and coupling (tests/mechanics/members.cpp).
  CHECK(seeds.size() >= 3);
  CHECK(2 * loops >= seeds.size());
  CHECK(driven >= 1);
}

TEST_CASE("planar mechanisms as FMUs show what their equations give without a compiler", "[random]") {
  check_fmus(false);
}
TEST_CASE("spatial mechanisms as FMUs show what their equations give without a compiler", "[random]") {
  check_fmus(true);
}

}  // namespace
}  // namespace mechfmu::testing
