// Tests motions prescribed by an input with its derivatives: u + du (t − τ) + ½ ddu (t − τ)², where τ is the time at
// which inputs were set.
#include <catch2/catch.hpp>

#include <cmath>

#include "equations/equations.hpp"
#include "tests/core/support.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;
using casadi::SX;

namespace {

/// An arm whose angle a is prescribed carries a pendulum. `motion`: the angle's formula.
std::string arm(const std::string& motion) {
  return R"toml(
[mechanism]
name = "Arm"
[parameters]
m = { value = 1, unit = "kg" }
l = { value = 1, unit = "m" }
g = { value = 9.81, unit = "m/s2" }
w = { value = 3, unit = "rad/s" }
[inputs]
u = { unit = "rad" }
du = { unit = "rad/s" }
ddu = { unit = "rad/s2" }
set_at = { unit = "s" }
[coordinates]
a = { unit = "rad", start = 0 }
b = { unit = "rad", start = 0.5, rate_start = 1 }
[definitions]
x = "l*sin(a) + l*sin(a + b)"
y = "-l*cos(a) - l*cos(a + b)"
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2"
potential_energy = "m*g*y"
[constraints.motion]
position = "a - )toml" +
         motion + "\"\n";
}

const double w = 3;

Loaded by_inputs() {
  return Loaded::text(arm("0"), [](Equations& e) {
    const auto input = [&e](int i) { return SX(e.symbols.inputs(i)); };
    const SX since = e.symbols.time - input(3);
    e.constraints[0].residual -= input(0) + input(1) * since + input(2) * SX::sq(since) / 2;
    e.input_time = 3;
  });
}

void set_sine(Simulation& simulation, double t) {
  simulation.set_input(0, 0.4 * std::sin(w * t));
  simulation.set_input(1, 0.4 * w * std::cos(w * t));
  simulation.set_input(2, -0.4 * w * w * std::sin(w * t));
}

std::unique_ptr<StandaloneSimulation> started(const Loaded& loaded) {
  auto simulation = loaded.simulation();
  set_sine(*simulation, 0);
  assemble(*simulation);
  return simulation;
}

/// Runs one second in steps of H.
void drive(Simulation& simulation, double begin, double end, int count) {
  for (int i = 0; i < count; ++i) {
    set_sine(simulation, begin + (end - begin) * i / count);
    advance(simulation, begin + (end - begin) * (i + 1) / count);
  }
}

}  // namespace

TEST_CASE("a motion by an input and its derivatives converges as its Taylor formula says", "[inputs]") {
  const Loaded exact = Loaded::text(arm("0.4*sin(w*time)"));
  const auto reference = exact.simulation();
  assemble(*reference);
  advance(*reference, 1);
  const Loaded loaded = by_inputs();
  CHECK(loaded.table().input_driven());
  CHECK(loaded.table().input_time == 3);
  std::vector<double> log_H, log_driven, log_free, log_rate;
  for (const int count : {8, 16, 32, 64, 128}) {
    const auto simulation = started(loaded);
    drive(*simulation, 0, 1, count);
    log_H.push_back(std::log(1.0 / count));
    log_driven.push_back(std::log(std::fabs(simulation->positions()[0] - reference->positions()[0])));
    log_rate.push_back(std::log(std::fabs(simulation->velocities()[0] - reference->velocities()[0])));
    log_free.push_back(std::log(std::fabs(simulation->positions()[1] - reference->positions()[1])));
  }
  CHECK(regression_slope(log_H, log_driven) == Approx(3).margin(0.1));
  CHECK(regression_slope(log_H, log_rate) == Approx(2).margin(0.1));
  // The rate's error is a jump that leaves momentum and the projection takes the position with it.
  CHECK(regression_slope(log_H, log_free) == Approx(3).margin(0.15));
}

TEST_CASE("quadratic motions are exact whatever the steps", "[inputs]") {
  const Loaded loaded = by_inputs();
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  double t = 0;
  for (const double end : {0.3, 1.0, 1.1}) {
    simulation->set_input(0, 0.7 * t * t);
    simulation->set_input(1, 1.4 * t);
    simulation->set_input(2, 1.4);
    advance(*simulation, end);
    t = end;
    CHECK(simulation->positions()[0] == Approx(0.7 * t * t).epsilon(1e-13));
    CHECK(simulation->velocities()[0] == Approx(1.4 * t).epsilon(1e-12));
    CHECK(simulation->accelerations()[0] == Approx(1.4).epsilon(1e-12));
  }
}

TEST_CASE("inputs hold from the time at which they were set", "[inputs]") {
  const Loaded loaded = by_inputs();
  const auto simulation = loaded.simulation();
  assemble(*simulation, 2.5);
  CHECK(simulation->inputs()[3] == 2.5);
  advance(*simulation, 3);
  CHECK(simulation->inputs()[3] == 2.5);
  simulation->set_input(1, 0.25);
  CHECK(simulation->inputs()[3] == 3);
  advance(*simulation, 4);
  CHECK(simulation->positions()[0] == Approx(0.25).epsilon(1e-14));
  // Not set again: u = 0 holds now as it did then, and the angle jumps back to it.
  advance(*simulation, 4.5);
  CHECK(simulation->inputs()[3] == 4);
  CHECK(simulation->positions()[0] == Approx(0.125).epsilon(1e-14));
}

