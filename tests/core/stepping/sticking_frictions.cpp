// Tests friction of joints that sticks: its capacity follows from the joint's own reaction. Motions are compared with
// closed forms and with an integration by hand.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "../mechanisms.hpp"
#include "../methods.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

constexpr double g = 9.81;

/// Returns a block of 2 kg on a guide that rises at 0.3 rad, where it moves up at 2 m/s.
std::string block_on_guide(const std::string& friction, const std::string& more = "", double speed = 2) {
  return R"toml(
[mechanism]
name = "Guide"
dimension = "planar"
gravity = [0, -9.81]
[inputs]
push = { unit = "N" }
[bodies.block]
mass = 2
inertia = 1
[joints.S]
type = "prismatic"
parent = "ground"
child = "block"
axis = ["cos(0.3)", "sin(0.3)"]
position = { start = 0, fixed = true, rate_start = )toml" +
         std::to_string(speed) + R"toml(, rate_fixed = true }
[forces.push_force]
type = "joint_force"
coordinate = "S.position"
value = "push"
[forces.guide]
type = "friction"
coordinate = "S.position"
)toml" + friction +
         "\n" + more;
}

struct Run {
  double x, rate;
  int state;
  double events, evaluations;
};

Run moved(const Loaded& loaded, const char* name, double tolerance, double end, int parts = 1) {
  Settings settings = loaded.settings;
  settings.method = method(name);
  settings.tolerance = tolerance;
  settings.step = 1e-3;
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  for (int i = 1; i <= parts; ++i) advance(*simulation, end * i / parts);
  return {simulation->positions()[0], simulation->velocities()[0], simulation->contact_state(0),
          double(simulation->events()), simulation->evaluations()};
}

}  // namespace

TEST_CASE("a block on a guide stops, and sticks if the slope is not too steep", "[sticking]") {
  const double slope = 0.3, mu = 0.25, up = g * (std::sin(slope) + mu * std::cos(slope)), stop = 2 / up, way = 2 / up;
  const Loaded sticks = Loaded::text(block_on_guide("coulomb = 0.25\nstatic = 0.4")),
               slides = Loaded::text(block_on_guide("coulomb = 0.25"));
  for (const char* name : {"dopri5", "dop853", "rodas"}) {
    INFO(name);
    const Run at_rest = moved(sticks, name, 1e-9, 100);
    CHECK(std::fabs(at_rest.x - way) < 1e-10);
    CHECK(at_rest.rate == 0);
    CHECK(at_rest.state == 2);
    CHECK(at_rest.events == 1);
    CHECK(at_rest.evaluations < 400);
    const double down = g * (std::sin(slope) - mu * std::cos(slope)), t = 1;
    const Run back = moved(slides, name, 1e-9, stop + t);
    CHECK(back.state == 1);
    CHECK(back.rate == Approx(-down * t).epsilon(1e-11));
    CHECK(back.x == Approx(way - down * t * t / 2).epsilon(1e-11));
  }
  const Run fixed = moved(sticks, "rk4", 1e-9, 2);
  CHECK(fixed.x == Approx(way).epsilon(2e-3));
  CHECK(fixed.rate == 0);
  CHECK(fixed.state == 2);
}

TEST_CASE("a push that grows breaks a block loose where friction at rest ends", "[sticking]") {
  // It stands while |push − m g sin| ≤ static m g cos; the push grows by 10 N/s from 0.
  const double slope = 0.3, weight = 2 * g, begin = (weight * (0.4 * std::cos(slope) + std::sin(slope))) / 10, t = 0.5,
               force = weight * (0.4 - 0.25) * std::cos(slope);
  std::string text = block_on_guide("coulomb = 0.25\nstatic = 0.4", "", 0);
  const std::string push = "value = \"push\"";
  text.replace(text.find(push), push.size(), "value = \"10*{N/s}*time\"");
  text.replace(text.find("10*{N/s}*time"), 13, "rise*time");
  text.insert(text.find("[bodies"), "[parameters]\nrise = { value = 10, unit = \"N/s\" }\n");
  const Loaded loaded = Loaded::text(text);
  for (const char* name : {"dopri5", "dop853", "rodas"}) {
    INFO(name);
    const Run before = moved(loaded, name, 1e-9, begin - 1e-9);
    CHECK(std::fabs(before.x) < 1e-12);
    CHECK(before.state == 2);
    const Run after = moved(loaded, name, 1e-9, begin + t);
    CHECK(after.state == 1);
    CHECK(after.rate == Approx((force * t + 10 * t * t / 2) / 2).epsilon(1e-8));
    CHECK(after.x == Approx((force * t * t / 2 + 10 * t * t * t / 6) / 2).epsilon(1e-8));
  }
}

