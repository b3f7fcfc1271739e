// Tests that contacts are read in repeats and in parts like other sections.
#include "folder.hpp"
#include "reading.hpp"

#include "modelDescription/formulas/expression.hpp"

using namespace mechfmu;

TEST_CASE("contacts may be repeated, and belong to parts", "[contacts]") {
  const Folder folder;
  folder.write("foot.toml", R"toml(
[parameters]
size = 0.1
[contacts.heel]
gap = "y - size"
slip = ["der(x)", "size*der(y)"]
friction = "size"
[repeat.toes]
with = { i = "1..2" }
[repeat.toes.contacts."toe_{i}"]
gap = "y + {i}*size"
restitution = "{i}/4"
)toml");
  folder.write("whole.toml", R"toml(
[mechanism]
name = "Walker"
[coordinates]
x = {}
y = {}
[dynamics]
kinetic_energy = "der(x)^2/2 + der(y)^2/2"
[parts.left]
file = "foot.toml"
prefix = "left_"
)toml");
  const Description d = description_of(read_mechanism(folder.path("whole.toml")));
  REQUIRE(d.contacts.size() == 3);
  const Contact& heel = named(d.contacts, "left_heel");
  CHECK(to_text(heel.gap) == "y - left_size");
  REQUIRE(heel.slips.size() == 2);
  CHECK(to_text(heel.slips[1]) == "left_size*der(y)");
  CHECK(to_text(heel.friction) == "left_size");
  CHECK_FALSE(heel.static_friction);
  CHECK(evaluate(heel.restitution) == 0);
  CHECK(to_text(named(d.contacts, "left_toe_2").gap) == "y + 2*left_size");
  CHECK(evaluate(named(d.contacts, "left_toe_2").restitution) == 0.5);
}

TEST_CASE("surfaces, limits and contacts of a part that is included twice belong to each of the two",
          "[contacts][parts]") {
  const Folder folder;
  folder.write("leg.toml", R"toml(
[mechanism]
name = "Leg"
dimension = "planar"
[parameters]
toe = { value = 20, unit = "mm" }
mu = 0.5
most = { value = 90, unit = "deg" }
[functions]
hill = { of = ["x"], value = "toe*sin(x/toe)" }
[ground.points]
step = [1, "toe"]
[bodies.shin]
mass = 1
inertia = 0.1
[bodies.shin.points]
toe = [0, "-toe"]
step = [0.1, "-toe"]
[joints.knee]
type = "revolute"
parent = "thigh.knee"
child = "shin"
angle = { limits = ["-most", "most"], restitution = "mu/2" }
[contacts.on_step]
first = { body = "shin", circle = "toe", at = "toe" }
second = { body = "ground", plane = ["mu", 1], at = "step" }
friction = "mu"
[contacts.on_hill]
first = { body = "shin", capsule = ["toe", "toe", "step"] }
second = { body = "ground", profile = "hill" }
friction = "mu"
static = "1.2*mu"
[contacts.on_thigh]
first = { body = "shin", circle = "toe", at = "step" }
second = { body = "thigh", polygon = ["O", "knee", "back"] }
[contacts.rope]
gap = "most - knee.angle"
slip = "der(knee.angle)"
friction = "mu"
[outputs]
load = { value = "on_step.normal.force + on_hill.normal.force + knee.angle.limit.effort/toe", unit = "N" }
)toml");
  folder.write("whole.toml", R"toml(
[mechanism]
name = "Walker"
dimension = "planar"
[bodies.thigh]
mass = 1
inertia = 0.1
points = { knee = [0, -0.3], back = [-0.1, 0] }
[joints.where]
type = "free"
parent = "ground"
child = "thigh"
[parts.left]
file = "leg.toml"
prefix = "left_"
[parts.right]
file = "leg.toml"
prefix = "right_"
parameters = { mu = 0.7 }
[contacts.apart]
first = { body = "left_shin", circle = "left_toe", at = "toe" }
second = { body = "right_shin", circle = "right_toe", at = "toe" }
)toml");
  const Description d = description_of(read_mechanism(folder.path("whole.toml")));
  REQUIRE(d.contacts.size() == 1 + 2 * 4);
  const auto body = [&](const Surface& surface) { return d.bodies[surface.at.body].name; };
  const auto point = [&](const PointReference& at) { return d.bodies[at.body].points[at.point].name; };
  for (const std::string side : {"left_", "right_"}) {
    INFO(side);
    const std::string of_knee = side + "knee.angle";
    const Contact& step = named(d.contacts, side + "on_step");
    CHECK(body(step.surfaces[0]) == side + "shin");
    CHECK(point(step.surfaces[0].at) == "toe");  // It names the body's point, not the parameter.
    CHECK(to_text(step.surfaces[0].sizes[0]) == side + "toe");
    CHECK(body(step.surfaces[1]) == "ground");
    CHECK(point(step.surfaces[1].at) == side + "step");
    CHECK(to_text(step.surfaces[1].direction.components[0]) == side + "mu");
    CHECK(to_text(step.friction) == side + "mu");
    const Contact& hill = named(d.contacts, side + "on_hill");
    CHECK(point(hill.surfaces[0].points[1]) == "step");
    CHECK(hill.surfaces[1].function == side + "hill");
    CHECK(to_text(*hill.static_friction) == "1.2*" + side + "mu");
    const Contact& thigh = named(d.contacts, side + "on_thigh");
    CHECK(body(thigh.surfaces[1]) == "thigh");  // It is declared outside.
    CHECK(point(thigh.surfaces[1].points[2]) == "back");
    CHECK(to_text(named(d.contacts, side + "rope").gap) == side + "most - " + of_knee);
    CHECK(to_text(named(d.outputs, side + "load").value) ==
          side + "on_step.normal.force + " + side + "on_hill.normal.force + " + of_knee + ".limit.effort/" + side +
              "toe");
  }
  CHECK(body(named(d.contacts, "apart").surfaces[1]) == "right_shin");
}
