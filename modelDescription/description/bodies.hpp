// These structures hold what a mechanism file says about bodies, joints, forces, couplings and sensors, after reading
// and checking. Indices count in Description's lists; body 0 is the ground.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "modelDescription/formulas/formulas.hpp"

namespace mechfmu {

/// Holds components in some frame: two in the plane, three in space.
struct Vector {
  std::vector<Expression> components;
  Place place;
};

/// Holds a rotation as the file writes it. The kind says which `numbers` there are, in this order.
struct Rotation {
  enum class Kind {
    none,
    angle,           ///< planar: the angle
    axis_angle,      ///< x, y, z, angle
    roll_pitch_yaw,  ///< angles about the fixed axes x, y, z in turn
    quaternion,      ///< w, x, y, z
  };
  Kind kind = Kind::none;
  std::vector<Expression> numbers;
  Place place;
};

/// Is a point of a body. If it has a rotation, it carries a frame.
struct BodyPoint {
  std::string name;
  Place place;
  Vector at;
  Rotation rotation;
};

/// Says how a body is drawn. With the kind `none` it is drawn through the points of its joints.
struct Shape {
  enum class Kind { none, line, box, cylinder, sphere, mesh };
  Kind kind = Kind::none;
  std::vector<std::string> points;  ///< names of points, for a line
  std::vector<Expression> sizes;    ///< box: x, y, z; cylinder: radius, length; sphere: radius
  std::string file;                 ///< file of a mesh
  Vector at;
  Rotation rotation;
  Place place;
};

struct Body {
  std::string name, description;
  Place place;
  Expression mass;
  bool allow_negative = false;  ///< is true if mass and inertia may be negative
  bool rotor = false;           ///< is true if the inertia is that about the body's axis only
  Vector center_of_mass;
  /// Is about the mass centre, in kg m²: one number in the plane; xx, yy, zz, xy, xz, yz in space.
  std::vector<Expression> inertia;
  Place inertia_place;
  Rotation rotation;              ///< turns the body's frame against the ground's in the zero configuration
  std::vector<BodyPoint> points;  ///< The first is the origin, "O".
  Shape shape;
};

/// Is a point as other parts of the file name it: "crank.B".
struct PointReference {
  int body = 0, point = 0;
  Place place;
};

/// Is a direction in the parent's frame, or in the child's if JointForm::axis_in_child is true. The file gives its
/// components, or two points of the body.
struct Axis {
  Vector components;
  std::optional<std::pair<int, int>> points;  ///< two points, in place of components
  Place place;
};

/// Is a prescribed motion: a function of time, an input with its derivatives, or an input through a filter.
struct PrescribedMotion {
  Expression value;
  std::optional<Expression> rate, acceleration;  ///< The file gives both or none.
  std::optional<Expression> filter;              ///< time constant, s
  bool by_input = false;                         ///< is true if the value contains an input
  Place place;
};

/// Is a scalar coordinate of a joint: "A.angle".
struct JointCoordinate {
  std::string name;  ///< contains the joint's name: "A.angle"
  Place place;
  Unit unit, rate_unit, acceleration_unit;
  Start start, rate_start;
  Nominal nominal;
  bool given = false;  ///< is true if the file gives a start value
  std::optional<CoordinateLimits> limits;
  std::optional<PrescribedMotion> motion;
};

/// Says how a joint's child is turned against its parent at the start, and how fast it turns.
struct OrientationStart {
  Rotation start;
  bool fixed = false, given = false;
  Vector rate;                  ///< angular velocity of the child against the parent, rad/s
  bool rate_in_parent = false;  ///< is true if its components are in the parent's frame, else they are in the child's
  bool rate_fixed = false;
  Place place, rate_place;
};

/// Holds gains of drift correction by feedback, G₁ in 1/s and G₀ in 1/s², if the file gives them.
struct DriftGains {
  std::optional<double> first, second;
  Place first_place = {}, second_place = {};
};

struct Joint {
  std::string name, description, type;
  Place place;
  PointReference parent, child;
  bool cut = false;        ///< is true if the file asks for a cut
  std::vector<Axis> axes;  ///< from the keys "axis" or "axes"; empty if the type's default holds
  std::optional<Axis> normal;
  std::map<std::string, Expression> numbers;      ///< numbers that the file gives for the type's own keys
  std::map<std::string, Vector> vectors;          ///< vectors of such keys; components in the parent's joint frame
  std::set<std::string> flags;                    ///< names of the type's keys that are true
  Rotation rotation;                              ///< angle or orientation of a fixed joint
  std::vector<JointCoordinate> coordinates;       ///< has all coordinates of the type, in the type's order
  std::optional<OrientationStart> orientation;    ///< is there if the type has an orientation
  std::optional<PrescribedMotion> length_motion;  ///< drives the length of a distance
  DriftGains gains;                               ///< gains of the joint's own equations
};

struct Force {
  std::string name, description, type;
  Place place;
  PointReference at, to;                      ///< force: the key at; line_force, spring_damper: the keys from and to
  int body = -1;                              ///< body of a torque: the key on
  int frame = 0;                              ///< body in whose frame the components are
  std::string coordinate;                     ///< name of the coordinate: "A.angle"
  std::vector<Expression> value;              ///< one number, or the components
  std::map<std::string, Expression> numbers;  ///< numbers that the file gives for the type's own keys
  std::map<std::string, Vector> vectors;      ///< vectors of such keys
  bool allow_negative = false;                ///< is true if stiffness and damping may be negative
};

struct Coupling {
  std::string name, description, type;
  Place place;
  std::vector<std::pair<std::string, Expression>> terms;  ///< coordinates and their factors, for linear
  std::string first, second;                              ///< coordinates of a gear or a rack, joints of a mesh
  std::map<std::string, Expression> numbers;              ///< numbers that the file gives for the type's own keys
  std::map<std::string, Vector> vectors;                  ///< vectors of such keys
  Unit multiplier_unit;
};

/// Is a surface of a contact. elements/contacts/surface_shape.hpp says what each shape gives.
struct Surface {
  std::string shape;                   ///< "sphere"
  PointReference at;                   ///< is its place, and carries its frame; the body's origin if points place it
  std::vector<Expression> sizes;       ///< lengths
  std::vector<PointReference> points;  ///< ends or corners
  Vector direction;                    ///< normal or axis, in its frame
  std::string function;                ///< name of a profile's function
  Place place, value_place;            ///< places of the surface, and of what the file gives for its shape
};

struct Sensor {
  std::string name, description;
  Place place;
  PointReference from, to;
  int axes = 0;  ///< body in whose frame the components are
};

}  // namespace mechfmu
