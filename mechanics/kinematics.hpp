// Finds where bodies and joints are: poses by recursion outward along the tree, relative poses at the cuts, velocities.
// given_geometry.hpp says how names tell frames.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "given_geometry.hpp"
#include "motions.hpp"
#include "tree.hpp"

namespace mechfmu {

/// Holds the place of a filter's state among q and v.
struct Filter {
  std::string of;  ///< name of the driven coordinate: "A.angle"
  const PrescribedMotion* motion = nullptr;
  int position = 0, velocity = 0;
};

class Kinematics : public GivenGeometry {
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
  const Filter& filter_of(const PrescribedMotion& motion) const;
  /// Returns the joint of this name.
  const MovingJoint& joint(const std::string& name) const;
  /// Returns the joint that has a coordinate of this name, and the coordinate's index in the joint.
  std::pair<const MovingJoint*, std::size_t> coordinate(const std::string& name) const;

  /// Finds the poses; call it when the symbols are complete. `start_of` gives the start parameter of a coordinate,
  /// `prescribed` the value of a motion.
  void build(const std::function<casadi::SX(const std::string& coordinate)>& start_of,
             const std::function<casadi::SX(const PrescribedMotion&)>& prescribed);

  std::unique_ptr<Motions> motions;
  std::vector<MovingBody> bodies;  ///< begin with the ground
  std::vector<MovingJoint> joints;

  /// Returns p_GX of a body's point X.
  casadi::SX point(const PointReference& reference) const;
  /// Returns the frame that this point carries.
  Frame frame(const PointReference& reference) const;

  /// Returns the poses of all bodies for the positions that `place` enters, along the joints of `tree` only.
  std::vector<Frame> poses_at(const Tree& tree, const std::function<void(int joint, JointGeometry&)>& place) const;

 private:
  void make_symbols();
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

  const Tree& tree_;
};

}  // namespace mechfmu