TEST_CASE("a jump of the driving input leaves the free motion's momentum", "[inputs]") {
  const Loaded loaded = by_inputs();
  const auto simulation = started(loaded);
  advance(*simulation, 0.1);
  const double a = simulation->positions()[0], b = simulation->positions()[1];
  const double va = simulation->velocities()[0], vb = simulation->velocities()[1];
  simulation->set_input(0, a);  // the angle goes on, but its rate jumps
  simulation->set_input(1, va + 0.3);
  simulation->set_input(2, 0);
  advance(*simulation, 0.1 + 1e-9);
  // This is the momentum of b, with m = l = 1: ẋ = va cos a + (va + vb) cos(a + b) and so on.
  const auto momentum = [&](double rate_a, double rate_b) { return rate_a * std::cos(b) + rate_a + rate_b; };
  CHECK(simulation->velocities()[0] == Approx(va + 0.3).epsilon(1e-12));
  CHECK(momentum(simulation->velocities()[0], simulation->velocities()[1]) == Approx(momentum(va, vb)).margin(1e-7));
}

TEST_CASE("a driven motion repeats its bits after a rollback, and fails without a trace", "[inputs]") {
  const Loaded loaded = by_inputs();
  const auto simulation = started(loaded);
  drive(*simulation, 0, 0.5, 4);
  const std::vector<double> saved = copy_state(*simulation);
  drive(*simulation, 0.5, 1, 4);
  const std::vector<double> later = copy_state(*simulation);
  simulation->restore(saved.data());
  drive(*simulation, 0.5, 1, 4);
  CHECK(same_state(*simulation, later));
  const auto other = loaded.simulation();
  other->restore(saved.data());
  drive(*other, 0.5, 1, 4);
  CHECK(same_state(*other, later));
  simulation->set_input(0, NAN);
  const std::vector<double> before = copy_state(*simulation);
  CHECK_FALSE(simulation->advance(1.1));
  INFO(simulation->message().text);
  CHECK(same_state(*simulation, before));
}

TEST_CASE("derivatives given for inputs that drive a motion are of no effect: their rates are inputs of their own",
          "[inputs]") {
  const Loaded loaded = by_inputs();
  const auto with = started(loaded), without = started(loaded);
  for (int index = 0; index < 3; ++index) with->set_input_derivative(index, 1, 7);
  CHECK_FALSE(with->inputs_vary());
  for (Simulation* simulation : {with.get(), without.get()}) drive(*simulation, 0, 0.5, 4);
  CHECK(same_state(*with, copy_state(*without)));
}

TEST_CASE("every basis, method and drift correction reads inputs where it evaluates", "[inputs]") {
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Cart"
[parameters]
m = { value = 1, unit = "kg" }
J = { value = 0.25, unit = "kg.m2" }
l = { value = 0.5, unit = "m" }
[inputs]
push = { unit = "N" }
[coordinates]
s = { unit = "m" }
a = { unit = "rad", start = 0.3, fixed = true }
x = { unit = "m" }
[dynamics]
kinetic_energy = "m*der(s)^2 + (m*der(x)^2 + J*der(a)^2)/2"
[dynamics.forces]
s = "push"
[constraints.pin]
position = "x - s - l*sin(a)"
)toml");
  for (int method = 0; method < static_cast<int>(integration_methods.size()); ++method) {
    for (int basis = 0; basis < resolution_count; ++basis) {
      for (int drift = 0; drift < static_cast<int>(drift_corrections.size()); ++drift) {
        if (!takes_drift(basis, drift_corrections[drift])) continue;
        INFO(integration_methods[method] << ", " << tangent_bases[basis] << ", " << drift_corrections[drift]);
        Settings settings;
        settings.method = method;
        settings.tangent_basis = basis;
        settings.drift_correction = drift;
        settings.step = 0.05;
        const auto simulation = loaded.simulation(settings);
        assemble(*simulation);
        const auto momentum = [&] { return 2 * simulation->velocities()[0] + simulation->velocities()[2]; };
        const double before = momentum();
        simulation->set_input(0, 1);
        simulation->set_input_derivative(0, 1, 2);
        simulation->set_input_derivative(0, 2, -6);
        simulation->set_input_derivative(0, 3, 24);
        advance(*simulation, 0.5);
        // The momentum along s is the push's integral: t + t² − t³ + t⁴.
        CHECK(momentum() - before == Approx(0.5 + 0.25 - 0.125 + 0.0625).epsilon(1e-6));
        CHECK(simulation->inputs()[0] == Approx(1 + 1 - 0.75 + 0.5).epsilon(1e-14));
      }
    }
  }
}
