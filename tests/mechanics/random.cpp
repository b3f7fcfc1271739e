// Random mechanisms: bodies in space, joints between them, what acts on them.
#include "random.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "mechanics/joints/joint_type.hpp"

namespace mechfmu::testing {

using Eigen::Matrix3d;
using Eigen::Vector3d;

int Chance::weighted(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  double left = between(0, sum);
  for (std::size_t i = 0; i + 1 < weights.size(); ++i)
    if ((left -= weights[i]) < 0) return static_cast<int>(i);
  return static_cast<int>(weights.size()) - 1;
}

Matrix3d rotated_by(const Vector3d& vector) {
  const double angle = vector.norm();
  return angle == 0 ? Matrix3d::Identity() : Matrix3d(Eigen::AngleAxisd(angle, vector / angle));
}

const RandomJoint& RandomMechanism::joint(const std::string& name) const {
  for (const RandomJoint& joint : joints)
    if (joint.name == name) return joint;
  throw std::logic_error("no joint " + name);
}

std::pair<const RandomJoint*, int> RandomMechanism::coordinate(const std::string& name) const {
  for (const RandomJoint& joint : joints)
    for (std::size_t i = 0; i < joint.coordinates.size(); ++i)
      if (joint.coordinates[i].name == name) return {&joint, static_cast<int>(i)};
  throw std::logic_error("no coordinate " + name);
}

namespace {

/// How often a type of joint is taken in the tree and to close a loop, and how many constraints it is.
struct Habit {
  const char* type;
  double tree, closing;
  int constraints;
};

const std::vector<Habit> planar_habits = {
    {"revolute", 6, 4, 2},      {"prismatic", 2, 1.5, 2}, {"fixed", 0.4, 0.2, 3}, {"free", 0.4, 0.3, 0},
    {"point_on_line", 0.8, 2, 1}, {"distance", 0, 2, 1},    {"rolling", 1, 1, 2}};
const std::vector<Habit> spatial_habits = {
    {"revolute", 4, 1.5, 5},       {"prismatic", 1.5, 0.7, 5}, {"cylindrical", 1, 1, 4}, {"screw", 1, 0.7, 5},
    {"universal", 1.5, 1, 4},      {"spherical", 1.5, 3, 3},   {"planar", 0.7, 1, 3},    {"fixed", 0.4, 1, 6},
    {"free", 0.4, 0.3, 0},         {"distance", 0, 2, 1},      {"point_on_line", 0.7, 1, 2},
    {"point_on_plane", 0.7, 1, 1}, {"rolling", 0.8, 0.8, 3}};

class Making {
 public:
  Making(bool spatial, unsigned seed) : chance_(2 * seed + (spatial ? 1 : 0)), seed_(seed) { m_.spatial = spatial; }

  RandomMechanism make() {
    // Mostly few bodies, now and then many: what many take to derive grows quickly, above all in space.
    const std::vector<double> planar_sizes = {30, 20, 15, 10, 7, 5, 4, 3, 2, 2, 1, 1},
                              spatial_sizes = {58, 27, 8, 4, 2, 0.2, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1};
    int bodies = 1 + chance_.weighted(m_.spatial ? spatial_sizes : planar_sizes);
    if (seed_ % 200 == 7) bodies = 12;
    many_ = bodies > 5;
    const int loops = chance_.below(std::min(bodies + 1, 4) + 1);
    m_.floating = seed_ % 8 == 3;
    if (!m_.floating) m_.gravity = m_.spatial ? Vector3d(0.3, -0.5, -9.81) : Vector3d(0.4, -9.81, 0);
    m_.bodies.push_back({.name = "ground"});
    for (int i = 1; i <= bodies; ++i) add_body(loops > 0);
    if (seed_ % 20 == 9 && bodies < 3) add_gears();
    for (int i = 0; i < loops; ++i) close_loop();
    stay_near_closed();
    if (chance_.happens(0.3)) drive();
    if (chance_.happens(0.5)) couple();
    hold_start();
    for (int i = chance_.below(4); i > 0; --i) add_sensor();
    for (int i = chance_.below(5); i > 0; --i) add_force();
    for (int i = chance_.below(3); i > 0; --i) add_friction();
    for (RandomJoint& joint : m_.joints) joint.length_driven = joint.numbers.count("length") > 0 && chance_.happens(0.3);
    return std::move(m_);
  }

