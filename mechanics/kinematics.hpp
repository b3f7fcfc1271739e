// Finds where bodies and joints are: poses by recursion outward along the tree, relative poses at the cuts, velocities.
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
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elements/joints/joint_equations.hpp"
#include "elements/joints/joint_type.hpp"
#include "modelDescription/description/description.hpp"
#include "motions.hpp"
#include "tree.hpp"

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

/// Holds the place of a filter's state among q and v.
struct Filter {
  std::string of;  ///< name of the driven coordinate: "A.angle"
  const Motion* motion = nullptr;
  int position = 0, velocity = 0;
};

class Kinematics {
 public:
  Kinematics(const Description& description, const Tree& tree, const Geometry& geometry);

  /// Has the symbols of q, v and v̇, with their names and units. The caller adds multipliers, parameters and inputs.
  Symbols symbols;
  std::vector<Quaternion> quaternions;
  std::vector<std::string> position_names, velocity_names;
  std::vector<Unit> position_units;
  std::vector<Filter> filters;
  bool absolute = false;

  const Tree& tree() const { return tree_; }
  const Filter& filter_of(const Motion& motion) const;
  /// Returns the joint of this name.
  const MovingJoint& joint(const std::string& name) const;
  /// Returns the joint that has a coordinate of this name, and the coordinate's index in the joint.
  std::pair<const MovingJoint*, std::size_t> coordinate(const std::string& name) const;

  /// Finds the poses; call it when the symbols are complete. `start_of` gives the start parameter of a coordinate,
  /// `prescribed` the value of a motion.
  void build(const std::function<casadi::SX(const std::string& coordinate)>& start_of,
             const std::function<casadi::SX(const Motion&)>& prescribed);

  std::unique_ptr<Motions> motions;
  std::vector<MovingBody> bodies;  ///< begin with the ground
  std::vector<MovingJoint> joints;

  casadi_int space() const { return description_.spatial ? 3 : 2; }
  casadi_int openings_of_a_joint() const { return description_.spatial ? 6 : 3; }
  /// Returns p_GX of a body's point X.
  casadi::SX point(const PointReference& reference) const;
  /// Returns the frame that this point carries.
  Frame frame(const PointReference& reference) const;
  /// Returns the directions of its keys "axis" or "axes", in the axes of J.
  std::vector<casadi::SX> axes_of(const MovingJoint& joint) const;
  casadi::SX vector(const Vector& vector) const;
  casadi::SX rotation(const Rotation& rotation) const;  ///< spatial
  casadi::SX rotation_of_numbers(Rotation::Kind kind, const casadi::SX& numbers) const;
  casadi::SX rotation_angle(const Rotation& rotation) const;  ///< planar

  /// Returns the poses of all bodies for the positions that `place` enters, along the joints of `tree` only.
  std::vector<Frame> poses_at(const Tree& tree, const std::function<void(int joint, JointGeometry&)>& place) const;

 private:
  void make_symbols();
  JointGeometry geometry_of(const MovingJoint& joint) const;
  void set_joint_frames(MovingJoint& joint) const;
  casadi::SX direction(const Axis& axis, int body, const casadi::SX& frame) const;
  void carry(int body, const Branch& branch);
  void place_free(MovingBody& moving);
  void differentiate_positions();
  void close(MovingJoint& joint);
  /// Returns the frame of the body that a joint carries. A reversed joint leads from its child to its parent.
  Frame beyond(const MovingJoint& joint, const JointMotion& motion, const Frame& from, bool reversed,
               const casadi::SX& shift, const casadi::SX& turn) const;
  /// Returns w_GB_B of that body from w_GF_F of the body before.
  casadi::SX angular_velocity_beyond(const MovingJoint& joint, const casadi::SX& w_GF_F, bool reversed,
                                     const casadi::SX& turn_rate) const;
  casadi::SX point_of_body(int body, int point) const;

  const Description& description_;
  const Tree& tree_;
  const Geometry& geometry_;
};

}  // namespace mechfmu
