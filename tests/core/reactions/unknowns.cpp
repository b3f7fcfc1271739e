// Tests unknowns without inertia: against equations from which they are eliminated by hand, by bisection; the order of
// the methods; derivatives; repetition; unknowns without a solution.
#include <catch2/catch.hpp>

#include <cmath>

#include "equations/equations.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;
using casadi::SX;

namespace {

bool says(const Simulation& simulation, const std::string& part) {
  return std::string(simulation.message().text).find(part) != std::string::npos;
}

/// Solves unknown_everywhere() by hand: the unknown by bisection, all else from 5 linear equations.
struct ByHand {
  ByHand(double x, double v_x, bool realised, double push = 2) {
    double low = 0.1, high = 3;
    for (int i = 0; i < 60; ++i) {  // 60 halves of 3 are below the last digit of 0.1
      p = (low + high) / 2;
      (open(x, v_x, realised, push) > 0 ? high : low) = p;
    }
    open(x, v_x, realised, push);
  }
  double open(double x, double v_x, bool realised, double push) {
    const double m = 2, k = 30, d = 0.8, F = 10, L = 1.5, a = 0.7, c = 0.02;
    Eigen::Matrix<double, 5, 5> A = Eigen::Matrix<double, 5, 5>::Zero();
    Eigen::Matrix<double, 5, 1> b;
    A.diagonal().head(3) << m + p, m, m;
    A.row(3).head(3) << -2 * x / L, 0, 1;
    A.row(4).head(3) << -p, 1, 0;
    A.topRightCorner(3, 2) = -A.bottomLeftCorner(2, 3).transpose();
    if (realised) A.col(4).head(3) << -p, 0.5, 0;
    b << push - k * x - d * v_x * p * p, 0, F * std::sin(3 * x / L), 2 * v_x * v_x / L, -a;
    solution = solution_of(A, b);
    return p - 1 + p * p * p / 10 - std::tanh(solution[4] / F) / 5 - c * solution[0];
  }
  double p = 0;
  Eigen::Matrix<double, 5, 1> solution;  ///< v̇, λ
};

/// Returns (x, y, ẋ, ẏ) by many steps of a method of order 4.
Eigen::Vector4d motion_by_hand(double end, bool realised, int steps) {
  using State = Eigen::Vector4d;
  const auto rate = [&](const State& y) {
    const ByHand hand(y[0], y[2], realised);
    return State(y[2], y[3], hand.solution[0], hand.solution[1]);
  };
  State y(0.4, 0, 0.3, -0.2);
  const double h = end / steps;
  for (int i = 0; i < steps; ++i) {
    const State a = rate(y), b = rate(y + h / 2 * a), c = rate(y + h / 2 * b), d = rate(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return y;
}

Eigen::Vector4d state(Simulation& simulation) {
  return {simulation.positions()[0], simulation.positions()[1], simulation.velocities()[0], simulation.velocities()[1]};
}

/// Writes a mass on a spring, whose force depends on an unknown; `law` is the unknown's equation, `force` the force.
Loaded oscillator(const std::string& law, const std::string& force, const std::string& start = "0") {
  return Loaded::text(R"toml(
[mechanism]
name = "Oscillator"
[inputs]
u = { unit = "m", start = 0.2 }
[coordinates]
x = { unit = "m", start = 0.5, rate_start = 1 }
[unknowns]
p = { unit = "m", start = )toml" +
                      start + ", equation = \"" + law + R"toml(" }
[parameters]
one = { value = 1, unit = "m" }
k = { value = 20, unit = "N/m" }
[dynamics]
kinetic_energy = "k*(1/20)*(der(x))^2/2*s^2"
[dynamics.forces]
x = ")toml" + force + R"toml("
[parameters.s]
value = 1
unit = "s"
)toml");
}

}  // namespace

TEST_CASE("an unknown in masses, forces and rows, found by bisection", "[unknowns]") {
  for (const bool realised : {false, true}) {
    const Loaded loaded = Loaded::text(unknown_everywhere(realised));
    CHECK(loaded.table().character.loads_in_mass);
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    for (int i = 0; i <= 5; ++i) {
      if (i > 0) advance(*simulation, 0.3 * i);
      const ByHand hand(simulation->positions()[0], simulation->velocities()[0], realised);
      INFO(realised << ", t = " << simulation->time());
      CHECK(simulation->loads()[0] == Approx(hand.p).epsilon(1e-13));
      for (int j = 0; j < 3; ++j) {
        CHECK(simulation->accelerations()[j] == Approx(hand.solution[j]).epsilon(1e-12).margin(1e-12));
      }
      for (int j = 0; j < 2; ++j) {
        CHECK(simulation->multipliers()[j] == Approx(hand.solution[3 + j]).epsilon(1e-12).margin(1e-12));
      }
    }
  }
}

TEST_CASE("all bases, methods and corrections move it as the equations by hand do", "[unknowns]") {
  for (const bool realised : {false, true}) {
    const Loaded loaded = Loaded::text(unknown_everywhere(realised));
    const Eigen::Vector4d expected = motion_by_hand(1, realised, 1000);
    REQUIRE((motion_by_hand(1, realised, 500) - expected).norm() < 1e-9);
    const auto check = [&](const char* basis_name, const char* method_name, const char* drift_name) {
      Settings settings = loaded.settings;
      settings.tangent_basis = basis(basis_name);
      settings.method = method(method_name);
      settings.drift_correction = drift(drift_name);
      settings.tolerance = 1e-9;
      settings.step = 1e-3;
      const auto simulation = loaded.simulation(settings);
      assemble(*simulation);
      advance(*simulation, 1);
      INFO(basis_name << ", " << method_name << ", " << drift_name << ", " << realised);
      CHECK((state(*simulation) - expected).norm() < 1e-7);
    };
    for (const char* one : tangent_bases) {
      if (serves(basis(one), loaded)) check(one, "dopri5", "projection");
    }
    for (const char* one : integration_methods) check("partitioned", one, "projection");
    for (const char* one : drift_corrections) check("partitioned", "dop853", one);
    for (const char* one : drift_corrections) check("kkt", "dop853", one);
  }
}

TEST_CASE("methods keep their order", "[unknowns]") {
  const Loaded loaded = Loaded::text(unknown_everywhere(false));
  const Eigen::Vector4d expected = motion_by_hand(1, false, 1000);
  std::vector<double> steps, errors;
  for (const double h : {0.1, 0.05, 0.025, 0.0125}) {
    Settings settings = loaded.settings;
    settings.method = method("rk4");
    settings.step = h;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 1);
    steps.push_back(std::log(h));
    errors.push_back(std::log((state(*simulation) - expected).norm()));
  }
  CHECK(regression_slope(steps, errors) == Approx(4).margin(0.3));
}

