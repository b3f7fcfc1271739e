// Tests unknowns beside what comes and goes: their equations contain positions and rates only, so that they are finite
// forces that jump with speeds. Motions are compared with a closed form, and with files that have the formula of the
// unknown in its place.
#include <catch2/catch.hpp>

#include <cmath>

#include "../mechanisms.hpp"
#include "../methods.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

struct Run {
  std::vector<double> q, v;
  double events;
};

Run moved(const std::string& text, const char* name, double end) {
  const Loaded loaded = Loaded::text(text);
  Settings settings = loaded.settings;
  settings.method = method(name);
  settings.tolerance = 1e-10;
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  for (int i = 1; i <= 10; ++i) advance(*simulation, end * i / 10);
  const Sizes& s = loaded.sizes();
  return {{simulation->positions(), simulation->positions() + s.positions},
          {simulation->velocities(), simulation->velocities() + s.velocities},
          double(simulation->events())};
}

/// Is a mass of 2 kg whose damper has a force of 3 N.s/m, and that comes to a stop at 1 m with 4 m/s.
std::string damped_mass(const std::string& equation) {
  return R"toml(
[mechanism]
name = "Mass"
[parameters]
d = { value = 3, unit = "N.s/m" }
[coordinates]
x = { unit = "m", rate_start = 4 }
[dynamics]
kinetic_energy = "2*der(x)^2/2"
[dynamics.forces]
x = "-p"
[unknowns]
p = { unit = "N", equation = ")toml" +
         equation + R"toml(" }
[contacts.stop]
gap = "1 - x"
restitution = 0.5
)toml";
}

/// Is a block that a spring pulls along a guide whose friction sticks, between two limits, with a flywheel on a clutch
/// and a damper whose speed is a logarithm of its force.
std::string block(bool by_unknown) {
  const std::string force = by_unknown ? "-p" : "-f0*(exp(der(S.position)/v0) - 1)";
  return R"toml(
[mechanism]
name = "Block"
dimension = "planar"
gravity = [0, -9.81]
[parameters]
f0 = { value = 0.3, unit = "N" }
v0 = { value = 0.7, unit = "m/s" }
[bodies.block]
mass = 2
inertia = 1
[bodies.wheel]
mass = 1
inertia = 0.2
[joints.S]
type = "prismatic"
parent = "ground"
child = "block"
position = { rate_start = 1.5, limits = [-0.05, 0.08], restitution = 0.6 }
[joints.R]
type = "revolute"
parent = "block"
child = "wheel"
angle = { rate_start = 6 }
[couplings.brake]
type = "clutch"
coordinate = "R.angle"
capacity = 0.3
[forces.spring]
type = "joint_spring_damper"
coordinate = "S.position"
stiffness = 300
rest = 0.05
[forces.guide]
type = "friction"
coordinate = "S.position"
coulomb = 0.02
static = 0.03
[forces.damper]
type = "joint_force"
coordinate = "S.position"
value = ")toml" +
         force + "\"\n" +
         (by_unknown ? "[unknowns]\np = { unit = \"N\", equation = \"log(1 + p/f0) - der(S.position)/v0\" }\n" : "");
}

}  // namespace

TEST_CASE("an unknown force of a damper follows the speed through an impact", "[contacts][unknowns]") {
  // v = v0 exp(−c t), x = v0 (1 − exp(−c t))/c with c = d/m, up to the stop at x = 1; back with half the speed.
  const double c = 1.5, t_stop = -std::log(1 - c / 4) / c, v_stop = 4 * std::exp(-c * t_stop), end = 2;
  const double expected_v = -0.5 * v_stop * std::exp(-c * (end - t_stop)),
               expected_x = 1 - 0.5 * v_stop / c * (1 - std::exp(-c * (end - t_stop)));
  for (const char* name : {"dopri5", "dop853", "rodas"}) {
    INFO(name);
    const Run run = moved(damped_mass("p - d*der(x)"), name, end);
    CHECK(run.events == 1);
    CHECK(std::fabs(run.q[0] - expected_x) < 1e-8);
    CHECK(std::fabs(run.v[0] - expected_v) < 1e-8);
  }
}

TEST_CASE("unknowns beside contacts, clutches and frictions that stick are what their formulas say",
          "[contacts][unknowns]") {
  for (const char* name : {"dopri5", "dop853"}) {
    const Run unknown = moved(block(true), name, 2), formula = moved(block(false), name, 2);
    INFO(name);
    CHECK(unknown.events == formula.events);
    CHECK(unknown.events >= 3);
    for (std::size_t i = 0; i < unknown.q.size(); ++i) {
      CHECK(std::fabs(unknown.q[i] - formula.q[i]) < 1e-8);
      CHECK(std::fabs(unknown.v[i] - formula.v[i]) < 1e-8);
    }
  }
}
