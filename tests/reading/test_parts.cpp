// Tests [parts], another file's content under new names, and --set, which overrides a parameter as a part's author may.
#include <catch2/catch.hpp>

#include "folder.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "modelDescription/reading/expansion/expand.hpp"
#include "modelDescription/reading/toml/toml_document.hpp"
#include "reading.hpp"

using namespace mechfmu;

namespace {

/// Is a folder with files of mechanisms.
class Mechanisms : public Folder {
 public:
  Description read(const std::string& text, const std::vector<ParameterSetting>& settings = {}) const {
    return description_of(read_mechanism(write("main.toml", text), settings));
  }

  /// Returns messages with paths from this folder.
  std::vector<std::string> errors(const std::string& text) const {
    std::vector<std::string> result = messages_of(read_mechanism(write("main.toml", text)));
    for (std::string& message : result)
      for (std::size_t at; (at = message.find(path(""))) != std::string::npos;) message.erase(at, path("").size());
    return result;
  }

  /// The tree as it is read, for sections of any kind.
  TomlNode expanded(const std::string& text) const {
    Diagnostics diagnostics;
    const std::string path = write("main.toml", text);
    std::optional<TomlNode> document = parse_toml(text, path, diagnostics);
    REQUIRE(document);
    expand(*document, path, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.list()) UNSCOPED_INFO(to_text(diagnostic));
    REQUIRE(diagnostics.empty());
    return *document;
  }
};

/// Returns the text, or the texts and numbers, at a path of keys.
std::string at(const TomlNode& document, const std::vector<std::string>& keys) {
  const TomlNode* node = &document;
  for (const std::string& key : keys) {
    INFO(key);
    const TomlNode::Entry* entry = node->find(key);
    REQUIRE(entry);
    node = &entry->value;
  }
  std::string text = node->text;
  for (const TomlNode& item : node->items) text += (text.empty() ? "" : " ") + item.text;
  return text;
}

const std::string mass = R"toml([mechanism]
name = "Mass"
[parameters]
m = { value = 2, unit = "kg" }
length = { value = 50, unit = "cm", tunable = true }
span = { value = 1, unit = "m" }
side = 1
[coordinates]
x = { unit = "m" }
[dynamics]
kinetic_energy = "m*der(x)^2/2"
)toml";

const std::string spring = R"toml([mechanism]
name = "Spring"
[parameters]
k = { value = 3, unit = "N/m" }
side = 2
free = { value = 10, unit = "cm", tunable = true }
double_free = { value = "2*free", unit = "cm" }
[functions]
bump = { of = ["k", "u"], value = "k*u*side" }
[definitions]
stretch = "x - free"
[outputs]
type = "bump(k, stretch) + 2e3*k*double_free"
)toml";

}  // namespace

TEST_CASE("a part brings its content in under new names", "[parts]") {
  const Mechanisms folder;
  folder.write("parts/spring.toml", spring);
  const Description d = folder.read(
      mass +
      "[parts.left]\nfile = \"parts/spring.toml\"\nprefix = \"left_\"\n"
      "parameters = { side = -1, free = \"length/side\" }\n"
      "[parts.right]\nfile = \"parts/spring.toml\"\nprefix = \"right_\"\n"
      "[outputs]\nsum = \"left_stretch + right_stretch\"\n");
  CHECK(d.name == "Mass");
  REQUIRE(d.parameters.size() == 4 + 4 + 4);
  CHECK(named(d.parameters, "left_side").value.written == -1);
  CHECK(named(d.parameters, "right_side").value.written == 2);
  CHECK(named(d.parameters, "right_free").value.written == 10);
  // It is a formula of the file around it, with this file's own side, not the part's.
  CHECK(to_text(named(d.parameters, "left_free").value.expression) == "length/side");
  CHECK(named(d.parameters, "left_free").calculated);
  CHECK(named(d.parameters, "left_free").unit.text == "cm");
  CHECK(to_text(named(d.parameters, "left_double_free").value.expression) == "2*left_free");
  // The argument k is not the parameter; x is the file's.
  CHECK(to_text(*named(d.functions, "left_bump").formula) == "k*u*left_side");
  CHECK(to_text(named(d.definitions, "left_stretch").value) == "x - left_free");
  CHECK(to_text(named(d.outputs, "left_type").value) ==
        "left_bump(left_k, left_stretch) + 2000*left_k*left_double_free");
}

