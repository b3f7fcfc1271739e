// Tests start values of joints that close loops.
#include <catch2/catch.hpp>

#include "assembled.hpp"

namespace mechfmu::testing {

namespace {

std::string four_bar(const std::string& angle_of_C) {
  return R"(
[mechanism]
name = "FourBar"
dimension = "planar"

[ground.points]
D = [3, 0]
[bodies.crank]
mass = 1
inertia = 0.1
points.B = [1, 0]
[bodies.coupler]
mass = 1
inertia = 0.1
points.C = [2.5, 0]
[bodies.rocker]
mass = 1
inertia = 0.1
points.C = [2, 0]
[joints.A]
type = "revolute"
parent = "ground"
child = "crank"
angle = { start = 1, fixed = true }
[joints.B]
type = "revolute"
parent = "crank.B"
child = "coupler"
[joints.C]
type = "revolute"
parent = "coupler.C"
child = "rocker.C"
angle = )" +
         angle_of_C + R"(
[joints.D]
type = "revolute"
parent = "ground.D"
child = "rocker"
)";
}

double found_at_C(const std::string& angle) {
  Assembled assembled(four_bar(angle));
  assembled.start();
  return assembled["C.angle"];
}

/// A ball joint, and a slider whose equations hold with the axis either way.
const char* const slide_on_ball = R"(
[mechanism]
name = "Reversed"
dimension = "spatial"
[parameters]
turn = 0.2
[bodies.arm]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joints.ball]
type = "spherical"
parent = "ground"
child = "arm"
orientation = { start = { axis = [1, 0, 0], angle = "turn" } }
[joints.slide]
type = "cylindrical"
parent = "ground"
child = "arm"
cut = true
)";

}  // namespace

TEST_CASE("the guess of a joint that closes a loop chooses the branch") {
  constexpr double open = 1.214098974;
  CHECK(found_at_C("{ start = 1.2 }") == Approx(open).epsilon(1e-8));
  CHECK(found_at_C("{ start = -1.2 }") == Approx(-open).epsilon(1e-8));
  CHECK(found_at_C("{ start = 2.5 }") == Approx(open).epsilon(1e-8));
}

TEST_CASE("a guess so symmetric that no move changes what is open is left") {
  const auto distance = [](const std::string& text, const char* length) {
    Assembled assembled(
        text + "[joints.rod]\ntype = \"distance\"\nparent = \"ground.D\"\nchild = \"arm.P\"\nlength = " + length +
        "\n[sensors.between]\nfrom = \"ground.D\"\nto = \"arm.P\"\n");
    assembled.start();
    return assembled["between.distance"];
  };
  const std::string turned = R"(
[mechanism]
name = "Turned"
dimension = "planar"
[ground.points]
D = [3, 0]
[bodies.arm]
mass = 1
inertia = 0.1
points.P = [1, 0]
[joints.A]
type = "revolute"
parent = "ground"
child = "arm"
)";
  for (const char* length : {"2.5", "3.7"}) CHECK(distance(turned, length) == Approx(std::stod(length)).epsilon(1e-12));
  CHECK_THROWS_WITH(distance(turned, "4.1"), Catch::Matchers::Contains("No start of 24 tries reaches further"));
  const std::string rolling = R"(
[mechanism]
name = "Rolling"
dimension = "spatial"
[ground.points]
D = [0, 0, 0]
[bodies.arm]
mass = 1
inertia = [0.02, 0.04, 0.02]
points.P = [0, 0, 0.1]
[joints.contact]
type = "rolling"
parent = "ground"
child = "arm"
radius = 0.3
axis = [0, 1, 0]
x = { start = 0, fixed = true }
)";
  CHECK(distance(rolling, "0.35") == Approx(0.35).epsilon(1e-12));
}

TEST_CASE("a joint that is assembled the wrong way round is found by whoever assembles it") {
  Assembled assembled(slide_on_ball);
  assembled.start();
  assembled.set_parameter("turn", 3.0);
  CHECK_FALSE(assembled.simulation().assemble(0));
  CHECK(std::string(assembled.simulation().message().text).find("'slide' is assembled the wrong way round") !=
        std::string::npos);
  assembled.set_parameter("turn", -0.4);
  CHECK(assembled.simulation().assemble(0));
}

}  // namespace mechfmu::testing
