// What a mechanism file says of bodies, joints, forces, couplings and sensors, after reading and checking.
// Indices count in Description's lists; body 0 is the ground.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "modelDescription/formulas/formulas.hpp"

namespace mechfmu {

/// Components in some frame: two in the plane, three in space.
struct Vector {
  std::vector<Expression> components;
  Place place;
};

/// A rotation as it was written; `numbers` are, in this order:
struct Rotation {
  enum class Kind {
    none,
    angle,           ///< planar: the angle
    axis_angle,      ///< x, y, z, angle
    roll_pitch_yaw,  ///< about the fixed axes x, y, z in turn
    quaternion,      ///< w, x, y, z
  };
  Kind kind = Kind::none;
  std::vector<Expression> numbers;
  Place place;
};

/// A point of a body; one with a rotation carries a frame.
struct BodyPoint {
  std::string name;
  Place place;
  Vector at;
  Rotation rotation;
};

/// How a body is drawn; nothing: through its joints' points.
struct Shape {
  enum class Kind { none, line, box, cylinder, sphere, mesh };
  Kind kind = Kind::none;
  std::vector<std::string> points;  ///< line: names of points
  std::vector<Expression> sizes;    ///< box: x, y, z; cylinder: radius, length; sphere: radius
  std::string file;                 ///< mesh
  Vector at;
  Rotation rotation;
  Place place;
};

struct Body {
  std::string name, description;
  Place place;
  Expression mass;
  bool allow_negative = false;  ///< mass and inertia may be taken away
  bool rotor = false;           ///< its inertia is that about its axis only
  Vector center_of_mass;
  std::vector<Expression> inertia;  ///< about the mass centre: one number in the plane; xx, yy, zz, xy, xz, yz in space
  Place inertia_place;
  Rotation rotation;              ///< of its frame in the ground's, in the zero configuration
  std::vector<BodyPoint> points;  ///< the first is the origin, "O"
  Shape shape;
};

/// A point as others refer to it: "crank.B".
struct PointReference {
  int body = 0, point = 0;
  Place place;
};

/// A direction in the parent's frame (JointForm::axis_in_child: in the child's): components, or from one of the body's
/// points to another.
struct Axis {
  Vector components;
  std::optional<std::pair<int, int>> points;  ///< instead
  Place place;
};

/// A prescribed motion: a function of time; or an input with its derivatives, or through a filter.
struct Motion {
  Expression value;
  std::optional<Expression> rate, acceleration;  ///< both or none
  std::optional<Expression> filter;              ///< time constant, s
  bool by_input = false;                         ///< value contains an input
  Place place;
};

/// A scalar coordinate of a joint: "A.angle".
struct JointCoordinate {
  std::string name;  ///< with the joint's: "A.angle"
  Place place;
  Unit unit, rate_unit, acceleration_unit;
  Start start, rate_start;
  Nominal nominal;
  bool given = false;  ///< the author wrote a start value for it
  std::optional<Motion> motion;
};

/// How a joint's child is turned against its parent at the start, and how fast.
struct OrientationStart {
  Rotation start;
  bool fixed = false, given = false;
  Vector rate;                  ///< angular velocity of the child against the parent
  bool rate_in_parent = false;  ///< its components' frame: the parent's, not the child's
  bool rate_fixed = false;
  Place place, rate_place;
};

struct Joint {
  std::string name, description, type;
  Place place;
  PointReference parent, child;
  bool cut = false;        ///< the author wants it cut
  std::vector<Axis> axes;  ///< of the keys "axis" or "axes"; empty: the type's default
  std::optional<Axis> normal;
  std::map<std::string, Expression> numbers;    ///< of the type's own keys those that were given
  std::map<std::string, Vector> vectors;        ///< likewise; components in the parent's joint frame
  std::set<std::string> flags;                  ///< its keys with true or false that are true
  Rotation rotation;                            ///< of a fixed joint
  std::vector<JointCoordinate> coordinates;     ///< all that the type has, in its order
  std::optional<OrientationStart> orientation;  ///< if the type has one
  std::optional<Motion> length_motion;          ///< of a distance
};

struct Force {
  std::string name, description, type;
  Place place;
  PointReference at, to;                      ///< force: at; line_force, spring_damper: from = at, to
  int body = -1;                              ///< torque: on
  int frame = 0;                              ///< of the components
  std::string coordinate;                     ///< "A.angle"
  std::vector<Expression> value;              ///< one number, or components
  std::map<std::string, Expression> numbers;  ///< of the type's own keys those that were given
  std::map<std::string, Vector> vectors;      ///< likewise
  bool allow_negative = false;                ///< stiffness and damping may be
};

struct Coupling {
  std::string name, description, type;
  Place place;
  std::vector<std::pair<std::string, Expression>> terms;  ///< linear: coordinate → factor
  std::string first, second;                              ///< gear, rack: coordinates; mesh: joints
  std::map<std::string, Expression> numbers;              ///< of the type's own keys those that were given
  std::map<std::string, Vector> vectors;                  ///< likewise
  Unit multiplier_unit;
};

struct Sensor {
  std::string name, description;
  Place place;
  PointReference from, to;
  int axes = 0;  ///< body whose frame the components are in
};

}  // namespace mechfmu