TEST_CASE("references and dotted names of a part get its prefix", "[parts]") {
  const Mechanisms folder;
  folder.write("corner/corner.toml", R"toml(
[parameters]
P = 1
b = 0.3
[ground.points]
P = [0, "b"]
W = [1, 0]
[bodies.arm]
center_of_mass = ["b/2", 0]
shape = { mesh = "arm.stl" }
[bodies.arm.points]
P = ["b", 0]
[joints.A]
type = "prismatic"
parent = "ground.P"
child = "arm"
axis = ["P", "W"]
position = { motion = "b*time" }
[joints.B]
type = "prismatic"
parent = "arm.P"
child = "ground"
axis = ["O", "P"]
[joints.C]
type = "rolling"
parent = "arm"
child = "ground.O"
axis = ["P*b", "b"]
angular_velocity = { start = ["b", 0, 0], frame = "parent" }
[couplings.parent]
type = "linear"
sum = { A.position = 1, "B.position" = "-2*b" }
[constraints.hold]
position = "A.position"
realised_by = { A.position = "b" }
[sensors.s]
from = "ground.W"
to = "arm.P"
axes = "arm"
[outputs]
load = { value = "sqrt(A.reaction.force.x^2) + constraint.hold.multiplier + der(s.x)", unit = "N", description = "arm" }
place = { position = "arm.P", component = "x", frame = "ground" }
)toml");
  const TomlNode d = folder.expanded(
      "[parts.left]\nfile = \"corner/corner.toml\"\nprefix = \"l_\"\n"
      "[bodies.l_arm.points]\nQ = [0, 1]\n");
  CHECK(at(d, {"ground", "points", "l_P"}) == "l_b");
  CHECK(at(d, {"bodies", "l_arm", "center_of_mass"}) == "l_b/2 ");
  CHECK(at(d, {"bodies", "l_arm", "shape", "mesh"}) == "corner/arm.stl");
  CHECK(at(d, {"bodies", "l_arm", "points", "P"}) == "l_b ");
  CHECK(at(d, {"bodies", "l_arm", "points", "Q"}) == "");  // It names a point of the file itself.
  CHECK(at(d, {"joints", "l_A", "type"}) == "prismatic");
  CHECK(at(d, {"joints", "l_A", "parent"}) == "ground.l_P");
  CHECK(at(d, {"joints", "l_A", "child"}) == "l_arm");
  CHECK(at(d, {"joints", "l_A", "axis"}) == "l_P l_W");  // These are points of the ground.
  CHECK(at(d, {"joints", "l_A", "position", "motion"}) == "l_b*time");
  CHECK(at(d, {"joints", "l_B", "parent"}) == "l_arm.P");
  CHECK(at(d, {"joints", "l_B", "axis"}) == "O P");  // These are points of the arm.
  CHECK(at(d, {"joints", "l_C", "child"}) == "ground.O");
  CHECK(at(d, {"joints", "l_C", "axis"}) == "l_P*l_b l_b");  // These are components.
  CHECK(at(d, {"joints", "l_C", "angular_velocity", "start"}) == "l_b  ");
  CHECK(at(d, {"joints", "l_C", "angular_velocity", "frame"}) == "parent");  // It is the word, not the coupling.
  CHECK(at(d, {"couplings", "l_parent", "sum", "l_A", "position"}) == "");
  CHECK(at(d, {"couplings", "l_parent", "sum", "l_B.position"}) == "-2*l_b");
  CHECK(at(d, {"constraints", "l_hold", "realised_by", "l_A", "position"}) == "l_b");
  CHECK(at(d, {"sensors", "l_s", "from"}) == "ground.l_W");
  CHECK(at(d, {"sensors", "l_s", "axes"}) == "l_arm");
  CHECK(at(d, {"outputs", "l_load", "value"}) ==
        "sqrt(l_A.reaction.force.x^2) + constraint.l_hold.multiplier + der(l_s.x)");
  CHECK(at(d, {"outputs", "l_load", "description"}) == "arm");
  CHECK(at(d, {"outputs", "l_place", "position"}) == "l_arm.P");
  CHECK(at(d, {"outputs", "l_place", "frame"}) == "ground");
}