namespace {

constexpr const char* pendulum_text = R"toml(
[mechanism]
name = "Pendulum"
dimension = "planar"
gravity = [0, -9.81]
[bodies.rod]
mass = 2
inertia = 0.1
center_of_mass = [0, -0.5]
[joints.pin]
type = "revolute"
parent = "ground"
child = "rod"
angle = { start = 1.2, fixed = true, rate_fixed = true }
[forces.rub]
type = "friction"
coordinate = "pin.angle"
coulomb = 0.2
static = 0.3
radius = 0.05
)toml";

/// Is the pendulum above, by hand: I φ̈ = −m g L sin φ − μ r N σ, where N is the length of the pin's force, which
/// follows from φ̈; σ is the direction of the motion.
struct HandPendulum {
  static constexpr double m = 2, L = 0.5, I = 0.1 + m * L * L;
  double phi = 1.2, rate = 0, t = 0;

  static double normal(double phi, double rate, double acceleration) {
    const double along = m * L * rate * rate + m * g * std::cos(phi),
                 across = m * L * acceleration + m * g * std::sin(phi);
    return std::sqrt(along * along + across * across);
  }
  static double acceleration(double phi, double rate, double sigma, double coefficient = 0.2) {
    double a = 0;
    for (int i = 0; i < 60; ++i)
      a = (-m * g * L * std::sin(phi) - coefficient * 0.05 * normal(phi, rate, a) * sigma) / I;
    return a;
  }
  void step(double h, double sigma) {
    const auto f = [&](double x, double v) { return acceleration(x, v, sigma); };
    const double k1 = rate, l1 = f(phi, rate), k2 = rate + h / 2 * l1, l2 = f(phi + h / 2 * k1, k2),
                 k3 = rate + h / 2 * l2, l3 = f(phi + h / 2 * k2, k3), k4 = rate + h * l3, l4 = f(phi + h * k3, k4);
    phi += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    t += h;
  }
  /// Swings to the next turning point. Returns false if the pendulum sticks where it is.
  bool swing() {
    const double stuck = m * g * L * std::fabs(std::sin(phi));
    if (stuck <= 0.3 * 0.05 * m * g) return false;  // At rest N is the weight.
    const double sigma = phi > 0 ? -1 : 1, h = 1e-3;
    for (;;) {
      const HandPendulum before = *this;
      step(h, sigma);
      if (rate * sigma > 0) continue;
      double early = 0, late = h;
      for (int i = 0; i < 60; ++i) {
        *this = before;
        step((early + late) / 2, sigma);
        (rate * sigma > 0 ? early : late) = (early + late) / 2;
      }
      rate = 0;
      return true;
    }
  }
};

}  // namespace

TEST_CASE("a pendulum with friction in its pin swings out and sticks off its lowest place", "[sticking]") {
  HandPendulum hand;
  std::vector<HandPendulum> turns;
  while (hand.swing()) turns.push_back(hand);
  REQUIRE(turns.size() > 10);
  REQUIRE(std::fabs(hand.phi) > 1e-3);
  const Loaded loaded = Loaded::text(pendulum_text);
  REQUIRE(loaded.sizes().loads == 1);
  for (const char* name : {"dopri5", "dop853"}) {
    INFO(name);
    const Run third = moved(loaded, name, 1e-11, turns[2].t);
    CHECK(third.x == Approx(turns[2].phi).epsilon(1e-9));
    const Run end = moved(loaded, name, 1e-11, 100, 7);
    CHECK(end.x == Approx(hand.phi).epsilon(1e-6));
    CHECK(std::fabs(end.rate) < 1e-14);
    CHECK(end.state == 2);
    CHECK(end.events == 1);  // A slip that turns back is none.
  }
}

TEST_CASE("all resolutions and corrections agree on friction that sticks", "[sticking]") {
  const Loaded loaded = Loaded::text(pendulum_text);
  const Run reference = moved(loaded, "dop853", 1e-12, 2.3);
  int count = 0;
  for (std::size_t basis = 0; basis < std::size(tangent_bases); ++basis) {
    INFO(tangent_bases[basis]);
    Settings settings = loaded.settings;
    settings.tolerance = 1e-10;
    settings.tangent_basis = static_cast<int>(basis);
    const auto simulation = loaded.simulation(settings);
    if (!simulation->assemble(0)) continue;
    ++count;
    advance(*simulation, 2.3);
    CHECK(simulation->positions()[0] == Approx(reference.x).epsilon(1e-8));
    CHECK(simulation->velocities()[0] == Approx(reference.rate).epsilon(1e-7));
  }
  CHECK(count >= 14);
}

