// Tests what files say of rows that come and go: their gaps, speeds and numbers against formulas written by hand.
#include <catch2/catch.hpp>

#include <algorithm>

#include "derived.hpp"
#include "mechanics/compose_bodies.hpp"
#include "modelDescription/reading/read.hpp"

namespace mechfmu::test {
namespace {

using casadi::SX;

/// A rod that may touch the floor with its end, and a surface that moves.
const char* const beak = R"toml(
[mechanism]
name = "Beak"
[parameters]
m = { value = 2, unit = "kg" }
h = { value = 300, unit = "mm" }
mu = 0.3
e = 0.5
push = { value = 1, unit = "N" }
[inputs]
grease = { start = 1 }
[coordinates]
x = { unit = "m" }
y = { unit = "mm", start = 500 }
phi = { unit = "rad" }
[definitions]
height = "y + h*sin(phi)"
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2 + h^2*der(phi)^2)/2"
[contacts.tip]
gap = "height - 0.1*time"
slip = "der(x) - h*sin(phi)*der(phi) + 1"
friction = "mu*grease"
static = "2*mu*grease"
restitution = "e"
description = "on the floor"
[contacts.wall]
gap = "x"
slip = ["der(y)", "h*der(phi)"]
)toml";

Equations bodies_of(const std::string& text) {
  const ReadResult read = read_mechanism_text(text, "test.toml");
  for (const Diagnostic& diagnostic : read.diagnostics) UNSCOPED_INFO(to_text(diagnostic));
  REQUIRE(read.description);
  Diagnostics diagnostics;
  const std::optional<Equations> equations = compose_bodies(*read.description, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list()) UNSCOPED_INFO(to_text(diagnostic));
  REQUIRE(equations);
  return *equations;
}

TEST_CASE("contacts of a file of equations have its gaps, slips, numbers and units", "[contacts]") {
  const Equations e = equations_of(beak);
  REQUIRE(e.contacts.size() == 2);
  const ContactEquation &tip = e.contacts[0], &wall = e.contacts[1];
  CHECK(tip.name == "tip");
  CHECK(tip.what == "the contact 'tip'");
  CHECK(tip.description == "on the floor");
  CHECK(tip.law == contacts::Law::unilateral);
  REQUIRE(tip.slips.size() == 1);
  State at = random_state(e, 3);
  at.inputs[0] = 1.7;
  const double h = 0.3, phi = at.q[2], grease = at.inputs[0];
  const auto value = [&](const SX& expression) { return value_of(expression, e, at); };
  CHECK(value(tip.gap) == Approx(at.q[1] + h * std::sin(phi) - 0.1 * at.time));
  CHECK(value(tip.slips[0]) == Approx(at.v[0] - h * std::sin(phi) * at.v[2] + 1));
  CHECK(value(tip.friction) == Approx(0.3 * grease));
  CHECK(value(tip.rest) == 2);
  CHECK(value(tip.restitution) == 0.5);
  CHECK(tip.gap_unit.text == "mm");  // as the file itself writes lengths
  CHECK(tip.slip_unit.text == "m/s");
  CHECK(tip.force_unit.text == "N");
  CHECK(tip.friction_unit.text == "N");
  REQUIRE(wall.slips.size() == 2);
  CHECK(value(wall.slips[1]) == Approx(h * at.v[2]));
  CHECK(value(wall.friction) == 0);
  CHECK(value(wall.rest) == 1);
  CHECK(value(wall.restitution) == 0);
  // friction ≥ 0, static ≥ friction, 0 ≤ restitution ≤ 1; the numbers of the wall need no conditions.
  REQUIRE(e.conditions.size() == 4);
  CHECK(value(e.conditions[1].number) == Approx(0.6 * grease));
  CHECK(value(e.conditions[1].bound) == Approx(0.3 * grease));
  CHECK(value(e.conditions[3].number) == 0.5);
  at.inputs[0] = 0;
  CHECK(value(tip.rest) == 1);  // Without friction there is none at rest.
}