TEST_CASE("parts of bodies are read as if written out", "[parts]") {
  const Mechanisms folder;
  folder.write("leg.toml", R"toml(
[mechanism]
name = "Leg"
dimension = "planar"
[parameters]
side = { value = 1 }
length = { value = 300, unit = "mm" }
stiffness = { value = 2, unit = "N.m/rad" }
[ground.points]
hip = ["side*length", 0]
[bodies.thigh]
mass = 1
inertia = 0.1
[bodies.thigh.points]
knee = [0, "-length"]
[joints.hip_joint]
type = "revolute"
parent = "ground.hip"
child = "thigh"
[forces.motor]
type = "joint_force"
coordinate = "hip_joint.angle"
value = "-stiffness*hip_joint.angle"
)toml");
  const Description d = folder.read(R"toml(
[mechanism]
name = "Walker"
dimension = "planar"
[repeat.legs]
with = { side = [1, -1], name = ["left", "right"] }
[repeat.legs.parts."{name}"]
file = "leg.toml"
prefix = "{name}_"
parameters = { side = "{side}" }
[bodies.bar]
mass = 2
inertia = 0.2
[repeat.legs.joints."{name}_rope"]
type = "distance"
parent = "bar"
child = "{name}_thigh.knee"
length = 0.5
[joints.where]
type = "free"
parent = "ground"
child = "bar"
)toml");
  REQUIRE(d.bodies.size() == 4);
  CHECK(d.bodies[0].points[2].name == "right_hip");
  CHECK(to_text(d.bodies[0].points[2].at.components[0]) == "right_side*right_length");
  CHECK(d.bodies[3].name == "right_thigh");
  CHECK(named(d.parameters, "right_side").value.written == -1);
  const Joint& rope = named(d.joints, "right_rope");
  CHECK(rope.child.body == 3);
  CHECK(d.bodies[3].points[rope.child.point].name == "knee");
  CHECK(named(d.forces, "left_motor").coordinate == "left_hip_joint.angle");
}

TEST_CASE("a part may repeat, and may have parts", "[parts]") {
  const Mechanisms folder;
  folder.write("outer.toml",
               "[parameters]\nn = 1\nsize = 4\n[parts.s]\nfile = \"deep/inner.toml\"\nprefix = \"s_\"\n"
               "parameters = { n = \"n\", size = \"2*size\" }\n");
  folder.write("deep/inner.toml",
               "[parameters]\nn = 5\nsize = 1\n[repeat.r]\nwith = { i = \"1..n\" }\n"
               "[repeat.r.outputs]\n\"y_{i}\" = \"{i}*size\"\n");
  const Description d = folder.read(mass +
                                    "[parts.p]\nfile = \"outer.toml\"\nprefix = \"p_\"\n"
                                    "parameters = { n = \"3*side\" }\n");
  REQUIRE(d.outputs.size() == 3);
  CHECK(d.outputs[2].name == "p_s_y_3");
  CHECK(to_text(d.outputs[2].value) == "3*p_s_size");
  CHECK(to_text(named(d.parameters, "p_s_size").value.expression) == "2*p_size");
  CHECK(to_text(named(d.parameters, "p_s_n").value.expression) == "p_n");
}

