// The equations of couplings.
//   linear   Σ factor · coordinate = constant
//   gear     second = ratio · first + offset
//   rack     second = radius · first + offset, an angle and a position
//   mesh     the gears' points at the pitch point have the same velocity across the line of centres. A velocity
//            constraint, so that gears start in any phase; its multiplier is the tooth force.
#include "couplings.hpp"

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

SX mesh(const Coupling& coupling, const Kinematics& kinematics, const SX& first_radius, const SX& second_radius) {
  const Gear first = gear_of(coupling.first, kinematics), second = gear_of(coupling.second, kinematics);
  const SX between = second.center - first.center;
  const SX pitch = first.center + first_radius / (first_radius + second_radius) * between;
  const SX across = unit(kinematics.space() == 3 ? cross_product(first.axis, between) : cross_product(1, between));
  const auto velocity = [&](const Gear& gear) { return gear.velocity + cross_product(gear.turning, pitch - gear.center); };
  return SX::dot(across, velocity(second) - velocity(first));
}

}  // namespace

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
