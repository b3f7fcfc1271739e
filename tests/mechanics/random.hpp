// Makes random mechanisms with fixed seeds, equal on every machine: their numbers, and the texts written from them.
//
// The bodies are placed first and the joints between them afterwards, so that every loop is closed when all coordinates
// are zero. A text may be written so that nothing but its form changes: bodies, joints and forces in another order,
// with the other kind of coordinates, or with the whole world turned and shifted.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Dense>

namespace mechfmu::testing {

/// Random numbers, mapped from the generator's own bits: the standard library's distributions differ between machines.
class Chance {
 public:
  explicit Chance(unsigned seed) : bits_(seed) {}
  double between(double low, double high) { return low + (high - low) * (bits_() + 0.5) / 4294967296.0; }
  int below(int count) { return static_cast<int>(between(0, count)); }
  bool happens(double probability) { return between(0, 1) < probability; }
  /// Returns the index of one of these weights.
  int weighted(const std::vector<double>& weights);
  template <class Item>
  void shuffle(std::vector<Item>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[static_cast<std::size_t>(below(static_cast<int>(i)))]);
  }

 private:
  std::mt19937 bits_;
};

// Everything is in space; in the plane third components are zero and rotations are about z.

/// Is a point of a body; for a joint it also has the frame that it carries, both in the body's frame.
struct Site {
  int body = 0;
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
};

struct RandomBody {
  std::string name;
  double mass = 0;
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();   ///< planar: its last element
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< belongs to the zero configuration
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
};

/// Is a gap of something that may close.
struct RandomGap {
  double at_start = 0;
  double restitution = 0;
};

struct RandomCoordinate {
  std::string name;  ///< "J1.angle"
  bool angle = false;
  double start = 0, rate = 0;
  bool fixed = false;
  std::string motion;
  bool limited = false;  ///< shows the effort of its limits
  RandomGap limit = {};
  std::optional<double> lower = {}, upper = {};
};

struct RandomJoint {
  std::string name, type;
  Site parent, child;
  bool framed = false;  ///< the points carry the frames; else the bodies' rotations say how frames agree
  bool closes = false, in_loop = false, cut = false, side_slip = false;
  bool length_driven = false;         ///< distance: by 0.02 m sin(omega t)
  std::vector<Eigen::Vector3d> axes;  ///< have components in the joint frame
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();
  std::map<std::string, double> numbers;
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  ///< fixed
  std::vector<RandomCoordinate> coordinates;
  bool orientation = false;
  Eigen::Vector3d turn = Eigen::Vector3d::Zero(), turn_rate = Eigen::Vector3d::Zero();  ///< start of the orientation
};

struct RandomForce {
  std::string name, type, coordinate;
  Site from, to;  ///< force: from; torque: from.body
  int frame = 0;  ///< body
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();
  std::string value;                               ///< may multiply the direction
  std::map<std::string, double> numbers;           ///< numbers of its own keys: stiffness, …
  std::map<std::string, Eigen::Vector3d> vectors;  ///< likewise, in the axes of `frame`
};

struct RandomCoupling {
  std::string name, type, first, second;        ///< coordinates; mesh: joints
  std::map<std::string, double> numbers;        ///< linear: the factor of the second, the first's being 1
  std::map<std::string, std::string> formulas;  ///< capacity, condition
};

/// Is a constraint by a formula of two coordinates. A control on one of them may realise it.
struct RandomConstraint {
  std::string name;
  std::string level = {}, formula = {};     ///< key and formula
  bool ideal = true;                        ///< is false if a control realises it
  std::map<std::string, double> acts = {};  ///< efforts that a multiplier of one is; none: they are variables
};

/// Is a state or an unknown, which a force contains.
struct RandomQuantity {
  std::string name, section, text;
};

struct RandomSensor {
  std::string name;
  Site from, to;
};

struct RandomSurface {
  std::string shape;                                     ///< "sphere"
  Site at;                                               ///< has the frame of directions and edges
  std::vector<double> sizes;                             ///< lengths
  std::vector<Site> points;                              ///< ends or corners
  Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();  ///< normal or axis
  std::function<double(double)> curve;                   ///< profile
};

struct RandomContact {
  std::string name;
  RandomSurface first, second;
  RandomGap gap = {};
  std::map<std::string, double> numbers = {};
};

/// Is a contact by a formula without slip, of coordinates and of distances of sensors.
struct FormulaContact {
  std::string name;
  std::vector<std::string> coordinates;
  std::vector<RandomSensor> sensors;
  std::function<double(const std::map<std::string, double>& values)> gap;
  std::string text = {};  ///< the gap's formula
  RandomGap open = {};
};

struct RandomMechanism {
  bool spatial = false;
  bool floating = false;  ///< nothing from outside acts on it
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<RandomBody> bodies;  ///< the ground first
  std::vector<RandomJoint> joints;
  std::vector<RandomForce> forces;
  std::vector<RandomCoupling> couplings;
  std::vector<RandomSensor> sensors;
  std::vector<RandomContact> contacts;
  std::vector<FormulaContact> formula_contacts;
  std::vector<RandomConstraint> constraints;  ///< show their efforts on coordinates
  std::vector<RandomQuantity> quantities;

  const RandomJoint& joint(const std::string& name) const;
  /// The joint of a coordinate, and which of its coordinates it is.
  std::pair<const RandomJoint*, int> coordinate(const std::string& name) const;
};

/// Returns a mechanism whose surfaces have bodies and shapes, but no places yet.
RandomMechanism random_mechanism(bool spatial, unsigned seed);

/// So many seeds, from 0, give the mechanisms that the properties' suite checks.
constexpr unsigned seeds_of_properties(bool spatial) { return spatial ? 24 : 40; }
/// As many bodies has the largest of them.
constexpr int most_bodies_of_properties(bool spatial) { return spatial ? 5 : 12; }

/// Says what may differ in a text without changing the motion.
struct Form {
  bool absolute = false;
  unsigned shuffled = 0;  ///< seed of the order of bodies, joints and forces; 0: as they were made
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  ///< turns the world
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
};

std::string text_of(const RandomMechanism& mechanism, const Form& form = {});

/// Returns a number with all of its digits.
std::string written(double value);

/// Returns a rotation matrix from a vector, axis times angle.
Eigen::Matrix3d rotated_by(const Eigen::Vector3d& vector);

}  // namespace mechfmu::testing
