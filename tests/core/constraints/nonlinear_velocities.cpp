// Tests velocity constraints that are not linear in the velocities (Phong 2002, (2.13)): against closed forms, against
// the same constraint given for accelerations, with all resolutions, methods and corrections; their start, derivatives,
// and what cannot be fulfilled.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/core/methods.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

bool says(const Simulation& simulation, const std::string& part) {
  return std::string(simulation.message().text).find(part) != std::string::npos;
}

constexpr double c = 3, g = 9.81, m = 2;

/// Returns a mass point under gravity with this speed constraint and further sections; rates are those of the file's
/// start.
std::string flying_point(const std::string& speed = "der(x)^2 + der(y)^2 - c^2", const std::string& rates = "3, 0",
                         const std::string& more = "") {
  const std::size_t comma = rates.find(',');
  return R"toml(
[mechanism]
name = "Point"
[parameters]
m = { value = 2, unit = "kg", min = 0 }
m_y = { value = 2, unit = "kg", min = 0 }
c = { value = 3, unit = "m/s", tunable = true }
g = { value = 9.81, unit = "m/s2" }
T = { value = 1, unit = "s" }
[coordinates]
x = { unit = "m", start = 0, rate_start = )toml" +
         rates.substr(0, comma) + R"toml( }
y = { unit = "m", start = 0, rate_start = )toml" +
         rates.substr(comma + 1) + R"toml( }
[dynamics]
kinetic_energy = "(m*der(x)^2 + m_y*der(y)^2)/2"
potential_energy = "m*g*y"
[constraints.speed]
velocity = ")toml" +
         speed + "\"\n" + more;
}

/// Returns x, y, ẋ, ẏ of the point that starts along x: sin φ = −tanh(g t/c).
Eigen::Vector4d flight(double t) {
  const double s = g * t / c;
  return {c * c / g * 2 * std::atan(std::tanh(s / 2)), -c * c / g * std::log(std::cosh(s)), c / std::cosh(s),
          -c * std::tanh(s)};
}
Eigen::Vector4d state(Simulation& simulation) {
  return {simulation.positions()[0], simulation.positions()[1], simulation.velocities()[0], simulation.velocities()[1]};
}

/// Returns three masses of different sizes under forces, with constraints of three kinds: position, linear velocity,
/// and a velocity row that contains everything, as `kind` = formula.
std::string mixed(const std::string& kind) {
  return R"toml(
[mechanism]
name = "Mixed"
[parameters]
k = { value = 8, unit = "N.m", tunable = true }
J = { value = 1, unit = "kg.m2" }
T = { value = 1, unit = "s" }
w = { value = 1.5, unit = "rad/s" }
[coordinates]
a = { unit = "rad", start = 0.3, rate_start = 0.8 }
b = { unit = "rad", start = -0.2, rate_start = 0.5 }
d = { unit = "rad", start = 0.4, rate_start = -0.6 }
e = { unit = "rad", start = 0.1, rate_start = 1.1 }
f = { unit = "rad", start = 0.6, rate_start = 0.7 }
[definitions]
curved = "(T*der(a))^2*(1 + sin(b)^2/3) + T^2*der(d)*der(e) + exp(T*der(f)/3) + sin(w*time)*T*der(b)/3 - 2.3"
[dynamics]
kinetic_energy = "J*(der(a)^2*(2 + cos(b)) + 1.5*der(b)^2 + der(a)*der(d)*sin(e)/2 + 2*der(d)^2 + der(e)^2 + 0.7*der(f)^2)/2"
potential_energy = "k*(sin(a)^2 + b^2/2 + d*e/3 + (f - 0.5)^2/2)"
[dynamics.forces]
a = "-0.3*J/T*der(b)"
f = "0.2*k*cos(2*time)"
[constraints.place]
position = "a + sin(b)/2 - d*f + e - 0.2"
[constraints.roll]
velocity = "der(b)*cos(a) - der(d)*(1 + f^2/4) + 0.3*der(e)"
[constraints.curve]
)toml" + kind +
         "\n";
}

