// Rolling lets a wheel roll without slip. The wheel is the child, and its centre is the child's point.
//   plane, pose    d = a position + radius n with n = a turned by +90°, angle; position + radius angle = offset
//   plane, cut     n·d = radius, and the contact's velocity along a is zero
//   space, pose    d = e1 x + e2 y + radius u, R of a unit quaternion; u points from the contact to the centre: in the
//                  disk's plane, steepest against the normal n: u = (n − (n·b)b)/|…|, b = R axis
//   space, cut     n·d = radius n·u
//   space, both    the velocity of the disk's contact point, ḋ − radius ω × u, has no part along e1 and e2; with
//                  side_slip none along the heading n × b only
// Singular configurations: the disk lies flat, b parallel to n.
#include "elements/rotations.hpp"
#include "elements/surroundings.hpp"
#include "equations/equations.hpp"
#include "joint_equations.hpp"
#include "list.hpp"
#include "modelDescription/formulas/diagnostics.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

constexpr OpenRow off_ground{"<child body> stays # off what it rolls on"}, slips{"<child body> slips at #"};

/// Returns the direction from the contact to the disk's centre, of length one.
SX upward(const JointGeometry& g, const JointPose& relative) {
  const SX axis = SX::mtimes(relative.R, g.axis), normal = third(g);
  const SX in_disk = normal - SX::dot(normal, axis) * axis;
  return in_disk / SX::norm_2(in_disk);
}

/// Returns the wrench of an effort of one that moves the contact along `direction`, in the plane: the centre moves with
/// the contact and as u turns, u̇ = (1 − uuᵀ)ẇ/|w| with w = n − (n·b)b, ḃ = ω × b.
Wrench along_contact(const JointGeometry& g, const JointPose& relative, const SX& direction) {
  const SX axis = SX::mtimes(relative.R, g.axis), normal = third(g), u = upward(g, relative);
  const SX p = (direction - SX::dot(direction, u) * u) / SX::norm_2(normal - SX::dot(normal, axis) * axis);
  const SX turned = SX::dot(p, axis) * normal + SX::dot(normal, axis) * p;
  return {direction, g.number("radius") * cross_product(axis, turned)};
}

const JointForm rolling_in_plane{
    .coordinates = {{"position", false}, {"angle", true}},
    .keys = {"axis"},
    .numbers = {{"radius", Measures::length, true, Bound::positive}},
    .move = [](const JointGeometry& g) -> JointMotion {
      JointMotion motion{g.axis * g.q(0) + cross_product(1, g.axis) * g.number("radius"),
                         planar_rotation(g.q(1)),
                         g.q(1),
                         g.v(1),
                         {{g.axis, 0}, {none(2), 1}}};
      motion.rows.add("roll", g.q(0) + g.number("radius") * g.q(1) - g.offset,
                      {"<child body> stays # from where it rolls to"});
      return motion;
    },
    .close = [](const JointGeometry& g, const JointPose& relative) -> JointClosure {
      JointClosure closure;
      closure.rows.add("height", SX::dot(cross_product(1, g.axis), relative.position) - g.number("radius"), off_ground);
      closure.coordinates = {{SX::dot(g.axis, relative.position)}, {relative.angle}};
      return closure;
    },
    .roll = [](const JointGeometry& g, const JointPose& relative) -> JointRows {
      JointRows rows;
      rows.add("roll", SX::dot(g.axis, relative.velocity) + g.number("radius") * relative.rotation_rate, slips);
      return rows;
    },
    .begin =
        [](JointGeometry& g, const JointStarts& starts) {  // a wheel rolls from where it starts
          g.offset = starts.of("position") + g.number("radius") * starts.of("angle");
        },
    .drawn = JointForm::Drawn::wheel};

/// Returns the condition that the disk does not lie flat: then no point of it is the lowest one.
std::vector<ConditionEquation> rolling_conditions(const PlacedJoint& rolling, const Surroundings& around) {
  const Joint& joint = rolling.joint;
  const SX axis = SX::mtimes({around.rotation(joint.child.body), rolling.child_frame, rolling.geometry.axis});
  const SX normal = SX::mtimes({around.rotation(joint.parent.body), rolling.parent_frame, third(rolling.geometry)});
  const SX angle = angle_between(axis, normal);
  const double least = least_tilt * casadi::pi / 180;
  return {{Condition::at_least,
           "the angle between the axis of the disk of the joint " + in_quotes(joint.name) +
               " and the normal of the plane that it rolls on",
           "", known_unit("deg"), "a disk that lies flat touches at no single point: tilt it", joint.place,
           SX::fmin(angle, casadi::pi - angle), least}};
}

const JointForm rolling_in_space{
    .coordinates = {{"x", false, 0}, {"y", false, 1}},
    .orientation = true,
    .keys = {"axis", "normal"},
    .numbers = {{"radius", Measures::length, true, Bound::positive}},
    .flags = {"side_slip"},
    .axis_in_child = true,
    .first_is_x = true,
    .move = [](const JointGeometry& g) -> JointMotion {
      JointPose pose;
      pose.R = rotation_of(g.quaternion);
      return {first(g) * g.q(0) + second(g) * g.q(1) + g.number("radius") * upward(g, pose),
              pose.R,
              {},
              g.angular_velocity,
              {along_contact(g, pose, first(g)), along_contact(g, pose, second(g))}};
    },
    .close = [](const JointGeometry& g, const JointPose& relative) -> JointClosure {
      JointClosure closure;
      const SX contact = relative.position - g.number("radius") * upward(g, relative);
      closure.rows.add("height", SX::dot(third(g), contact), off_ground);
      closure.coordinates = {{SX::dot(first(g), contact)}, {SX::dot(second(g), contact)}};
      return closure;
    },
    .roll = [](const JointGeometry& g, const JointPose& relative) -> JointRows {
      const SX turning = SX::mtimes(relative.R, relative.rotation_rate);
      const SX slip = relative.velocity - g.number("radius") * cross_product(turning, upward(g, relative));
      JointRows rows;
      if (g.is("side_slip")) {
        rows.add("roll", SX::dot(unit(cross_product(third(g), SX::mtimes(relative.R, g.axis))), slip), slips);
      } else {
        rows.add("roll_1", SX::dot(first(g), slip), slips);
        rows.add("roll_2", SX::dot(second(g), slip), slips);
      }
      return rows;
    },
    .conditions = rolling_conditions,
    .drawn = JointForm::Drawn::wheel};

}  // namespace

JointType joints::rolling() { return {"rolling", &rolling_in_plane, &rolling_in_space}; }

}  // namespace mechfmu
