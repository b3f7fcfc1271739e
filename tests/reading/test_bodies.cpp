// Tests right files of bodies and joints: what the description then holds.
#include <numbers>

#include "bodies_files.hpp"
#include "elements/couplings/coupling_type.hpp"
#include "elements/forces/force_type.hpp"
#include "elements/joints/joint_type.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "modelDescription/formulas/units.hpp"

using namespace mechfmu;
using namespace bodies_files;

namespace {

constexpr double pi = std::numbers::pi;

std::vector<double> numbers_of(const std::vector<Expression>& expressions) {
  std::vector<double> numbers;
  for (const Expression& expression : expressions) numbers.push_back(evaluate(expression).value());
  return numbers;
}

}  // namespace

TEST_CASE("a whole planar file of bodies is read", "[bodies]") {
  const Description d = read(planar);
  CHECK_FALSE(d.spatial);
  CHECK(d.absolute);
  CHECK(d.equilibrium);
  CHECK(numbers_of(d.gravity.components) == std::vector<double>{0, -9.81});

  REQUIRE(d.bodies.size() == 5);
  const Body& ground = d.bodies[0];
  CHECK(ground.name == "ground");
  REQUIRE(ground.points.size() == 2);
  CHECK(ground.points[0].name == "O");
  CHECK(ground.points[1].rotation.kind == Rotation::Kind::angle);
  const Body& crank = d.bodies[1];
  CHECK(crank.description == "turns");
  CHECK(crank.place.line == 28);
  CHECK(to_text(crank.mass) == "m");
  CHECK(to_text(crank.center_of_mass.components[0]) == "l/2");
  CHECK(crank.inertia.size() == 1);
  CHECK(numbers_of(crank.rotation.numbers) == std::vector<double>{0.25});
  CHECK(crank.shape.kind == Shape::Kind::line);
  CHECK(crank.shape.points == std::vector<std::string>{"O", "B"});
  CHECK(d.bodies[2].shape.kind == Shape::Kind::box);
  CHECK(numbers_of(d.bodies[2].shape.sizes) == std::vector<double>{1, 0.5, 0.2});
  CHECK(evaluate(d.bodies[4].mass) == 1);

  const Joint& a = named(d.joints, "A");
  CHECK(a.parent.body == 0);
  CHECK(a.parent.point == 1);
  CHECK(a.child.body == 1);
  CHECK(a.child.point == 0);
  REQUIRE(a.coordinates.size() == 1);
  REQUIRE(a.coordinates[0].motion);
  CHECK(a.coordinates[0].motion->by_input);
  CHECK(to_text(*a.coordinates[0].motion->rate) == "du");
  CHECK(to_text(*a.coordinates[0].motion->acceleration) == "ddu");
  const JointCoordinate& b = named(d.joints, "B").coordinates[0];
  CHECK(b.name == "B.angle");
  CHECK(b.unit.text == "deg");
  CHECK(b.rate_unit.text == "deg/s");
  CHECK(b.acceleration_unit.text == "deg/s2");
  CHECK(b.start.value.written == 90);
  CHECK(evaluate(b.start.value.expression) == Approx(pi / 2));
  CHECK(evaluate(b.rate_start.value.expression) == Approx(pi));
  CHECK(b.start.fixed);
  CHECK_FALSE(b.rate_start.fixed);
  CHECK(b.given);
  const Joint& c = named(d.joints, "C");
  CHECK(c.cut);
  CHECK_FALSE(c.coordinates[0].given);
  CHECK(c.coordinates[0].unit.text == "rad");
  const Joint& slide = named(d.joints, "D");
  REQUIRE(slide.axes.size() == 1);
  REQUIRE(slide.axes[0].points);
  CHECK(*slide.axes[0].points == std::pair(0, 1));
  CHECK(slide.coordinates[0].start.calculated);
  const Joint& rolling = named(d.joints, "E");
  CHECK_FALSE(rolling.axes[0].points);
  CHECK(rolling.axes[0].components.components.size() == 2);
  CHECK(to_text(rolling.numbers.at("radius")) == "l");
  CHECK(rolling.coordinates[0].name == "E.position");
  CHECK_FALSE(rolling.coordinates[1].motion->by_input);
  CHECK(evaluate(*rolling.coordinates[1].motion->filter) == 0.01);
  CHECK(named(d.joints, "F").length_motion);
  CHECK(named(d.joints, "F").numbers.empty());
  CHECK(to_text(named(d.joints, "G").numbers.at("length")) == "2*l");

  CHECK(named(d.forces, "cylinder").at.point == 1);
  CHECK(named(d.forces, "cylinder").to.body == 2);
  CHECK(named(d.forces, "wind").frame == 2);
  CHECK(named(d.forces, "wind").value.size() == 2);
  CHECK(named(d.forces, "twist").body == 2);
  CHECK(named(d.forces, "motor").coordinate == "B.angle");
  CHECK(named(d.forces, "spring").numbers.size() == 2);
  CHECK(evaluate(named(d.forces, "rubbing").numbers.at("radius")) == 0.02);

  CHECK(named(d.couplings, "pair").multiplier_unit.text == "N.m");
  CHECK(named(d.couplings, "rack").multiplier_unit.text == "N");
  CHECK(named(d.couplings, "teeth").multiplier_unit.text == "N");
  const Coupling& together = named(d.couplings, "together");
  CHECK(together.multiplier_unit.text == "N");
  REQUIRE(together.terms.size() == 2);
  CHECK(together.terms[0].first == "A.angle");
  CHECK(to_text(together.terms[0].second) == "l");
  CHECK(together.terms[1].first == "D.position");

  CHECK(d.sensors[0].from.body == 1);
  CHECK(d.sensors[0].to.body == 0);
  CHECK(d.sensors[0].axes == 1);
  CHECK(named(d.constraints, "guide").multiplier_unit.text == "N");
  CHECK(named(d.constraints, "held").realised_by.front().first == "B.angle");
  CHECK(named(d.constraints, "held").multiplier_unit.text == "N.m");
  CHECK(readable(named(d.definitions, "speed").dimension) == "m/s");

  const Output& tip = named(d.outputs, "tip.y");
  CHECK(tip.kind == Output::Kind::position);
  CHECK(tip.component == 1);
  CHECK(tip.frame == 1);
  CHECK(tip.point.body == 2);
  CHECK(tip.point.point == 1);
  CHECK(tip.unit.text == "mm");
  CHECK(named(d.outputs, "fall").component == 1);
  CHECK(named(d.outputs, "fall").unit.text == "m/s");
  CHECK(named(d.outputs, "turn").unit.text == "rpm");
  CHECK(named(d.outputs, "pin").unit.text == "kN");
  CHECK(named(d.outputs, "rod_pull").unit.text == "N");
  CHECK(named(d.outputs, "power").unit.text == "W");
  for (const char* unit : {"deg", "deg/s2", "N", "N.m", "W", "rad/s", "m/s2", "rpm"}) {
    INFO(unit);
    CHECK(std::count_if(d.units.begin(), d.units.end(), [&](const Unit& one) { return one.text == unit; }) == 1);
  }
}

