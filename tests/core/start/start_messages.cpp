// Tests messages about starts that cannot be found: they tell the gap in the author's units, points and lengths, and
// the values that cause it.
#include <catch2/catch.hpp>

#include "fmu_src/start/start.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

/// Returns the message for the file's own values, or after `change`.
template <class Change>
std::string refusal(const Loaded& loaded, const Change& change) {
  const auto simulation = loaded.simulation();
  change(*simulation);
  CHECK_FALSE(simulation->assemble(0));
  return simulation->message().text;
}
std::string refusal(const Loaded& loaded) {
  return refusal(loaded, [](Simulation&) {});
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Writes a slider-crank in millimetres and degrees, with D fixed at a position.
std::string slider(const std::string& joint_D, const std::string& rod = "400") {
  return R"toml(
[mechanism]
name = "Slider"
dimension = "planar"
[parameters]
crank = { value = 100, unit = "mm" }
rod = { value = )toml" +
         rod + R"toml(, unit = "mm" }
tilt = { value = 5, unit = "deg" }
[bodies.wheel]
mass = 1
inertia = 0.1
points.B = ["crank", 0]
[bodies.link]
mass = 1
inertia = 0.1
points.C = ["rod", 0]
[bodies.slider]
mass = 1
[joints.A]
type = "revolute"
parent = "ground"
child = "wheel"
angle = { start = 30, unit = "deg" }
[joints.B]
type = "revolute"
parent = "wheel.B"
child = "link"
[joints.C]
type = "revolute"
parent = "link.C"
child = "slider"
cut = true
[joints.D]
type = "prismatic"
parent = "ground"
child = "slider"
position = { )toml" +
         joint_D + " }\n";
}

}  // namespace

TEST_CASE("messages have the file's units, and the points and lengths concerned", "[start][messages]") {
  SECTION("out of reach") {
    const Loaded loaded = Loaded::text(slider("start = 450, fixed = true, unit = \"mm\""));
    const std::string text = refusal(loaded, [&](Simulation& simulation) {
      simulation.set_parameter(loaded.parameter("D.position_start"), 0.62);
    });
    INFO(text);
    CHECK(contains(text,
                   "at the joint 'C' the pins link.C and slider.O stay 120 mm apart; the links of 400 mm (link) and "
                   "100 mm (wheel) lie between."));
    CHECK(contains(text, "The fixed start 'D.position' = 620 mm cannot be reached: at most 500 mm."));
    CHECK_FALSE(contains(text, "SI"));
  }
  SECTION("of other parameters") {
    const Loaded loaded = Loaded::text(slider("start = 450, fixed = true, unit = \"mm\""));
    const std::string text =
        refusal(loaded, [&](Simulation& simulation) { simulation.set_parameter(loaded.parameter("crank"), 0.02); });
    INFO(text);
    CHECK(contains(text, "stay 30 mm apart; the links of 400 mm (link) and 20 mm (wheel) lie between."));
  }
  SECTION("at another rate than the constraints allow") {
    const std::string text =
        refusal(Loaded::text(slider("start = 450, fixed = true, unit = \"mm\", rate_start = 2, "
                                    "rate_fixed = true") +
                             "\n[constraints.speed]\nvelocity = \"der(A.angle) - 1*tilt\"\n"));
    INFO(text);
    CHECK(contains(text, "The fixed start values over-determine it: 'der(D.position)' (start 2 mm/s, reached "));
  }
}

TEST_CASE("rods are told by how much they miss their length, not by their equation", "[start][messages]") {
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Rod"
dimension = "planar"
[parameters]
height = { value = 0.8, unit = "m" }
[bodies.mass]
mass = 1
inertia = 1
[joints.rail]
type = "prismatic"
parent = "ground"
child = "mass"
position = { start = 0.5 }
[ground.points]
P = [0, "height"]
[joints.rod]
type = "distance"
parent = "ground.P"
child = "mass"
length = 1
)toml");
  const std::string text =
      refusal(loaded, [&](Simulation& simulation) { simulation.set_parameter(loaded.parameter("height"), 3); });
  INFO(text);  // 3 m instead of 1 m; the equation, (d² − l²)/2l, is open by 4 m
  CHECK(contains(text,
                 "at the joint 'rod' the distance of ground.P and mass.O stays 2 m from its length of 1 m. No start"));
}

TEST_CASE("misaligned axes are named, with their angle", "[start][messages]") {
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Hinges"
dimension = "spatial"
[parameters]
tilt = { value = 0, unit = "deg" }
[bodies.door]
mass = 1
inertia = [1, 1, 1]
points.upper = { at = [0, 0, 1], rotation = { axis = [1, 0, 0], angle = "tilt" } }
[ground.points]
upper = { at = [0, 0, 1], rotation = { axis = [1, 0, 0], angle = 0 } }
[joints.lower]
type = "revolute"
parent = "ground"
child = "door"
[joints.upper]
type = "revolute"
parent = "ground.upper"
child = "door.upper"
)toml");
  const std::string text = refusal(loaded, [&](Simulation& simulation) {
    simulation.set_parameter(loaded.parameter("tilt"), 10 * M_PI / 180);
  });
  INFO(text);
  CHECK(contains(text, "at the joint 'upper' the axes in ground and door stay 10 deg out of line."));
}

TEST_CASE("six lengths of a Stewart platform are out of reach, not one too many", "[start][messages]") {
  const Loaded loaded = Loaded::model("stewart_platform");
  const std::string text = refusal(loaded, [&](Simulation& simulation) {
    simulation.set_parameter(loaded.parameter("actuator_1.position_start"), 3);
  });
  INFO(text);
  CHECK_FALSE(contains(text, "over-determine"));
  CHECK((contains(text, "with nothing fixed it closes near: 'actuator_1.position' (start 3 m") ||
         contains(text, "The fixed start 'actuator_1.position' = 3 m cannot be reached: at most ")));
}

TEST_CASE("velocity constraints that hold what positions leave free are found", "[start][messages]") {
  // Each pair of rows: flags of what they hold.
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Held"
[coordinates]
x = { unit = "m", start = 1 }
y = { unit = "m", start = 0.2 }
z = { unit = "m" }
w = { unit = "m" }
[dynamics]
mass_matrix = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
[constraints.fixed]
position = "w - 0.5"
[constraints.circle]
position = "x^2 + y^2 - 1.04"
[constraints.blade]
velocity = "1*der(x) - y*der(y)"
)toml");
  const Mechanism& mechanism = loaded.table();
  Arena memory;
  ConsistentStart start(memory, mechanism);
  const double q[] = {1, 0.2, 0, 0.5};
  bool held[4], by[3];
  const bool positions[] = {true, true, false}, all[] = {true, true, true}, but_circle[] = {true, false, true};
  const double none = 0;
  const auto find = [&](const bool* counted) {
    start.immobile(0, loaded.parameters().data(), &none, q, counted, held, by);
  };
  find(positions);
  CHECK((!held[0] && !held[1] && !held[2] && held[3]));
  CHECK((by[0] && !by[1] && !by[2]));
  find(all);  // With x ẋ + y ẏ = 0 and ẋ = y ẏ both rates are zero.
  CHECK((held[0] && held[1] && !held[2] && held[3]));
  CHECK((by[0] && by[1] && by[2]));
  find(but_circle);
  CHECK((!held[0] && !held[1] && !held[2] && held[3]));
}
