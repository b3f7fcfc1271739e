// Tests friction that depends on reactions: closed forms, hand-derived equations, the balance of all equations,
// jamming.
#include <catch2/catch.hpp>

#include <cmath>

#include "equations/equations.hpp"
#include "tests/core/evaluation.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;
using casadi::SX;

namespace {

/// A load with its value; returns its symbol. All at once: symbols are a column.
SX add_loads(Equations& e, const std::vector<std::pair<std::string, SX>>& loads) {
  e.symbols.loads = SX::sym("loads", static_cast<casadi_int>(loads.size()));
  for (const auto& [name, value] : loads) e.loads.push_back({name, {}, value});
  return e.symbols.loads;
}

SX friction(const SX& load, const SX& coefficient, const SX& rate) {
  return -coefficient * load * SX::tanh(rate / 1e-3);
}

bool says(const Simulation& simulation, const std::string& part) {
  return std::string(simulation.message().text).find(part) != std::string::npos;
}

const std::string block_text = R"toml(
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
[definitions]
normal = "x*sin(slope) + y*cos(slope)"
along = "x*cos(slope) - y*sin(slope)"
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2"
potential_energy = "m*g*y"
[constraints.ramp]
position = "normal"
)toml";

/// Each row's reaction causes friction along the slope.
Loaded block(const std::string& more, int rows) {
  return Loaded::text(block_text + more, [rows](Equations& e) {
    const SX slope = e.symbols.parameters(2), tangent = SX::vertcat({SX::cos(slope), -SX::sin(slope)});
    std::vector<std::pair<std::string, SX>> loads;
    for (int i = 0; i < rows; ++i) loads.push_back({"rub_" + std::to_string(i), SX::abs(e.symbols.multipliers(i))});
    const SX all = add_loads(e, loads);
    e.forces = friction(SX::sum1(all), e.symbols.parameters(3), SX::dot(tangent, e.symbols.v)) * tangent;
  });
}

/// Cart and pole, the angle from upright; the cart's normal force depends on the pole's acceleration.
Loaded cart_pole() {
  return Loaded::text(R"toml(
[mechanism]
name = "CartPole"
[parameters]
M = { value = 1, unit = "kg" }
m = { value = 0.4, unit = "kg" }
l = { value = 0.6, unit = "m" }
g = { value = 9.81, unit = "m/s2" }
mu = 0.35
[coordinates]
x = { unit = "m", start = 0, rate_start = 1 }
th = { unit = "rad", start = 0.3, rate_start = -2 }
[definitions]
px = "x + l*sin(th)"
py = "l*cos(th)"
[dynamics]
kinetic_energy = "M*der(x)^2/2 + m*(der(px)^2 + der(py)^2)/2"
potential_energy = "m*g*py"
)toml",
                      [](Equations& e) {
                        const auto p = [&e](int i) { return SX(e.symbols.parameters(i)); };
                        const SX th = e.symbols.q(1), rate = e.symbols.v(1), th_2 = e.symbols.acceleration(1);
                        const SX normal =
                            (p(0) + p(1)) * p(3) - p(1) * p(2) * (th_2 * SX::sin(th) + SX::sq(rate) * SX::cos(th));
                        const SX load = add_loads(e, {{"wheels", SX::abs(normal)}});
                        e.forces = SX::vertcat({friction(load, p(4), e.symbols.v(0)), SX(0)});
                      });
}

/// Solves these equations by hand. With N > 0 and a known sign of the friction, they are two linear equations.
void cart_pole_by_hand(const double* y, double* dy) {
  const double M = 1, m = 0.4, l = 0.6, g = 9.81;
  const double s = std::sin(y[1]), c = std::cos(y[1]), w = y[3], k = 0.35 * std::tanh(y[2] / 1e-3);
  // (M + m) ẍ + m l c θ̈ − m l s w² = −k N,  N = (M + m) g − m l (s θ̈ + c w²);   c ẍ + l θ̈ = g s
  const double a11 = M + m, a12 = m * l * c - k * m * l * s,
               b1 = m * l * s * w * w - k * ((M + m) * g - m * l * c * w * w);
  const double determinant = a11 * l - a12 * c;
  dy[0] = y[2];
  dy[1] = w;
  dy[2] = (b1 * l - a12 * g * s) / determinant;
  dy[3] = (a11 * g * s - c * b1) / determinant;
}

