// Tests acceleration constraints that are not linear in the accelerations (Phong 2002, A.3 step 7): against equations
// that are solved by hand, with all resolutions, methods and corrections; derivatives, repetition, and rows that no
// acceleration fulfils.
#include <catch2/catch.hpp>

#include <cmath>

#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

using Values = Eigen::Vector4d;  ///< x, y, ẋ, ẏ

bool says(const Simulation& simulation, const std::string& part) {
  return std::string(simulation.message().text).find(part) != std::string::npos;
}

/// Returns a point on springs with a constraint for its accelerations.
std::string sprung_point(const std::string& constraint, const std::string& more = "") {
  return R"toml(
[mechanism]
name = "SprungPoint"
[parameters]
m = { value = 2, unit = "kg" }
k = { value = 30, unit = "N/m" }
d = { value = 0.5, unit = "N.s/m" }
a = { value = 4, unit = "m/s2", tunable = true }
one = { value = 1, unit = "m/s2" }
w = { value = 1.3, unit = "rad/s" }
[inputs]
push = { unit = "N", start = 0 }
[coordinates]
x = { unit = "m", start = 0.5, rate_start = 0.3 }
y = { unit = "m", start = -0.2, rate_start = 0.8 }
[dynamics]
mass_matrix = [["m", 0], [0, "m"]]
potential_energy = "k*(x^2 + 2*y^2)/2"
[dynamics.forces]
x = "push - d*der(y)"
y = "d*der(x)"
[constraints.limit]
acceleration = ")toml" +
         constraint + "\"\n" + more;
}
const std::string of_one_size = "der(der(x))^2 + der(der(y))^2 - a^2";

/// Returns v̇ of the point whose acceleration has the size a. F = 2 v̇, so that v̇ is along the force.
Eigen::Vector2d along_force(const Values& s, double push = 0) {
  const Eigen::Vector2d h(push - 30 * s[0] - 0.5 * s[3], -60 * s[1] + 0.5 * s[2]);
  return 4 * h.normalized();
}
/// Returns v̇ of ẍ + ẍ³/10 − sin(w t) + ẏ/2 = 0 by bisection; y is free.
Eigen::Vector2d by_bisection(const Values& s, double t) {
  double low = -10, high = 10;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (middle + middle * middle * middle / 10 - std::sin(1.3 * t) + s[3] / 2 > 0 ? high : low) = middle;
  }
  return {low, (-60 * s[1] + 0.5 * s[2]) / 2};
}
const std::string cubic = "der(der(x)) + der(der(x))^3/(10*one^2) - one*sin(w*time) + der(y)*one/(2*speed)";
const std::string speed = "[parameters.speed]\nvalue = 1\nunit = \"m/s\"\n";

template <class Acceleration>
Values by_hand(const Acceleration& acceleration, double end, int steps) {
  const auto rate = [&](double t, const Values& s) {
    const Eigen::Vector2d found = acceleration(t, s);
    return Values(s[2], s[3], found[0], found[1]);
  };
  Values s(0.5, -0.2, 0.3, 0.8);
  const double h = end / steps;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Values a = rate(t, s), b = rate(t + h / 2, s + h / 2 * a), c = rate(t + h / 2, s + h / 2 * b),
                 d = rate(t + h, s + h * c);
    s += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return s;
}

Values state(Simulation& s) { return {s.positions()[0], s.positions()[1], s.velocities()[0], s.velocities()[1]}; }

}  // namespace

TEST_CASE("rows that are not linear in accelerations, against equations by hand", "[nonlinear_accelerations]") {
  const auto sized = [](double, const Values& s) { return along_force(s); };
  const auto rooted = [](double t, const Values& s) { return by_bisection(s, t); };
  for (const bool is_cubic : {false, true}) {
    const Loaded loaded = Loaded::text(is_cubic ? sprung_point(cubic, speed) : sprung_point(of_one_size));
    const Values expected = is_cubic ? by_hand(rooted, 0.5, 2000) : by_hand(sized, 0.5, 2000);
    CHECK(loaded.sizes().loads == (is_cubic ? 1 : 2));
    CHECK(loaded.sizes().nonlinear_rows == 0);
    const auto check = [&](const char* basis_name, const char* method_name, const char* drift_name) {
      Settings settings = loaded.settings;
      settings.tangent_basis = basis(basis_name);
      settings.method = method(method_name);
      settings.drift_correction = drift(drift_name);
      settings.tolerance = 1e-10;
      settings.step = 1e-3;
      const auto simulation = loaded.simulation(settings);
      assemble(*simulation);
      advance(*simulation, 0.5);
      INFO(basis_name << ", " << method_name << ", " << drift_name << ", " << is_cubic);
      CHECK((state(*simulation) - expected).norm() < 1e-8);
      const Values now = state(*simulation);
      const Eigen::Vector2d hand = is_cubic ? by_bisection(now, 0.5) : along_force(now);
      const Eigen::Vector2d found(simulation->accelerations()[0], simulation->accelerations()[1]);
      CHECK((found - hand).norm() < 1e-12);
      CHECK(simulation->acceleration_violation() < 1e-12);
    };
    for (const char* one : tangent_bases) check(one, "dop853", "projection");
    for (const char* one : integration_methods) check("partitioned", one, "projection");
    for (const char* one : drift_corrections) check("kkt", "dop853", one);
  }
}

