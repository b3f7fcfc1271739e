// Where bodies and joints are: poses by recursion outward along the tree, relative poses at the cuts, velocities.
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

/// A frame against the ground.
struct Frame {
  casadi::SX position = {}, R = {};
  casadi::SX angle = {};  ///< planar
};

/// Formulas of parameters: as expressions, and as numbers with the file's values.
struct Geometry {
  std::function<casadi::SX(const Expression&)> value;
  std::function<std::vector<double>(const casadi::SX&)> numbers;
};

/// A body in motion; openings and all.
struct MovingBody {
  const Body* body = nullptr;
  Frame frame = {};
  casadi::SX center = {};            ///< mass centre
  casadi::SX velocity = {};          ///< of the mass centre
  casadi::SX origin_velocity = {};   ///< of the body's frame
  casadi::SX angular_velocity = {};  ///< planar one number; spatial in the body's frame
  int first_q = -1, first_v = -1;  ///< moving freely: index of its mass centre among q and v; how it is turned follows
};

/// A joint, of the tree or cut.
struct MovingJoint {
  const Joint* joint = nullptr;
  const JointForm* form = nullptr;
  bool cut = false;
  JointGeometry geometry = {};
  casadi::SX parent_frame = {}, child_frame = {};  ///< rotations of the joint frames in the bodies' frames
  casadi::SX parent_angle = {}, child_angle = {};  ///< the same in the plane
  casadi::SX parent_point = {}, child_point = {};  ///< in the bodies' frames
  int opening = 0;                                 ///< index of its first opening: displacements, then rotations
  int position = -1;  ///< index of its first coordinate among q and v; the orientation follows
  int velocity = -1;
  int reading = -1;           ///< index of its first reading
  JointMotion motion = {};    ///< tree
  JointClosure closure = {};  ///< cut, with the joint's own opening
  JointRows roll = {};        ///< velocity constraints
  JointPose relative = {};    ///< cut: without its own opening
};

/// How many velocities a joint of the tree has.
inline casadi_int velocity_count(const MovingJoint& joint) {
  return static_cast<casadi_int>(joint.joint->coordinates.size()) + (joint.form->orientation ? 3 : 0);
}

/// The state of a motion's filter among q and v.
struct Filter {
  std::string of;  ///< "A.angle"
  const Motion* motion = nullptr;
  int position = 0, velocity = 0;
};

class Kinematics {
 public:
  Kinematics(const Description& description, const Tree& tree, const Geometry& geometry);

  /// Symbols of q, v and v̇ and what they are; multipliers, parameters and inputs are the caller's.
  Symbols symbols;
  std::vector<Quaternion> quaternions;
  std::vector<std::string> position_names, velocity_names;
  std::vector<Unit> position_units;
  std::vector<Filter> filters;
  bool absolute = false;

  const Tree& tree() const { return tree_; }
  const Filter& filter_of(const Motion& motion) const;
  /// The joint of this name.
  const MovingJoint& joint(const std::string& name) const;
  /// The joint that has a coordinate of this name, and which of its coordinates it is.
  std::pair<const MovingJoint*, std::size_t> coordinate(const std::string& name) const;

  /// Poses, with the caller's symbols complete. `start_of`: the start parameter of a coordinate; `prescribed`: the
  /// value of a motion.
  void build(const std::function<casadi::SX(const std::string& coordinate)>& start_of,
             const std::function<casadi::SX(const Motion&)>& prescribed);

  std::unique_ptr<Motions> motions;
  std::vector<MovingBody> bodies;  ///< the ground first
  std::vector<MovingJoint> joints;

  casadi_int space() const { return description_.spatial ? 3 : 2; }
  casadi_int openings_of_a_joint() const { return description_.spatial ? 6 : 3; }
  /// A point of a body against the ground.
  casadi::SX point(const PointReference& reference) const;
  /// The frame that it carries.
  Frame frame(const PointReference& reference) const;
  /// The directions of its keys "axis" or "axes", in the parent's joint frame.
  std::vector<casadi::SX> axes_of(const MovingJoint& joint) const;
  casadi::SX vector(const Vector& vector) const;
  casadi::SX rotation(const Rotation& rotation) const;  ///< spatial
  casadi::SX rotation_of_numbers(Rotation::Kind kind, const casadi::SX& numbers) const;
  casadi::SX rotation_angle(const Rotation& rotation) const;  ///< planar

  /// Poses of all bodies for given positions, as the recursion gives them from `q`; joints of `tree` only.
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
  Frame beyond(const MovingJoint& joint, const JointMotion& motion, const Frame& from, bool reversed,
               const casadi::SX& shift, const casadi::SX& turn) const;
  casadi::SX angular_velocity_beyond(const MovingJoint& joint, const casadi::SX& from, bool reversed,
                                     const casadi::SX& turn_rate) const;
  casadi::SX point_of_body(int body, int point) const;

  const Description& description_;
  const Tree& tree_;
  const Geometry& geometry_;
};

}  // namespace mechfmu
