// Tests what physics and geometry ask of numbers, also of those that an importer sets: masses, stiffness, damping,
// friction, radii and lengths that are not negative, gears and racks that fit their axes, inertias that a body can
// have.
#include <catch2/catch.hpp>

#include <cmath>
#include <stdexcept>
#include <string>

#include "assembled.hpp"
#include "modelDescription/description/description.hpp"
#include "modelDescription/reading/read.hpp"

namespace mechfmu::testing {
namespace {

/// Why the mechanism does not start with this parameter; "" if it does.
std::string refusal(Assembled& mechanism, const std::string& parameter, double value) {
  mechanism.set_parameter(parameter, value);
  return mechanism.simulation().assemble(0) ? "" : mechanism.simulation().message().text;
}

std::string refusal(const std::string& text) {
  try {
    Assembled mechanism(text);
    mechanism.start();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

Description read(const std::string& text) {
  ReadResult result = read_mechanism_text(text, "test.toml");
  REQUIRE(result.diagnostics.empty());
  return *std::move(result.description);
}

/// A pendulum whose numbers are formulas of `x`, 1 by default; a line more at the end.
std::string pendulum(const std::string& numbers) {
  return R"([mechanism]
name = "Pendulum"
dimension = "planar"
gravity = [0, -9.81]
[parameters]
x = { value = 1, tunable = true }
kg = { value = 1, unit = "kg" }
m = { value = 1, unit = "m" }
s = { value = 1, unit = "s" }
Nm = { value = 1, unit = "N.m" }
[inputs]
u = { start = 1 }
[bodies.bob]
mass = "2*x*kg"
inertia = 0.1
points.P = [1, 0]
[joints.A]
type = "revolute"
parent = "ground"
child = "bob"
angle = { start = 0.3, fixed = true }
)" + numbers;
}

}  // namespace

TEST_CASE("numbers that are formulas are judged when parameters are set", "[conditions]") {
  struct Case {
    const char *numbers, *what;
  };
  const Case cases[] = {
      {"", "The mass of the body 'bob' is -2 kg at t = 0 s, and must not be negative"},
      {"[forces.f]\ntype = \"joint_spring_damper\"\ncoordinate = \"A.angle\"\nstiffness = \"3*x*Nm\"\n", "mass"},
      {"[joints.B]\ntype = \"distance\"\nparent = \"ground\"\nchild = \"bob.P\"\nlength = \"x*m\"\n", "mass"}};
  for (const Case& one : cases) {
    Assembled mechanism(pendulum(one.numbers));
    CHECK(refusal(mechanism, "x", 1).empty());
    CHECK_THAT(refusal(mechanism, "x", -1), Catch::Contains(one.what));
    CHECK(refusal(mechanism, "x", 1).empty());
  }
}

TEST_CASE("stiffness, damping, friction and radii have limits", "[conditions]") {
  const auto with = [](const std::string& force) {
    std::string text = pendulum("[forces.f]\ncoordinate = \"A.angle\"\n" + force);
    return text.replace(text.find("\"2*x*kg\""), 8, "2");
  };
  const auto refused = [&](const std::string& force) {
    Assembled mechanism(with(force));
    CHECK(refusal(mechanism, "x", 1).empty());
    return refusal(mechanism, "x", -1);
  };
  const std::string spring = "type = \"joint_spring_damper\"\n", friction = "type = \"friction\"\nradius = 0.01\n";
  CHECK_THAT(refused(spring + "stiffness = \"3*x*Nm\"\n"),
             Catch::StartsWith("'stiffness' of the force 'f' is -3 N.m at t = 0 s, and must not be negative"));
  CHECK_THAT(refused(spring + "stiffness = 1\ndamping = \"2*x*Nm*s\"\n"),
             Catch::StartsWith("'damping' of the force 'f' is -2 N.m.s/rad at t = 0 s, and must not be negative"));
  CHECK_THAT(refused(friction + "coulomb = \"x/2\"\n"),
             Catch::StartsWith("'coulomb' of the force 'f' is -0.5 at t = 0 s, and must not be negative"));
  CHECK_THAT(refused(friction + "viscous = \"x/2*Nm*s\"\n"),
             Catch::StartsWith("'viscous' of the force 'f' is -0.5 N.m.s/rad"));
  CHECK_THAT(refused("type = \"friction\"\ncoulomb = 0.1\nradius = \"x*m\"\n"),
             Catch::StartsWith("'radius' of the force 'f' is -1 m at t = 0 s, and has to be positive"));
  CHECK_THAT(refused(friction + "coulomb = 0.1\nstick_speed = \"x/s\"\n"),
             Catch::StartsWith("'stick_speed' of the force 'f' is -1 rad/s at t = 0 s, and has to be positive"));
  // A negative number is allowed if the file says so.
  CHECK(refused(spring + "allow_negative = true\nstiffness = \"3*x*Nm\"\ndamping = \"2*x*Nm*s\"\n").empty());
}

TEST_CASE("a parameter or an input by itself gets the limit as its min", "[conditions]") {
  std::string text = pendulum(R"([forces.f]
type = "friction"
coordinate = "A.angle"
coulomb = "u"
viscous = "v"
radius = "y"
stick_speed = 0.01
[parameters.y]
value = 10
unit = "mm"
min = -5
[parameters.v]
value = 1
unit = "N.m.s"
[parameters.z]
value = 1
unit = "N.m"
min = 0.5
[forces.g]
type = "joint_spring_damper"
coordinate = "A.angle"
stiffness = "z"
allow_negative = true
damping = "w"
[parameters.w]
value = 1
unit = "N.m.s"
)");
  text.replace(text.find("\"2*x*kg\""), 8, "2");
  const Description d = read(text);
  const auto minimum = [&](const std::string& name) {
    for (const Parameter& parameter : d.parameters)
      if (parameter.name == name) return parameter.minimum;
    throw std::runtime_error(name);
  };
  CHECK(minimum("v") == 0);
  CHECK(minimum("y") == 0);
  CHECK(minimum("z") == 0.5);
  CHECK_FALSE(minimum("w"));
  CHECK_FALSE(minimum("kg"));
  CHECK(d.inputs.front().minimum == 0);
  // The min lets 0 through, which a radius must not be.
  Assembled mechanism(text);
  CHECK_THAT(refusal(mechanism, "y", 0), Catch::StartsWith("'radius' of the force 'f' is 0 mm"));
}

TEST_CASE("conditions are judged again while running", "[conditions]") {
  std::string text = pendulum(
      "[forces.f]\ntype = \"joint_spring_damper\"\ncoordinate = \"A.angle\"\nstiffness = \"3*x*Nm\"\n"
      "damping = \"2*u*Nm*s\"\n");
  text.replace(text.find("\"2*x*kg\""), 8, "2");
  Assembled mechanism(text);
  Simulation& simulation = mechanism.simulation();
  mechanism.start();
  mechanism.advance(0.1);
  const double angle = mechanism["A.angle"];
  mechanism.set_parameter("x", -2);
  CHECK_FALSE(simulation.adopt_parameters());
  CHECK_THAT(simulation.message().text, Catch::StartsWith("'stiffness' of the force 'f' is -6 N.m at t = 0.1 s"));
  CHECK(mechanism["A.angle"] == angle);
  mechanism.set_parameter("x", 1);
  CHECK(simulation.adopt_parameters());
  simulation.set_input(0, -1);
  CHECK_FALSE(simulation.advance(0.2));
  CHECK_THAT(simulation.message().text, Catch::StartsWith("'damping' of the force 'f' is -2 N.m.s/rad at t = 0.1 s"));
  CHECK(simulation.time() == 0.1);
  simulation.set_input(0, 1);
  CHECK(simulation.advance(0.2));
}

namespace {

/// Two wheels whose axes are 0.3 m apart.
std::string gears(const char* first, const char* second) {
  return std::string(R"([mechanism]
name = "Gears"
dimension = "planar"
[parameters]
distance = { value = 300, unit = "mm" }
[ground.points]
Q = ["distance", 0]
[bodies.a]
mass = 1
inertia = 1
[bodies.b]
mass = 1
inertia = 1
[joints.A]
type = "revolute"
parent = "ground"
child = "a"
[joints.B]
type = "revolute"
parent = "ground.Q"
child = "b"
[couplings.teeth]
type = "mesh"
first = "A"
second = "B"
radius_first = )") +
         first + "\nradius_second = " + second + "\n";
}

/// Writes the gears in space, with the second axis.
std::string spatial_gears(const char* axis) {
  std::string text = gears("0.1", "0.2");
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  replace("planar", "spatial");
  replace("[\"distance\", 0]", "[\"distance\", 0, 0.05]");
  replace("inertia = 1", "inertia = [1, 1, 1]");
  replace("child = \"b\"", std::string("child = \"b\"\naxis = ") + axis);
  return text;
}

}  // namespace

TEST_CASE("radii of gears fit the distance of their axes", "[conditions]") {
  for (const auto& [first, second] : {std::pair{"0.1", "0.2"}, {"0.3", "-0.6"}, {"-0.6", "0.3"}, {"0.1", "0.20001"}})
    CHECK(refusal(gears(first, second)).empty());
  // There are 17 teeth instead of 18; a ring has no negative sign.
  CHECK(
      refusal(gears("0.094444", "0.2")) ==
      "The distance between the axes of 'A' and 'B' is 300 mm at t = 0 s, but the sum of the radii of the mesh 'teeth' is "
      "294.444 mm; correct a radius or a point; the radius of a ring gear is negative.");
  CHECK_THAT(refusal(gears("0.3", "0.6")), Catch::Contains("the sum of the radii of the mesh 'teeth' is 900 mm"));
  Assembled mechanism(gears("0.1", "0.2"));
  CHECK_THAT(refusal(mechanism, "distance", 0.31),
             Catch::StartsWith("The distance between the axes of 'A' and 'B' is 310 mm at"));
}

TEST_CASE("axes of gears are parallel", "[conditions]") {
  CHECK(refusal(spatial_gears("[0, 0, 1]")).empty());
  CHECK(refusal(spatial_gears("[0, 0, -1]")).empty());
  CHECK_THAT(refusal(spatial_gears("[0, 1, 1]")),
             Catch::StartsWith(
                 "The angle between the axes of 'A' and 'B', which the mesh 'teeth' couples, is 45 deg at t = 0 s, "
                 "and has to be 0 deg"));
}

TEST_CASE("the axis of a gear in mesh with a fixed one is the turning one's", "[conditions]") {
  // About y; the fixed ring's joint has no axis of its own.
  std::string text = R"([mechanism]
name = "Ring"
dimension = "spatial"
[bodies.ring]
[bodies.arm]
mass = 1
inertia = [1, 1, 1]
points.P = [0.2, 0, 0]
[bodies.planet]
mass = 1
inertia = [1, 1, 1]
[joints.R]
type = "fixed"
parent = "ground"
child = "ring"
[joints.C]
type = "revolute"
parent = "ground"
child = "arm"
axis = [0, 1, 0]
angle = { rate_start = 2, rate_fixed = true }
[joints.P]
type = "revolute"
parent = "arm.P"
child = "planet"
axis = [0, 1, 0]
[couplings.teeth]
type = "mesh"
first = "R"
second = "P"
radius_first = -0.3
radius_second = 0.1
)";
  Assembled mechanism(text);
  mechanism.start();
  // When it rolls inside, the planet is turned by −(0.3 − 0.1)/0.1 of the arm, and by so much less against the arm.
  CHECK(mechanism["der(P.angle)"] == Approx(-6));
}

TEST_CASE("a rack runs across the axis of its pinion", "[conditions]") {
  const auto text = [](const char* axis) {
    return std::string(R"([mechanism]
name = "Rack"
dimension = "spatial"
[bodies.pinion]
mass = 1
inertia = [1, 1, 1]
[bodies.bar]
mass = 1
inertia = [1, 1, 1]
[joints.A]
type = "revolute"
parent = "ground"
child = "pinion"
[joints.B]
type = "prismatic"
parent = "ground"
child = "bar"
axis = )") +
           axis +
           "\n[couplings.steering]\ntype = \"rack\"\nfirst = \"A.angle\"\nsecond = \"B.position\"\nradius = 0.1\n";
  };
  CHECK(refusal(text("[1, 1, 0]")).empty());
  CHECK_THAT(refusal(text("[0, 0, 1]")),
             Catch::Contains(
                 "the angle between the axis of 'A.angle' and the direction of 'B.position', which the rack "
                 "'steering' couples, is 0 deg, and has to be 90 deg; turn one of them"));
}

TEST_CASE("lengths that no key gives are positive, too", "[conditions]") {
  const auto text = [](const char* at) {
    return pendulum(std::string("[ground.points]\nQ = [") + at +
                    ", 0]\n[joints.rod]\ntype = \"distance\"\nparent = \"ground.Q\"\n"
                    "child = \"bob.P\"\n");
  };
  CHECK_THAT(refusal(text("1")),
             Catch::Contains("the length of the joint 'rod' is 0 m, and has to be positive; without a key length"));
  std::string driven = pendulum(
      "[joints.rod]\ntype = \"distance\"\nparent = \"ground\"\nchild = \"other\"\nlength = { motion = "
      "\"u\", filter = 0.1 }\n[joints.B]\ntype = \"prismatic\"\nparent = \"ground\"\nchild = "
      "\"other\"\nposition = { start = 1 }\n[bodies.other]\nmass = 1\n");
  driven.replace(driven.find("u = { start = 1 }"), 17, "u = { unit = \"m\" }");
  CHECK_THAT(refusal(driven),
             Catch::Contains("The length of the joint 'rod' is 0 m at t = 0 s, and has to be positive; "
                             "give its motion another value"));
}

TEST_CASE("axes and inertias that parameters give stay possible", "[conditions]") {
  const std::string text = R"([mechanism]
name = "Satellite"
dimension = "spatial"
[parameters]
x = 1
y = 0
J = { value = 1, unit = "kg.m2" }
[bodies.frame]
mass = 1
inertia = ["J", "J", "x*J"]
[bodies.wheel]
mass = 1
rotor = true
inertia = [0, 0, "x*J"]
[joints.base]
type = "free"
parent = "ground"
child = "frame"
[joints.hinge]
type = "universal"
parent = "frame"
child = "wheel"
axes = [[1, 0, 0], ["y", 1, 0]]
)";
  Assembled mechanism(text);
  CHECK_THAT(refusal(mechanism, "x", 2.1),
             Catch::StartsWith("The sum xx + yy - zz of the inertia of the body 'frame' is -0.1 kg.m2 at t = 0 s"));
  CHECK_THAT(refusal(mechanism, "x", -1), Catch::Contains("of the inertia of the body"));
  mechanism.set_parameter("x", 1);
  CHECK_THAT(refusal(mechanism, "y", 1),
             Catch::StartsWith("The angle between the axes of the joint 'hinge' is 45 deg at t = 0 s"));
}

