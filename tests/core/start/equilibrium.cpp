// Tests the start in equilibrium: known places of rest, the stable one of several, and errors if nothing holds.
#include <Eigen/Geometry>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "equations/equations.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/rotations.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;
using Eigen::Vector3d;

namespace {

Loaded at_rest(const std::string& toml) {
  Equations equations = equations_of(toml);
  equations.equilibrium = true;
  return Loaded::equations(equations);
}

std::string refused(Simulation& simulation) {
  CHECK_FALSE(simulation.assemble(0));
  return simulation.message().text;
}

void check_rest(Simulation& simulation) {
  for (int j = 0; j < simulation.mechanism().sizes.velocities; ++j) {
    CHECK(simulation.velocities()[j] == 0);
    CHECK(std::fabs(simulation.accelerations()[j]) < 1e-9);
  }
}

const char* const pendulum_on_cart = R"toml(
[mechanism]
name = "Cart"
[parameters]
M = { value = 3, unit = "kg" }
m = { value = 2, unit = "kg" }
L = { value = 0.5, unit = "m" }
g = { value = 9.81, unit = "m/s2" }
k = { value = 400, unit = "N/m" }
[inputs]
push = { unit = "N", start = 20 }
side = { unit = "N" }
[coordinates]
s = { unit = "m", start = 0.3 }
x = { unit = "m", start = 0.5 }
y = { unit = "m", start = 0.1 }
[dynamics]
kinetic_energy = "M*der(s)^2/2 + m*(der(x)^2 + der(y)^2)/2"
potential_energy = "m*g*y + k*s^2/2"
[dynamics.forces]
s = "push"
x = "side"
[constraints.rod]
position = "(x - s)^2 + y^2 - L^2"
)toml";

}  // namespace

TEST_CASE("springs and weights find their balance, with inputs as they are", "[equilibrium]") {
  const Loaded loaded = at_rest(pendulum_on_cart);
  const auto simulation = loaded.simulation();
  for (const double side : {0.0, 5.0, -30.0}) {
    INFO(side);
    simulation->set_input(loaded.input("side"), side);
    assemble(*simulation);
    const double angle = std::atan2(side, 2 * 9.81), s = (20 + side) / 400;
    CHECK(simulation->positions()[0] == Approx(s).epsilon(1e-10));
    CHECK(simulation->positions()[1] == Approx(s + 0.5 * std::sin(angle)).epsilon(1e-10));
    CHECK(simulation->positions()[2] == Approx(-0.5 * std::cos(angle)).epsilon(1e-10));
    CHECK(simulation->position_violation() < 1e-15);
    check_rest(*simulation);
  }
}

TEST_CASE("of several equilibria the stable one is found, from exactly the other too", "[equilibrium]") {
  const Loaded loaded = at_rest(pendulum_on_cart);
  const auto simulation = loaded.simulation();
  for (const double x : {0.05, 0.0500001, 0.3, -0.2}) {
    INFO(x);
    simulation->set_parameter(loaded.parameter("s_start"), 0.05);
    simulation->set_parameter(loaded.parameter("x_start"), x);
    simulation->set_parameter(loaded.parameter("y_start"), 0.5);
    assemble(*simulation);
    CHECK(simulation->positions()[2] == Approx(-0.5).epsilon(1e-12));
    check_rest(*simulation);
  }
}

TEST_CASE("fixed values stay, the rest balances", "[equilibrium]") {
  std::string text = pendulum_on_cart;
  text.replace(text.find("start = 0.3 }"), 13, "start = 0.3, fixed = true }");
  const Loaded loaded = at_rest(text);
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  CHECK(simulation->positions()[0] == 0.3);
  CHECK(simulation->positions()[1] == Approx(0.3).epsilon(1e-10));
  CHECK(simulation->positions()[2] == Approx(-0.5).epsilon(1e-12));
  CHECK(simulation->accelerations()[0] == Approx((20 - 0.3 * 400) / 3).epsilon(1e-8));  // it is let go
}

TEST_CASE("what nothing holds stays where nothing pushes, and is told where something does", "[equilibrium]") {
  std::string text = pendulum_on_cart;
  text.replace(text.find("+ k*s^2/2"), 9, "+ 0*k*s^2");
  text.replace(text.find(", start = 20"), 12, "");
  const Loaded loaded = at_rest(text);
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  CHECK(simulation->positions()[1] == Approx(simulation->positions()[0]).margin(1e-10));
  CHECK(std::fabs(simulation->positions()[0]) < 1);
  simulation->set_input(loaded.input("push"), 1);
  const std::string message = refused(*simulation);
  INFO(message);
  CHECK(message.find("No equilibrium was found: nothing holds 's'") != std::string::npos);
  CHECK(message.find("fixed = true") != std::string::npos);
}

