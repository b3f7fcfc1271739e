// Couples two wheels in mesh: their points at the pitch point have the same velocity across the line of centres. This
// is a velocity constraint, so that gears start in any phase; its multiplier is the tooth force.
#include "coupling_equation.hpp"
#include "elements/rotations.hpp"
#include "list.hpp"
#include "modelDescription/formulas/diagnostics.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

/// Is a wheel: the child of a joint, which turns about the joint's point.
struct Wheel {
  SX center, velocity;
  SX turning;  ///< angular velocity in the ground's axes
  SX axis;     ///< spatial: axis of the joint, in the ground's axes
};

Wheel wheel_of(const PlacedJoint& joint, const Surroundings& around) {
  const PointReference& child = joint.joint.child;
  Wheel wheel;
  wheel.center = around.point(child);
  wheel.velocity = around.rate(wheel.center);
  wheel.turning = around.angular_velocity(child.body);
  if (around.spatial()) {
    const SX R = around.rotation(child.body);
    wheel.turning = SX::mtimes(R, wheel.turning);
    wheel.axis = SX::mtimes({R, joint.child_frame, third(joint.geometry)});
  }
  return wheel;
}

/// Returns both wheels. If one of them is fixed, it gets the axis of the other.
std::pair<Wheel, Wheel> wheels_of(const Coupling& coupling, const Surroundings& around) {
  const PlacedJoint first = around.joint(coupling.first), second = around.joint(coupling.second);
  std::pair<Wheel, Wheel> wheels{wheel_of(first, around), wheel_of(second, around)};
  if (first.form.is_rigid()) wheels.first.axis = wheels.second.axis;
  if (second.form.is_rigid()) wheels.second.axis = wheels.first.axis;
  return wheels;
}

CouplingEquation mesh_equation(const Coupling& coupling, const Surroundings& around) {
  const auto [first, second] = wheels_of(coupling, around);
  const SX first_radius = around.number(coupling.numbers, "radius_first"),
           second_radius = around.number(coupling.numbers, "radius_second");
  const SX between = second.center - first.center;
  const SX pitch = first.center + first_radius / (first_radius + second_radius) * between;
  const SX across = unit(around.spatial() ? cross_product(first.axis, between) : cross_product(1, between));
  const auto velocity = [&](const Wheel& wheel) {
    return wheel.velocity + cross_product(wheel.turning, pitch - wheel.center);
  };
  return {Level::velocity, SX::dot(across, velocity(second) - velocity(first))};
}

/// Returns two conditions: the axes are parallel, and the radii fit their distance.
std::vector<ConditionEquation> mesh_conditions(const Coupling& coupling, const Surroundings& around) {
  const std::string of_both = " of " + in_quotes(coupling.first) + " and " + in_quotes(coupling.second);
  const auto [first, second] = wheels_of(coupling, around);
  std::vector<ConditionEquation> conditions;
  const SX between = second.center - first.center;
  if (around.spatial()) {
    const SX angle = angle_between(first.axis, second.axis);
    conditions.push_back(
        {Condition::agrees_with,
         "the angle between the axes" + of_both + ", which the mesh " + in_quotes(coupling.name) + " couples,", "",
         known_unit("deg"), "make the axes parallel, or write type = \"gear\" for other gears", coupling.place,
         SX::fmin(angle, casadi::pi - angle), 0, parallel_axes});
  }
  const SX radii = around.number(coupling.numbers, "radius_first") + around.number(coupling.numbers, "radius_second");
  conditions.push_back(
      {Condition::agrees_with, "the distance between the axes" + of_both,
       "the sum of the radii of the mesh " + in_quotes(coupling.name), around.length_unit(),
       "correct a radius or a point; the radius of a ring gear is negative", coupling.place,
       SX::norm_2(around.spatial() ? cross_product(first.axis, between) : between), fabs(radii), meshing_distance});
  return conditions;
}

}  // namespace

CouplingType couplings::mesh() {
  return {.name = "mesh",
          .couples = CouplingType::wheels,
          .holds = CouplingType::a_length,
          .numbers = {{"radius_first", Measures::length, true, Bound::not_zero},
                      {"radius_second", Measures::length, true, Bound::not_zero}},
          .equation = mesh_equation,
          .conditions = mesh_conditions};
}

}  // namespace mechfmu