TEST_CASE("contacts of bodies may use their coordinates and sensors, also at cuts", "[contacts]") {
  const Equations e = bodies_of(R"toml(
[mechanism]
name = "Rope"
dimension = "planar"
[parameters]
length = { value = 2, unit = "m" }
[bodies.rod]
mass = 1
inertia = 1
points.end = [1, 0]
[bodies.load]
mass = 1
inertia = 1
[joints.A]
type = "revolute"
parent = "ground"
child = "rod"
angle = { start = 0.3 }
[joints.B]
type = "revolute"
parent = "rod.end"
child = "load"
angle = { start = 0.3 }
[joints.C]
type = "revolute"
parent = "ground"
child = "load"
cut = true
[sensors.tackle]
to = "rod.end"
[contacts.rope]
gap = "length - tackle.x"
slip = "der(tackle.y)"
friction = 0.2
[contacts.stop]
gap = "2 - C.angle"
)toml");
  REQUIRE(e.contacts.size() == 2);
  State at = random_state(e, 5);
  const double angle = at.q[0];
  const auto value = [&](const SX& expression) { return value_of(expression, e, at); };
  CHECK(value(e.contacts[0].gap) == Approx(2 - std::cos(angle)));
  CHECK(value(e.contacts[0].slips[0]) == Approx(std::cos(angle) * at.v[0]));
  CHECK(value(e.contacts[0].friction) == 0.2);
  CHECK(value(e.contacts[1].gap) == Approx(2 - angle - at.q[1]));
  CHECK(e.contacts[1].force_unit.text == "N.m");
}

TEST_CASE("the gap of a cut's angle counts its whole turns", "[contacts]") {
  const Equations e = bodies_of(R"toml(
[mechanism]
name = "Swing"
dimension = "spatial"
[bodies.rod]
mass = 1
inertia = [1, 1, 1]
[joints.A]
type = "revolute"
parent = "ground"
child = "rod"
[joints.C]
type = "revolute"
parent = "ground"
child = "rod"
cut = true
[contacts.stop]
gap = "2 - C.angle"
)toml");
  REQUIRE(e.contacts.size() == 1);
  REQUIRE(e.symbols.turns.numel() == 1);
  State at = random_state(e, 5);
  at.q[0] = 0.7;
  const auto gap = [&](double turns) {
    return value_of(SX::substitute(e.contacts[0].gap, e.symbols.turns, SX(turns)), e, at);
  };
  CHECK(gap(0) == Approx(2 - 0.7));
  CHECK(gap(1) == Approx(2 - 0.7 - 2 * casadi::pi));
}

TEST_CASE("limits are gaps of a coordinate", "[contacts]") {
  const Equations e = bodies_of(R"toml(
[mechanism]
name = "Door"
dimension = "planar"
[parameters]
wide = { value = 85, unit = "deg" }
bounce = 0.3
[bodies.door]
mass = 1
inertia = 1
[bodies.bolt]
mass = 1
[joints.A]
type = "revolute"
parent = "ground"
child = "door"
angle = { start = 10, unit = "deg", limits = [-5, "wide"], restitution = "bounce" }
[joints.B]
type = "prismatic"
parent = "door"
child = "bolt"
position = { unit = "mm", limits = ["none", 20] }
)toml");
  REQUIRE(e.contacts.size() == 3);
  const State at = random_state(e, 2);
  const auto value = [&](const SX& expression) { return value_of(expression, e, at); };
  const double degree = casadi::pi / 180;
  CHECK(e.contacts[0].name == "A.angle.limit.lower");
  CHECK(e.contacts[0].what == "the lower limit of 'A.angle'");
  CHECK(value(e.contacts[0].gap) == Approx(at.q[0] + 5 * degree));
  CHECK(e.contacts[1].name == "A.angle.limit.upper");
  CHECK(value(e.contacts[1].gap) == Approx(85 * degree - at.q[0]));
  CHECK(value(e.contacts[1].restitution) == 0.3);
  CHECK(e.contacts[1].gap_unit.text == "deg");
  CHECK(e.contacts[1].force_unit.text == "N.m");
  CHECK(e.contacts[2].name == "B.position.limit.upper");
  CHECK(value(e.contacts[2].gap) == Approx(0.02 - at.q[1]));
  CHECK(e.contacts[2].slips.empty());
  CHECK(value(e.contacts[2].restitution) == 0);
  REQUIRE(e.conditions.size() == 3);  // 0 ≤ bounce ≤ 1, −5° < wide
  CHECK(value(e.conditions[2].number) == Approx(90 * degree));
}

TEST_CASE("coordinates of a file of equations have limits, too", "[contacts]") {
  const Equations e = equations_of(R"toml(
[mechanism]
name = "Block"
[coordinates]
x = { unit = "mm", start = 2, fixed = true, limits = [2, "none"] }
[dynamics]
kinetic_energy = "1*der(x)^2"
)toml");
  REQUIRE(e.contacts.size() == 1);
  const State at = random_state(e, 2);
  CHECK(e.contacts[0].name == "x.limit.lower");
  CHECK(value_of(e.contacts[0].gap, e, at) == Approx(at.q[0] - 0.002));
  CHECK(e.contacts[0].force_unit.text == "N");
}

