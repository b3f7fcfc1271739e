// Says what a member of the family of joints tells, and lists the members. Each member has one file and one line in
// list.hpp.
//
// A joint is its pose: where its child's point is in the parent's joint frame and how the child is turned against it,
// as a function of the joint's coordinates. Everything else is derived. As a joint of the tree it adds these
// coordinates; as a cut it demands that the relative pose is one of its poses, by as few equations as possible in its
// local coordinates (Blajer, Bestle, Schiehlen 1994), and tells its coordinates from the relative pose. This header
// needs no symbolic mathematics: those who read a mechanism file ask it for keys and coordinates.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "elements/number_keys.hpp"

namespace mechfmu {

struct JointGeometry;
struct JointPose;
struct JointMotion;
struct JointClosure;
struct JointRows;
struct JointStarts;
struct PlacedJoint;
struct ConditionEquation;
class Surroundings;

/// Is a scalar coordinate of a joint.
struct CoordinateFacts {
  const char* name;
  bool angle;  ///< is true if it is in rad, else it is in m
  /// Is the direction in which a position leads the child's point, a column of the joint's frame; -1: its axis.
  int direction = -1;
};

/// Is a joint in the plane or in space.
struct JointForm {
  std::vector<CoordinateFacts> coordinates = {};
  bool orientation = false;  ///< is true if it has a unit quaternion, too, with three components of angular velocity
  std::vector<std::string> keys = {};   ///< has those of "axis", "axes", "normal", "rotation" that are its keys
  std::vector<NumberKey> numbers = {};  ///< has its own keys; components are those in the parent's joint frame
  std::vector<std::string> flags = {};  ///< has its own keys with true or false
  /// Is true if its reaction is a pull along the line between two points, the variable "tension": it holds no body in
  /// place.
  bool pulls = false;
  bool axis_in_child = false;  ///< is true if the key "axis" is a direction of the child, else of the parent
  /// Is true if its frame's first direction is the parent's x axis, or the y axis where x is nearly the third one; else
  /// any direction across the third will do.
  bool first_is_x = false;
  /// Is true if its cut's equations hold for the vector between the points in any axes: the ground's cost least.
  bool any_axes = false;
  /// Returns its motion as a joint of the tree. Null: it is always a cut.
  JointMotion (*move)(const JointGeometry&) = nullptr;
  /// Returns its closure as a cut.
  JointClosure (*close)(const JointGeometry&, const JointPose& relative) = nullptr;
  /// Returns the rows that it demands of velocities alone, linear in the rates of the relative pose. In the tree it is
  /// used only if `move` has no equations of its own for them. Null: it demands nothing.
  JointRows (*roll)(const JointGeometry&, const JointPose& relative) = nullptr;
  /// Notes what its equations need of its coordinates' start values. Null: they need nothing.
  void (*begin)(JointGeometry&, const JointStarts&) = nullptr;
  /// Returns conditions on its geometry. Null: there are none.
  std::vector<ConditionEquation> (*conditions)(const PlacedJoint&, const Surroundings&) = nullptr;
  /// Says what a picture shows of it. If it is a place, its bodies reach to it.
  enum class Drawn { place, nothing, rod, wheel } drawn = Drawn::place;

  /// Returns the keys of the file, beyond those that every joint has.
  std::vector<std::string> all_keys() const;
  /// Is true if it has this key.
  bool has(const std::string& key) const;
  /// Is true if its angle turns about its third direction, or its position slides along it.
  bool has_axis() const { return has("axis") && !axis_in_child && !first_is_x; }
  /// Is true if its bodies do not move against each other.
  bool is_rigid() const { return move != nullptr && coordinates.empty() && !orientation; }
};

struct JointType {
  const char* name;
  const JointForm* planar;  ///< null: there is none
  const JointForm* spatial;
};

/// Returns all joints.
std::span<const JointType> joint_types();

/// Returns the form of a joint in the plane or in space; null if there is none of this name.
const JointForm* find_joint_form(const std::string& type, bool spatial);

}  // namespace mechfmu
