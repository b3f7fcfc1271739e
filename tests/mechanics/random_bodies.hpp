// Makes the bodies of a random mechanism and the joints between them: the tree, and the joints that close loops.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "elements/joints/joint_type.hpp"
#include "random.hpp"

namespace mechfmu::testing {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// How often a type of joint is taken in the tree and to close a loop, and how many constraints it is.
struct Habit {
  const char* type;
  double tree, closing;
  int constraints;
};

inline const std::vector<Habit> planar_habits = {
    {"revolute", 6, 4, 2},        {"prismatic", 2, 1.5, 2}, {"fixed", 0.4, 0.2, 3}, {"free", 0.4, 0.3, 0},
    {"point_on_line", 0.8, 2, 1}, {"distance", 0, 2, 1},    {"rolling", 1, 1, 2}};
inline const std::vector<Habit> spatial_habits = {
    {"revolute", 4, 1.5, 5},  {"prismatic", 1.5, 0.7, 5}, {"cylindrical", 1, 1, 4},     {"screw", 1, 0.7, 5},
    {"universal", 1.5, 1, 4}, {"spherical", 1.5, 3, 3},   {"planar", 0.7, 1, 3},        {"fixed", 0.4, 1, 6},
    {"free", 0.4, 0.3, 0},    {"distance", 0, 2, 1},      {"point_on_line", 0.7, 1, 2}, {"point_on_plane", 0.7, 1, 1},
    {"rolling", 0.8, 0.8, 3}};

/// Placed one after the other, while what they can still move is counted.
class RandomBodies {
 protected:
  RandomBodies(bool spatial, unsigned seed) : chance_(2 * seed + (spatial ? 1 : 0)), seed_(seed) {
    m_.spatial = spatial;
  }

  Vector3d vector(double size) {
    const double x = chance_.between(-size, size), y = chance_.between(-size, size), z = chance_.between(-size, size);
    return {x, y, m_.spatial ? z : 0};
  }
  Vector3d direction() {
    for (;;) {
      const Vector3d v = vector(1);
      if (v.norm() > 0.3) return v / v.norm();
    }
  }
  Matrix3d rotation(double size) {
    return rotated_by(m_.spatial ? vector(size) : Vector3d(0, 0, chance_.between(-size, size)));
  }
  const RandomBody& body(int i) const { return m_.bodies[static_cast<std::size_t>(i)]; }
  Vector3d in_body(int i, const Vector3d& place) const { return body(i).R.transpose() * (place - body(i).position); }
  /// Any body; the ground only where something from outside may act.
  int any_body(bool moving) {
    const int first = moving || m_.floating ? 1 : 0;
    return first + chance_.below(static_cast<int>(m_.bodies.size()) - first);
  }
  Site any_site(int i) { return {i, vector(0.4)}; }

  const std::vector<Habit>& habits() const { return m_.spatial ? spatial_habits : planar_habits; }

  /// Places a body somewhere near another.
  void place_body(int before) {
    RandomBody made;
    made.name = "b" + std::to_string(m_.bodies.size());
    made.mass = chance_.between(0.5, 2);
    made.center = vector(0.2);
    const Vector3d box = {chance_.between(0.2, 0.6), chance_.between(0.2, 0.6), chance_.between(0.2, 0.6)};
    const Vector3d squares = box.cwiseProduct(box);
    const Matrix3d turned = chance_.happens(0.5) ? rotation(2) : Matrix3d(Matrix3d::Identity());
    made.inertia =
        made.mass / 12 *
        (turned * (squares.sum() * Matrix3d::Identity() - Matrix3d(squares.asDiagonal())) * turned.transpose());
    made.position = body(before).position + 0.7 * direction() + vector(0.1);
    if (chance_.happens(0.4)) made.R = rotation(1.5);
    m_.bodies.push_back(made);
  }

  void add_body(bool loops) {
    const int index = static_cast<int>(m_.bodies.size());
    // Mostly chains, some branches; a body that floats begins the rest.
    int before = index - 1;
    if (index > 1 && chance_.happens(0.35)) before = chance_.below(index);
    if (m_.floating && index > 1) before = std::max(before, 1);
    place_body(before);
    std::vector<double> weights;
    for (const Habit& habit : habits()) {
      double weight = habit.tree;
      // Loops need freedoms.
      if (m_.spatial && loops && habit.constraints < 5) weight *= 3;
      if (m_.spatial && many_ && habit.constraints < 4) weight *= 0.1;
      if (m_.floating && index == 1) weight = habit.type == std::string("free");
      weights.push_back(weight);
    }
    const Habit& habit = habits()[static_cast<std::size_t>(chance_.weighted(weights))];
    if (habit.type == std::string("fixed") && chance_.happens(0.4)) {
      m_.bodies.back().mass = 0;
      m_.bodies.back().inertia.setZero();
    }
    connect_either_way(habit, before, index, false);
    freedoms_.push_back((m_.spatial ? 6 : 3) - habit.constraints);
    from_.push_back(before);
  }

  /// Returns the tree joints between two bodies; joint i carries body i + 1.
  std::vector<int> path(int a, int b) const {
    const auto to_ground = [&](int body) {
      std::vector<int> joints;
      for (; body > 0; body = from_[static_cast<std::size_t>(body - 1)]) joints.push_back(body - 1);
      return joints;
    };
    std::vector<int> one = to_ground(a), two = to_ground(b), result;
    while (!one.empty() && !two.empty() && one.back() == two.back()) one.pop_back(), two.pop_back();
    result = one;
    result.insert(result.end(), two.begin(), two.end());
    return result;
  }

