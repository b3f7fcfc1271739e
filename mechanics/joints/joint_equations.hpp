// What the formulas of a joint are made of, and what they give.
#pragma once

#include <string>
#include <vector>

#include <casadi/casadi.hpp>

namespace mechfmu {

/// A frame against another: where its origin is, how it is turned. In the plane `R` is 2 × 2 and belongs to `angle`.
struct JointPose {
  casadi::SX position;
  casadi::SX R;
  casadi::SX angle;       ///< planar
  casadi::SX velocity;    ///< of the position, in the reference frame; what cuts with velocity constraints need
  casadi::SX rotation_rate;  ///< angular velocity: planar one number; spatial in the turned frame
};

/// A joint's keys as expressions, and its coordinates as a joint of the tree.
struct JointGeometry {
  bool spatial = false;
  casadi::SX frame;      ///< spatial: rotation whose third column is the axis (joint frame in the parent's joint frame)
  casadi::SX axis;       ///< unit vector in the parent's joint frame
  casadi::SX second_axis;  ///< universal: unit vector, in the child's joint frame
  casadi::SX normal;     ///< rolling: of the plane
  casadi::SX lead, length, radius;
  casadi::SX offset;     ///< rolling in the plane: position − (−radius·angle)
  bool side_slip = false;
  casadi::SX rotation;   ///< fixed: of the child's joint frame in the parent's
  casadi::SX rotation_angle;  ///< the same in the plane
  // Symbols of the coordinates, in the type's order, and of the orientation.
  casadi::SX q, v;
  casadi::SX quaternion, angular_velocity;
};

/// A direction of force and of torque on the child, in the parent's joint frame, force through the child's point.
struct Wrench {
  casadi::SX force;
  casadi::SX torque;  ///< planar: one number
};

/// The pose and its angular velocity; `efforts`: what an effort of one on each scalar coordinate does.
struct JointMotion {
  casadi::SX position, R, angle;
  casadi::SX rotation_rate;  ///< child against parent: planar one number; spatial in the child's joint frame
  std::vector<Wrench> efforts;
};

/// A coordinate told from the relative pose. Angles come from atan2 and are unwrapped by the number of turns.
struct ClosureCoordinate {
  casadi::SX value;
  bool wraps = false;
};

struct JointClosure {
  std::vector<casadi::SX> rows;        ///< = 0
  std::vector<std::string> row_names;  ///< "x", "axis_1", …: what messages call them after the joint's name
  std::vector<casadi::SX> velocity_rows;  ///< = 0, linear in the rates of the relative pose
  std::vector<std::string> velocity_row_names;
  std::vector<casadi::SX> branch;  ///< positive on the right branch: rows alone also hold for the axes reversed
  std::vector<ClosureCoordinate> coordinates;  ///< in the type's order
};

}  // namespace mechfmu