TEST_CASE("couplings come and go between two coordinates, or one and the ground", "[contacts]") {
  const std::string shafts = R"toml(
[mechanism]
name = "Drive"
dimension = "planar"
[parameters]
mu = 0.3
radius = { value = 50, unit = "mm" }
play = { value = 0.002, unit = "rad" }
[inputs]
pressure = { unit = "N", start = 10 }
locked = { start = 0 }
[bodies.motor]
inertia = 1
[bodies.load]
inertia = 2
[joints.A]
type = "revolute"
parent = "ground"
child = "motor"
[joints.B]
type = "revolute"
parent = "ground"
child = "load"
angle = { unit = "deg" }
)toml";
  const Equations e = bodies_of(shafts + R"toml(
[couplings.clutch]
type = "clutch"
first = "A.angle"
second = "B.angle"
capacity = "mu*radius*pressure"
static = 1.1
[couplings.brake]
type = "clutch"
first = "A.angle"
second = "ground"
capacity = 5
[couplings.freewheel]
type = "one_way"
first = "A.angle"
second = "B.angle"
[couplings.park]
type = "lock"
coordinate = "B.angle"
when = "locked > 0.5 and not (pressure <= 3)"
[couplings.teeth]
type = "gear"
first = "A.angle"
second = "B.angle"
ratio = 2
backlash = "play"
restitution = 0.1
)toml");
  const auto group = [&](const std::string& name) -> const ContactEquation& {
    const auto found =
        std::find_if(e.contacts.begin(), e.contacts.end(), [&](const auto& c) { return c.name == name; });
    REQUIRE(found != e.contacts.end());
    return *found;
  };
  CHECK(e.contacts.size() == 6);
  CHECK(e.constraints.empty());
  State at = random_state(e, 4);
  const auto value = [&](const SX& expression) { return value_of(expression, e, at); };
  const double A = at.q[0], B = at.q[1], a = at.v[0], b = at.v[1];
  const ContactEquation &clutch = group("coupling.clutch"), &brake = group("coupling.brake");
  CHECK(clutch.law == contacts::Law::capacity);
  CHECK(clutch.what == "the clutch 'clutch'");
  REQUIRE(clutch.slips.size() == 1);
  CHECK(value(clutch.slips[0]) == Approx(a - b));
  CHECK(value(clutch.capacity) == Approx(0.3 * 0.05 * at.inputs[0]));
  CHECK(value(clutch.rest) == 1.1);
  CHECK(clutch.friction_unit.text == "N.m");
  CHECK(value(brake.slips[0]) == Approx(a));
  CHECK(value(brake.rest) == 1);
  CHECK(value(brake.capacity) == 5);
  const ContactEquation& freewheel = group("coupling.freewheel");
  CHECK(freewheel.law == contacts::Law::unilateral);
  CHECK(freewheel.gap.is_empty());
  CHECK(value(freewheel.speed) == Approx(b - a));
  const ContactEquation& park = group("coupling.park");
  CHECK(park.law == contacts::Law::bilateral);
  CHECK(value(park.speed) == Approx(b));
  CHECK(park.slip_unit.text == "deg/s");
  for (const auto& [pressure, locked] : {std::pair(4.0, 0.9), {2.0, 0.9}, {4.0, 0.2}}) {
    at.inputs = {pressure, locked};
    REQUIRE(park.when);
    CHECK(value(*park.when) == Approx(std::min(locked - 0.5, pressure - 3)));
  }
  CHECK(value(group("coupling.teeth.lower").gap) == Approx(0.001 + B - 2 * A));
  CHECK(value(group("coupling.teeth.upper").gap) == Approx(0.001 - B + 2 * A));
  CHECK(value(group("coupling.teeth.upper").restitution) == 0.1);
  // A gear without backlash is a constraint, as ever.
  const Equations rigid =
      bodies_of(shafts + "[couplings.teeth]\ntype = \"gear\"\nfirst = \"A.angle\"\nsecond = \"B.angle\"\nratio = 2\n");
  CHECK(rigid.contacts.empty());
  CHECK(rigid.constraints.size() == 1);
}

