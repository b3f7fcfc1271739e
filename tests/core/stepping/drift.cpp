// Tests the drift corrections: how they keep the position constraints, and what each costs and guarantees.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "fmu_src/constraints/fitting.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"

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
        if (!serves(b, loaded) || !takes_drift(b, drift_name)) continue;
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
      if (!serves(b, loaded)) continue;
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

namespace {

/// Two masses that constraints hold, one with gains of its own; the third goes free.
const char* const two_held_masses = R"toml(
[mechanism]
name = "TwoHeldMasses"
[parameters]
m = { value = 1.5, unit = "kg" }
[coordinates]
x = { unit = "m" }
y = { unit = "m" }
z = { unit = "m", rate_start = 1, rate_fixed = true }
[dynamics]
kinetic_energy = "m*(der(x)^2 + 2*der(y)^2 + der(z)^2 + der(x)*der(z))/2"
[constraints]
own = { position = "x", drift_gain_1 = 5, drift_gain_0 = 6.25 }
usual = { position = "y" }
)toml";

/// Puts a simulation off its constraints by 1 mm.
void move_off(const Loaded& loaded, Simulation& simulation) {
  Arena memory;
  State layout(memory, loaded.sizes());
  std::vector<double> state = copy_state(simulation);
  state[static_cast<std::size_t>(layout.q - layout.data())] = 1e-3;
  state[static_cast<std::size_t>(layout.q - layout.data()) + 1] = -1e-3;
  simulation.restore(state.data());
}

}  // namespace

TEST_CASE("each constraint has the gains of its own, or the solver's", "[drift]") {
  const Loaded loaded = Loaded::text(two_held_masses);
  for (const char* drift_name : {"baumgarte", "integral"}) {
    for (int b = 0; b < resolution_count; ++b) {
      if (!takes_drift(b, drift_name)) continue;
      Settings settings = loaded.settings;
      settings.drift_correction = drift(drift_name);
      settings.tangent_basis = b;
      settings.tolerance = 1e-12;
      const auto simulation = started(loaded, settings);
      move_off(loaded, *simulation);
      for (const double t : {0.1, 0.3, 0.7}) {
        INFO(drift_name << ", " << tangent_bases[b] << ", t = " << t);
        advance(*simulation, t);
        const VectorXd q = positions(*simulation);
        if (drift_name == std::string("baumgarte")) {  // f̈ + G₁ ḟ + G₀ f = 0 from rest, critically damped
          CHECK(q[0] == Approx(1e-3 * (1 + 2.5 * t) * std::exp(-2.5 * t)).epsilon(1e-8));
          CHECK(q[1] == Approx(-1e-3 * (1 + 10 * t) * std::exp(-10 * t)).epsilon(1e-8));
        } else {  // ḟ = −G₁ f − G₀ ∫f
          CHECK(q[0] == Approx(1e-3 * (1 - 2.5 * t) * std::exp(-2.5 * t)).epsilon(1e-8).margin(1e-12));
          CHECK(q[1] == Approx(-1e-3 * (1 - 10 * t) * std::exp(-10 * t)).epsilon(1e-8).margin(1e-12));
        }
      }
    }
  }
}

TEST_CASE("gains of one's own lead back what an importer integrates, and their derivatives are right", "[drift]") {
  const Loaded loaded = Loaded::model("four_bar_equations");
  const auto start = started(loaded, loaded.settings);
  const Sizes& s = loaded.sizes();
  const std::vector<double> gains = {3, 2, 7, -1};
  Mechanism mechanism = loaded.table();
  mechanism.drift_gains = gains.data();
  Arena memory;
  Fitting fitting(memory, mechanism);
  VectorXd q = positions(*start), v = velocities(*start);
  q += 0.01 * VectorXd::LinSpaced(3, -1, 2);
  v += 0.03 * VectorXd::LinSpaced(3, 2, -1);
  const auto fitted = [&](const VectorXd& at_q, const VectorXd& at_v) {
    const PointAt at(loaded, 0, at_q);
    Point p = *at;
    p.v = at_v.data();
    Message message;
    REQUIRE(fitting.fit(p, 11, message));
    VectorXd both(6);
    both << VectorXd::Map(fitting.led_back(), 3), VectorXd::Map(fitting.decay(), 3);
    return both;
  };
  const Evaluation e(loaded, 0, q, v);
  const VectorXd here = fitted(q, v);
  const VectorXd rates_of_f = e.C * here.head(3), rates_of_speed = e.C * here.tail(3), open = e.C * v;
  const double own[] = {3, 7};
  for (int i = 0; i < s.rows(); ++i) {
    CHECK(rates_of_f[i] == Approx(-own[i] * e.f[i]).epsilon(1e-12));
    CHECK(rates_of_speed[i] == Approx(-own[i] * open[i]).epsilon(1e-12));
  }
  const VectorXd q_change = VectorXd::LinSpaced(3, 0.5, -1), v_change = VectorXd::LinSpaced(3, -2, 0.3);
  const double h = 1e-4;
  const auto difference = [&](double step) -> VectorXd {
    return (fitted(q + step * q_change, v + step * v_change) - fitted(q - step * q_change, v - step * v_change)) /
           (2 * step);
  };
  const VectorXd expected = (4 * difference(h / 2) - difference(h)) / 3;
  fitted(q, v);
  const PointAt at(loaded, 0, q);
  Point p = *at, direction;
  p.v = v.data();
  direction.q = q_change.data();
  direction.v = v_change.data();
  fitting.differentiate(p, direction);
  for (int j = 0; j < 3; ++j) {
    CHECK(fitting.led_back_slopes()[j] == Approx(expected[j]).epsilon(1e-8));
    CHECK(fitting.decay_slopes()[j] == Approx(expected[3 + j]).epsilon(1e-8));
  }
}