/// A pendulum in absolute coordinates on a pin of radius r: the friction's torque goes with the length of a force.
Loaded pin_pendulum(double coefficient) {
  return Loaded::text(R"toml(
[mechanism]
name = "Pin"
[parameters]
m = { value = 2, unit = "kg" }
J = { value = 0.1, unit = "kg.m2" }
l = { value = 0.7, unit = "m" }
g = { value = 9.81, unit = "m/s2" }
r = { value = 0.05, unit = "m" }
mu = )toml" + std::to_string(coefficient) +
                          R"toml(
[coordinates]
th = { unit = "rad", start = 1, rate_start = 2, fixed = true, rate_fixed = true }
x = { unit = "m", start = 0 }
y = { unit = "m", start = -0.7 }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2 + J*der(th)^2/2"
potential_energy = "m*g*y"
[constraints.pin_x]
position = "x - l*sin(th)"
[constraints.pin_y]
position = "y + l*cos(th)"
)toml",
                      [](Equations& e) {
                        const SX load = add_loads(e, {{"pin", SX::norm_2(e.symbols.multipliers)}});
                        const SX torque =
                            friction(load, e.symbols.parameters(5) * e.symbols.parameters(4), e.symbols.v(0));
                        e.forces = SX::vertcat({torque, SX(0), SX(0)});
                      });
}

/// Painlevé's rod: one end slides in a groove. With b = 3 μ s c/(1 + 3c²): λ = λ₀ − b sign(ẋ)|λ|.
Loaded rod(double mu, double angle, double rate) {
  return Loaded::text(R"toml(
[mechanism]
name = "Rod"
[parameters]
m = { value = 1, unit = "kg" }
l = { value = 1, unit = "m" }
J = { value = "m*l^2/3", unit = "kg.m2" }
g = { value = 9.81, unit = "m/s2" }
mu = )toml" + std::to_string(mu) +
                          R"toml(
[coordinates]
x = { unit = "m", start = 0, fixed = true, rate_start = )toml" +
                          std::to_string(rate) + R"toml(, rate_fixed = true }
y = { unit = "m", start = 0.5 }
th = { unit = "rad", start = )toml" +
                          std::to_string(angle) + R"toml(, fixed = true, rate_fixed = true }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2 + J*der(th)^2/2"
potential_energy = "m*g*y"
[constraints.contact]
position = "y - l*sin(th)"
)toml",
                      [](Equations& e) {
                        const SX load = add_loads(e, {{"groove", SX::abs(e.symbols.multipliers(0))}});
                        const SX th = e.symbols.q(2), l = e.symbols.parameters(1);
                        const SX slip =
                            // This is the rate of the end (x − l cos θ, y − l sin θ).
                            e.symbols.v(0) + l * SX::sin(th) * e.symbols.v(2);
                        const SX force = friction(load, e.symbols.parameters(4), slip);
                        e.forces = SX::vertcat({force, SX(0), l * SX::sin(th) * force});
                      });
}

}  // namespace

TEST_CASE("a block that slides down a slope", "[loads]") {
  const Loaded loaded = block("", 1);
  CHECK(loaded.table().character.short_form);
  const double expected = 9.81 * (std::sin(0.5) - 0.3 * std::cos(0.5));
  for (const Loaded& form : {loaded, loaded.long_form()}) {
    for (const char* drift_name : drift_corrections) {
      Settings settings = form.settings;
      settings.drift_correction = drift(drift_name);
      const auto simulation = form.simulation(settings);
      assemble(*simulation);
      advance(*simulation, 1.5);
      const double* q = simulation->positions();
      INFO(drift_name);
      CHECK(q[0] * std::cos(0.5) - q[1] * std::sin(0.5) == Approx(3 + expected * 1.125).epsilon(1e-12));
      CHECK(std::hypot(simulation->accelerations()[0], simulation->accelerations()[1]) ==
            Approx(expected).epsilon(1e-12));
      CHECK(simulation->multipliers()[0] == Approx(3 * 9.81 * std::cos(0.5)).epsilon(1e-12));
    }
  }
}

TEST_CASE("redundant guides share their friction as they share the reaction", "[loads]") {
  const Loaded loaded = block("[constraints.again]\nposition = \"2*normal\"\n", 2);
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  advance(*simulation, 1);
  // λ₁ + 2 λ₂ = N; the λ of least norm is (N, 2N)/5.
  const double N = 3 * 9.81 * std::cos(0.5);
  CHECK(simulation->multipliers()[0] == Approx(N / 5).epsilon(1e-12));
  CHECK(simulation->multipliers()[1] == Approx(2 * N / 5).epsilon(1e-12));
  const double expected = 9.81 * std::sin(0.5) - 0.3 * 0.6 * N / 3;
  CHECK(std::hypot(simulation->accelerations()[0], simulation->accelerations()[1]) == Approx(expected).epsilon(1e-12));
}