TEST_CASE("an inertia with products that parameters give stays possible", "[conditions]") {
  // A plate across (1, 1, 0): moments x, 1 and 1 + x, a plate, or what no body has.
  const auto text = [](const char* kind) {
    return std::string(R"([mechanism]
name = "Plate"
dimension = "spatial"
[parameters]
x = { value = 0.5, unit = "kg.mm2" }
J = { value = 1, unit = "kg.mm2" }
sum = 0
[bodies.plate]
mass = 1
)") + kind +
           R"(inertia = ["(x + J)/2", "(x + J)/2", "x + J + sum*J", "(x - J)/2", 0, 0]
[joints.base]
type = "free"
parent = "ground"
child = "plate"
)";
  };
  Assembled plate(text(""));
  CHECK(refusal(plate, "x", 1e-6).empty());
  CHECK(refusal(plate, "x", 2e-6).empty());
  CHECK(
      refusal(plate, "sum", 0.1) ==
      "The sum of the two smaller principal moments minus the largest of the inertia of the body 'plate' is -0.1 kg.mm2 at "
      "t = 0 s, and must not be negative; no body has such an inertia.");
  CHECK(refusal(plate, "sum", -0.5).empty());
  CHECK_THAT(refusal(plate, "x", -0.5e-6), Catch::Contains("principal moments"));
  // One that turns about its axis may have any moments but negative ones.
  Assembled rotor(text("rotor = true\n"));
  CHECK(refusal(rotor, "sum", 0.1).empty());
  CHECK_THAT(refusal(rotor, "x", -0.5e-6),
             Catch::StartsWith("The least principal moment of the inertia of the body 'plate' is "
                               "-0.5 kg.mm2 at t = 0 s, and must not be negative"));
}