/// Returns the largest difference of positions and velocities of two simulations.
double apart(Simulation& one, Simulation& other) { return distance(one, other); }

}  // namespace

TEST_CASE("a point at constant speed, by all resolutions, methods and corrections", "[nonlinear_velocities]") {
  const Loaded loaded = Loaded::text(flying_point());
  CHECK(loaded.sizes().nonlinear_rows == 1);
  CHECK(loaded.sizes().rows() == 0);
  const auto check = [&](const char* basis_name, const char* method_name, const char* drift_name) {
    Settings settings = loaded.settings;
    settings.tangent_basis = basis(basis_name);
    settings.method = method(method_name);
    settings.drift_correction = drift(drift_name);
    settings.tolerance = 1e-10;
    settings.step = 1e-3;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    for (const double t : {0.1, 0.5, 1.0}) {
      advance(*simulation, t);
      INFO(basis_name << ", " << method_name << ", " << drift_name << ", t = " << t);
      CHECK((state(*simulation) - flight(t)).norm() < 2e-8);
      CHECK(simulation->multipliers()[0] == Approx(m * g * simulation->velocities()[1] / (2 * c * c)).epsilon(1e-8));
      const bool kept = keeps_rates(static_cast<Drift>(settings.drift_correction));
      CHECK(simulation->velocity_violation() < (kept ? 1e-14 * c * c : 1e-7));
    }
  };
  for (const char* one : tangent_bases) {
    if (!serves(basis(one), loaded)) continue;
    for (const char* correction : drift_corrections) check(one, "dop853", correction);
  }
  for (const char* one : integration_methods) {
    for (const char* solver : {"partitioned", "qr", "kkt"}) check(solver, one, "projection");
  }
}

TEST_CASE("methods keep their order beside constraints that are not linear", "[nonlinear_velocities]") {
  const Loaded loaded = Loaded::text(flying_point());
  for (const char* solver : {"partitioned", "range_space"}) {
    std::vector<double> steps, errors;
    for (const double h : {0.04, 0.02, 0.01, 0.005}) {
      Settings settings = loaded.settings;
      settings.method = method("rk4");
      settings.tangent_basis = basis(solver);
      settings.step = h;
      const auto simulation = loaded.simulation(settings);
      assemble(*simulation);
      advance(*simulation, 0.4);
      steps.push_back(std::log(h));
      errors.push_back(std::log((state(*simulation) - flight(0.4)).norm()));
    }
    CHECK(regression_slope(steps, errors) == Approx(4).margin(0.3));
  }
  for (const MethodFacts& one : adaptive_methods()) {  // Errors are in proportion to the tolerance.
    std::vector<double> tolerances, errors;
    for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
      Settings settings = loaded.settings;
      settings.method = method(one.name);
      settings.tolerance = tolerance;
      const auto simulation = loaded.simulation(settings);
      assemble(*simulation);
      advance(*simulation, 0.7);
      const double error = (state(*simulation) - flight(0.7)).norm();
      INFO(one.name << " at " << tolerance);
      CHECK(error < 30 * tolerance);
      tolerances.push_back(std::log(tolerance));
      errors.push_back(std::log(error));
    }
    INFO(one.name);
    CHECK(regression_slope(tolerances, errors) == Approx(1).margin(0.35));
  }
}

TEST_CASE("the speed stays at rounding over long runs", "[nonlinear_velocities]") {
  const Loaded loaded = Loaded::text(mixed("velocity = \"curved\""));
  for (const char* solver : {"partitioned", "null_space_block"}) {
    Settings settings = loaded.settings;
    settings.method = method("rk4");
    settings.tangent_basis = basis(solver);
    settings.step = 2e-3;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    double worst = 0;
    for (int i = 1; i <= 100; ++i) {
      advance(*simulation, 0.1 * i);
      worst = std::max(worst, simulation->velocity_violation());
    }
    CHECK(simulation->steps() > 4900);
    CHECK(worst < 1e-14);
    CHECK(simulation->position_violation() < 1e-15);
  }
}