TEST_CASE("occasional correction: after so many steps", "[drift]") {
  const Loaded loaded = Loaded::model("four_bar_equations");
  for (int b = 0; b < resolution_count; ++b) {
    if (integrates_independent(b)) continue;  // There is no drift.
    INFO(tangent_bases[b]);
    Settings settings = loaded.settings;
    settings.tangent_basis = b;
    settings.method = method("rk4");
    settings.step = 0.02;
    settings.drift_interval = 4;
    const auto simulation = started(loaded, settings);
    for (int step = 1; step <= 20; ++step) {
      INFO("step " << step);
      advance(*simulation, 0.02 * step);
      if (step % 4 == 0) CHECK(simulation->position_violation() < 1e-14);
      else CHECK(simulation->position_violation() > 1e-13);
    }
  }
}

TEST_CASE("occasional correction: when the violation exceeds a bound", "[drift]") {
  const Loaded loaded = Loaded::model("four_bar_equations");
  for (int b = 0; b < resolution_count; ++b) {
    if (integrates_independent(b)) continue;  // There is no drift.
    INFO(tangent_bases[b]);
    Settings settings = loaded.settings;
    settings.tangent_basis = b;
    settings.method = method("dopri5");
    settings.tolerance = 1e-7;
    settings.drift_interval = 0;
    // In (q, v) positions drift less, since velocities are made to fit after each step.
    const double bound = b < basis_count ? 3e-8 : 3e-9;
    settings.drift_bound = bound;
    const auto simulation = started(loaded, settings);
    double largest = 0;
    int closed = 0;
    for (int i = 1; i <= 200; ++i) {
      advance(*simulation, 0.05 * i);
      largest = std::fmax(largest, simulation->closure_gap());
      closed += simulation->position_violation() < 1e-14;
    }
    CHECK(largest <= bound);
    CHECK(largest > bound / 30);
    CHECK(closed > 0);
    CHECK(closed < 150);
  }
}

TEST_CASE("occasional correction: a saved state knows how many steps it is ago", "[drift]") {
  Loaded loaded = Loaded::model("four_bar_equations");
  loaded.settings.drift_interval = 5;
  check_reads_and_rollback(loaded, "dopri5", [](Simulation& simulation) { return simulation.position_violation(); });
  // Nothing to bound and nothing to count would be no correction at all: then each step is corrected.
  loaded.settings.drift_interval = 0;
  const auto simulation = started(loaded, loaded.settings);
  CHECK(violation_over(*simulation, 5) < 1e-14);
}

TEST_CASE("a joint's gains are those of its equations", "[drift]") {
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Held"
dimension = "planar"
[bodies.a]
mass = 1
center_of_mass = [0.4, 0]
inertia = 0.1
[bodies.b]
mass = 1
center_of_mass = [0.2, 0]
inertia = 0.1
[bodies.a.points]
end = [0.5, 0]
[joints.A]
type = "revolute"
parent = "ground"
child = "a"
cut = true
drift_gain_1 = 7
drift_gain_0 = 12
[joints.B]
type = "revolute"
parent = "a.end"
child = "b"
cut = true
)toml");
  REQUIRE(loaded.sizes().rows() == 4);
  REQUIRE(loaded.table().drift_gains != nullptr);
  for (int row = 0; row < 4; ++row) {
    const std::string name = loaded.table().constraint_names[row];
    INFO(name);
    CHECK(loaded.table().gain_1(row, 20) == (name[0] == 'A' ? 7 : 20));
    CHECK(loaded.table().gain_0(row, 100) == (name[0] == 'A' ? 12 : 100));
  }
}

TEST_CASE("occasional correction: too seldom is a warning, then an error", "[drift]") {
  const Loaded loaded = Loaded::model("bricard");
  for (const char* resolution : {"partitioned", "null_space_block"}) {
    INFO(resolution);
    Settings settings = loaded.settings;
    settings.method = method("dopri5");
    settings.tolerance = 1e-2;
    settings.drift_interval = 1e6;
    settings.tangent_basis = basis(resolution);
    const auto simulation = started(loaded, settings);
    bool warned = false;
    double largest = 0;
    int step = 0;
    while (step < 1000 && simulation->advance(1.0 * ++step)) {
      largest = std::fmax(largest, simulation->closure_gap());
      warned = warned || simulation->message().warns();
    }
    CHECK(step < 1000);
    CHECK(warned);
    CHECK(largest < 0.1);
    CHECK_THAT(std::string(simulation->message().text),
               Catch::Contains("has drifted open by") && Catch::Contains("was not corrected for") &&
                   Catch::Contains("drift_bound"));
    // With a bound it stays closed.
    settings.drift_bound = 1e-6;
    const auto bounded = started(loaded, settings);
    advance(*bounded, 20);
    CHECK(bounded->closure_gap() <= 1e-6);
  }
}
