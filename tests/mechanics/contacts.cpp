// Tests contacts of bodies in motion: joints have the same reactions to them in both kinds of coordinates, and the
// examples of docs/mechanism-file.md run without penetrating.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <numbers>

#include "assembled.hpp"
#include "modelDescription/description/description.hpp"

namespace mechfmu::testing {
namespace {

/// Is a chain of two rods whose end meets the floor, and whose first angle has a limit; the end slides.
std::string chain(const std::string& coordinates, bool spatial) {
  const std::string three = spatial ? ", 0]" : "]";
  return R"toml(
[mechanism]
name = "Chain"
dimension = ")toml" +
         std::string(spatial ? "spatial" : "planar") + "\"\ncoordinates = \"" + coordinates +
         "\"\ngravity = [0, -9.81" + three + R"toml(
[bodies.upper]
mass = 1
inertia = )toml" +
         (spatial ? "[0.1, 0.1, 0.1]" : "0.1") + "\ncenter_of_mass = [0.5, 0" + three + "\npoints.end = [1, 0" + three +
         R"toml(
[bodies.lower]
mass = 2
inertia = )toml" +
         (spatial ? "[0.2, 0.2, 0.2]" : "0.2") + "\ncenter_of_mass = [0.5, 0" + three + "\npoints.end = [1, 0" + three +
         "\n[ground.points]\nfloor = [0, \"sin(0.3) + sin(-0.7)\"" + three + R"toml(
[joints.A]
type = "revolute"
parent = "ground"
child = "upper"
angle = { start = 0.3, fixed = true, limits = [0.3, "none"] }
[joints.B]
type = "revolute"
parent = "upper.end"
child = "lower"
angle = { start = -1, fixed = true }
[couplings.brake]
type = "clutch"
coordinate = "B.angle"
capacity = 0.5
[contacts.floor]
first = { body = "lower", point = "end" }
second = { body = "ground", plane = [0, 1)toml" +
         three + R"toml(, at = "floor" }
friction = 0.2
)toml";
}

TEST_CASE("reactions of joints contain what contacts, limits and clutches do", "[contacts]") {
  for (const bool spatial : {false, true}) {
    Assembled relative(chain("relative", spatial)), absolute(chain("absolute", spatial));
    for (Assembled* one : {&relative, &absolute}) one->start();
    for (const double time : {0.0, 0.05}) {
      if (time > 0)
        for (Assembled* one : {&relative, &absolute}) one->advance(time);
      INFO((spatial ? "in space" : "in the plane") << " at " << time << " s");
      REQUIRE(relative["floor.normal.force"] > 1);
      REQUIRE(relative["A.angle.limit.effort"] > 1);
      for (const char* name : {"A.reaction.force.x", "A.reaction.force.y", "B.reaction.force.x", "B.reaction.force.y",
                               "floor.normal.force", "A.angle.limit.effort"})
        CHECK(relative[name] == Approx(absolute[name]).margin(1e-9));
      for (const char* joint : {"A", "B"}) {
        const std::string torque = joint + std::string(spatial ? ".reaction.torque.z" : ".reaction.torque");
        CHECK(relative[torque] == Approx(0).margin(1e-9));
        CHECK(absolute[torque] == Approx(0).margin(1e-9));
      }
      // The chain has its weight, and forces of the floor and of the hinge.
      const std::string friction = spatial ? "floor.friction.force.x" : "floor.friction.force";
      CHECK(relative["A.reaction.force.y"] == Approx(3 * 9.81 - relative["floor.normal.force"]).margin(1e-9));
      if (!spatial) CHECK(relative["A.reaction.force.x"] == Approx(-relative[friction]).margin(1e-9));
    }
  }
}

