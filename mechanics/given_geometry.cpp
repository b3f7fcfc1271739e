// Evaluates formulas of vectors and rotations, and finds the frames of joints.
#include "given_geometry.hpp"

#include <cmath>

#include "elements/components.hpp"
#include "elements/rotations.hpp"

namespace mechfmu {

using casadi::Slice;
using casadi::SX;

SX GivenGeometry::vector(const Vector& vector) const {
  if (vector.components.empty()) return SX::zeros(space());
  std::vector<SX> components;
  for (const Expression& component : vector.components) components.push_back(geometry_.value(component));
  return SX::vertcat(components);
}

SX GivenGeometry::rotation_angle(const Rotation& rotation) const {
  return rotation.kind == Rotation::Kind::none ? SX(0) : geometry_.value(rotation.numbers.front());
}

SX GivenGeometry::rotation(const Rotation& rotation) const {
  std::vector<SX> numbers{SX(0, 1)};
  for (const Expression& number : rotation.numbers) numbers.push_back(geometry_.value(number));
  return rotation_of_numbers(rotation.kind, SX::vertcat(numbers));
}

SX GivenGeometry::rotation_of_numbers(Rotation::Kind kind, const SX& numbers) const {
  switch (kind) {
    case Rotation::Kind::axis_angle: {
      const SX axis = unit(numbers(Slice(0, 3)));
      return rotation_about(frame_about(axis, geometry_.numbers(axis)), numbers(3));
    }
    case Rotation::Kind::roll_pitch_yaw: return rotation_of_roll_pitch_yaw(numbers);
    case Rotation::Kind::quaternion: return rotation_of(unit(numbers));
    case Rotation::Kind::angle:
    case Rotation::Kind::none: break;
  }
  return SX::eye(3);
}

SX GivenGeometry::point_of_body(int body, int point) const {
  return vector(description_.bodies[static_cast<std::size_t>(body)].points[static_cast<std::size_t>(point)].at);
}

/// Returns a direction of a body in the axes of its joint frame.
SX GivenGeometry::direction(const Axis& axis, int body, const SX& frame) const {
  if (!axis.points) return vector(axis.components);
  return turned_back(frame, point_of_body(body, axis.points->second) - point_of_body(body, axis.points->first));
}

/// Sets the joint's frames J and K to those that its points carry. If no point carries one, J and K agree when the
/// bodies are turned as the file says for the zero configuration.
void GivenGeometry::set_joint_frames(MovingJoint& joint) const {
  const auto carried = [&](const PointReference& reference) -> const Rotation& {
    return description_.bodies[static_cast<std::size_t>(reference.body)]
        .points[static_cast<std::size_t>(reference.point)]
        .rotation;
  };
  const auto of_body = [&](const PointReference& reference) -> const Rotation& {
    return description_.bodies[static_cast<std::size_t>(reference.body)].rotation;
  };
  const PointReference &parent = joint.joint->parent, &child = joint.joint->child;
  joint.p_PJ = point_of_body(parent.body, parent.point);
  joint.p_CK = point_of_body(child.body, child.point);
  const bool agreed = carried(parent).kind != Rotation::Kind::none || carried(child).kind != Rotation::Kind::none;
  if (description_.spatial) {
    joint.R_PJ = rotation(carried(parent));
    joint.R_CK = rotation(carried(child));
    if (!agreed) joint.R_CK = SX::mtimes(rotation(of_body(child)).T(), rotation(of_body(parent)));
  } else {
    joint.angle_PJ = rotation_angle(carried(parent));
    joint.angle_CK = rotation_angle(carried(child));
    if (!agreed) joint.angle_CK = rotation_angle(of_body(parent)) - rotation_angle(of_body(child));
    joint.R_PJ = planar_rotation(joint.angle_PJ);
    joint.R_CK = planar_rotation(joint.angle_CK);
  }
}

std::vector<SX> GivenGeometry::axes_of(const MovingJoint& joint) const {
  std::vector<SX> axes;
  for (const Axis& axis : joint.joint->axes) axes.push_back(direction(axis, joint.joint->parent.body, joint.R_PJ));
  return axes;
}

JointGeometry GivenGeometry::geometry_of(const MovingJoint& moving) const {
  const Joint& joint = *moving.joint;
  const auto axis_of_parent = [&](const Axis& axis) { return direction(axis, joint.parent.body, moving.R_PJ); };
  const auto axis_of_joint = [&](const Axis& axis) {
    return moving.form->axis_in_child ? direction(axis, joint.child.body, moving.R_CK) : axis_of_parent(axis);
  };
  JointGeometry g;
  for (const NumberKey& key : moving.form->numbers) {
    const auto number = joint.numbers.find(key.name);
    const auto components = joint.vectors.find(key.name);
    g.numbers[key.name] = number != joint.numbers.end()       ? geometry_.value(number->second)
                          : components != joint.vectors.end() ? vector(components->second)
                                                              : SX::zeros(key.vector ? space() : 1);
  }
  g.flags = joint.flags;
  if (!description_.spatial) {
    g.axis = joint.axes.empty() ? SX(std::vector<double>{1, 0}) : unit(axis_of_joint(joint.axes[0]));
    g.rotation_angle = rotation_angle(joint.rotation);
    return g;
  }
  g.rotation = rotation(joint.rotation);
  const SX z(std::vector<double>{0, 0, 1});
  if (joint.axes.size() == 2) {  // is universal
    const std::vector<SX> axes = axes_of(moving);
    g.axis = axes[0];
    g.second_axis = axes[1];
    g.frame = frame_about(axes[0], axes[1]);
    return g;
  }
  g.axis = joint.axes.empty() ? z : unit(axis_of_joint(joint.axes[0]));
  const SX third = !moving.form->has("normal") ? g.axis : joint.normal ? unit(axis_of_parent(*joint.normal)) : z;
  const std::vector<double> numbers = geometry_.numbers(third);
  const bool x_is_nearly_third = std::abs(numbers[0]) > 0.9;
  const SX x(x_is_nearly_third ? std::vector<double>{0, 1, 0} : std::vector<double>{1, 0, 0});
  g.frame = moving.form->first_is_x ? frame_about(third, x) : frame_about(third, numbers);
  return g;
}

}  // namespace mechfmu