TEST_CASE("the motion is that of the constraint's rate, given for accelerations", "[nonlinear_velocities]") {
  const Loaded given = Loaded::text(mixed("velocity = \"curved\"")),
               differentiated = Loaded::text(mixed("acceleration = \"der(curved)\""));
  CHECK(given.sizes().velocity_rows == 1);
  CHECK(given.sizes().acceleration_rows == 1);
  const auto reference_settings = [&](const Loaded& loaded) {
    Settings settings = loaded.settings;
    settings.method = method("dop853");
    settings.tolerance = 1e-13;
    return settings;
  };
  const auto begun = given.simulation();
  assemble(*begun);
  const auto other = differentiated.simulation(reference_settings(differentiated));
  for (const char* name : {"a", "b", "d", "e", "f"}) {
    const int j = given.index(name);
    other->set_parameter(differentiated.parameter(name + std::string("_start")), begun->positions()[j]);
    other->set_parameter(differentiated.parameter(name + std::string("_rate_start")), begun->velocities()[j]);
  }
  assemble(*other);
  REQUIRE(apart(*begun, *other) < 1e-14);
  advance(*other, 2);
  const auto check = [&](const char* basis_name, const char* method_name, const char* drift_name) {
    Settings settings = given.settings;
    settings.tangent_basis = basis(basis_name);
    settings.method = method(method_name);
    settings.drift_correction = drift(drift_name);
    settings.tolerance = 1e-11;
    settings.step = 5e-4;
    const auto simulation = given.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 2);
    INFO(basis_name << ", " << method_name << ", " << drift_name);
    CHECK(apart(*simulation, *other) < 2e-8);
    CHECK(simulation->multipliers()[2] == Approx(other->multipliers()[2]).epsilon(1e-6));
  };
  for (const char* one : tangent_bases) {
    if (serves(basis(one), given)) check(one, "dop853", "projection");
  }
  for (const char* one : integration_methods) check("partitioned", one, "projection");
  for (const char* one : drift_corrections) {
    check("gram_schmidt", "dop853", one);
    check("kkt", "dop853", one);
  }
}

TEST_CASE("random mechanisms with a row that is not linear, given in two ways", "[nonlinear_velocities]") {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    Shape shape;
    shape.coordinates = 4 + static_cast<int>(seed % 3);
    shape.velocity_rows = static_cast<int>(seed % 2);
    shape.rheonomic = seed % 4 == 3;
    shape.redundant = seed % 5 == 4;
    const std::string text = random_mechanism(seed, shape);
    const Loaded free = Loaded::text(text);
    const auto name = [&](int j) { return "der(" + std::string(free.table().position_names[j]) + ")"; };
    const std::string curve = "(" + name(0) + " + 1)^2 + 2*" + name(1) + "^2 + " + name(2) + "*" + name(3) + "*sin(" +
                              free.table().position_names[1] + ") + 0.1*" + name(3) + "^3 - 3";
    const std::string section = "\n[constraints.curve]\n";
    INFO("seed " << seed);
    const Loaded given = Loaded::text(text + section + "velocity = \"" + curve + "\"\n"),
                 differentiated = Loaded::text(text + section + "acceleration = \"der(" + curve + ")\"\n");
    REQUIRE(given.sizes().nonlinear_rank == 1);
    Settings settings = given.settings;
    settings.method = method("dop853");
    settings.tolerance = 1e-12;
    const auto one = given.simulation(settings);
    assemble(*one);
    CHECK(one->velocity_violation() < 1e-13);
    settings.drift_correction = drift("projection");
    const auto other = differentiated.simulation(settings);
    for (int j = 0; j < given.sizes().velocities; ++j) {
      const std::string coordinate = given.table().position_names[j];
      other->set_parameter(differentiated.parameter(coordinate + "_start"), one->positions()[j]);
      other->set_parameter(differentiated.parameter(coordinate + "_rate_start"), one->velocities()[j]);
    }
    assemble(*other);
    REQUIRE(apart(*one, *other) < 1e-12);
    advance(*one, 0.2);
    advance(*other, 0.2);
    CHECK(apart(*one, *other) < 1e-9);
    CHECK(one->velocity_violation() < 1e-12);
  }
}

