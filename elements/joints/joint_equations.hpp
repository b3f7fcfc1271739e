// Holds the arguments and results of a joint's formulas, and pieces that joints share.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <casadi/casadi.hpp>

#include "fmu_src/mechanism/mechanism.hpp"

namespace mechfmu {

/// Is the child's joint frame against the parent's: where the child's point is, how the child is turned, and their
/// rates.
struct JointPose {
  casadi::SX position = {}, R = {};
  casadi::SX angle = {};          ///< planar
  casadi::SX velocity = {};       ///< rate of the position
  casadi::SX rotation_rate = {};  ///< angular velocity: planar one number; spatial in the child's joint frame
};

/// Holds a joint's keys as expressions in the parent's joint frame, and the symbols of its coordinates.
struct JointGeometry {
  casadi::SX frame = {};        ///< right-handed: the axis is its third column; rolling: the plane's normal is
  casadi::SX axis = {};         ///< unit vector; rolling in space: axis of the disk, in the child's joint frame
  casadi::SX second_axis = {};  ///< second direction of the key "axes"; then neither direction need have length one
  std::map<std::string, casadi::SX> numbers = {};  ///< numbers of the form's own keys; 0 if the file does not give one
  std::set<std::string> flags = {};                ///< names of its keys with true or false that are true
  casadi::SX offset = {};                          ///< rolling in the plane: position + radius·angle
  casadi::SX rotation = {}, rotation_angle = {};   ///< fixed: rotation of the child's joint frame
  casadi::SX q = {}, v = {};                       ///< coordinates and their rates, in the type's order
  casadi::SX quaternion = {}, angular_velocity = {};

  const casadi::SX& number(const std::string& key) const { return numbers.at(key); }
  bool is(const std::string& flag) const { return flags.count(flag) > 0; }
};

/// Gives start values of a joint's coordinates, by their names.
struct JointStarts {
  std::function<casadi::SX(const std::string& coordinate)> of;
};

/// Is a force through the child's point and a torque on the child, in the parent's joint frame.
struct Wrench {
  casadi::SX force, torque;
};

/// Says what it means that a row stays open. In the text <parent> and <child> are the points, <parent body> and <child
/// body> the bodies, and # is the number. Rows of one text next to each other are told together.
struct OpenRow {
  const char* text;
  bool angle = false;  ///< is true if the number is in rad, else it is in m
  ToldRows::Gap gap = ToldRows::Gap::residual;
};
inline constexpr OpenRow pins_apart{"the pins <parent> and <child> stay # apart"},
    points_apart{"the points <parent> and <child> stay # apart"},
    beside_line{"<child> stays # beside the line through <parent>"},
    off_plane{"<child> stays # off the plane through <parent>"},
    axes_apart{"the axes in <parent body> and <child body> stay # out of line", true, ToldRows::Gap::sine},
    turned_apart{"<parent body> and <child body> stay turned against each other by #", true};

/// Holds equations = 0, and what messages call them after the joint's name.
struct JointRows {
  std::vector<casadi::SX> rows;
  std::vector<std::string> names;
  std::vector<OpenRow> meanings;

  void add(const std::string& name, const casadi::SX& row, const OpenRow& meaning) {
    rows.push_back(row);
    names.push_back(name);
    meanings.push_back(meaning);
  }
};

/// Is the motion of a joint of the tree: the pose, its angular velocity, and what an effort of one on each coordinate
/// does.
struct JointMotion {
  casadi::SX position = {}, R = {}, angle = {};
  casadi::SX rotation_rate = {};
  std::vector<Wrench> efforts = {};
  JointRows rows = {};  ///< further equations between its coordinates
};

/// Is a coordinate told from the relative pose; an angle from atan2 is known up to whole turns.
struct ClosureCoordinate {
  casadi::SX value;
  bool wraps = false;
};

/// Is the closure of a cut.
struct JointClosure {
  JointRows rows;
  std::vector<casadi::SX> branch;  ///< positive on the right branch: rows may also hold with an axis reversed
  std::vector<ClosureCoordinate> coordinates;  ///< have the type's order
};

// The functions below make pieces that joints share.

/// Returns a column of zeros.
inline casadi::SX none(casadi_int count) { return casadi::SX(count, 1); }

inline casadi::SX first(const JointGeometry& g) { return g.frame(casadi::Slice(), 0); }
inline casadi::SX second(const JointGeometry& g) { return g.frame(casadi::Slice(), 1); }
inline casadi::SX third(const JointGeometry& g) { return g.frame(casadi::Slice(), 2); }

/// Returns aᵀ R b: how far the child's b lies along the parent's a.
inline casadi::SX along(const casadi::SX& a, const JointPose& relative, const casadi::SX& b) {
  return casadi::SX::mtimes({a.T(), relative.R, b});
}

/// Adds the rows that let the points coincide.
void close_points(const JointPose& relative, JointRows& rows, const OpenRow& meaning = points_apart);

/// Adds the rows that keep the point on the line through the parent's point along the third column.
void close_line(const JointGeometry& g, const JointPose& relative, JointRows& rows);

/// Adds the rows that make the child's axis the parent's: two equations, and one condition that it is not reversed.
void align_axes(const JointGeometry& g, const JointPose& relative, JointClosure& closure);

/// Adds the rows that let the child be turned by `rotation` and not otherwise: three equations.
void hold_rotation(const casadi::SX& rotation, const JointPose& relative, JointClosure& closure);

/// Returns the angle about the third column, from the turn of the first.
ClosureCoordinate angle_about(const JointGeometry& g, const JointPose& relative);

}  // namespace mechfmu