TEST_CASE("multipliers act along the slopes at the accelerations that were found", "[nonlinear_accelerations]") {
  const Loaded loaded = Loaded::text(sprung_point(of_one_size));
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  const Values now = state(*simulation);
  const Eigen::Vector2d h(-30 * now[0] - 0.5 * now[3], -60 * now[1] + 0.5 * now[2]), v_rate = along_force(now);
  const double multiplier = simulation->multipliers()[0];
  CHECK((2 * v_rate - h - multiplier * 2 * v_rate).norm() < 1e-12);  // m v̇ = h + λ ∂f/∂v̇
}

TEST_CASE("derivatives of accelerations that are sought, against differences", "[nonlinear_accelerations]") {
  const std::string again = "[constraints.again]\nacceleration = \"2*der(der(x))^2 + 2*der(der(y))^2 - 2*a^2\"\n";
  for (const std::string& more : {std::string(), again}) {
    const Loaded loaded = Loaded::text(sprung_point(of_one_size, more));
    const int rows = loaded.sizes().all_rows();
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    const double q_turn[2] = {1, -0.4}, v_turn[2] = {0.7, 0.5}, input_turn[1] = {2};
    const auto solved_at = [&](double h) {
      const double q[2] = {0.5 + h * q_turn[0], -0.2 + h * q_turn[1]},
                   v[2] = {0.3 + h * v_turn[0], 0.8 + h * v_turn[1]};
      simulation->place(q, v);
      simulation->set_input(0, h * input_turn[0]);
      VectorXd result(2 + rows);
      result << VectorXd::Map(simulation->accelerations(), 2), VectorXd::Map(simulation->multipliers(), rows);
      return result;
    };
    const double h = 1e-3;
    const VectorXd expected =
        (45 * (solved_at(h) - solved_at(-h)) - 9 * (solved_at(2 * h) - solved_at(-2 * h)) +
         (solved_at(3 * h) - solved_at(-3 * h))) /
        (60 * h);
    solved_at(0);
    REQUIRE(simulation->differentiate({0, q_turn, v_turn, input_turn}));
    VectorXd found(2 + rows);
    found << VectorXd::Map(simulation->acceleration_slopes(), 2), VectorXd::Map(simulation->multiplier_slopes(), rows);
    CHECK((found - expected).norm() < 1e-8 * (1 + expected.norm()));
  }
}

TEST_CASE("reading and rolling back leave the bits where accelerations are sought", "[nonlinear_accelerations]") {
  const Loaded loaded = Loaded::text(sprung_point(cubic, speed));
  for (const char* name : integration_methods) {
    check_reads_and_rollback(loaded, name, [](Simulation& s) { return s.accelerations()[0]; });
  }
}

TEST_CASE("the branch of the last step is kept", "[nonlinear_accelerations]") {
  // ẍ² = a² has two solutions. The search begins where the spring accelerates the point without the constraint, and
  // stays there, though the spring's force turns round.
  const Loaded loaded = Loaded::text(sprung_point("der(der(x))^2 - a^2"));
  for (const double start : {0.5, -0.5}) {
    const auto simulation = loaded.simulation();
    simulation->set_parameter(loaded.parameter("x_start"), start);
    assemble(*simulation);
    const double first = simulation->accelerations()[0];
    CHECK(first == Approx(start > 0 ? -4 : 4));
    advance(*simulation, 1.5);
    const double x = simulation->positions()[0];
    CHECK(x * start < 0);
    CHECK(simulation->accelerations()[0] == Approx(first));
    CHECK(x == Approx(start + 0.3 * 1.5 + first * 1.125).epsilon(1e-12));
  }
}

TEST_CASE("rows that no acceleration fulfils, or none that is near", "[nonlinear_accelerations]") {
  const Loaded none_loaded = Loaded::text(sprung_point("der(der(x))^2 + a^2"));
  const auto none = none_loaded.simulation();
  CHECK_FALSE(none->assemble(0));
  INFO(none->message().text);
  CHECK(says(*none,
             "No acceleration is found at t = 0 s that fulfils the constraint 'limit', which is not linear in "
             "'der(x,2)'"));

  const Loaded still = Loaded::text(sprung_point(of_one_size));  // no force says which way
  const auto simulation = still.simulation();
  for (const char* name : {"x_start", "y_start", "x_rate_start", "y_rate_start"}) {
    simulation->set_parameter(still.parameter(name), 0);
  }
  CHECK_FALSE(simulation->assemble(0));
  INFO(simulation->message().text);
  CHECK(says(*simulation, "The constraint 'limit' does not change with any acceleration at t = 0 s"));

  const Loaded ending = Loaded::text(sprung_point("der(der(x))^2 - a^2*(1 - time/T)",
                                                  "[parameters.T]\nvalue = 1\n"
                                                  "unit = \"s\"\n"));
  const auto later = ending.simulation();
  assemble(*later);
  advance(*later, 0.9);
  const std::vector<double> before = copy_state(*later);
  CHECK_FALSE(later->advance(1.5));
  INFO(later->message().text);
  CHECK(says(*later, "'limit'"));
  CHECK(same_state(*later, before));
}