TEST_CASE("contacts hold beside constraints that are given for accelerations", "[contacts]") {
  Assembled cam(R"toml(
[mechanism]
name = "Cam"
dimension = "planar"
gravity = [0, -9.81]
[bodies.cam]
mass = 0.5
inertia = 2e-4
points = { centre = [0.006, 0] }
[bodies.follower]
mass = 0.3
[joints.shaft]
type = "revolute"
parent = "ground"
child = "cam"
angle = { start = "-pi/2", fixed = true, rate_start = 60, rate_fixed = true }
[joints.guide]
type = "prismatic"
parent = "ground"
child = "follower"
axis = [0, 1]
position = { start = 0.014, fixed = true }
[forces.spring]
type = "joint_force"
coordinate = "guide.position"
value = -60
[constraints.motor]
acceleration = "der(der(shaft.angle)) - 220"
[contacts.touch]
first = { body = "cam", circle = 0.02, at = "centre" }
second = { body = "follower", plane = [0, -1] }
friction = 0.08
)toml");
  cam.start();
  for (const double time : {0.0, 0.03, 0.06, 0.09}) {
    if (time > 0) cam.advance(time);
    INFO(time << " s");
    const double angle = -std::numbers::pi / 2 + 60 * time + 110 * time * time, rate = 60 + 220 * time;
    const double rise = 0.006 * (220 * std::cos(angle) - rate * rate * std::sin(angle));
    CHECK(cam["guide.position"] == Approx(0.02 + 0.006 * std::sin(angle)).epsilon(1e-9));
    CHECK(cam["touch.normal.force"] == Approx(60 + 0.3 * (9.81 + rise)).epsilon(1e-7));
    const double arm = 0.006 * std::cos(angle) + 0.08 * cam["guide.position"];
    CHECK(cam["constraint.motor.multiplier"] == Approx(2e-4 * 220 + cam["touch.normal.force"] * arm).epsilon(1e-9));
  }
}

TEST_CASE("friction of a joint sticks while a control turns the arm that carries it", "[contacts]") {
  // The axis of the guide is (1, 0.2, 0.3), and the arm turns about z with 3 rad/s: a slider of 1 kg at 0.5 m is pulled
  // outward along the guide by m ω² s cos²α, and pressed across it by m ω² s cos α sin α.
  for (const auto& [friction, sticks] : {std::pair{"4", true}, {"1", false}}) {
    Assembled arm(std::string(R"toml(
[mechanism]
name = "Arm"
dimension = "spatial"
[parameters]
speed = { value = 3, unit = "rad/s" }
[bodies.arm]
mass = 2
inertia = [1, 1, 1]
center_of_mass = [0.3, 0, 0.1]
[bodies.slider]
mass = 1
inertia = [0.2, 0.1, 0.1]
[joints.R]
type = "revolute"
parent = "ground"
child = "arm"
angle = { rate_start = "speed" }
[joints.S]
type = "prismatic"
parent = "arm"
child = "slider"
axis = [1, 0.2, 0.3]
position = { start = 0.5, fixed = true, rate_fixed = true }
[constraints.motor]
velocity = "der(R.angle) - speed"
realised_by = { R.angle = 1 }
[forces.guide]
type = "friction"
coordinate = "S.position"
coulomb = )toml") +
                  friction + "\n");
    arm.start();
    arm.advance(0.1);
    INFO("friction " << friction);
    const double square = 1 + 0.04 + 0.09, along = 9 * 0.5 * 1.04 / square,
                 across = 9 * 0.5 * std::sqrt(1.04 * 0.09) / square;
    CHECK((arm["S.position"] > 0.5) != sticks);
    if (!sticks) continue;
    CHECK(arm["guide.force"] == Approx(-along).epsilon(1e-9));
    CHECK(arm["guide.normal_force"] == Approx(across).epsilon(1e-9));
  }
}