TEST_CASE("errors of a part are told in its own file, once", "[parts]") {
  const Mechanisms folder;
  const std::string twice =
      "[parts.left]\nfile = \"part.toml\"\nprefix = \"l_\"\n"
      "[parts.right]\nfile = \"part.toml\"\nprefix = \"r_\"\n";
  const auto errors_with = [&](const std::string& part) {
    folder.write("part.toml", part);
    return folder.errors(mass + twice);
  };
  using Messages = std::vector<std::string>;
  CHECK(errors_with("[parameters]\nk = 1\n[outputs]\ny = \"k + z\"\n") ==
        Messages{"part.toml:4:10: unknown name 'z' (in part 'left'); declare it, for example in "
                 "[parameters]"});
  CHECK(errors_with("[coordinates]\nz = {}\n")[0].starts_with("part.toml:1:2: a part has no section 'coordinates'; "));
  CHECK(errors_with("[outputs]\ny = 1 2\n")[0].starts_with("part.toml:2:7: "));
  CHECK(errors_with("[parts.again]\nfile = \"main.toml\"\nprefix = \"a_\"\n")[0] ==
        "part.toml:2:8: the file takes itself in: main.toml → part.toml → main.toml; remove one of these parts");
  CHECK(errors_with("[outputs]\ny = \"x\"\n") == Messages{});
}

TEST_CASE("a part has the dimension of the file around it", "[parts]") {
  const Mechanisms folder;
  folder.write("part.toml", "[mechanism]\nname = \"P\"\ndimension = \"spatial\"\n");
  CHECK(folder.errors("[mechanism]\nname = \"A\"\ndimension = \"planar\"\n[parts.p]\nfile = \"part.toml\"\n"
                      "prefix = \"p_\"\n") ==
        std::vector<std::string>{"part.toml:3:13: the part is spatial, but the file that takes it in at "
                                 "main.toml:3:13 is planar; give both the same dimension"});
}

TEST_CASE("a setting replaces a parameter's value", "[settings]") {
  const Mechanisms folder;
  CHECK(folder.read(mass, {{"m", "3"}}).parameters[0].value.written == 3);
  CHECK(folder.read(mass, {{"m", "3"}, {"m", "-4.5e-1"}}).parameters[0].value.written == -0.45);
  const Parameter length = folder.read(mass, {{"length", "70"}}).parameters[1];
  CHECK(length.value.written == 70);
  CHECK(evaluate(length.value.expression) == Approx(0.7));  // It is in the file's unit.
  CHECK(length.tunable);
  const Parameter calculated = folder.read(mass, {{"length", "2*span"}}).parameters[1];
  CHECK(to_text(calculated.value.expression) == "2*span");
  CHECK(calculated.calculated);
  CHECK_FALSE(calculated.tunable);
  CHECK(folder.read(mass, {{"side", "-1"}}).parameters[3].value.written == -1);
}

TEST_CASE("a setting that does not fit is refused", "[settings]") {
  CHECK_THROWS_AS(read_mechanism_text(mass, "f.toml", {{"sid", "1"}}), SettingError);
  CHECK_THROWS_WITH(read_mechanism_text(mass, "f.toml", {{"sid", "1"}}),
                    "--set: the file has no parameter 'sid'; did you mean 'side'?");
  CHECK_THROWS_WITH(read_mechanism_text("[mechanism]\nname = \"A\"\n", "f.toml", {{"N", "1"}}),
                    "--set: the file has no parameter 'N'; [parameters] is empty");
  CHECK(messages_of(read_mechanism_text(mass, "f.toml", {{"side", "2*"}})) ==
        std::vector<std::string>{"--set side=2*:1:8: a number, a name or ( is missing before the end; "
                                 "complete the formula"});
}