 private:
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

  /// A body somewhere near another.
  void place_body(int before) {
    RandomBody made;
    made.name = "b" + std::to_string(m_.bodies.size());
    made.mass = chance_.between(0.5, 2);
    made.center = vector(0.2);
    const Vector3d box = {chance_.between(0.2, 0.6), chance_.between(0.2, 0.6), chance_.between(0.2, 0.6)};
    const Vector3d squares = box.cwiseProduct(box);
    const Matrix3d turned = chance_.happens(0.5) ? rotation(2) : Matrix3d(Matrix3d::Identity());
    made.inertia = made.mass / 12 * (turned * (squares.sum() * Matrix3d::Identity() - Matrix3d(squares.asDiagonal())) *
                                     turned.transpose());
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

  /// Two wheels on parallel axes of one body, in mesh; one of them may be a ring.
  void add_gears() {
    const int carrier = any_body(false);
    const Vector3d axis = m_.spatial ? direction() : Vector3d::UnitZ();
    const Habit& revolute = habits().front();
    RandomCoupling k;
    k.name = "K1";
    k.type = "mesh";
    for (std::string* wheel : {&k.first, &k.second}) {
      place_body(carrier);
      connect(revolute, carrier, static_cast<int>(m_.bodies.size()) - 1, false);
      RandomJoint& joint = m_.joints.back();
      if (m_.spatial) joint.axes = {(body(carrier).R * joint.parent.frame).transpose() * axis};
      *wheel = joint.name;
      freedoms_.push_back(1);
      from_.push_back(carrier);
    }
    const double first = chance_.between(0.1, 0.3), ratio = chance_.between(1.5, 3);
    k.numbers = {{"radius_first", first}, {"radius_second", first * ratio * (chance_.happens(0.5) ? 1 : -1)}};
    if (!may_mesh(m_.joints[m_.joints.size() - 2], m_.joints.back())) return;
    --freedoms_.back();
    m_.couplings.push_back(k);
  }

  /// Tree joints between two bodies; joint i carries body i + 1.
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
        if (count > 0 && freedoms_[static_cast<std::size_t>(joint)] > 0) --freedoms_[static_cast<std::size_t>(joint)], --count;
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
    } else if (const JointForm* form = find_joint_form(type, m_.spatial);
               std::count(form->keys.begin(), form->keys.end(), "axis") > 0 && !standard) {
      j.axes = {direction()};
    }
    if (type == "screw") j.numbers["lead"] = chance_.between(0.1, 0.5) * (chance_.happens(0.5) ? 1 : -1);
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

  /// A coordinate of a tree joint whose freedom nothing else has taken.
  RandomCoordinate* free_coordinate(bool may_be_in_loop) {
    for (int attempt = 0; attempt < 10; ++attempt) {
      const int joint = chance_.below(static_cast<int>(freedoms_.size()));
      RandomJoint& j = m_.joints[static_cast<std::size_t>(joint)];
      if (m_.floating && joint == 0) continue;
      if (j.coordinates.empty() || freedoms_[static_cast<std::size_t>(joint)] < 1 || (j.in_loop && !may_be_in_loop)) continue;
      if (j.type == "rolling") continue;
      RandomCoordinate& c = j.coordinates[static_cast<std::size_t>(chance_.below(static_cast<int>(j.coordinates.size())))];
      if (c.motion.empty()) return &c;
    }
    return nullptr;
  }

  int all_left() const {
    int sum = 0;
    for (const int freedoms : freedoms_) sum += freedoms;
    return sum;
  }