TEST_CASE("a stop that is out of reach at first is found by falling", "[equilibrium]") {
  const Loaded loaded = at_rest(R"toml(
[mechanism]
name = "Falls"
[parameters]
m = { value = 2, unit = "kg" }
g = { value = 9.81, unit = "m/s2" }
k = { value = 1e5, unit = "N/m" }
[coordinates]
y = { unit = "m", start = 3 }
[dynamics]
kinetic_energy = "m*der(y)^2/2"
[dynamics.forces]
y = "-m*g + k*max(-y, 0)"
)toml");
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  CHECK(simulation->positions()[0] == Approx(-2 * 9.81 / 1e5).epsilon(1e-9));
}

TEST_CASE("forces without a potential balance too", "[equilibrium]") {
  const Loaded loaded = at_rest(R"toml(
[mechanism]
name = "Follower"
[parameters]
m = { value = 2, unit = "kg" }
k = { value = 50, unit = "N/m" }
c = { value = 30, unit = "N/m" }
F = { value = 4, unit = "N" }
[coordinates]
x = { unit = "m", start = 0.3 }
y = { unit = "m", start = 0.1 }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2"
[dynamics.forces]
x = "-k*x + c*y + F"
y = "-k*y - c*x"
)toml");
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  CHECK(simulation->positions()[0] == Approx(4 * 50.0 / 3400).epsilon(1e-10));
  CHECK(simulation->positions()[1] == Approx(-4 * 30.0 / 3400).epsilon(1e-10));
}

TEST_CASE("a body on a ball joint hangs along its weight and its load", "[equilibrium]") {
  const Vector3d s(0.1, -0.2, 0.5);
  test::SpatialBody body(2, {0.2, 0.5, 0.3}, 9.81);
  body.pin({s[0], s[1], s[2]});
  body.further().equilibrium = true;
  const Loaded loaded = Loaded::equations(body.equations({0.1, 0.9, 0.1, -0.2, 0.3, 0.2, 0.3}, {0, 0, 0, 0, 0, 0}));
  const auto simulation = loaded.simulation();
  for (const double push : {0.0, 10.0, -200.0}) {
    INFO(push);
    simulation->set_input(0, push);
    assemble(*simulation);
    const double* q = simulation->positions();
    const Vector3d centre(q[0], q[5], q[6]), load = Vector3d(push, 0, -2 * 9.81).normalized();
    CHECK((centre - s.norm() * load).norm() < 1e-10);
    check_rest(*simulation);
  }
}

TEST_CASE("frictions, clutches and one-way couplings rest where all else balances", "[equilibrium][contacts]") {
  // A block of 2 kg on a guide down which it hangs at a spring, with a wheel on it, and a load that a pad carries.
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Hoist"
dimension = "planar"
gravity = [0, -9.81]
start = "equilibrium"
[bodies.block]
mass = 2
inertia = 1
[bodies.wheel]
mass = 1
inertia = 0.2
center_of_mass = [0.1, 0]
[bodies.load]
mass = 3
inertia = 1
points = { foot = [0, 0] }
[joints.S]
type = "prismatic"
parent = "ground"
child = "block"
axis = ["cos(0.3)", "-sin(0.3)"]
position = { start = 0.5 }
[joints.R]
type = "revolute"
parent = "block"
child = "wheel"
angle = { start = -1 }
[joints.L]
type = "prismatic"
parent = "ground"
child = "load"
axis = [0, 1]
position = { start = -0.01 }
[forces.spring]
type = "joint_spring_damper"
coordinate = "S.position"
stiffness = 400
[forces.guide]
type = "friction"
coordinate = "S.position"
coulomb = 0.3
[couplings.brake]
type = "clutch"
coordinate = "R.angle"
capacity = 2
[couplings.ratchet]
type = "one_way"
first = "R.angle"
second = "ground"
[contacts.pad]
first = { body = "load", point = "foot" }
second = { body = "ground", plane = [0, 1] }
stiffness = 2e5
exponent = 1.5
)toml");
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  const double sunk = std::pow(3 * 9.81 / 2e5, 1 / 1.5);
  for (const double time : {0.0, 5.0}) {
    if (time > 0) advance(*simulation, time);
    CHECK(simulation->positions()[loaded.index("S.position")] == Approx(3 * 9.81 * std::sin(0.3) / 400).epsilon(1e-9));
    CHECK(simulation->positions()[loaded.index("R.angle")] == Approx(-std::numbers::pi / 2).epsilon(1e-9));
    CHECK(std::fabs(simulation->positions()[loaded.index("L.position")] + sunk) < 1e-9);
    if (time == 0) check_rest(*simulation);
  }
  CHECK(simulation->events() == 0);
}
