// Tests the drift corrections: how they keep the position constraints, and what each costs and guarantees.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "evaluation.hpp"
#include "mechanisms.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

std::unique_ptr<StandaloneSimulation> started(const Loaded& loaded, const Settings& settings) {
  auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  return simulation;
}

/// Returns the largest position violation at many points of a run.
double violation_over(Simulation& simulation, double end, int points = 50) {
  double largest = 0;
  const double begin = simulation.time();
  for (int i = 1; i <= points; ++i) {
    advance(simulation, begin + (end - begin) * i / points);
    largest = std::fmax(largest, simulation.position_violation());
  }
  return largest;
}

double half_u_squared(const Loaded& loaded, const Simulation& simulation) {
  Arena memory;
  State layout(memory, loaded.sizes());
  const double* u = simulation.state() + (layout.u - layout.data());
  return 0.5 * VectorXd::Map(u, loaded.sizes().degrees_of_freedom()).squaredNorm();
}

double kinetic_energy(const Loaded& loaded, const Simulation& simulation) {
  const Evaluation e = evaluate(loaded, simulation);
  const VectorXd v = velocities(simulation);
  return 0.5 * v.dot(e.M * v);
}

}  // namespace

TEST_CASE("projection keeps the constraints at round-off over long runs", "[drift]") {
  for (const char* name : {"four_bar_equations", "guided_pendulum", "spatial_four_bar", "circling_vehicle"}) {
    const Loaded loaded = Loaded::model(name);
    for (int b = 0; b < resolution_count; ++b) {
      if (!serves(b, loaded)) continue;
      for (const double tolerance : {1e-4, 1e-8}) {
        INFO(name << ", " << tangent_bases[b] << ", " << tolerance);
        Settings settings = loaded.settings;
        settings.tangent_basis = b;
        settings.tolerance = tolerance;
        const auto simulation = started(loaded, settings);
        CHECK(violation_over(*simulation, 100) < 1e-14);
        CHECK(simulation->velocity_violation() < 1e-12);
      }
    }
  }
}

TEST_CASE("projection leaves u alone: the energy of a conservative motion does not creep", "[drift]") {
  // Free motion: ½|u|² is constant, and u itself for k = 1.
  Parallelogram p;
  p.angle = 0.7;
  const Loaded loaded = Loaded::text(parallelogram(p));
  Settings settings = loaded.settings;
  settings.tolerance = 1e-4;  // coarse steps: every one is projected by some 1e-5
  const auto simulation = started(loaded, settings);
  const double T = half_u_squared(loaded, *simulation);
  advance(*simulation, 100);
  CHECK(half_u_squared(loaded, *simulation) == Approx(T).epsilon(1e-15));
  CHECK(kinetic_energy(loaded, *simulation) == Approx(T).epsilon(1e-13));
}

TEST_CASE("without correction the constraints drift, the alternatives bound the violation", "[drift]") {
  const Loaded loaded = Loaded::model("four_bar_equations");
  const auto run = [&](const char* drift_name, double tolerance) {
    Settings settings = loaded.settings;
    settings.drift_correction = drift(drift_name);
    settings.tolerance = tolerance;
    settings.method = method("dopri5");
    return started(loaded, settings);
  };
  const auto none = run("none", 1e-6), integral = run("integral", 1e-6), baumgarte = run("baumgarte", 1e-6);
  const double early = violation_over(*none, 10), late = violation_over(*none, 60);
  CHECK(early > 1e-8);
  CHECK(late > 2 * early);
  for (const auto& simulation : {integral.get(), baumgarte.get()}) {
    const double first = violation_over(*simulation, 10), last = violation_over(*simulation, 60);
    CHECK(first > 1e-12);  // It is never exact.
    CHECK(last < 3 * first);
    CHECK(last < late / 5);
  }
  // With hardly any feedback it drifts as if there were none.
  Settings loose = integral->settings();
  loose.drift_gain_1 = 1e-3;
  loose.drift_gain_0 = 0;
  CHECK(violation_over(*started(loaded, loose), 60) > late / 2);
}

