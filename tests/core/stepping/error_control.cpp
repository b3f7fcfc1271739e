// Tolerances mean something, steps land exactly, and the step size is remembered.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "fmu_src/constraints/tangent_bases/any_basis.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/core/methods.hpp"
#include "tests/core/support.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

std::unique_ptr<StandaloneSimulation> run(const Loaded& loaded, const Settings& settings, int calls = 1) {
  auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  for (int i = 1; i <= calls; ++i) advance(*simulation, loaded.stop_time * i / calls);
  return simulation;
}

}  // namespace

TEST_CASE("the error falls in proportion to the tolerance on every model", "[tolerance]") {
  for (const std::string& name : models_of_equations()) {
    const Loaded loaded = Loaded::model(name);
    Settings settings = loaded.settings;
    settings.method = method("dop853");
    settings.tolerance = 1e-13;
    const auto exact = run(loaded, settings);
    settings.tangent_basis = basis("qr");
    settings.tolerance = 3e-13;
    const double round_off = std::fmax(distance(*run(loaded, settings), *exact), 1e-15);
    settings.tangent_basis = loaded.settings.tangent_basis;
    for (const MethodFacts& one : adaptive_methods()) {
      INFO(name << ", " << one.name << ", round-off " << round_off);
      settings.method = method(one.name);
      std::vector<double> log_tolerance, log_error;
      double largest = 0;
      const double finest = one.order > 4 ? 11 : 10;  // A method of order 4 takes small steps.
      for (double digits = 5; digits <= finest; digits += 0.5) {
        settings.tolerance = std::pow(10.0, -digits);
        const double error = distance(*run(loaded, settings), *exact);
        UNSCOPED_INFO("tolerance 1e-" << digits << ": " << error);
        largest = std::fmax(largest, error);
        if (error < 100 * round_off) continue;
        log_tolerance.push_back(std::log(settings.tolerance));
        log_error.push_back(std::log(error));
      }
      if (log_error.size() < 5) {
        CHECK(largest < 1e-13);  // Polynomials are integrated exactly.
        continue;
      }
      if (largest < std::pow(10.0, -finest))
        continue;  // Steps of a slow motion cannot be so long as to use tolerances.
      const double slope = regression_slope(log_tolerance, log_error);
      CHECK(slope > 0.7);
      CHECK(slope < 1.4);
    }
  }
}

TEST_CASE("steps land exactly on the communication points", "[tolerance]") {
  const Loaded loaded = Loaded::model("guided_pendulum");
  for (const char* method_name : integration_methods) {
    INFO(method_name);
    Settings settings = loaded.settings;
    settings.method = method(method_name);
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation, 0.1);
    for (const double end : {0.1, 0.1 + 1e-9, 0.13, 1.0 / 3, 0.7, std::nextafter(0.7, 1.0), 1.0}) {
      advance(*simulation, end);
      CHECK(simulation->time() == end);
    }
  }
}

TEST_CASE("many small calls cost what one costs, plus about one evaluation each", "[tolerance]") {
  const Loaded loaded = Loaded::model("four_bar_equations");
  const int derivatives = loaded.sizes().positions + loaded.sizes().degrees_of_freedom() + 1;
  for (const MethodFacts& one : adaptive_methods()) {
    INFO(one.name);
    const int stages = one.evaluations + (one.is_explicit ? 0 : derivatives);
    Settings settings = loaded.settings;
    settings.method = method(one.name);
    settings.tolerance = 1e-8;
    const double whole = run(loaded, settings)->evaluations();
    // Calls shorter than a step: one step each, none rejected, nothing tried twice.
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    const int calls = 5000;
    for (int i = 1; i <= calls; ++i) advance(*simulation, loaded.stop_time * i / calls);
    CHECK(simulation->steps() == calls);
    CHECK(simulation->rejected_steps() == 0);
    CHECK(simulation->evaluations() <= calls * stages + 1);
    // Calls longer than a step: at most one shortened step each.
    const int few = 20;
    CHECK(run(loaded, settings, few)->evaluations() < whole + few * 2 * stages);
  }
}