TEST_CASE("forces that corners of a box share change as their derivatives say while it slides and turns",
          "[contacts]") {
  Assembled box(R"toml(
[mechanism]
name = "Box"
dimension = "spatial"
gravity = [2, 0, -9.81]
[bodies.box]
mass = 12
inertia = [0.25, 0.45, 0.52]
[joints.moves]
type = "free"
parent = "ground"
child = "box"
x = { rate_start = -1 }
y = { rate_start = 2 }
z = { start = 0.15 }
angular_velocity = { start = [0, 0, 10] }
[contacts.floor]
first = { body = "box", box = [0.6, 0.4, 0.3] }
second = { body = "ground", plane = [0, 0, 1] }
friction = 0.4
)toml");
  box.start();
  Simulation& simulation = box.simulation();
  const Sizes& s = box.table().sizes;
  const auto found = [&](const double* accelerations, const double* multipliers) {
    REQUIRE(accelerations);
    Eigen::VectorXd both(s.velocities + s.all_rows());
    both << Eigen::VectorXd::Map(accelerations, s.velocities), Eigen::VectorXd::Map(multipliers, s.all_rows());
    return both;
  };
  const double h = 1e-4;
  std::vector<Eigen::VectorXd> seen;
  Eigen::VectorXd slopes;
  for (int k = -2; k <= 2; ++k) {
    box.advance(0.1 + k * h);
    seen.push_back(found(simulation.accelerations(), simulation.multipliers()));
    if (k != 0) continue;
    REQUIRE(simulation.differentiate_by_time());
    slopes = found(simulation.acceleration_slopes(), simulation.multiplier_slopes());
  }
  CHECK(box["floor[1].normal.force"] > 0);
  const Eigen::VectorXd differences = (seen[0] - 8 * seen[1] + 8 * seen[3] - seen[4]) / (12 * h);
  REQUIRE(differences.lpNorm<Eigen::Infinity>() > 10);
  CHECK((slopes - differences).lpNorm<Eigen::Infinity>() < 1e-6);
}

/// Is a die that falls on one of its corners, which sticks, begins to slide and turns about.
std::string falling_die(const std::string& friction) {
  return R"toml(
[mechanism]
name = "Die"
dimension = "spatial"
gravity = [0, 0, -9.81]
[bodies.die]
mass = 2
inertia = [0.013, 0.013, 0.013]
[joints.moves]
type = "free"
parent = "ground"
child = "die"
z = { start = 0.3 }
orientation = { start = { rpy = [0.5, 0.4, 0] } }
[contacts.floor]
first = { body = "die", box = [0.2, 0.2, 0.2] }
second = { body = "ground", plane = [0, 0, 1] }
friction = )toml" +
         friction + "\n";
}

TEST_CASE("a corner that has stuck begins to slide in space", "[contacts]") {
  for (const char* friction : {"0.3", "0.4", "0.8"}) {
    Assembled die(falling_die(friction)), coarse(falling_die(friction));
    Settings settings;
    settings.tolerance = 1e-7;
    REQUIRE(coarse.simulation().use(settings));
    for (Assembled* one : {&die, &coarse}) one->start();
    INFO("friction " << friction);
    double energy = die["energy.total"];
    for (int i = 1; i <= 40; ++i) {
      die.advance(0.025 * i);
      CHECK(die["energy.total"] < energy + 1e-8);
      energy = die["energy.total"];
      if (i != 12) continue;
      coarse.advance(0.025 * i);
      CHECK((coarse.vector("die.position") - die.vector("die.position")).norm() < 1e-6);
    }
    CHECK(die.simulation().evaluations() < 25000);
  }
}

TEST_CASE("a puck that crosses a slope turns down it", "[contacts]") {
  // With μ = tan α friction takes from the speed what it leaves of the part of the velocity down the slope: their sum
  // stays.
  Assembled puck(R"toml(
[mechanism]
name = "Puck"
dimension = "spatial"
gravity = [0, 0, -9.81]
[parameters]
alpha = { value = 20, unit = "deg" }
mu = "tan(alpha)"
[ground.points]
slope = { at = [0, 0, 0], rotation = { axis = [0, 1, 0], angle = "alpha" } }
[bodies.puck]
mass = 2
inertia = [1, 1, 1]
[joints.moves]
type = "free"
parent = "ground.slope"
child = "puck"
y = { rate_start = 2 }
[contacts.touch]
first = { body = "puck", point = "O" }
second = { body = "ground", plane = [0, 0, 1], at = "slope" }
friction = "mu"
[solver]
tolerance = 1e-10
)toml");
  puck.start();
  for (int i = 1; i <= 20; ++i) {
    puck.advance(0.1 * i);
    const double x = puck["touch.slip.x"], y = puck["touch.slip.y"];
    CHECK(x + std::hypot(x, y) == Approx(2).epsilon(1e-8));
  }
  CHECK(puck["touch.slip.x"] == Approx(1).epsilon(1e-2));
}