TEST_CASE("the force shows what friction does, at rest and in motion", "[sticking]") {
  const Loaded loaded = Loaded::text(block_on_guide("coulomb = 0.25\nstatic = 0.4\nviscous = 3"));
  const auto simulation = loaded.simulation(loaded.settings);
  assemble(*simulation);
  const double normal = 2 * g * std::cos(0.3);
  CHECK(loaded.output(*simulation, "guide.normal_force") == Approx(normal));
  CHECK(loaded.output(*simulation, "guide.force") == Approx(-0.25 * normal - 3 * 2));
  CHECK(loaded.output(*simulation, "guide.power") == Approx(2 * (-0.25 * normal - 3 * 2)));
  advance(*simulation, 3);
  CHECK(simulation->contact_state(0) == 2);
  CHECK(loaded.output(*simulation, "guide.force") == Approx(2 * g * std::sin(0.3)));
  CHECK(std::fabs(loaded.output(*simulation, "guide.power")) < 1e-13);
}

TEST_CASE("friction of joints that stick acts beside contacts, and takes no part in impacts", "[sticking][contacts]") {
  // The block meets a stop on its guide: it comes back with 0.5 of its speed, and is braked on both ways.
  const double slope = 0.3, mu = 0.1, up = g * (std::sin(slope) + mu * std::cos(slope)),
               down = g * (std::sin(slope) - mu * std::cos(slope)), wall = 0.3;
  const double hit = (2 - std::sqrt(4 - 2 * up * wall)) / up, speed = std::sqrt(4 - 2 * up * wall), t = 0.2;
  std::string text = block_on_guide("coulomb = 0.1");
  const std::string start = "start = 0, fixed";
  text.replace(text.find(start), start.size(), "limits = [\"none\", 0.3], restitution = 0.5, start = 0, fixed");
  const Loaded loaded = Loaded::text(text);
  for (const char* name : {"dopri5", "dop853", "rodas"}) {
    const Run end = moved(loaded, name, 1e-10, hit + t);
    CHECK(end.rate == Approx(-speed / 2 - down * t).epsilon(1e-9));
    CHECK(end.x == Approx(wall - speed / 2 * t - down * t * t / 2).epsilon(1e-9));
    CHECK(end.events == 1);
  }
}

TEST_CASE("friction acts on a driven coordinate against its motion, and the drive bears it", "[sticking]") {
  std::string text = pendulum_text;
  const std::string start = "{ start = 1.2, fixed = true, rate_fixed = true }";
  text.replace(text.find(start), start.size(), "{ motion = \"sin(2*{1/s}*time)\" }");
  text.replace(text.find("2*{1/s}*time"), 12, "w*time");
  text.insert(text.find("[bodies"), "[parameters]\nw = { value = 2, unit = \"rad/s\" }\n");
  const Loaded loaded = Loaded::text(text);
  const auto simulation = loaded.simulation(loaded.settings);
  assemble(*simulation);
  for (const double t : {0.3, 0.7, 1.1, 2.0, 2.6}) {
    INFO(t);
    advance(*simulation, t);
    const double phi = std::sin(2 * t), rate = 2 * std::cos(2 * t), acceleration = -4 * std::sin(2 * t),
                 normal = HandPendulum::normal(phi, rate, acceleration);
    CHECK(loaded.output(*simulation, "rub.normal_force") == Approx(normal).epsilon(1e-9));
    CHECK(loaded.output(*simulation, "rub.torque") == Approx(-0.2 * 0.05 * normal * (rate > 0 ? 1 : -1)).epsilon(1e-9));
    const double drive =
        HandPendulum::I * acceleration + 2 * g * 0.5 * std::sin(phi) + 0.2 * 0.05 * normal * (rate > 0 ? 1 : -1);
    CHECK(std::fabs(simulation->multipliers()[0]) == Approx(std::fabs(drive)).epsilon(1e-9));
  }
}