/// Returns the value of an output where all rows of contacts have the multipliers 1, 2, 3, … and nothing slides.
double output_with_forces(const Equations& e, const State& at, const std::string& name) {
  const auto found =
      std::find_if(e.outputs.begin(), e.outputs.end(), [&](const auto& one) { return one.shown.name == name; });
  REQUIRE(found != e.outputs.end());
  CHECK(found->group == reaction_outputs);
  SX value = found->value;
  double force = 0;
  for (const ContactEquation& contact : e.contacts)
    for (casadi_int row = 0; row < contact.multipliers.numel(); ++row)
      value = SX::substitute(SX::substitute(value, contact.multipliers(row), ++force), contact.slide(row), 0);
  return value_of(value, e, at);
}

TEST_CASE("formulas of outputs may use forces, gaps and slips of contacts", "[contacts]") {
  const Equations points = equations_of(std::string(beak) + R"toml(
[outputs]
power = "tip.friction.force*tip.slip"
sideways = "wall.friction.force.y - wall.friction.force.x"
stored = "wall.gap*(1 + abs(wall.normal.force/push))"
across = "wall.normal.force*wall.slip.y"
)toml");
  const State at = random_state(points, 3);
  CHECK(output_with_forces(points, at, "power") == Approx(2 * (at.v[0] - 0.3 * std::sin(at.q[2]) * at.v[2] + 1)));
  CHECK(output_with_forces(points, at, "across") == Approx(3 * 0.3 * at.v[2]));
  const auto part = [&](const std::string& name) { return output_with_forces(points, at, name); };
  CHECK(part("sideways") == 5 - 4);
  CHECK(part("stored") == Approx(at.q[0] * (1 + std::abs(3))));
  const Equations bodies = bodies_of(R"toml(
[mechanism]
name = "Crate"
dimension = "planar"
[bodies.crate]
mass = 1
inertia = 1
[bodies.drum]
inertia = 1
[joints.free]
type = "free"
parent = "ground"
child = "crate"
x = { limits = [0, 2] }
[joints.A]
type = "revolute"
parent = "ground"
child = "drum"
angle = { limits = ["none", 3] }
[couplings.brake]
type = "clutch"
first = "A.angle"
second = "ground"
capacity = 5
[couplings.teeth]
type = "gear"
first = "A.angle"
second = "free.angle"
ratio = 2
backlash = 0.1
[contacts.floor]
first = { body = "crate", box = [1, 1] }
second = { body = "ground", plane = [0, 1] }
friction = 0.3
[outputs]
at_stops = "free.x.limit.effort"
at_stop = "A.angle.limit.effort"
pads = "coupling.brake.multiplier*der(A.angle)"
tooth = "coupling.teeth.multiplier"
weight = "floor.normal.force"
rubbing = "floor.friction.force"
)toml");
  const State there = random_state(bodies, 4);
  const auto output = [&](const std::string& name) { return output_with_forces(bodies, there, name); };
  // Limits come first, then four corners with two rows each, then couplings.
  CHECK(output("at_stops") == 1 - 2);
  CHECK(output("at_stop") == -3);
  CHECK(output("weight") == 4 + 6 + 8 + 10);
  CHECK(output("rubbing") == 5 + 7 + 9 + 11);
  const auto spins = std::find_if(bodies.velocities.begin(), bodies.velocities.end(), [](const Shown& one) {
    return one.name == "der(A.angle)";
  });
  CHECK(output("pads") == Approx(12 * there.v[static_cast<std::size_t>(spins - bodies.velocities.begin())]));
  CHECK(output("tooth") == 13 - 14);
}

TEST_CASE("contacts act beside constraints that an effort realises, also as outputs", "[contacts]") {
  const Derivation d = derivation_of(std::string(beak) + R"toml(
[constraints.lever]
position = "phi - 0.3*x/h"
realised_by = { phi = 1 }
[outputs]
power = "tip.friction.force*tip.slip"
)toml");
  CHECK(d.sizes.rank == 1);
  CHECK(d.sizes.changing_rows == 5);
  CHECK(d.character.ideal == false);
}

TEST_CASE("slips are linear in the rates", "[contacts]") {
  const std::string text = mechanism_with(
      "[dynamics]\nkinetic_energy = \"m*(der(x)^2 + der(y)^2)/2 + J*der(z)^2/2\"\n[contacts.c]\ngap = \"x\"\n"
      "slip = \"der(x)*der(y)/l*s\"\n");
  const std::vector<std::string> complaints = complaints_about(text);
  REQUIRE(complaints.size() == 1);
  CHECK(complaints[0].ends_with("the slip of the contact 'c' is not linear in the rates"));
}

}  // namespace
}  // namespace mechfmu::test