TEST_CASE("friction beside a servo constraint, and beside one for accelerations", "[loads]") {
  // The control pushes along x, which has a part across the slope: N changes with its effort.
  const double s = std::sin(0.5), c = std::cos(0.5), a = 1.2, mu = 0.3, m = 3, g = 9.81;
  // m a = m g s + E c − μ N,  N = m g c − E s
  const double E = (m * a - m * g * s + mu * m * g * c) / (c + mu * s), N = m * g * c - E * s;
  const Loaded loaded =
      block("[constraints.drive]\nacceleration = \"der(der(along)) - 1.2*g/9.81\"\nrealised_by = { x = 1 }\n", 1);
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  advance(*simulation, 1);
  CHECK(simulation->multipliers()[0] == Approx(N).epsilon(1e-11));
  CHECK(simulation->multipliers()[1] == Approx(E).epsilon(1e-11));
  const double* v = simulation->velocities();
  CHECK(v[0] * c - v[1] * s == Approx(2 + a).epsilon(1e-11));
}

TEST_CASE("cart and pole: the normal force depends on accelerations", "[loads]") {
  const Loaded loaded = cart_pole();
  Settings settings = loaded.settings;
  settings.method = method("dop853");
  settings.tolerance = 1e-11;
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  double y[4] = {0, 0.3, 1, -2};
  constexpr double h = 1e-5;
  for (int i = 0; i < 20000; ++i) {
    double k[4][4], at[4];
    cart_pole_by_hand(y, k[0]);
    for (int j = 0; j < 4; ++j) at[j] = y[j] + h / 2 * k[0][j];
    cart_pole_by_hand(at, k[1]);
    for (int j = 0; j < 4; ++j) at[j] = y[j] + h / 2 * k[1][j];
    cart_pole_by_hand(at, k[2]);
    for (int j = 0; j < 4; ++j) at[j] = y[j] + h * k[2][j];
    cart_pole_by_hand(at, k[3]);
    for (int j = 0; j < 4; ++j) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
  advance(*simulation, 0.2);
  for (int i = 0; i < 2; ++i) {
    CHECK(simulation->positions()[i] == Approx(y[i]).epsilon(1e-9));
    CHECK(simulation->velocities()[i] == Approx(y[2 + i]).epsilon(1e-9));
  }
  const double here[4] = {simulation->positions()[0], simulation->positions()[1], simulation->velocities()[0],
                          simulation->velocities()[1]};
  double rates[4];
  cart_pole_by_hand(here, rates);
  // Sums of terms of the order of gravity, here nearly zero.
  CHECK(simulation->accelerations()[0] == Approx(rates[2]).epsilon(1e-12).margin(1e-14));
  CHECK(simulation->accelerations()[1] == Approx(rates[3]).epsilon(1e-12).margin(1e-14));
}

TEST_CASE("pin friction: the load is the length of a force", "[loads]") {
  const Loaded loaded = pin_pendulum(0.4);
  for (const char* name : tangent_bases) {
    Settings settings = loaded.settings;
    settings.tangent_basis = basis(name);
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    for (int i = 1; i <= 20; ++i) {
      advance(*simulation, 0.05 * i);
      const Evaluation e = evaluate(loaded, *simulation);  // There are no loads.
      const VectorXd a = VectorXd::Map(simulation->accelerations(), 3),
                     lambda = VectorXd::Map(simulation->multipliers(), 2);
      VectorXd h = e.h;
      h[0] -= 0.4 * 0.05 * lambda.norm() * std::tanh(simulation->velocities()[0] / 1e-3);
      INFO(name << " t = " << simulation->time());
      CHECK((e.M * a - h - e.C_a.transpose() * lambda).norm() < 1e-11 * (1 + h.norm()));
      CHECK((e.C_a * a + e.gamma).norm() < 1e-11 * (1 + e.gamma.norm()));
    }
  }
}

TEST_CASE("friction takes what the energy loses", "[loads]") {
  const Loaded loaded = pin_pendulum(0.4);
  Settings settings = loaded.settings;
  settings.tolerance = 1e-11;
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  const auto energy = [&] {
    const double *q = simulation->positions(), *v = simulation->velocities();
    return (2 * (v[1] * v[1] + v[2] * v[2]) + 0.1 * v[0] * v[0]) / 2 + 2 * 9.81 * q[2];
  };
  const auto power = [&] {
    const double *lambda = simulation->multipliers(), rate = simulation->velocities()[0];
    return -0.02 * std::hypot(lambda[0], lambda[1]) * std::tanh(rate / 1e-3) * rate;
  };
  const double before = energy();
  double work = 0;
  constexpr int intervals = 400;
  constexpr double h = 0.1 / intervals;
  for (int i = 0; i <= intervals; ++i) {  // This is Simpson's rule.
    if (i > 0) advance(*simulation, i * h);
    work += power() * h / 3 * (i == 0 || i == intervals ? 1 : i % 2 == 1 ? 4 : 2);
  }
  CHECK(work < -0.03);
  CHECK(energy() - before == Approx(work).epsilon(1e-9));
}

TEST_CASE("Painlevé's rod: solvable below the critical friction, jammed above it", "[loads]") {
  const double angle = 0.785398, c = std::cos(angle), s = std::sin(angle), critical = (1 + 3 * c * c) / (3 * s * c);
  for (const double direction : {1.0, -1.0}) {
    const Loaded loaded = rod(critical - 0.2, angle, 2 * direction);
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    const double mu = -direction * (critical - 0.2);
    CHECK(simulation->multipliers()[0] == Approx(9.81 / (1 + 3 * c * (c - mu * s))).epsilon(1e-5));
    // Above it there is no solution in one direction, and there are two in the other.
    const Loaded more = rod(critical + 0.2, angle, 2 * direction);
    const auto jammed = more.simulation();
    CHECK_FALSE(jammed->assemble(0));
    INFO(jammed->message().text);
    CHECK(says(*jammed, "jams at t = 0 s: the friction of 'groove'"));
  }
}

TEST_CASE("a mechanism that jams on its way stops there and keeps the last good state", "[loads]") {
  const Loaded loaded = rod(2, 1.45, -5);
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  advance(*simulation, 0.01);
  const std::vector<double> before = copy_state(*simulation);
  CHECK_FALSE(simulation->advance(2));
  INFO(simulation->message().text);
  CHECK(says(*simulation, "jams at t = "));
  CHECK(says(*simulation, "'groove'"));
  const double c = std::cos(simulation->positions()[2]), s = std::sin(simulation->positions()[2]);
  CHECK(6 * s * std::fabs(c) < 1 + 3 * c * c);
  CHECK(same_state(*simulation, before));
}

TEST_CASE("an abrupt load that has no solution is named with what stays open", "[loads]") {
  const Loaded loaded = Loaded::text(block_text, [](Equations& e) {
    // A value that jumps across the only place where it could be met.
    const SX load = add_loads(e, {{"step", SX(0)}});
    e.loads[0].value = SX::if_else(load < 2, SX(3), SX(1));
    e.forces = SX::vertcat({load, SX(0)});
  });
  const auto simulation = loaded.simulation();
  CHECK_FALSE(simulation->assemble(0));
  INFO(simulation->message().text);
  CHECK(says(*simulation, "The load of 'step' cannot be found at t = 0 s"));
}

TEST_CASE("what carries nothing but rounding has no friction", "[loads]") {
  // A turning body that falls freely: m a − Q is the reaction of no joint at all, in the body's axes.
  const Loaded loaded =
      Loaded::text(R"toml(
[mechanism]
name = "Falling"
[parameters]
m = { value = 1.3, unit = "kg" }
J = { value = 0.1, unit = "kg.m2" }
g = { value = 9.81, unit = "m/s2" }
c = { value = 0.7, unit = "N.s/m" }
[coordinates]
x = { unit = "m", start = 0.1, rate_start = 2 }
y = { unit = "m", start = 0.3, rate_start = 1 }
th = { unit = "rad", start = 1, rate_start = 3 }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2 + J*der(th)^2/2"
potential_energy = "m*g*y"
)toml",
                   [](Equations& e) {
                     const SX m = e.symbols.parameters(0), drag = -e.symbols.parameters(3) * e.symbols.v(0);
                     const SX loads = add_loads(e, {{"nothing", SX(0)}, {"nothing again", SX(0)}});
                     const SX rub = -0.7 * loads(0) * SX::tanh(e.symbols.v(0)),
                              turn = -0.05 * loads(1) * SX::tanh(e.symbols.v(2));
                     const SX x = m * e.symbols.acceleration(0) - drag - rub;
                     const SX y = m * e.symbols.acceleration(1) + m * e.symbols.parameters(2);
                     const SX c = SX::cos(e.symbols.q(2)), s = SX::sin(e.symbols.q(2));
                     e.loads[0].value = e.loads[1].value = SX::norm_2(SX::vertcat({c * x + s * y, c * y - s * x}));
                     e.forces = SX::vertcat({drag + rub, SX(0), turn});
                   });
  Settings settings = loaded.settings;
  settings.tolerance = 1e-10;  // so that it is asked often
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  advance(*simulation, 1);
  CHECK(simulation->velocities()[0] == Approx(2 * std::exp(-0.7 / 1.3)).epsilon(1e-8));
  CHECK(simulation->velocities()[1] == Approx(1 - 9.81).epsilon(1e-12));
}

TEST_CASE("reading and rolling back leave the bits of a motion with friction", "[loads]") {
  for (const Loaded& loaded : {pin_pendulum(0.4), cart_pole()}) {
    for (const char* name : integration_methods) {
      check_reads_and_rollback(loaded, name, [](Simulation& s) { return s.accelerations()[0]; });
    }
  }
}