TEST_CASE("repetition gives the same bits, so does restoring in the middle", "[tolerance]") {
  Shape shape;
  shape.coordinates = 5;
  shape.position_rows = 2;
  shape.redundant = true;
  const std::pair<const char*, Loaded> mechanisms[] = {
      {"three-motor robot", Loaded::text(three_motor_robot())},  // has switches of the basis
      {"circling_vehicle", Loaded::model("circling_vehicle")},
      {"driven_pendulum", Loaded::model("driven_pendulum")},
      {"four_bar_equations", Loaded::model("four_bar_equations")},
      {"redundant", Loaded::text(random_mechanism(2, shape))},
  };
  int turn = 0;
  for (const auto& [name, loaded] : mechanisms) {
    ++turn;
    for (int b = 0; b < resolution_count; ++b) {
      if (!serves(b, loaded)) continue;
      for (const char* method_name : integration_methods) {
        for (const char* drift_name : drift_corrections) {
          // A third of the combinations for each mechanism has all pairs; together the mechanisms have nearly all.
          if (!takes_drift(b, drift_name) || (turn + b + method(method_name) + drift(drift_name)) % 3 != 0) continue;
          INFO(name << ", " << tangent_bases[b] << ", " << method_name << ", " << drift_name);
          Settings settings = loaded.settings;
          settings.tangent_basis = b;
          settings.method = method(method_name);
          settings.drift_correction = drift(drift_name);
          settings.step =
              b < basis_count ? 0.01 : 0.0025;  // Errors grow faster without a basis and without correction.
          settings.tolerance = 1e-6;
          const auto straight = loaded.simulation(settings), restored = loaded.simulation(settings);
          const auto fresh = loaded.simulation(loaded.settings);  // another method until it is restored
          assemble(*straight);
          assemble(*restored);
          const auto same = [&](const Simulation& a, const Simulation& c) {
            return std::memcmp(a.state(), c.state(), sizeof(double) * a.state_size()) == 0;
          };
          CHECK(same(*straight, *restored));
          double switches = 0;
          for (int i = 1; i <= 12; ++i) {
            std::vector<double> middle(restored->state(), restored->state() + restored->state_size());
            if (i > 1) {  // Something else happens in between.
              restored->advance(restored->time() + 0.2);
              restored->restore(middle.data());
              fresh->restore(middle.data());
              advance(*fresh, 0.25 * i);
            }
            advance(*straight, 0.25 * i);
            restored->accelerations();
            restored->position_violation();
            advance(*restored, 0.25 * i);
            CHECK(same(*straight, *restored));
            if (i > 1) CHECK(same(*straight, *fresh));
          }
          switches = straight->basis_switches();
          if (std::string(name) == "three-motor robot" && drift_name != std::string("baumgarte")) {
            Arena memory;
            const AnyBasis<RunTimeModel> any(memory, RunTimeModel(loaded.table()), b < basis_count ? b : 0);
            CHECK((switches > 0) == (b < basis_count && !any.carried));
          }
        }
      }
    }
  }
}