TEST_CASE("the start takes the nearest rates in the metric", "[nonlinear_velocities]") {
  // The nearest point of a circle, where masses differ, by a search over its angle.
  for (const auto& [rates, vx, vy] :
       {std::tuple{"1, 2", 1.0, 2.0}, std::tuple{"-9, 4", -9.0, 4.0}, std::tuple{"0.01, -0.02", 0.01, -0.02}}) {
    const Loaded loaded = Loaded::text(flying_point("der(x)^2 + der(y)^2 - c^2", rates));
    const auto simulation = loaded.simulation();
    simulation->set_parameter(loaded.parameter("m_y"), 5);
    assemble(*simulation);
    const auto distance_at = [&](double angle) {
      const double dx = c * std::cos(angle) - vx, dy = c * std::sin(angle) - vy;
      return m * dx * dx + 5 * dy * dy;
    };
    double best = 0;
    for (int i = 0; i < 3600; ++i) {
      if (const double angle = i * std::numbers::pi / 1800; distance_at(angle) < distance_at(best)) best = angle;
    }
    double low = best - 2e-3, high = best + 2e-3;
    while (high - low > 1e-10) {
      const double third = (high - low) / 3;
      (distance_at(low + third) < distance_at(high - third) ? high : low) +=
          distance_at(low + third) < distance_at(high - third) ? -third : third;
    }
    INFO(rates);
    CHECK(simulation->velocities()[0] == Approx(c * std::cos(low)).margin(1e-7));
    CHECK(simulation->velocities()[1] == Approx(c * std::sin(low)).margin(1e-7));
    CHECK(simulation->velocity_violation() < 1e-14);
  }
}

TEST_CASE("fixed rates hold beside a constraint that is not linear", "[nonlinear_velocities]") {
  const std::string text = replaced(flying_point("der(x)^2 + der(y)^2 - c^2", "1, -1"), "rate_start = 1 }",
                                    "rate_start = 1, rate_fixed = true }");
  const Loaded simulation_loaded = Loaded::text(text);
  const auto simulation = simulation_loaded.simulation();
  assemble(*simulation);
  CHECK(simulation->velocities()[0] == Approx(1).epsilon(1e-15));
  CHECK(simulation->velocities()[1] == Approx(-std::sqrt(8)).epsilon(1e-15));

  const std::string too_fast = replaced(text, "rate_start = 1,", "rate_start = 4,");
  const Loaded impossible_loaded = Loaded::text(too_fast);
  const auto impossible = impossible_loaded.simulation();
  CHECK_FALSE(impossible->assemble(0));
  INFO(impossible->message().text);
  CHECK(says(*impossible,
             "the constraint 'speed' stays open by 7 m2/s2 while these rates are fixed: 'der(x)' (start 4 "
             "m/s, reached "));
}