TEST_CASE("forces that are nonlinear in the unknown, eliminated by hand", "[unknowns]") {
  // p³ + p = y³ + y has p = y for its only root.
  const std::string y = "(x + s*der(x)/4 - u)";
  const std::string law = "(p/one)^3*one + p - (" + y + "/one)^3*one - " + y;
  for (const bool linear : {true, false}) {
    const auto force = [&](const std::string& p) { return "-k*" + p + (linear ? "" : "*(1 + (" + p + "/one)^2)"); };
    const Loaded with = oscillator(law, force("p")), without = oscillator("p - x", force(y));
    CHECK(with.table().character.affine_loads == linear);
    CHECK_FALSE(with.table().character.loads_in_matrices);
    CHECK(with.table().character.short_form);
    for (const Loaded& form : {with, with.long_form()}) {
      const auto one = form.simulation(), other = without.simulation();
      assemble(*one);
      assemble(*other);
      for (int i = 1; i <= 10; ++i) {
        advance(*one, 0.2 * i);
        advance(*other, 0.2 * i);
        CHECK(distance(*one, *other) < 1e-12);
        CHECK(one->accelerations()[0] == Approx(other->accelerations()[0]).epsilon(1e-11));
        const double* q = one->positions();
        CHECK(one->loads()[0] == Approx(q[0] + one->velocities()[0] / 4 - 0.2).epsilon(1e-12).margin(1e-14));
      }
    }
  }
}

TEST_CASE("beside bodies an unknown acts in the values of forces", "[unknowns]") {
  const auto slider =
      [](const std::string& section, const std::string& value) {
        return Loaded::text(R"toml(
[mechanism]
name = "Slider"
dimension = "planar"
[parameters]
k = { value = 20, unit = "N/m" }
s = { value = 0.25, unit = "s" }
one = { value = 1, unit = "m" }
[bodies.block]
mass = 1
[joints.guide]
type = "prismatic"
parent = "ground"
child = "block"
position = { start = 0.5, rate_start = 1 }
[forces.spring]
type = "joint_force"
coordinate = "guide.position"
value = ")toml" + value + R"toml("
[definitions]
y = "guide.position + s*der(guide.position)"
)toml" + section);
      };
  const Loaded with =
      slider("[unknowns]\np = { unit = \"m\", equation = \"p*(1 + (p/one)^2) - y*(1 + (y/one)^2)\" }\n", "-k*p");
  const Loaded without = slider("", "-k*y");
  const auto one = with.simulation(), other = without.simulation();
  assemble(*one);
  assemble(*other);
  for (int i = 1; i <= 5; ++i) {
    advance(*one, 0.1 * i);
    advance(*other, 0.1 * i);
    CHECK(distance(*one, *other) < 1e-12);
    CHECK(one->accelerations()[0] == Approx(other->accelerations()[0]).epsilon(1e-11));
    CHECK(one->loads()[0] == Approx(one->positions()[0] + one->velocities()[0] / 4).epsilon(1e-12).margin(1e-14));
  }
}

