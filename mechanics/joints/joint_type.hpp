// The family of joints: what a member tells. One file a member, one line in joint_types.cpp.
//
// A joint is its pose: where its child's point is in the parent's joint frame and how the child is turned against it, as a
// function of the joint's coordinates. Everything else is derived. As a joint of the tree it adds these coordinates; as
// a cut it demands that the relative pose is one of its poses, by as few equations as possible in its local coordinates
// (Blajer, Bestle, Schiehlen 1994), and tells its coordinates from the relative pose.
// This header needs no symbolic mathematics: those who read a mechanism file ask it for keys and coordinates.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace mechfmu {

struct JointGeometry;
struct JointPose;
struct JointMotion;
struct JointClosure;

/// A scalar coordinate of a joint.
struct CoordinateFacts {
  const char* name;
  bool angle;  ///< in rad, else in m
};

/// A joint in the plane or in space.
struct JointForm {
  std::vector<CoordinateFacts> coordinates;
  bool orientation = false;  ///< besides them a unit quaternion, with three components of angular velocity
  std::vector<std::string> keys;      ///< of the file, beyond those that every joint has
  std::vector<std::string> required;  ///< of them, those that must be given
  /// As a joint of the tree. Null: it is always a cut.
  JointMotion (*move)(const JointGeometry&) = nullptr;
  /// As a cut.
  JointClosure (*close)(const JointGeometry&, const JointPose& relative) = nullptr;
  /// Its reaction is a pull along the line between two points, the variable "tension": it holds no body in place.
  bool pulls = false;
  bool axis_in_child = false;  ///< the key "axis" is a direction of the child, else of the parent
};

struct JointType {
  const char* name;
  const JointForm* planar;   ///< null: there is none
  const JointForm* spatial;
};

/// All joints.
std::span<const JointType> joint_types();

/// The form of a joint in the plane or in space; null if there is none of this name.
const JointForm* find_joint_form(const std::string& type, bool spatial);

}  // namespace mechfmu