TEST_CASE("rates that say nothing, and rows that no rates fulfil", "[nonlinear_velocities]") {
  const Loaded still_loaded = Loaded::text(flying_point("der(x)^2 + der(y)^2 - c^2", "0, 0"));
  const auto still = still_loaded.simulation();
  CHECK_FALSE(still->assemble(0));
  INFO(still->message().text);
  CHECK(says(*still, "The start rates do not say which way to fulfil the constraint 'speed'"));
  CHECK(says(*still, "'der(x)' or 'der(y)'."));

  const Loaded none_loaded = Loaded::text(flying_point("der(x)^2 + der(y)^2 + c^2"));
  const auto none = none_loaded.simulation();
  CHECK_FALSE(none->assemble(0));
  INFO(none->message().text);
  CHECK(says(*none, "the constraint 'speed' stays open by 9 m2/s2"));

  const Loaded rest_loaded = Loaded::text(flying_point("der(x)^2 + der(y)^2", "0, 0"));
  const auto rest = rest_loaded.simulation();
  CHECK_FALSE(rest->assemble(0));
  INFO(rest->message().text);
  CHECK(says(*rest, "The constraint 'speed' cannot be fulfilled at t = 0 s"));

  // The speed goes to zero at t = 1 s; no rates fulfil the constraint after that.
  const Loaded stopping = Loaded::text(flying_point("der(x)^2 + der(y)^2 - c^2*(1 - time/T)"));
  const auto simulation = stopping.simulation();
  assemble(*simulation);
  advance(*simulation, 0.5);
  const std::vector<double> before = copy_state(*simulation);
  CHECK_FALSE(simulation->advance(2));
  INFO(simulation->message().text);
  CHECK(same_state(*simulation, before));
}

TEST_CASE("a row that is not linear twice is redundant", "[nonlinear_velocities]") {
  const std::string again = "[constraints.again]\nvelocity = \"2*der(x)^2 + 2*der(y)^2 - 2*c^2\"\n";
  const Loaded twice = Loaded::text(flying_point("der(x)^2 + der(y)^2 - c^2", "3, 0", again));
  CHECK(twice.sizes().nonlinear_rank == 1);
  for (const char* solver : {"partitioned", "svd", "kkt", "udwadia_kalaba"}) {
    Settings settings = twice.settings;
    settings.tangent_basis = basis(solver);
    settings.tolerance = 1e-10;
    const auto simulation = twice.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 0.5);
    INFO(solver);
    CHECK((state(*simulation) - flight(0.5)).norm() < 1e-8);
    CHECK(simulation->velocity_violation() < 1e-13);
    const double *multipliers = simulation->multipliers(), expected = m * g * simulation->velocities()[1] / (2 * c * c);
    CHECK(multipliers[0] + 2 * multipliers[1] == Approx(expected).epsilon(1e-9));
    CHECK(multipliers[1] == Approx(2 * multipliers[0]).epsilon(1e-9));  // They have the least norm.
  }
  const std::string other = "[constraints.again]\nvelocity = \"2*der(x)^2 + 2*der(y)^2 - 2*c^2*(1 + time^2/T^2)\"\n";
  const Loaded contradicting = Loaded::text(flying_point("der(x)^2 + der(y)^2 - c^2", "3, 0", other));
  const auto simulation = contradicting.simulation();
  assemble(*simulation);
  CHECK_FALSE(simulation->advance(0.5));
  INFO(simulation->message().text);
  CHECK(says(*simulation, "'speed'"));
  CHECK(says(*simulation, "contradict each other"));
}

TEST_CASE("a control realises a speed along one coordinate", "[nonlinear_velocities]") {
  // Only the force along x may act: y falls freely, and ẋ² = c² − g² t².
  const Loaded loaded = Loaded::text(flying_point("der(x)^2 + der(y)^2 - c^2", "3, 0", "realised_by = { x = 1 }\n"));
  for (const char* solver : {"partitioned", "lu", "kkt"}) {
    Settings settings = loaded.settings;
    settings.tangent_basis = basis(solver);
    settings.tolerance = 1e-11;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 0.2);
    const double rate = std::sqrt(c * c - g * g * 0.04);
    INFO(solver);
    CHECK(simulation->velocities()[1] == Approx(-g * 0.2).epsilon(1e-8));
    CHECK(simulation->velocities()[0] == Approx(rate).epsilon(1e-8));
    CHECK(simulation->multipliers()[0] == Approx(-m * g * g * 0.2 / rate).epsilon(1e-7));
  }
}