  int left(const std::vector<int>& joints) const {
    int sum = 0;
    for (const int joint : joints) sum += freedoms_[static_cast<std::size_t>(joint)];
    return sum;
  }

  void spend(const std::vector<int>& joints, int count) {
    while (count > 0)
      for (const int joint : joints)
        if (count > 0 && freedoms_[static_cast<std::size_t>(joint)] > 0)
          --freedoms_[static_cast<std::size_t>(joint)], --count;
  }

  void close_loop() {
    std::vector<double> weights;
    for (const Habit& habit : habits()) weights.push_back(habit.closing);
    for (int attempt = 0; attempt < 20; ++attempt) {
      const int a = any_body(false), b = any_body(true);
      if (a == b) continue;
      const Habit& habit = habits()[static_cast<std::size_t>(chance_.weighted(weights))];
      const std::vector<int> joints = path(a, b);
      if (left(joints) < habit.constraints + 1) continue;
      if (habit.constraints > 0) {
        spend(joints, habit.constraints);
        for (const int joint : joints) m_.joints[static_cast<std::size_t>(joint)].in_loop = true;
      }
      connect_either_way(habit, a, b, true);
      return;
    }
  }

  void connect_either_way(const Habit& habit, int one, int other, bool closes) {
    if (one > 0 && chance_.happens(0.3)) std::swap(one, other);
    connect(habit, one, other, closes);
  }

  /// A joint somewhere between two bodies, which are where they are.
  void connect(const Habit& habit, int parent, int child, bool closes) {
    const std::string type = habit.type;
    RandomJoint j;
    j.name = "J" + std::to_string(m_.joints.size() + 1);
    j.type = type;
    j.closes = closes;
    j.in_loop = closes;
    j.cut = closes && chance_.happens(0.2);
    j.framed = chance_.happens(0.3);
    j.parent.body = parent;
    j.child.body = child;
    if (j.framed) j.parent.frame = rotation(2);
    const Matrix3d J = body(parent).R * j.parent.frame;  // the joint frame in the world
    if (type == "fixed" && j.framed) j.rotation = rotation(1);
    j.child.frame = body(child).R.transpose() * J * j.rotation;
    const Vector3d place = (body(parent).position + body(child).position) / 2 + vector(0.3);
    Vector3d child_place = place;
    geometry(j, J, child_place);
    j.parent.at = in_body(parent, place);
    j.child.at = in_body(child, child_place);
    coordinates(j);
    m_.joints.push_back(j);
  }

  void geometry(RandomJoint& j, const Matrix3d& J, Vector3d& child_place) {
    const std::string& type = j.type;
    const bool standard = chance_.happens(0.2);  // the default axis
    if (type == "universal") {
      const Vector3d a = direction();
      j.axes = {a, a.cross(direction()).normalized()};
    } else if (type == "rolling") {
      const double r = chance_.between(0.15, 0.4);
      j.numbers["radius"] = r;
      if (!m_.spatial) {
        j.axes = {direction()};
        child_place += J * (r * Vector3d::UnitZ().cross(j.axes[0]));
      } else {
        if (!standard) j.normal = direction();
        const Vector3d side = j.normal.cross(direction()).normalized();
        j.axes = {(side + chance_.between(-0.6, 0.6) * j.normal).normalized()};  // does not lie flat
        j.side_slip = chance_.happens(0.3);
        const Vector3d up = j.normal - j.normal.dot(j.axes[0]) * j.axes[0];
        child_place += J * (r * up.normalized());
      }
    } else if (type == "distance") {
      Vector3d rod;
      do rod = vector(0.7);
      while (rod.norm() < 0.25);
      child_place += rod;
      if (chance_.happens(0.5)) j.numbers["length"] = rod.norm();
    } else if (const JointForm* form = find_joint_form(type, m_.spatial); form->has("axis") && !standard) {
      j.axes = {direction()};
    }
    for (const NumberKey& key : find_joint_form(type, m_.spatial)->numbers)
      if (key.required && !key.vector && j.numbers.count(key.name) == 0)
        j.numbers[key.name] =
            chance_.between(0.1, 0.5) * (key.bound == Bound::positive || chance_.happens(0.5) ? 1 : -1);
  }

  void coordinates(RandomJoint& j) {
    const JointForm& form = *find_joint_form(j.type, m_.spatial);
    for (const CoordinateFacts& facts : form.coordinates) {
      RandomCoordinate c;
      c.name = j.name + "." + facts.name;
      c.angle = facts.angle;
      if (!j.closes) {
        c.start = (facts.angle ? 0.5 : 0.1) * chance_.between(-1, 1);
        c.rate = (facts.angle ? 1 : 0.3) * chance_.between(-1, 1);
      }
      j.coordinates.push_back(c);
    }
    j.orientation = form.orientation;
    if (!form.orientation || j.closes) return;
    j.turn = vector(0.4);
    j.turn_rate = vector(0.7);
  }

  Chance chance_;
  unsigned seed_;
  bool many_ = false;
  RandomMechanism m_;
  /// for each joint of the tree: the freedoms that are left, and the body that it comes from
  std::vector<int> freedoms_, from_;
};

}  // namespace mechfmu::testing
