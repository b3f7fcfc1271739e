// Tests contacts that give way: bounces on a spring against a closed form, what damping leaves of a speed against the
// law's first integral, friction of a puck, and the reaction of a joint beside such a contact.
#include <catch2/catch.hpp>

#include <cmath>

#include "../contact_motions.hpp"
#include "../mechanisms.hpp"
#include "../methods.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

constexpr double g = 9.81;

/// Returns a mass of 2 kg above a floor that gives way.
std::string above_floor(const std::string& contact, const std::string& gravity = "9.81",
                        const std::string& rate = "0") {
  return R"toml(
[mechanism]
name = "Drop"
[parameters]
m = { value = 2, unit = "kg" }
g = { value = )toml" +
         gravity + R"toml(, unit = "m/s2" }
[coordinates]
y = { unit = "m", start = 0.5, rate_start = )toml" +
         rate + R"toml( }
[dynamics]
kinetic_energy = "m*der(y)^2/2"
potential_energy = "m*g*y"
[contacts.floor]
gap = "y"
)toml" + contact;
}

}  // namespace

TEST_CASE("a mass bounces on a floor of springs as flights and half oscillations say", "[contacts]") {
  const Loaded loaded = Loaded::text(above_floor("stiffness = 2e4\n"));
  CHECK(loaded.sizes().contacts == 0);  // It has no friction, and so no rows.
  const double w = std::sqrt(2e4 / 2), fall = std::sqrt(2 * 0.5 / g), speed = g * fall, depth = g / w / w;
  // Below the floor y = −depth + depth cos w τ − (v/w) sin w τ, which is 0 again at w τ = 2 (π − atan(v/(w depth))).
  const double below = 2 * (std::numbers::pi - std::atan2(speed / w, depth)) / w, period = 2 * fall + below;
  const auto height = [&](double t) {
    const double in_period = std::fmod(t + fall, period) - fall;  // The mass is highest at 0.
    if (in_period < fall) return 0.5 - g / 2 * in_period * in_period;
    const double in = in_period - fall;
    return -depth + depth * std::cos(w * in) - speed / w * std::sin(w * in);
  };
  for (const char* one : {"dopri5", "dop853", "rodas"}) {
    Settings settings = loaded.settings;
    settings.method = method(one);
    settings.tolerance = 1e-11;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    int events = 0;
    for (const double t : {0.2, fall + below / 3, period, 3.7 * period, 8 * period + fall + below / 2}) {
      advance(*simulation, t);
      INFO(one << ", t = " << t);
      CHECK(simulation->positions()[0] == Approx(height(t)).margin(2e-8));
      events = static_cast<int>(simulation->events());
    }
    CHECK(events == 17);  // There are eight landings and departures, and a ninth landing.
  }
}

TEST_CASE("damping leaves of a speed what the law's first integral says", "[contacts]") {
  // m v dv/(1 + d v) = −k δⁿ dδ: the integral of the left side is the same where δ = 0 again.
  const double d = 0.3, v = 2;
  const auto integral = [&](double at) { return d * at - std::log(1 + d * at); };
  double low = 0, high = v;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (integral(-middle) < integral(v) ? low : high) = middle;
  }
  for (const char* exponent : {"1", "1.5", "2.2"}) {
    const Loaded loaded = Loaded::text(
        above_floor(std::string("stiffness = 1e5\ndamping = 0.3\nexponent = ") + exponent + "\n", "0", "-2"));
    Settings settings = loaded.settings;
    settings.tolerance = 1e-11;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 0.9);
    INFO(exponent);
    CHECK(simulation->positions()[0] > 0);
    CHECK(simulation->velocities()[0] == Approx(low).epsilon(1e-8));
  }
}

TEST_CASE("what leaves fast is not pulled back", "[contacts]") {
  // A thrust lifts the mass faster than 1/d while it is deep: there the law alone would pull.
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Lift"
[coordinates]
y = { unit = "m", start = -0.1, rate_start = 3 }
[dynamics]
kinetic_energy = "der(y)^2/2"
[contacts.floor]
gap = "y"
stiffness = 100
damping = 0.5
)toml");
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  advance(*simulation, 0.02);
  CHECK(simulation->velocities()[0] == 3);
  CHECK(simulation->positions()[0] == Approx(-0.04).epsilon(1e-12));
}

TEST_CASE("a puck stops on a table that gives way, by all methods", "[contacts]") {
  const std::string text =
      replaced(replaced(puck_on_table(), "z = { unit = \"m\" }", "z = { unit = \"m\", start = -1.962e-3 }"),
               "friction = 0.25", "friction = 0.25\nstatic = 0.3\nstiffness = 1e4");
  const Loaded loaded = Loaded::text(text);  // It rests as deep as 2 kg press.
  const double stop = 5 / (0.25 * g), way = 25 / (2 * 0.25 * g);
  for (const char* one : integration_methods) {
    Settings settings = loaded.settings;
    settings.method = method(one);
    settings.step = 1e-3;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    INFO(one);
    const double bound = std::string(one) == "rk4" ? 1e-3 : 1e-7;
    CHECK(simulation->contact_state(0) == 1);
    advance(*simulation, stop / 2);
    CHECK(simulation->velocities()[0] == Approx(1.5).margin(bound));
    advance(*simulation, stop + 0.1);
    CHECK(simulation->contact_state(0) == 2);
    CHECK(simulation->positions()[0] == Approx(0.6 * way).margin(bound));
    CHECK(simulation->positions()[1] == Approx(0.8 * way).margin(bound));
    CHECK(std::fabs(simulation->velocities()[0]) < 1e-14);
  }
}

TEST_CASE("a joint bears what a contact beside it does not", "[contacts]") {
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Flap"
dimension = "planar"
gravity = [0, -9.81]
[ground.points]
S = [0.75, 0]
[bodies.rod]
mass = 3
center_of_mass = [0.5, 0]
inertia = 0.25
[bodies.rod.points]
E = [0.75, 0]
[joints.A]
type = "revolute"
parent = "ground"
child = "rod"
angle = { start = 0.3 }
[contacts.pad]
first = { body = "rod", circle = 0.01, at = "E" }
second = { body = "ground", plane = [0, 1], at = "S" }
stiffness = 1e6
exponent = 1.5
damping = 2
friction = 0.5
[outputs]
support = { value = "A.reaction.force.y", unit = "N" }
pushed = { value = "pad.normal.force", unit = "N" }
)toml");
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  advance(*simulation, 8);
  // At rest the moments about A balance: the pad's force at 0.75 m holds the weight at 0.5 m.
  CHECK(std::fabs(simulation->velocities()[0]) < 1e-6);
  // Friction holds the rod a little before its place without friction.
  const double support = loaded.output(*simulation, "support"), pushed = loaded.output(*simulation, "pushed");
  CHECK(support == Approx(3 * g / 3).epsilon(1e-3));
  CHECK(support + pushed == Approx(3 * g).epsilon(1e-6));
}