TEST_CASE("a speed that changes during the simulation is taken over", "[nonlinear_velocities]") {
  const Loaded loaded = Loaded::text(flying_point());
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  advance(*simulation, 0.2);
  const Eigen::Vector4d before = state(*simulation);
  simulation->set_parameter(loaded.parameter("c"), 4);
  REQUIRE(simulation->adopt_parameters());
  const Eigen::Vector4d after = state(*simulation);
  CHECK((after.head(2) - before.head(2)).norm() == 0);
  CHECK((after.tail(2) - before.tail(2) * 4 / 3).norm() < 1e-14);  // The nearest velocity has the same direction.
}

TEST_CASE("reading and rolling back leave the bits beside rows that are not linear", "[nonlinear_velocities]") {
  const Loaded loaded = Loaded::text(mixed("velocity = \"curved\""));
  for (const char* name : integration_methods) {
    check_reads_and_rollback(loaded, name, [](Simulation& s) { return s.multipliers()[2]; });
  }
}

TEST_CASE("what fits beside a motion that is integrated outside, and its derivatives", "[nonlinear_velocities]") {
  const std::string again = "[constraints.again]\nvelocity = \"curved*(1 + a^2/9)\"\n";
  const std::string own_gain = "drift_gain_1 = 7\n";
  for (const std::string& text :
       {mixed("velocity = \"curved\""), mixed("velocity = \"curved\"\n" + again),
        mixed("velocity = \"curved\"\n" + own_gain), mixed("velocity = \"curved\"\n" + again + own_gain)}) {
    const Loaded loaded = Loaded::text(text);
    const int n = loaded.sizes().velocities, rows = loaded.sizes().all_rows();
    const auto simulation = loaded.simulation();
    REQUIRE(simulation->integrate_outside());
    assemble(*simulation, 0.3);
    const VectorXd q = VectorXd::Map(simulation->positions(), n), v = VectorXd::Map(simulation->velocities(), n);
    VectorXd q_off = q, v_off = v, q_turn(n), v_turn(n);
    q_off[0] += 0.01;  // It is off the constraints.
    v_off[4] += 0.07;
    v_off[1] -= 0.05;
    q_turn << 1, 0.5, -0.3, 0.4, 0.2;
    v_turn << 0.2, -1, 0.7, 0.3, -0.6;
    const auto solved_at = [&](double h) {
      const VectorXd moved_q = q_off + h * q_turn, moved_v = v_off + h * v_turn;
      simulation->move_to(0.3 + h * 0.4);
      simulation->place(moved_q.data(), moved_v.data());
      VectorXd result(3 * n + rows);
      result << VectorXd::Map(simulation->accelerations(), n), VectorXd::Map(simulation->multipliers(), rows),
          VectorXd::Map(simulation->velocity_rates(), n), VectorXd::Map(simulation->position_rates(), n);
      return result;
    };
    const double h = 1e-3;
    const VectorXd expected =
        (45 * (solved_at(h) - solved_at(-h)) - 9 * (solved_at(2 * h) - solved_at(-2 * h)) +
         (solved_at(3 * h) - solved_at(-3 * h))) /
        (60 * h);
    const VectorXd here = solved_at(0);
    REQUIRE(simulation->differentiate({0.4, q_turn.data(), v_turn.data(), nullptr}));
    VectorXd found(3 * n + rows);
    found << VectorXd::Map(simulation->acceleration_slopes(), n), VectorXd::Map(simulation->multiplier_slopes(), rows),
        VectorXd::Map(simulation->velocity_rate_slopes(), n), VectorXd::Map(simulation->rate_slopes(), n);
    INFO(text);
    CHECK((found - expected).norm() < 1e-8 * expected.norm());
    // The rates of v lead back: the violation falls by the gain.
    const double violation = simulation->velocity_violation(), step = 1e-6;
    VectorXd v_later = v_off + step * here.segment(n + rows, n), q_later = q_off + step * here.tail(n);
    REQUIRE(violation > 1e-3);
    simulation->move_to(0.3 + step);
    simulation->place(q_later.data(), v_later.data());
    CHECK(simulation->velocity_violation() < violation);
  }
}