TEST_CASE("every correction converges to the same motion", "[drift]") {
  for (const char* name :
       {"four_bar_equations", "guided_pendulum", "driven_pendulum", "arm_on_path", "circling_vehicle"}) {
    const Loaded loaded = Loaded::model(name);
    const double end = std::min(loaded.stop_time, 2.0);
    Settings settings = loaded.settings;
    settings.method = method("dop853");
    settings.tolerance = 1e-13;
    const auto exact = started(loaded, settings);
    advance(*exact, end);
    for (const char* drift_name : drift_corrections) {
      for (int b = 0; b < resolution_count; ++b) {
        if (!serves(b, loaded)) continue;
        settings.drift_correction = drift(drift_name);
        settings.tangent_basis = b;
        double last = 1e300;
        for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
          INFO(name << ", " << drift_name << ", " << tangent_bases[b] << ", " << tolerance);
          settings.tolerance = tolerance;
          const auto simulation = started(loaded, settings);
          advance(*simulation, end);
          const double error = distance(*simulation, *exact);
          CHECK((error < last / 20 || error < 1e-10));
          last = error;
        }
        CHECK(last < 1e-8);
      }
    }
  }
}

TEST_CASE("½|u|² is the kinetic energy where constraints do not move", "[drift]") {
  for (const char* name :
       {"andrews_equations", "four_bar_equations", "guided_pendulum", "knife_edge", "simple_pendulum"}) {
    const Loaded loaded = Loaded::model(name);
    for (int b = 0; b < basis_count; ++b) {
      INFO(name << ", " << tangent_bases[b]);
      Settings settings = loaded.settings;
      settings.tangent_basis = b;
      const auto simulation = started(loaded, settings);
      for (int i = 1; i <= 10; ++i) {
        advance(*simulation, loaded.stop_time * i / 10);
        CHECK(half_u_squared(loaded, *simulation) == Approx(kinetic_energy(loaded, *simulation)).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("the power of applied forces and reactions is the rate of the kinetic energy", "[drift]") {
  // Ṫ = vᵀ(M v̇ + ½Ṁv); the inertia forces do no work of their own: with h = Q + h_inertia, vᵀ(h_inertia + ½Ṁv) = 0.
  for (unsigned seed = 1; seed <= 5; ++seed) {
    INFO("seed " << seed);
    Shape shape;
    shape.coordinates = 5;
    shape.position_rows = 2;
    shape.velocity_rows = 1;
    const Loaded loaded = Loaded::text(random_mechanism(seed, shape)).long_form();
    const auto simulation = started(loaded, loaded.settings);
    advance(*simulation, 0.5);
    const Evaluation e = evaluate(loaded, *simulation);
    const VectorXd q = positions(*simulation), v = velocities(*simulation);
    const VectorXd a = VectorXd::Map(simulation->accelerations(), 5);
    const VectorXd lambda = VectorXd::Map(simulation->multipliers(), 3);
    VectorXd Q = q.array().sin();  // belongs to the potential Σ cos q
    Q[0] += -0.3 * v[0] + std::sin(1.3 * simulation->time());
    const double rate = v.dot(e.M * a) + 0.5 * v.dot(e.M_rate * v);
    CHECK(v.dot(e.h - Q) + 0.5 * v.dot(e.M_rate * v) == Approx(0).margin(1e-12));
    CHECK(v.dot(e.C.transpose() * lambda) == Approx(0).margin(1e-11));  // Ideal constraints do no work.
    CHECK(rate == Approx(v.dot(Q)).epsilon(1e-9).margin(1e-11));
  }
}

TEST_CASE("the short form for one degree of freedom is the general one", "[drift]") {
  for (const char* name : {"simple_pendulum", "four_bar_equations", "andrews_equations", "spatial_four_bar"}) {
    INFO(name);
    const Loaded brief = Loaded::model(name), full = brief.long_form();
    REQUIRE(brief.table().character.short_form);
    REQUIRE_FALSE(full.table().character.short_form);
    Settings settings = brief.settings;
    settings.tolerance = 1e-11;
    const auto a = started(brief, settings), b = started(full, settings);
    const double end = brief.stop_time / 4;
    advance(*a, end);
    advance(*b, end);
    CHECK(distance(*a, *b) < 1e-8);
  }
}