TEST_CASE("conditions are told in the units of the quantities that the file names", "[conditions]") {
  std::string text = pendulum(R"([forces.f]
type = "friction"
coordinate = "A.angle"
coulomb = 0.1
radius = "2*rim - offset"
stick_speed = "slow"
[forces.g]
type = "spring_damper"
from = "ground"
to = "bob.P"
stiffness = "soft*x"
[parameters]
rim = { value = 30, unit = "mm" }
offset = { value = 1, unit = "cm" }
slow = { value = 2, unit = "rpm" }
soft = { value = 3, unit = "N/mm" }
)");
  text.replace(text.find("\"2*x*kg\""), 8, "\"grams*x\"");
  const std::size_t second = text.rfind("[parameters]\n");
  const std::string more = text.substr(second + 13) + "grams = { value = 200, unit = \"g\" }\n";
  text.erase(second);
  text.insert(text.find("[parameters]\n") + 13, more);
  Assembled mechanism(text);
  CHECK(refusal(mechanism, "x", 1).empty());
  CHECK_THAT(refusal(mechanism, "offset", 0.08), Catch::StartsWith("'radius' of the force 'f' is -20 mm at t = 0 s"));
  mechanism.set_parameter("offset", 0.01);
  CHECK_THAT(refusal(mechanism, "slow", 0), Catch::StartsWith("'stick_speed' of the force 'f' is 0 rpm at t = 0 s"));
  mechanism.set_parameter("slow", 1);
  CHECK_THAT(refusal(mechanism, "x", -1), Catch::StartsWith("The mass of the body 'bob' is -200 g at t = 0 s"));
  mechanism.set_parameter("grams", -0.2);
  CHECK_THAT(refusal(mechanism, "x", -1), Catch::StartsWith("'stiffness' of the force 'g' is -3 N/mm at t = 0 s"));
}