  const RandomJoint& of(const RandomCoordinate& c) const { return *m_.coordinate(c.name).first; }
  /// Of a joint of the tree.
  int& freedoms_of(const RandomCoordinate& c) { return freedoms_[static_cast<std::size_t>(&of(c) - m_.joints.data())]; }

  /// Guesses from which loops find back.
  void stay_near_closed() {
    for (RandomJoint& j : m_.joints) {
      if (!j.in_loop) continue;
      for (RandomCoordinate& c : j.coordinates) c.start *= 0.1;
      j.turn *= 0.1;
    }
  }

  void drive() {
    RandomCoordinate* c = all_left() < 2 ? nullptr : free_coordinate(true);
    if (!c) return;
    --freedoms_of(*c);
    // In a loop not far: what is driven must not come to the end of its reach.
    const bool in_loop = of(*c).in_loop;
    c->motion = std::string(in_loop ? "0.02" : "0.2") + (c->angle ? "" : "*metre") + "*sin(omega*time)";
    c->start = c->rate = 0;
  }

  void couple() {
    for (int attempt = 0; attempt < 20 && m_.couplings.empty() && all_left() > 1; ++attempt) {
      RandomCoordinate *one = free_coordinate(false), *two = free_coordinate(true);
      if (one && two && &of(*one) != &of(*two)) couple(*one, *two);
    }
  }

  void couple(RandomCoordinate& one, RandomCoordinate& two) {
    const RandomJoint &first = of(one), &second = of(two);
    RandomCoupling k;
    k.name = "K1";
    k.first = one.name;
    k.second = two.name;
    const double factor = chance_.between(0.5, 2) * (chance_.happens(0.5) ? 1 : -1);
    if (first.type == "revolute" && second.type == "revolute" && may_mesh(first, second) && chance_.happens(0.6)) {
      k.type = "mesh";
      k.first = first.name;
      k.second = second.name;
      k.numbers = {{"radius_first", 0.2}, {"radius_second", 0.2 * std::abs(factor)}};
    } else if (one.angle && !two.angle) {
      k.type = "rack";
      k.numbers = {{"radius", 0.3 * factor}};
      two.start = 0.3 * factor * one.start;
    } else if (one.angle == two.angle && chance_.happens(0.5)) {
      k.type = "gear";
      k.numbers = {{"ratio", factor}};
      two.start = factor * one.start;
    } else if (one.angle == two.angle) {
      k.type = "linear";
      k.numbers = {{"factor", factor}};
      two.start = -one.start / factor;
    } else {
      return;
    }
    --freedoms_of(one);
    m_.couplings.push_back(k);
  }

  /// The centres are apart, across the first's axis.
  bool may_mesh(const RandomJoint& first, const RandomJoint& second) const {
    const auto place = [&](const Site& site) { return Vector3d(body(site.body).position + body(site.body).R * site.at); };
    const Vector3d between = place(second.child) - place(first.child);
    if (!m_.spatial) return between.norm() > 0.3;
    const Vector3d axis = first.axes.empty() ? Vector3d(Vector3d::UnitZ()) : first.axes[0];
    return (body(first.parent.body).R * first.parent.frame * axis).cross(between).norm() > 0.3;
  }

  void hold_start() {
    if (!chance_.happens(0.3)) return;
    if (RandomCoordinate* c = free_coordinate(false)) {
      for (const RandomCoupling& k : m_.couplings)
        if (k.first == c->name || k.second == c->name || k.type == "mesh") return;
      c->fixed = true;
    }
  }

  void add_sensor() {
    RandomSensor s;
    s.name = "S" + std::to_string(m_.sensors.size() + 1);
    const int a = any_body(false), b = any_body(true);
    if (a == b) return;
    s.from = any_site(a);
    s.to = any_site(b);
    m_.sensors.push_back(s);
  }