TEST_CASE("a step size that collapses is reported, and the state kept", "[tolerance]") {
  // ẍ = x³ of unit mass reaches infinity in finite time.
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Escape"
[parameters]
m = { value = 1, unit = "kg" }
k = { value = 100, unit = "N/m3" }
[coordinates]
x = { unit = "m", start = 1, fixed = true, rate_start = 1, rate_fixed = true }
[dynamics]
kinetic_energy = "m*der(x)^2/2"
[dynamics.forces]
x = "k*x^3"
)toml");
  for (const MethodFacts& one : adaptive_methods()) {
    INFO(one.name);
    Settings settings = loaded.settings;
    settings.method = method(one.name);
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 0.01);
    const std::vector<double> before(simulation->state(), simulation->state() + simulation->state_size());
    CHECK_FALSE(simulation->advance(10));
    const std::string text = simulation->message().text;
    INFO(text);
    CHECK((text.find("The step size has collapsed at t = 0.") == 0 ||
           text.find("The motion is no longer finite at t = 0.") == 0 ||
           text.find("The equations cannot be solved at t = 0.") == 0));
    CHECK(simulation->time() == 0.01);
    CHECK(std::equal(before.begin(), before.end(), simulation->state()));
    advance(*simulation, 0.02);  // and it can go on
  }
}

TEST_CASE("a call that would never end fails in time, and the state is kept", "[tolerance]") {
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Shaking"
[parameters]
m = { value = 1, unit = "kg" }
k = { value = 1e30, unit = "N/m" }
[coordinates]
x = { unit = "m", start = 0, fixed = true, rate_start = 1, rate_fixed = true }
[dynamics]
kinetic_energy = "m*der(x)^2/2"
potential_energy = "k*x^2/2"
)toml");
  for (const MethodFacts& one : explicit_methods()) {
    INFO(one.name);
    Settings settings = loaded.settings;
    settings.method = method(one.name);
    settings.step = 1e-16;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    const std::vector<double> before(simulation->state(), simulation->state() + simulation->state_size());
    CHECK_FALSE(simulation->advance(1));
    CHECK(std::string(simulation->message().text).find("solver.max_steps allows 1e+07") != std::string::npos);
    CHECK(std::equal(before.begin(), before.end(), simulation->state()));
    advance(*simulation, 1e-14);  // and it can go on
  }
}

TEST_CASE("a singularity that the motion runs into is reported, and the state kept", "[tolerance]") {
  // The mass vanishes at x = 1.
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Vanishing"
[parameters]
m = { value = 1, unit = "kg" }
L = { value = 1, unit = "m" }
k = { value = 1, unit = "N" }
[coordinates]
x = { unit = "m", start = 0, fixed = true, rate_start = 1, rate_fixed = true }
y = { unit = "m", start = 0 }
[dynamics]
mass_matrix = [["m*(1 - x/L)", 0], [0, "m"]]
[dynamics.forces]
x = "k"
)toml");
  for (const char* basis_name : tangent_bases) {
    INFO(basis_name);
    Settings settings = loaded.settings;
    settings.tangent_basis = basis(basis_name);
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    CHECK_FALSE(simulation->advance(5));
    INFO(simulation->message().text);
    CHECK(std::string(simulation->message().text).find("singular there") != std::string::npos);
    CHECK(simulation->time() == 0);
    CHECK(simulation->positions()[0] == 0);
    advance(*simulation, 0.1);
  }
}

TEST_CASE("a force that is not a number is reported, and the state kept", "[tolerance]") {
  // √ of a negative number beyond x = L; y moves on as if nothing had happened.
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "NotANumber"
[parameters]
m = { value = 1, unit = "kg" }
L = { value = 1, unit = "m" }
k = { value = 1, unit = "N" }
[coordinates]
x = { unit = "m", start = 0, fixed = true, rate_start = 1, rate_fixed = true }
y = { unit = "m", start = 0, rate_start = 0.5 }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2"
[dynamics.forces]
x = "k*sqrt(1 - x/L)"
)toml");
  for (const char* method_name : integration_methods) {
    INFO(method_name);
    Settings settings = loaded.settings;
    settings.method = method(method_name);
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 0.1);
    const std::vector<double> before(simulation->state(), simulation->state() + simulation->state_size());
    CHECK_FALSE(simulation->advance(5));
    CHECK_FALSE(std::string(simulation->message().text).empty());
    CHECK(simulation->time() == 0.1);
    CHECK(std::equal(before.begin(), before.end(), simulation->state()));
  }
}