TEST_CASE("a whole file of bodies in space is read", "[bodies]") {
  const Description d = read(spatial);
  CHECK(d.spatial);
  CHECK(numbers_of(d.gravity.components) == std::vector<double>{0, 0, 0});
  CHECK(d.bodies[1].points[1].rotation.kind == Rotation::Kind::roll_pitch_yaw);
  CHECK(numbers_of(d.bodies[1].inertia) == std::vector<double>{1, 1, 1, 0, 0, 0});
  CHECK(numbers_of(d.bodies[2].inertia) == std::vector<double>{0.2, 0.2, 0.3, 0.01, 0, 0});
  CHECK(d.bodies[2].rotation.kind == Rotation::Kind::axis_angle);
  CHECK(numbers_of(d.bodies[2].rotation.numbers) == std::vector<double>{0, 0, 2, pi / 3});
  CHECK(d.bodies[3].shape.kind == Shape::Kind::cylinder);

  const Joint& base = named(d.joints, "base");
  REQUIRE(base.orientation);
  CHECK(base.coordinates.size() == 3);
  CHECK(base.orientation->start.kind == Rotation::Kind::quaternion);
  CHECK(base.orientation->fixed);
  CHECK(base.orientation->given);
  CHECK(base.orientation->rate_fixed);
  CHECK(base.orientation->rate_in_parent);
  CHECK(numbers_of(base.orientation->rate.components) == std::vector<double>{0, 0, 10});
  const Joint& hinge = named(d.joints, "hinge");
  CHECK(hinge.parent.point == 1);
  REQUIRE(hinge.axes.size() == 2);
  CHECK(*hinge.axes[0].points == std::pair(0, 1));
  CHECK(hinge.coordinates[1].name == "hinge.angle_2");
  CHECK_FALSE(hinge.orientation);
  const Joint& floor = named(d.joints, "floor");
  CHECK(floor.flags.count("side_slip") == 1);
  CHECK(floor.normal);
  CHECK(floor.orientation);
  CHECK_FALSE(floor.orientation->given);
  CHECK(evaluate(named(d.joints, "screw").numbers.at("lead")) == 0.004);
  CHECK(d.sensors[0].from.body == 0);
  CHECK(d.sensors[0].axes == 1);
  CHECK(d.constraints[0].multiplier_unit.text == "N.m");
  CHECK(named(d.outputs, "tip.z").unit.text == "m/s2");
  CHECK(named(d.outputs, "attitude.w").component == 0);
  CHECK(named(d.outputs, "attitude.z").component == 3);
  CHECK(named(d.outputs, "w").component == 0);
  CHECK(named(d.outputs, "spin_up").unit.text == "1/s2");
}

