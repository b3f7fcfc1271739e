// The equations of couplings.
//   linear   Σ factor · coordinate = constant
//   gear     second = ratio · first + offset
//   rack     second = radius · first + offset, an angle and a position
//   mesh     the gears' points at the pitch point have the same velocity across the line of centres. A velocity
//            constraint, so that gears start in any phase; its multiplier is the tooth force.
#include "couplings.hpp"

#include <algorithm>
#include <iterator>

#include "modelDescription/diagnostics.hpp"
#include "modelDescription/units.hpp"
#include "rotations.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

/// A gear: the child of a joint, turning about the joint's point.
struct Gear {
  SX center, velocity;
  SX turning;  ///< angular velocity in the ground's axes
  SX axis;     ///< spatial: of the joint, in the ground's axes
};

Gear gear_of(const std::string& name, const Kinematics& kinematics) {
  const MovingJoint& joint = kinematics.joint(name);
  const MovingBody& child = kinematics.bodies[static_cast<std::size_t>(joint.joint->child.body)];
  Gear gear;
  gear.center = kinematics.point(joint.joint->child);
  gear.velocity = kinematics.motions->rate(gear.center);
  gear.turning = child.angular_velocity;
  if (kinematics.space() == 3) {
    gear.turning = SX::mtimes(child.frame.R, gear.turning);
    gear.axis = SX::mtimes({child.frame.R, joint.child_frame, third(joint.geometry)});
  }
  return gear;
}

/// Both gears; the axis of one that is fixed is that of the other.
std::pair<Gear, Gear> gears_of(const Coupling& coupling, const Kinematics& kinematics) {
  Gear first = gear_of(coupling.first, kinematics), second = gear_of(coupling.second, kinematics);
  if (kinematics.joint(coupling.first).joint->type == "fixed") first.axis = second.axis;
  if (kinematics.joint(coupling.second).joint->type == "fixed") second.axis = first.axis;
  return {first, second};
}

SX mesh(const Coupling& coupling, const Kinematics& kinematics, const SX& first_radius, const SX& second_radius) {
  const auto [first, second] = gears_of(coupling, kinematics);
  const SX between = second.center - first.center;
  const SX pitch = first.center + first_radius / (first_radius + second_radius) * between;
  const SX across = unit(kinematics.space() == 3 ? cross_product(first.axis, between) : cross_product(1, between));
  const auto velocity = [&](const Gear& gear) { return gear.velocity + cross_product(gear.turning, pitch - gear.center); };
  return SX::dot(across, velocity(second) - velocity(first));
}

/// Where an angle's axis or a position's line points, for joints that have one, in the ground's axes; empty: it has none.
SX direction_of(const std::string& coordinate, const Kinematics& kinematics) {
  const MovingJoint& joint = *kinematics.coordinate(coordinate).first;
  constexpr const char* with_axis[] = {"revolute", "prismatic", "cylindrical", "screw", "point_on_line"};
  if (std::find(std::begin(with_axis), std::end(with_axis), joint.joint->type) == std::end(with_axis)) return SX(0, 1);
  const MovingBody& parent = kinematics.bodies[static_cast<std::size_t>(joint.joint->parent.body)];
  return SX::mtimes({parent.frame.R, joint.parent_frame, third(joint.geometry)});
}

}  // namespace

std::vector<ConditionEquation> coupling_conditions(const Coupling& coupling, const Kinematics& kinematics, const Unit& length,
                                                   const std::function<SX(const Expression&)>& value) {
  const bool spatial = kinematics.space() == 3;
  const std::string of_both = " of " + mechfmu::quoted(coupling.first) + " and " + mechfmu::quoted(coupling.second);
  if (coupling.type == "rack" && spatial) {
    const SX axis = direction_of(coupling.first, kinematics), line = direction_of(coupling.second, kinematics);
    if (axis.is_empty() || line.is_empty()) return {};
    return {{Condition::agrees_with, "the angle between the axis of " + mechfmu::quoted(coupling.first) + " and the direction of " +
                                         mechfmu::quoted(coupling.second) + ", which the rack " + mechfmu::quoted(coupling.name) + " couples,",
             "", known_unit("deg"), "turn one of them, or write type = \"linear\" for what is no rack", coupling.place,
             angle_between(axis, line), casadi::pi / 2, 1e-6}};
  }
  if (coupling.type != "mesh") return {};
  const auto [first, second] = gears_of(coupling, kinematics);
  std::vector<ConditionEquation> conditions;
  const SX between = second.center - first.center;
  if (spatial) {
    const SX angle = angle_between(first.axis, second.axis);
    conditions.push_back({Condition::agrees_with, "the angle between the axes" + of_both + ", which the mesh " +
                                                      mechfmu::quoted(coupling.name) + " couples,",
                          "", known_unit("deg"), "make the axes parallel, or write type = \"gear\" for other gears",
                          coupling.place, SX::fmin(angle, casadi::pi - angle), 0, 2e-6});
  }
  const SX radii = value(coupling.numbers.at("radius_first")) + value(coupling.numbers.at("radius_second"));
  conditions.push_back({Condition::agrees_with, "the distance between the axes" + of_both,
                        "the sum of the radii of the mesh " + mechfmu::quoted(coupling.name), length,
                        "correct a radius or a point; the radius of a ring gear is negative", coupling.place,
                        SX::norm_2(spatial ? cross_product(first.axis, between) : between), fabs(radii), 1e-4});
  return conditions;
}

CouplingEquation coupling_equation(const Coupling& coupling, const Kinematics& kinematics,
                                   const std::function<SX(const Expression&)>& value,
                                   const std::function<SX(const std::string&)>& named) {
  const auto number = [&](const char* key) {
    const auto found = coupling.numbers.find(key);
    return found == coupling.numbers.end() ? SX(0) : value(found->second);
  };
  if (coupling.type == "linear") {
    SX sum = -number("constant");
    for (const auto& [coordinate, factor] : coupling.terms) sum += value(factor) * named(coordinate);
    return {Level::position, sum};
  }
  if (coupling.type == "mesh")
    return {Level::velocity, mesh(coupling, kinematics, number("radius_first"), number("radius_second"))};
  const SX factor = number(coupling.type == "gear" ? "ratio" : "radius");
  return {Level::position, named(coupling.second) - factor * named(coupling.first) - number("offset")};
}

}  // namespace mechfmu
