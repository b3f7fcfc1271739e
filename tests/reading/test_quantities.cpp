// Tests dotted names: which there are, and where they are allowed.
#include "bodies_files.hpp"
#include "elements/quantities.hpp"

using namespace mechfmu;
using namespace bodies_files;

namespace {

std::vector<std::string> names_of(const Description& description) {
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities(description)) names.push_back(quantity.name);
  return names;
}

std::vector<std::string> starting_with(const std::string& front, const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names)
    if (name.starts_with(front)) result.push_back(name);
  return result;
}

}  // namespace

TEST_CASE("every part has its variables", "[bodies]") {
  using Names = std::vector<std::string>;
  const Description in_plane = read(planar), in_space = read(spatial);
  const Names plane = names_of(in_plane), space = names_of(in_space);
  CHECK(starting_with("A.", plane) ==
        Names{"A.angle", "A.reaction.force.x", "A.reaction.force.y", "A.reaction.torque", "A.angle.drive"});
  CHECK(starting_with("F.", plane) == Names{"F.tension", "F.length", "F.length.drive"});
  CHECK(starting_with("cylinder.", plane) == Names{"cylinder.length", "cylinder.force", "cylinder.power"});
  CHECK(starting_with("wind.", plane) == Names{"wind.force.x", "wind.force.y", "wind.power"});
  CHECK(starting_with("twist.", plane) == Names{"twist.torque", "twist.power"});
  CHECK(starting_with("motor.", plane) == Names{"motor.torque", "motor.power"});
  CHECK(starting_with("spring.", plane) == Names{"spring.force", "spring.power"});
  CHECK(starting_with("rubbing.", plane) == Names{"rubbing.torque", "rubbing.normal_force", "rubbing.power"});
  CHECK(starting_with("coupling.pair", plane) == Names{"coupling.pair.multiplier"});
  CHECK(starting_with("constraint.", plane) == Names{"constraint.guide.multiplier", "constraint.held.multiplier"});
  CHECK(starting_with("gap.", plane) == Names{"gap.x", "gap.y", "gap.distance", "gap.angle"});
  CHECK(starting_with("rod.", plane) == Names{"rod.position.x", "rod.position.y", "rod.velocity.x", "rod.velocity.y",
                                              "rod.angle", "rod.angular_velocity"});
  CHECK(starting_with("energy.", plane) == Names{"energy.kinetic", "energy.potential", "energy.total"});
  CHECK(starting_with("floor.", space) ==
        Names{"floor.x", "floor.y", "floor.orientation.w", "floor.orientation.x", "floor.orientation.y",
              "floor.orientation.z", "floor.angular_velocity.x", "floor.angular_velocity.y", "floor.angular_velocity.z",
              "floor.reaction.force.x", "floor.reaction.force.y", "floor.reaction.force.z", "floor.reaction.torque.x",
              "floor.reaction.torque.y", "floor.reaction.torque.z"});
  CHECK(starting_with("pose.", space) ==
        Names{"pose.x", "pose.y", "pose.z", "pose.distance", "pose.roll", "pose.pitch", "pose.yaw",
              "pose.orientation.w", "pose.orientation.x", "pose.orientation.y", "pose.orientation.z"});
  CHECK(starting_with("damper.", space) ==
        Names{"damper.torque.x", "damper.torque.y", "damper.torque.z", "damper.power"});
  CHECK(starting_with("arm.", space).size() == 13);

  // The kind says what der(…) and formulas may do with it; the unit is the coordinate's own.
  const std::vector<Quantity> all = quantities(in_plane), of_space = quantities(in_space);
  CHECK(named(all, "B.angle").kind == Quantity::Kind::coordinate);
  CHECK(named(all, "B.angle").unit.text == "deg");
  CHECK(named(all, "cylinder.length").kind == Quantity::Kind::coordinate);
  CHECK(named(all, "cylinder.force").kind == Quantity::Kind::force);
  CHECK(named(all, "B.reaction.torque").kind == Quantity::Kind::result);
  CHECK(named(all, "A.angle.drive").unit.text == "N.m");
  CHECK(named(all, "coupling.rack.multiplier").unit.text == "N");
  CHECK(named(all, "rod.angular_velocity").kind == Quantity::Kind::rate);
  CHECK(named(of_space, "base.angular_velocity.x").kind == Quantity::Kind::rate);
  CHECK(named(all, "crank.angle").description == "angle of crank: turns");
  Names unique = plane;
  std::sort(unique.begin(), unique.end());
  CHECK(std::adjacent_find(unique.begin(), unique.end()) == unique.end());
}

TEST_CASE("dotted names stand in expressions where they may", "[bodies]") {
  const std::string front = R"toml([mechanism]
name = "One"
dimension = "spatial"
[parameters]
P = 1
newton = { value = 1, unit = "N" }
second = { value = 1, unit = "s" }
[bodies.b]
mass = 1
[joints.J]
type = "spherical"
parent = "ground"
child = "b"
[sensors.s]
to = "b"
[forces.f]
type = "force"
at = "b"
value = [0, 0, ")toml";
  const auto errors = [&](const std::string& value) {
    return read_mechanism_text(front + value + "\"]\n", "f.toml").diagnostics.size();
  };
  for (const char* right : {"5*J.orientation.w", "second^2*der(s.yaw)*der(s.roll)*P/pi", "sin(b.orientation.x)*3"}) {
    INFO(right);
    CHECK(errors("newton*(" + std::string(right) + ")") == 0);
  }
  for (const char* wrong : {"J.reaction.force.x", "J.angle", "s", "b.O", "energy.kinetic", "J.orientation", "s.w"}) {
    INFO(wrong);
    CHECK(errors(wrong) == 1);
  }
}
