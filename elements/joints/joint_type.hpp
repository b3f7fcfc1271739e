// The family of joints: what a member tells, and the list of them. One file a member, one line in list.hpp.
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

/// A scalar coordinate of a joint.
struct CoordinateFacts {
  const char* name;
  bool angle;  ///< in rad, else in m
  /// A position: the direction that it leads the child's point in, a column of the joint's frame; -1: its axis.
  int direction = -1;
};

/// A joint in the plane or in space.
struct JointForm {
  std::vector<CoordinateFacts> coordinates = {};
  bool orientation = false;             ///< besides them a unit quaternion, with three components of angular velocity
  std::vector<std::string> keys = {};   ///< "axis", "axes", "normal", "rotation": those of them that it has
  std::vector<NumberKey> numbers = {};  ///< its own keys; components are those in the parent's joint frame
  std::vector<std::string> flags = {};  ///< its own keys with true or false
  /// Its reaction is a pull along the line between two points, the variable "tension": it holds no body in place.
  bool pulls = false;
  bool axis_in_child = false;  ///< the key "axis" is a direction of the child, else of the parent
  /// Its frame's first direction is the parent's x axis, or the y axis where x is nearly the third one; else any
  /// direction across the third will do.
  bool first_is_x = false;
  /// Its cut's equations hold for the vector between the points in any axes: the ground's cost least.
  bool any_axes = false;
  /// As a joint of the tree. Null: it is always a cut.
  JointMotion (*move)(const JointGeometry&) = nullptr;
  /// As a cut.
  JointClosure (*close)(const JointGeometry&, const JointPose& relative) = nullptr;
  /// What it demands of velocities alone, linear in the rates of the relative pose; in the tree only where `move` has
  /// no equations of its own for it. Null: nothing.
  JointRows (*roll)(const JointGeometry&, const JointPose& relative) = nullptr;
  /// Notes what its equations need of its coordinates' start values. Null: nothing.
  void (*begin)(JointGeometry&, const JointStarts&) = nullptr;
  /// What its geometry has to fulfil. Null: nothing.
  std::vector<ConditionEquation> (*conditions)(const PlacedJoint&, const Surroundings&) = nullptr;
  /// What a picture shows of it. Where it is a place, its bodies reach to it.
  enum class Drawn { place, nothing, rod, wheel } drawn = Drawn::place;

  /// The keys of the file, beyond those that every joint has.
  std::vector<std::string> all_keys() const;
  /// Whether it is one of them.
  bool has(const std::string& key) const;
  /// Whether its third direction is what its angle turns about or its position slides along.
  bool has_axis() const { return has("axis") && !axis_in_child && !first_is_x; }
  /// Whether its bodies do not move against each other.
  bool is_rigid() const { return move != nullptr && coordinates.empty() && !orientation; }
};

struct JointType {
  const char* name;
  const JointForm* planar;  ///< null: there is none
  const JointForm* spatial;
};

/// All joints.
std::span<const JointType> joint_types();

/// The form of a joint in the plane or in space; null if there is none of this name.
const JointForm* find_joint_form(const std::string& type, bool spatial);

}  // namespace mechfmu
