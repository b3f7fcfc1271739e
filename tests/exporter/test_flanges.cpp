// Tests the flanges at which a mechanism of bodies can be driven, and its drawing at the start.
#include <catch2/catch.hpp>

#include "modelDescription/xml/terminals.hpp"
#include "preparation/pipeline.hpp"
#include "tests/reading/folder.hpp"
#include "tool/drawing_text.hpp"

using namespace mechfmu;

namespace {

/// Two cranks on the ground, the first with what `motion` says; `further` follows.
Prepared two_cranks(const std::string& motion, const std::string& further = "") {
  const Folder folder;
  const std::string text = R"toml(
[mechanism]
name = "TwoCranks"
dimension = "planar"
[inputs]
u = { unit = "deg", start = 90 }
torque = { unit = "N.m" }
voltage = { unit = "V" }
[definitions]
motor = "torque*cos(B.angle)"
[ground.points]
Q = [2, 1]
[bodies.first]
mass = 1
center_of_mass = [0.5, 0]
inertia = 1
[bodies.second]
mass = 1
center_of_mass = [0.25, 0]
inertia = 1
[joints.A]
type = "revolute"
parent = "ground"
child = "first"
angle = { )toml" + motion + R"toml( }
[joints.B]
type = "revolute"
parent = "ground.Q"
child = "second"
)toml" + further;
  return prepare(folder.write("mechanism.toml", text), [](const char*) {});
}

std::vector<std::string> texts(const Prepared& prepared) {
  std::vector<std::string> result;
  for (const Flange& flange : flanges(prepared.description, prepared.variables))
    result.push_back(flange.name + (flange.angle ? " angle " : " position ") + flange.position + " " + flange.effort);
  return result;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a motion makes a flange: its input if it is one, and the effort that it takes") {
  CHECK(texts(two_cranks("motion = \"u\", filter = 0.1")) == Texts{"A.angle angle A.angle A.angle.drive"});
  CHECK(texts(two_cranks("motion = \"pi/4\"")) == Texts{"A.angle angle A.angle A.angle.drive"});
  CHECK(texts(two_cranks("motion = \"u\", rate = \"0\", acceleration = \"0\"")) ==
        Texts{"A.angle angle u A.angle.drive"});
}

TEST_CASE("an input that is a torque makes a flange of the joint it acts on, through definitions too") {
  const std::string force = "[forces.f]\ntype = \"joint_force\"\ncoordinate = \"B.angle\"\nvalue = ";
  CHECK(texts(two_cranks("start = 1", force + "\"torque\"")) == Texts{"B.angle angle B.angle torque"});
  CHECK(texts(two_cranks("start = 1", force + "\"motor\"")) == Texts{"B.angle angle B.angle torque"});
  CHECK(texts(two_cranks("start = 1", "[parameters]\nk = { value = 2, unit = \"N.m/V\" }\n" + force + "\"k*voltage\""))
            .empty());
  CHECK(texts(two_cranks("start = 1")).empty());
}

TEST_CASE("bodies are drawn where they are at the start") {
  const std::string drawing = drawing_text(two_cranks("motion = \"u\", filter = 0.1"));
  CHECK(drawing.find("\"name\": \"TwoCranks\"") != std::string::npos);
  CHECK(drawing.find("[[2, 1], [2.25, 1]]") != std::string::npos);
  CHECK(drawing.find("\"ground\": [[0, 0], [2, 1]]") != std::string::npos);
  CHECK(drawing.find("\"wheels\": []") != std::string::npos);
}