TEST_CASE("where an equation does not change with its unknown the search goes on beside", "[unknowns]") {
  // p |p| = x has no slope at p = 0, where the search begins.
  const Loaded loaded = oscillator("p*abs(p) - x*one", "-k*p");
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  CHECK(simulation->loads()[0] == Approx(std::sqrt(0.5)).epsilon(1e-14));
  for (int i = 1; i <= 40; ++i) {  // It goes through zero.
    advance(*simulation, 0.05 * i);
    const double x = simulation->positions()[0];
    CHECK(simulation->loads()[0] == Approx(std::copysign(std::sqrt(std::fabs(x)), x)).epsilon(1e-10));
  }
}

TEST_CASE("friction as an unknown of a file", "[unknowns]") {
  const std::string block = R"toml(
[mechanism]
name = "Block"
[parameters]
m = { value = 3, unit = "kg" }
g = { value = 9.81, unit = "m/s2" }
slope = { value = 0.5, unit = "rad" }
mu = 0.3
speed = { value = 2, unit = "m/s" }
[coordinates]
x = { unit = "m", start = 0, rate_start = "speed*cos(slope)" }
y = { unit = "m", start = 0, rate_start = "-speed*sin(slope)" }
[unknowns]
N = { unit = "N", equation = "N - abs(constraint.ramp.multiplier)", description = "normal force" }
[definitions]
normal = "x*sin(slope) + y*cos(slope)"
rub = "-mu*N*tanh((der(x)*cos(slope) - der(y)*sin(slope))/speed*2000)"
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2"
potential_energy = "m*g*y"
[dynamics.forces]
x = "rub*cos(slope)"
y = "-rub*sin(slope)"
[constraints.ramp]
position = "normal"
)toml";
  const Loaded loaded = Loaded::text(block);
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  advance(*simulation, 1.5);
  const double expected = 9.81 * (std::sin(0.5) - 0.3 * std::cos(0.5)), *q = simulation->positions();
  CHECK(q[0] * std::cos(0.5) - q[1] * std::sin(0.5) == Approx(3 + expected * 1.125).epsilon(1e-12));
  CHECK(simulation->loads()[0] == Approx(3 * 9.81 * std::cos(0.5)).epsilon(1e-12));
}

TEST_CASE("friction whose coefficient is an unknown, and its jamming", "[unknowns]") {
  // Painlevé's rod as in the friction's tests: λ = g/(1 + 3 c (c − μ s)) for m = l = 1, sliding backwards.
  const double angle = 0.785398, c = std::cos(angle), s = std::sin(angle), critical = (1 + 3 * c * c) / (3 * s * c);
  const auto rod = [&](double mu) {
    return Loaded::text(R"toml(
[mechanism]
name = "Rod"
[parameters]
m = { value = 1, unit = "kg" }
l = { value = 1, unit = "m" }
J = { value = "m*l^2/3", unit = "kg.m2" }
g = { value = 9.81, unit = "m/s2" }
mu_0 = )toml" + std::to_string(mu) +
                            R"toml(
[coordinates]
x = { unit = "m", start = 0, fixed = true, rate_start = -2, rate_fixed = true }
y = { unit = "m", start = 0.5 }
th = { unit = "rad", start = 0.785398, fixed = true, rate_fixed = true }
[unknowns]
mu = { equation = "mu^3 + mu - mu_0^3 - mu_0" }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2 + J*der(th)^2/2"
potential_energy = "m*g*y"
[constraints.contact]
position = "y - l*sin(th)"
)toml",
                        [](Equations& e) {
                          const SX load = SX::sym("load"), mu = e.symbols.loads(0);
                          e.symbols.loads = SX::vertcat({load, mu});
                          e.loads.insert(e.loads.begin(), {"groove", {}, SX::abs(e.symbols.multipliers(0))});
                          const SX th = e.symbols.q(2), l = e.symbols.parameters(1);
                          const SX force =
                              -mu * load * SX::tanh((e.symbols.v(0) + l * SX::sin(th) * e.symbols.v(2)) / 1e-3);
                          e.forces = SX::vertcat({force, SX(0), l * SX::sin(th) * force});
                        });
  };
  const Loaded sliding = rod(critical - 0.2), jamming = rod(critical + 0.2);
  const auto simulation = sliding.simulation();
  assemble(*simulation);
  CHECK(simulation->loads()[1] == Approx(critical - 0.2).epsilon(1e-6));
  CHECK(simulation->multipliers()[0] == Approx(9.81 / (1 + 3 * c * (c - (critical - 0.2) * s))).epsilon(1e-5));
  const auto jammed = jamming.simulation();
  CHECK_FALSE(jammed->assemble(0));
  INFO(jammed->message().text);
  CHECK(says(*jammed, "jams at t = 0 s: the friction of 'groove'"));
}