TEST_CASE("a disk that rolls does not lie flat", "[conditions]") {
  const auto text = [](const char* joints) {
    return std::string(R"([mechanism]
name = "Disk"
dimension = "spatial"
gravity = [0, 0, -9.81]
[parameters]
lean = { value = 20, unit = "deg" }
[bodies.disk]
mass = 1
inertia = [0.02, 0.04, 0.02]
)") + joints;
  };
  const std::string contact =
                        "[joints.contact]\ntype = \"rolling\"\nparent = \"ground\"\nchild = \"disk\"\nradius = 0.3\n"
                        "axis = [0, 1, 0]\n",
                    start = "orientation = { start = { axis = [1, 0, 0], angle = \"lean\" }, fixed = true }\n";
  const std::string base = "[joints.base]\ntype = \"free\"\nparent = \"ground\"\nchild = \"disk\"\n";
  for (const std::string& joints : {contact + start, base + start + contact}) {
    Assembled disk(text(joints.c_str()));
    CHECK(refusal(disk, "lean", 1.5).empty());
    for (const double lean : {1, -1})
      CHECK_THAT(
          refusal(disk, "lean", lean * std::acos(-1) / 2),
          Catch::StartsWith("The angle between the axis of the disk of the joint 'contact' and the normal of the plane "
                            "that it rolls on is ") &&
              Catch::EndsWith("and has to be at least 0.0001 deg; a disk that lies flat touches at no single point: "
                              "tilt it."));
  }
}

TEST_CASE("a rotor has an inertia about its axis only", "[conditions]") {
  const std::string text = R"([mechanism]
name = "Motor"
dimension = "spatial"
[bodies.shaft]
rotor = true
inertia = [0, 0, 2]
[joints.A]
type = "revolute"
parent = "ground"
child = "shaft"
angle = { rate_start = 3, rate_fixed = true }
)";
  Assembled mechanism(text);
  mechanism.start();
  CHECK(mechanism["energy.kinetic"] == Approx(9));
}

}  // namespace mechfmu::testing