TEST_CASE("every type of joint is read with the keys and coordinates that it tells", "[bodies]") {
  for (const bool in_space : {false, true})
    for (const JointType& type : joint_types()) {
      const JointForm* form = find_joint_form(type.name, in_space);
      if (!form) continue;
      std::string text =
          std::string("[mechanism]\nname = \"One\"\ndimension = \"") + (in_space ? "spatial" : "planar") +
          "\"\n[bodies.b]\nmass = 1\n"
          "[joints.place]\ntype = \"free\"\nparent = \"ground\"\nchild = \"b\"\n"
          "[joints.J]\nparent = \"ground\"\nchild = \"b\"\ntype = \"" +
          type.name + "\"\n";
      const std::string axis = in_space ? "[1, 0, 0]" : "[1, 0]";
      for (const std::string& key : form->keys)
        text += key + " = " +
                (key == "axes"       ? "[[1, 0, 0], [0, 1, 0]]"
                 : key == "rotation" ? in_space ? "{ rpy = [1, 0, 0] }" : "1"
                                     : axis) +
                "\n";
      for (const NumberKey& key : form->numbers)
        text += key.name + std::string(" = ") + (key.vector ? axis : "2") + "\n";
      for (const std::string& flag : form->flags) text += flag + " = true\n";
      for (const CoordinateFacts& facts : form->coordinates) text += std::string(facts.name) + " = { start = 1 }\n";
      INFO(text);
      const Description d = read(text);
      const Joint& joint = named(d.joints, "J");
      REQUIRE(joint.coordinates.size() == form->coordinates.size());
      for (std::size_t i = 0; i < form->coordinates.size(); ++i) {
        CHECK(joint.coordinates[i].name == std::string("J.") + form->coordinates[i].name);
        CHECK(joint.coordinates[i].unit.text == (form->coordinates[i].angle ? "rad" : "m"));
      }
      CHECK(joint.orientation.has_value() == form->orientation);
      CHECK(joint.numbers.size() + joint.vectors.size() == form->numbers.size());
      CHECK(joint.flags == std::set<std::string>(form->flags.begin(), form->flags.end()));
      CHECK(joint.axes.size() + joint.normal.has_value() + (joint.rotation.kind != Rotation::Kind::none) ==
            form->keys.size() + (type.name == std::string("universal")));
    }
}

TEST_CASE("forces and couplings tell their keys", "[bodies]") {
  for (const ForceType& type : force_types()) CHECK(find_force_type(type.name) == &type);
  for (const CouplingType& type : coupling_types()) CHECK(find_coupling_type(type.name) == &type);
  CHECK_FALSE(find_force_type("push"));
  CHECK_FALSE(find_coupling_type(""));
}