  /// Any scalar coordinate, also of joints that close loops.
  const RandomCoordinate* any_coordinate() {
    std::vector<const RandomCoordinate*> all;
    for (const RandomJoint& j : m_.joints)
      for (const RandomCoordinate& c : j.coordinates)
        if (!m_.floating || &j != &m_.joints[0]) all.push_back(&c);
    return all.empty() ? nullptr : all[static_cast<std::size_t>(chance_.below(static_cast<int>(all.size())))];
  }

  void add_force() {
    RandomForce f;
    f.name = "F" + std::to_string(m_.forces.size() + 1);
    const char* types[] = {"force", "torque", "joint_force", "line_force", "spring_damper", "joint_spring_damper"};
    f.type = types[chance_.below(6)];
    const char* amounts[] = {"1", "sin(omega*time)", "push/newton"};
    const std::string amount = amounts[chance_.below(3)];
    if (f.type == "force" || f.type == "torque") {
      if (m_.floating) return;
      f.from = any_site(any_body(true));
      f.frame = chance_.happens(0.5) ? 0 : any_body(false);
      f.direction = f.type == "torque" && !m_.spatial ? Vector3d(0, 0, chance_.between(-1, 1)) : vector(4);
      f.value = (f.type == "force" ? "newton*" : "newton*metre*") + amount;
    } else if (f.type == "line_force" || f.type == "spring_damper") {
      const int a = any_body(false), b = any_body(true);
      if (a == b) return;
      f.from = any_site(a);
      do f.to = any_site(b);
      while ((body(a).position + body(a).R * f.from.at - body(b).position - body(b).R * f.to.at).norm() < 0.2);
      if (f.type == "line_force")
        f.value = "newton/metre*(20*(" + f.name + ".length - 0.5*metre) + second*der(" + f.name + ".length)) + 2*newton*" + amount;
      else
        f.numbers = {{"stiffness", chance_.between(5, 40)}, {"damping", chance_.between(0, 2)}, {"rest_length", 0.4}};
    } else {
      const RandomCoordinate* c = any_coordinate();
      if (!c) return;
      f.coordinate = c->name;
      const std::string unit = c->angle ? "newton*metre" : "newton", per = c->angle ? "" : "/metre";
      if (f.type == "joint_force") {
        f.value = unit + "*(" + amount + " - 0.3*second*der(" + c->name + ")" + per;
        if (!m_.sensors.empty())
          f.value += " + 2*" + m_.sensors[0].name + ".distance/metre - 0.2*second*der(" + m_.sensors[0].name + ".x)/metre";
        f.value += ")";
      } else {
        f.numbers = {{"stiffness", chance_.between(2, 20)}, {"damping", chance_.between(0, 0.5)}};
        if (chance_.happens(0.5)) f.numbers["rest"] = chance_.between(-0.2, 0.2);
        if (chance_.happens(0.5)) f.numbers["preload"] = chance_.between(-1, 1);
      }
    }
    m_.forces.push_back(f);
  }

  /// With coefficients so small that nothing jams.
  void add_friction() {
    const RandomCoordinate* c = any_coordinate();
    if (!c) return;
    RandomForce f;
    f.name = "F" + std::to_string(m_.forces.size() + 1);
    f.type = "friction";
    f.coordinate = c->name;
    f.numbers = {{"coulomb", chance_.between(0.005, 0.03)}, {"stick_speed", chance_.between(0.3, 1)}};
    if (c->angle) f.numbers["radius"] = chance_.between(0.02, 0.1);
    if (chance_.happens(0.5)) f.numbers["viscous"] = chance_.between(0, 0.3);
    m_.forces.push_back(f);
  }

  Chance chance_;
  unsigned seed_;
  bool many_ = false;
  RandomMechanism m_;
  std::vector<int> freedoms_, from_;  ///< of the tree's joints: freedoms that are left, bodies that they come from
};

}  // namespace

RandomMechanism random_mechanism(bool spatial, unsigned seed) { return Making(spatial, seed).make(); }

}  // namespace mechfmu::testing
