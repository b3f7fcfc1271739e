// Shows the formulas of forces, couplings and joints the mechanism that they belong to; mechanics/ has it.
#pragma once

#include <string>

#include "joints/joint_equations.hpp"
#include "joints/joint_type.hpp"
#include "modelDescription/description/bodies.hpp"

namespace mechfmu {

/// Is a joint in its place.
struct PlacedJoint {
  const Joint& joint;
  const JointForm& form;
  const JointGeometry& geometry;
  casadi::SX parent_frame, child_frame;  ///< spatial: rotations of the joint's frames in the bodies' frames
};

class Surroundings {
 public:
  virtual ~Surroundings() = default;

  virtual bool spatial() const = 0;
  /// Returns a formula's value.
  virtual casadi::SX value(const Expression&) const = 0;
  /// Returns the number of one of an element's own keys; `otherwise` if the file does not give it.
  casadi::SX number(const std::map<std::string, Expression>& numbers, const std::string& key,
                    double otherwise = 0) const;
  /// Returns the components of one of its own keys; zeros if the file does not give it.
  casadi::SX vector(const std::map<std::string, Vector>& vectors, const std::string& key) const;
  /// Returns a coordinate as forces and couplings read it: "A.angle".
  virtual casadi::SX named(const std::string&) const = 0;
  /// Returns the value of a function of the file.
  virtual casadi::SX call(const std::string& function, const casadi::SX& argument) const = 0;
  /// Returns the total derivative by time.
  virtual casadi::SX rate(const casadi::SX&) const = 0;
  /// Returns a point of a body against the ground.
  virtual casadi::SX point(const PointReference&) const = 0;
  /// Returns the same point in the body's frame.
  virtual casadi::SX point_of_body(const PointReference&) const = 0;
  /// Returns the rotation against the ground of the frame that a point carries; of the body's frame if it carries none.
  virtual casadi::SX frame(const PointReference&) const = 0;
  /// Returns the rotation of a body's frame against the ground.
  virtual casadi::SX rotation(int body) const = 0;
  /// Returns one number in the plane; in space, the angular velocity in the body's frame.
  virtual casadi::SX angular_velocity(int body) const = 0;
  virtual PlacedJoint joint(const std::string& name) const = 0;
  /// Returns the joint that has this coordinate, and which one of the joint's coordinates it is.
  virtual std::pair<PlacedJoint, std::size_t> coordinate(const std::string& name) const = 0;
  /// Returns the unit in which messages tell lengths; the next function returns that of a formula's value.
  virtual Unit length_unit() const = 0;
  virtual Unit unit_of(const Expression&, const Unit& otherwise) const = 0;
};

}  // namespace mechfmu
