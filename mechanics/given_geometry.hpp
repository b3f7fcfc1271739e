// Evaluates what a file says about geometry: vectors, rotations, the frames and axes of joints.
//
// Names tell frames. p_AB is the vector from the origin of A to that of B, in the axes of A; v_AB is its rate. R_AB
// turns components in B into components in A. w_AB is the angular velocity of B against A. If a vector has other axes,
// they stand at the end: p_JK_G is in the ground's axes. In the plane, angle_AB is the angle of B against A, and w_AB
// is one number.
//
// G is the ground, B a body, M its mass centre, F any frame. A joint ties the frame K of its child C to the frame J of
// its parent P: the origins of J and K are the joint's points on P and C.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "elements/joints/joint_equations.hpp"
#include "elements/joints/joint_type.hpp"
#include "modelDescription/description/description.hpp"

namespace mechfmu {

/// Is a frame F against the ground.
struct Frame {
  casadi::SX p_GF = {}, R_GF = {};
  casadi::SX angle_GF = {};  ///< planar
};

/// Evaluates formulas of parameters: as expressions, and as numbers with the file's values.
struct Geometry {
  std::function<casadi::SX(const Expression&)> value;
  std::function<std::vector<double>(const casadi::SX&)> numbers;
};

/// Is a body B in motion, with openings.
struct MovingBody {
  const Body* body = nullptr;
  Frame frame = {};  ///< is the body's frame B
  casadi::SX p_GM = {}, v_GM = {};
  casadi::SX v_GB = {}, w_GB_B = {};
  /// If the body moves freely, these are the indices of its mass centre among q and v; its rotation follows.
  int first_q = -1, first_v = -1;
};

/// Is a joint of the tree, or a cut one.
struct MovingJoint {
  const Joint* joint = nullptr;
  const JointForm* form = nullptr;
  bool cut = false;
  JointGeometry geometry = {};
  casadi::SX R_PJ = {}, R_CK = {};
  casadi::SX angle_PJ = {}, angle_CK = {};  ///< planar
  casadi::SX p_PJ = {}, p_CK = {};
  int opening = 0;                   ///< index of its first opening: displacements, then rotations
  int position = -1, velocity = -1;  ///< indices of its first coordinate among q and v; the orientation follows
  int reading = -1;                  ///< index of its first reading
  JointMotion motion = {};           ///< motion of K against J, in the tree
  JointClosure closure = {};         ///< rows of a cut, with the joint's own opening
  JointRows roll = {};               ///< velocity constraints
  JointPose relative = {};           ///< pose of K against J at a cut, without its own opening
};

/// Returns how many velocities a joint of the tree has.
inline casadi_int velocity_count(const MovingJoint& joint) {
  return static_cast<casadi_int>(joint.joint->coordinates.size()) + (joint.form->orientation ? 3 : 0);
}

class GivenGeometry {
 public:
  casadi_int space() const { return description_.spatial ? 3 : 2; }
  casadi_int openings_of_a_joint() const { return description_.spatial ? 6 : 3; }
  /// Returns the directions of its keys "axis" or "axes", in the axes of J.
  std::vector<casadi::SX> axes_of(const MovingJoint& joint) const;
  casadi::SX vector(const Vector& vector) const;
  casadi::SX rotation(const Rotation& rotation) const;  ///< spatial
  casadi::SX rotation_of_numbers(Rotation::Kind kind, const casadi::SX& numbers) const;
  casadi::SX rotation_angle(const Rotation& rotation) const;  ///< planar
  casadi::SX point_of_body(int body, int point) const;

 protected:
  GivenGeometry(const Description& description, const Geometry& geometry)
      : description_(description), geometry_(geometry) {}
  ~GivenGeometry() = default;

  JointGeometry geometry_of(const MovingJoint& joint) const;
  void set_joint_frames(MovingJoint& joint) const;
  casadi::SX direction(const Axis& axis, int body, const casadi::SX& frame) const;

  const Description& description_;
  const Geometry& geometry_;
};

}  // namespace mechfmu