/// Is a ball that slides on another one, which does not move, from its upper side, or, with weight upward, from its
/// lower side.
std::string ball_on_ball(bool below) {
  const std::string sign = below ? "-" : "";
  return R"toml(
[mechanism]
name = "Balls"
dimension = "spatial"
gravity = [0, 0, )toml" +
         std::string(below ? "9.81" : "-9.81") + R"toml(]
[bodies.ball]
mass = 1
inertia = [0.004, 0.004, 0.004]
[joints.moves]
type = "free"
parent = "ground"
child = "ball"
x = { start = 0.1, fixed = true }
y = { start = 0.05, fixed = true, rate_start = 1.2, rate_fixed = true }
z = { start = ")toml" +
         sign + "sqrt(1 - 0.0125)\", fixed = true, rate_start = \"" + (below ? "" : "-") +
         R"toml(1.2*0.05/sqrt(1 - 0.0125)", rate_fixed = true }
angular_velocity = { start = [)toml" +
         (below ? "-15, 5, " : "15, -5, ") + "3" + R"toml(], fixed = true, frame = "parent" }
[contacts.touch]
first = { body = "ball", sphere = 0.1 }
second = { body = "ground", sphere = 0.9 }
friction = 0.1
[solver]
tolerance = 1e-10
)toml";
}

TEST_CASE("slips go on where their directions jump", "[contacts]") {
  // Below, the normal passes 45 degrees to −z; above, nothing jumps.
  Assembled above(ball_on_ball(false)), below(ball_on_ball(true));
  for (Assembled* one : {&above, &below}) one->start();
  bool slides = false;
  double least = -1, most = 0;
  for (int i = 1; i <= 45; ++i) {
    for (Assembled* one : {&above, &below}) one->advance(0.02 * i);
    const Eigen::Vector3d up = above.vector("ball.position"), down = below.vector("ball.position");
    CHECK((up - Eigen::Vector3d(down.x(), down.y(), -down.z())).norm() < 1e-7);
    CHECK(above["touch.normal.force"] == Approx(below["touch.normal.force"]).margin(1e-6));
    CHECK(std::hypot(above["touch.slip.x"], above["touch.slip.y"]) ==
          Approx(std::hypot(below["touch.slip.x"], below["touch.slip.y"])).margin(1e-6));
    if (below["touch.gap"] > 1e-6) break;
    slides = slides || std::hypot(below["touch.slip.x"], below["touch.slip.y"]) > 0.1;
    least = std::max(least, down.z() / down.norm());
    most = std::min(most, down.z() / down.norm());
  }
  CHECK(slides);
  CHECK(least > -0.7);  // It has crossed the circle.
  CHECK(most < -0.75);
}

/// Returns the example of docs/mechanism-file.md that has this file name.
std::string example(const std::string& name) {
  std::ifstream page(std::string(MECHFMU_SOURCE_DIR) + "/docs/mechanism-file.md");
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) inside = line == "```toml " + name;
    else if (inside) text += line + "\n";
  }
  REQUIRE(!text.empty());
  return text;
}

TEST_CASE("things of the documentation fall, roll and lie without penetrating", "[contacts]") {
  for (const char* name : {"yard.toml", "track.toml"}) {
    Assembled things(example(name), name);
    things.start();
    INFO(name);
    for (int i = 1; i <= 10; ++i) {
      things.advance(0.1 * i);
      for (const Contact& contact : things.description().contacts)
        for (int piece = 0; piece <= 8; ++piece) {
          const std::string gap = contact.name + (piece > 0 ? "[" + std::to_string(piece) + "]" : "") + ".gap";
          INFO(gap << " at " << 0.1 * i << " s");
          if (things.has(gap)) CHECK(things[gap] > -1e-10);
        }
    }
    CHECK(things.simulation().events() >= 4);
  }
}

}  // namespace
}  // namespace mechfmu::testing
