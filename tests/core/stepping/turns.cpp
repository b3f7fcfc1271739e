// Tests angles that atan2 computes: outputs and forces have them counted in whole turns.
#include <catch2/catch.hpp>

#include <cmath>

#include "equations/equations.hpp"
#include "tests/core/methods.hpp"
#include "tests/core/support.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;
using casadi::SX;

namespace {

/// Has a rotor under a constant torque: dopri5 crosses many turns in one step. Angle and raw angle are th and
/// atan2(sin th, cos th).
const char* const rotor_text = R"toml(
[mechanism]
name = "Rotor"
[parameters]
J = { value = 1, unit = "kg.m2" }
T = { value = -8, unit = "N.m" }
guess = { value = 0.2, unit = "rad" }
[coordinates]
th = { unit = "rad", start = 0.2, rate_start = 100 }
[dynamics]
kinetic_energy = "J*der(th)^2/2"
[dynamics.forces]
th = "T"
)toml";

void add_output(Equations& e, const std::string& name, const SX& value) {
  int index = 0;
  for (const OutputEquation& output : e.outputs) index += output.group == motion_outputs;
  e.outputs.push_back({Shown{name, "", Unit{}, Place{}}, value, motion_outputs, index});
}

Loaded rotor() {
  return Loaded::text(rotor_text, [](Equations& e) {
    e.symbols.turns = SX::sym("turns", 1);
    const SX raw = SX::atan2(SX::sin(e.symbols.q(0)), SX::cos(e.symbols.q(0)));
    e.angles = {{"angle", raw, e.symbols.parameters(2)}};
    add_output(e, "angle", raw + 2 * M_PI * e.symbols.turns(0));
  });
}

/// A point on a rod in absolute coordinates, against a torsional spring: J φ'' = −c φ.
Loaded wound_spring() {
  return Loaded::text(R"toml(
[mechanism]
name = "Spring"
[parameters]
m = { value = 2, unit = "kg" }
l = { value = 0.5, unit = "m" }
c = { value = 0.3, unit = "N.m/rad" }
wound = { value = 40, unit = "rad" }
[coordinates]
x = { unit = "m", start = "l*cos(wound)" }
y = { unit = "m", start = "l*sin(wound)" }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2"
[constraints.rod]
position = "x^2 + y^2 - l^2"
)toml",
                      [](Equations& e) {
                        e.symbols.turns = SX::sym("turns", 1);
                        const SX x = e.symbols.q(0), y = e.symbols.q(1), l = e.symbols.parameters(1);
                        const SX raw = SX::atan2(y, x), angle = raw + 2 * M_PI * e.symbols.turns(0);
                        e.angles = {{"angle", raw, e.symbols.parameters(3)}};
                        e.forces = -e.symbols.parameters(2) * angle / SX::sq(l) * SX::vertcat({-y, x});
                        add_output(e, "angle", angle);
                      });
}

double angle(Simulation& simulation) {
  const double* outputs = simulation.outputs(motion_outputs);
  REQUIRE(outputs != nullptr);
  return outputs[0];
}

}  // namespace

TEST_CASE("turns are counted over steps of many turns, forwards and backwards", "[turns]") {
  const Loaded loaded = rotor();
  CHECK_FALSE(loaded.table().character.reads_angles);
  for (const MethodFacts& one : adaptive_explicit_methods()) {
    for (const char* drift_name : {"projection", "baumgarte"}) {
      Settings settings = loaded.settings;
      settings.method = method(one.name);
      settings.drift_correction = drift(drift_name);
      const auto simulation = loaded.simulation(settings);
      assemble(*simulation);
      CHECK(angle(*simulation) == Approx(0.2).epsilon(1e-14));
      double most = 0;
      for (const double end : {0.001, 3.0, 12.0, 13.0, 25.0, 60.0}) {
        const double before = simulation->steps();
        advance(*simulation, end);
        most = std::fmax(most, end / (simulation->steps() - before));
        INFO(one.name << " " << drift_name << " " << end);
        CHECK(angle(*simulation) == Approx(0.2 + 100 * end - 4 * end * end).epsilon(1e-12).margin(1e-10));
        CHECK(angle(*simulation) == Approx(simulation->positions()[0]).epsilon(1e-14).margin(1e-13));
      }
      CHECK(most > 5);  // A step takes seconds: hundreds of turns.
    }
  }
}

TEST_CASE("at the start turns are those nearest to the guess", "[turns]") {
  const Loaded loaded = rotor();
  const auto simulation = loaded.simulation();
  for (const double guess : {0.0, 3.3, 6.4, -6.0, 200 * M_PI + 3.1, -200 * M_PI - 2.9}) {
    simulation->set_parameter(loaded.parameter("guess"), guess);
    assemble(*simulation);
    CHECK(std::fabs(angle(*simulation) - guess) <= M_PI);
    CHECK(std::cos(angle(*simulation) - 0.2) == Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("a force reads the counted angle on both sides of the cut", "[turns]") {
  const Loaded loaded = wound_spring();
  CHECK(loaded.table().character.reads_angles);
  const double frequency = std::sqrt(0.3 / (2 * 0.25));
  for (const char* name : integration_methods) {
    for (const char* drift_name : drift_corrections) {
      Settings settings = loaded.settings;
      settings.method = method(name);
      settings.drift_correction = drift(drift_name);
      settings.tolerance = 1e-11;
      const auto simulation = loaded.simulation(settings);
      assemble(*simulation);
      for (const double end : {0.5, 2.0, 4.0, 9.0}) {
        advance(*simulation, end);
        INFO(name << " " << drift_name << " " << end);
        CHECK(angle(*simulation) == Approx(40 * std::cos(frequency * end)).margin(1e-5));
      }
    }
  }
}

TEST_CASE("rollback gives the same turns and bits", "[turns]") {
  for (const Loaded& loaded : {rotor(), wound_spring()}) {
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    advance(*simulation, 3);
    const std::vector<double> saved = copy_state(*simulation);
    const double there = angle(*simulation);
    advance(*simulation, 4);
    advance(*simulation, 9);
    const std::vector<double> later = copy_state(*simulation);
    const double last = angle(*simulation);
    simulation->restore(saved.data());
    CHECK(angle(*simulation) == there);
    advance(*simulation, 4);
    advance(*simulation, 9);
    CHECK(same_state(*simulation, later));
    const auto other = loaded.simulation();
    other->restore(later.data());
    CHECK(angle(*other) == last);
  }
}

TEST_CASE("a change of parameters keeps the turns", "[turns]") {
  const Loaded loaded = wound_spring();
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  advance(*simulation, 1);
  const double before = angle(*simulation);
  simulation->set_parameter(loaded.parameter("l"), 0.6);
  REQUIRE(simulation->adopt_parameters());
  CHECK(angle(*simulation) == Approx(before).epsilon(1e-12));
  CHECK(std::fabs(before) > 2 * M_PI);
}