TEST_CASE("frictions in all joints of a loop take its energy, and hold it in the end", "[sticking]") {
  std::string text = text_of_model("four_bar") + "\n";
  for (const char* joint : {"A", "B", "C", "D"})
    text += "[forces.rub_" + std::string(joint) + "]\ntype = \"friction\"\ncoordinate = \"" + joint +
            ".angle\"\ncoulomb = 0.2\nradius = 0.1\n";
  const Loaded loaded = Loaded::text(text);
  Settings settings = loaded.settings;
  settings.method = method("dop853");
  settings.tolerance = 1e-10;
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  const double begin = loaded.output(*simulation, "energy.total");
  const auto power = [&] {
    double sum = 0;
    for (const char* joint : {"A", "B", "C", "D"})
      sum += loaded.output(*simulation, "rub_" + std::string(joint) + ".power");
    return sum;
  };
  double work = 0;
  const int steps = 2000;
  for (int i = 0; i < steps; ++i) {
    const double h = 0.5 / steps, before = power();
    advance(*simulation, (i + 0.5) * h);
    const double middle = power();
    advance(*simulation, (i + 1) * h);
    work += h / 6 * (before + 4 * middle + power());
  }
  CHECK(work < -0.1);
  CHECK(loaded.output(*simulation, "energy.total") - begin == Approx(work).epsilon(1e-6));
  advance(*simulation, 100);
  const double rest = simulation->positions()[0];
  int holding = 0;  // One is enough: the others may stand at the end of what they can bear.
  for (int i = 0; i < 4; ++i) holding += simulation->contact_state(i) == 2 ? 1 : 0;
  CHECK(holding >= 1);
  advance(*simulation, 200);
  CHECK(std::fabs(simulation->positions()[0] - rest) < 1e-10);
}

TEST_CASE("friction begins when a drive moves what rests", "[sticking]") {
  std::string text = pendulum_text;
  const std::string start = "{ start = 1.2, fixed = true, rate_fixed = true }";
  text.replace(text.find(start), start.size(), "{ motion = \"if(w*time < 1, 0, (w*time - 1)^3)\" }");
  text.insert(text.find("[bodies"), "[parameters]\nw = { value = 2, unit = \"1/s\" }\n");
  const Loaded loaded = Loaded::text(text);
  const auto simulation = loaded.simulation(loaded.settings);
  assemble(*simulation);
  CHECK(loaded.output(*simulation, "rub.torque") == 0);
  advance(*simulation, 0.4);
  CHECK(simulation->contact_state(0) == 2);
  CHECK(loaded.output(*simulation, "rub.torque") == 0);
  for (const double t : {0.6, 1.0}) {
    INFO(t);
    advance(*simulation, t);
    const double s = 2 * t - 1, normal = HandPendulum::normal(std::pow(s, 3), 3 * s * s * 2, 6 * s * 4);
    CHECK(simulation->contact_state(0) == 1);
    CHECK(loaded.output(*simulation, "rub.torque") == Approx(-0.2 * 0.05 * normal).epsilon(1e-9));
  }
}

TEST_CASE("friction on a coordinate that nothing can move takes nothing", "[sticking]") {
  // A guide across the pendulum's pin holds the block; only the pendulum swings.
  std::string text = pendulum_text;
  text += R"toml(
[joints.S]
type = "prismatic"
parent = "ground"
child = "block"
[bodies.block]
mass = 1
inertia = 1
[joints.bar]
type = "weld_of_block"
)toml";
  text.replace(text.find("[joints.bar]"), std::string::npos,
               "[constraints.stop]\nposition = \"S.position\"\n[forces.guide]\ntype = \"friction\"\ncoordinate = "
               "\"S.position\"\ncoulomb = 0.3\n");
  const Loaded with = Loaded::text(text), without = Loaded::text(pendulum_text);
  const Run one = moved(with, "dop853", 1e-10, 2), other = moved(without, "dop853", 1e-10, 2);
  CHECK(one.rate == Approx(other.rate).epsilon(1e-9));
  CHECK(one.events == other.events);
}

TEST_CASE("a contact whose slip nothing can move has no friction", "[sticking][contacts]") {
  // A block falls along a guide; the guide holds it across, and takes none of its friction.
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Press"
[coordinates]
x = { unit = "m" }
y = { unit = "m", start = 1 }
[dynamics]
kinetic_energy = "2*(der(x)^2 + der(y)^2)/2 + 1*der(x)*der(y)"
potential_energy = "2*9.81*y"
[constraints.guide]
position = "x*cos(0.3) + y*sin(0.3) - sin(0.3)"
[contacts.floor]
gap = "y"
slip = "der(x)*cos(0.3) + der(y)*sin(0.3)"
friction = 0.5
)toml");
  const auto simulation = loaded.simulation(loaded.settings);
  assemble(*simulation);
  advance(*simulation, 2);
  CHECK(simulation->contact_state(0) == 2);
  CHECK(std::fabs(loaded.output(*simulation, "floor.friction.force")) < 1e-9);
  CHECK(loaded.output(*simulation, "floor.normal.force") == Approx(2 * g));
  CHECK(std::fabs(simulation->multipliers()[0]) < 1e-9);
}