TEST_CASE("derivatives along states and inputs, against differences", "[unknowns]") {
  // The last one's redundant rows share a reaction as the unknown says.
  const std::string again =
      "[constraints.again]\nacceleration = \"(m0 + p)/m0*(der(der(y)) - p/m0*der(der(x)) + a)\"\n";
  for (const std::string& text :
       {unknown_everywhere(false), unknown_everywhere(true), unknown_everywhere(false) + again}) {
    const Loaded loaded = Loaded::text(text);
    const int rows = loaded.sizes().all_rows();
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    const double q[3] = {0.4, 0, 0.16 / 1.5}, v[3] = {0.3, -0.2, 0.16};
    const double q_turn[3] = {1, 0.5, -0.3}, v_turn[3] = {0.2, -1, 0.7}, input_turn[1] = {3};
    const auto solved_at = [&](double h) {
      double moved_q[3], moved_v[3];
      for (int i = 0; i < 3; ++i) moved_q[i] = q[i] + h * q_turn[i], moved_v[i] = v[i] + h * v_turn[i];
      simulation->place(moved_q, moved_v);
      simulation->set_input(0, 2 + h * input_turn[0]);
      VectorXd result(4 + rows);
      result << VectorXd::Map(simulation->accelerations(), 3), VectorXd::Map(simulation->multipliers(), rows),
          simulation->loads()[0];
      return result;
    };
    const double h = 1e-3;
    const VectorXd expected =
        (45 * (solved_at(h) - solved_at(-h)) - 9 * (solved_at(2 * h) - solved_at(-2 * h)) +
         (solved_at(3 * h) - solved_at(-3 * h))) /
        (60 * h);
    solved_at(0);
    REQUIRE(simulation->differentiate({0, q_turn, v_turn, input_turn}));
    VectorXd found(4 + rows);
    found << VectorXd::Map(simulation->acceleration_slopes(), 3),
        VectorXd::Map(simulation->multiplier_slopes(), rows + 1);
    CHECK((found - expected).norm() < 1e-9 * expected.norm());
  }
}

TEST_CASE("reading and rolling back leave the bits of a motion with unknowns", "[unknowns]") {
  for (const Loaded& loaded : {Loaded::text(unknown_everywhere(false)), Loaded::text(unknown_everywhere(true)),
                               Loaded::model("hydraulic_balance")}) {
    for (const char* name : integration_methods) {
      check_reads_and_rollback(loaded, name, [](Simulation& s) { return s.loads()[0]; });
    }
  }
}

TEST_CASE("a start chooses among several solutions, and the motion stays with it", "[unknowns]") {
  for (const double sign : {1.0, -1.0}) {
    const Loaded loaded = oscillator("p^2 - one^2 - x^2", "-k*(x + p/10)", sign > 0 ? "2" : "-2");
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    for (int i = 0; i <= 10; ++i) {
      advance(*simulation, 0.1 * i);
      CHECK(simulation->loads()[0] == Approx(sign * std::hypot(1, simulation->positions()[0])).epsilon(1e-12));
    }
  }
}

TEST_CASE("what cannot be found is named, with what stays open and when", "[unknowns]") {
  const Loaded empty = oscillator("p^2 + one^2", "-k*p", "1");
  const auto none = empty.simulation();
  CHECK_FALSE(none->assemble(0));
  INFO(none->message().text);
  CHECK(says(*none, "The unknown 'p' cannot be found at t = 0 s: its equation leaves "));

  const Loaded open = oscillator("(p - one)*x", "-k*x", "2");  // any p where x = 0
  const auto free = open.simulation();
  free->set_parameter(open.parameter("x_start"), 0);
  CHECK_FALSE(free->assemble(0));
  INFO(free->message().text);
  CHECK(says(*free, "The unknown 'p' is not determined at t = 0 s"));

  const Loaded bounded = oscillator("p^2 - one^2 + x^2", "k*one", "1");  // none beyond x = 1
  const auto later = bounded.simulation();
  assemble(*later);
  advance(*later, 0.1);
  const std::vector<double> before = copy_state(*later);
  CHECK_FALSE(later->advance(2));
  INFO(later->message().text);
  CHECK(says(*later, "unknown 'p'"));
  CHECK(same_state(*later, before));
}
