// Makes random mechanisms: it places bodies and joints, and adds what acts on them.
#include "random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "random_bodies.hpp"
#include "random_changing.hpp"

namespace mechfmu::testing {

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

std::string written(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

namespace {

class Making : RandomBodies {
 public:
  Making(bool spatial, unsigned seed) : RandomBodies(spatial, seed) {}

  RandomMechanism make() {
    // There are mostly few bodies, and sometimes many: the time to derive equations grows quickly with their number,
    // above all in space.
    const std::vector<double> planar_sizes = {30, 20, 15, 10, 7, 5, 4, 3, 2, 2, 1, 1}, spatial_sizes = {60, 34, 5, 1};
    int bodies = 1 + chance_.weighted(m_.spatial ? spatial_sizes : planar_sizes);
    if (seed_ % 200 == 7) bodies = most_bodies_of_properties(m_.spatial);
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
    for (RandomJoint& joint : m_.joints)
      joint.length_driven = joint.numbers.count("length") > 0 && chance_.happens(0.3);
    if (chance_.happens(0.5)) add_control();
    if (chance_.happens(0.3)) add_state();
    if (chance_.happens(0.3)) add_unknown();
    if (seed_ % 3 == 2) add_what_changes(m_, chance_);
    return std::move(m_);
  }

 private:
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
    double first = chance_.between(0.1, 0.3),
           second = first * chance_.between(1.5, 3) * (chance_.happens(0.5) ? 1 : -1);
    const double distance = distance_of_axes(m_.joints[m_.joints.size() - 2], m_.joints.back());
    if (distance < 0.3) return;
    const double fit = distance / std::abs(first + second);
    k.numbers = {{"radius_first", fit * first}, {"radius_second", fit * second}};
    --freedoms_.back();
    m_.couplings.push_back(k);
  }

  /// A coordinate of a tree joint whose freedom nothing else has taken.
  RandomCoordinate* free_coordinate(bool may_be_in_loop) {
    for (int attempt = 0; attempt < 10; ++attempt) {
      const int joint = chance_.below(static_cast<int>(freedoms_.size()));
      RandomJoint& j = m_.joints[static_cast<std::size_t>(joint)];
      if (m_.floating && joint == 0) continue;
      if (j.coordinates.empty() || freedoms_[static_cast<std::size_t>(joint)] < 1 || (j.in_loop && !may_be_in_loop))
        continue;
      if (j.type == "rolling") continue;
      RandomCoordinate& c =
          j.coordinates[static_cast<std::size_t>(chance_.below(static_cast<int>(j.coordinates.size())))];
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
  /// Returns the freedoms of a joint of the tree.
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
    // In a loop it moves only a little: a driven coordinate must not come to the end of its reach.
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
    RandomCoupling k;
    k.name = "K1";
    k.first = one.name;
    k.second = two.name;
    const double factor = chance_.between(0.5, 2) * (chance_.happens(0.5) ? 1 : -1);
    const bool along_axes = one.name.ends_with(".angle") && two.name.ends_with(".position");
    if (one.angle && !two.angle && !(m_.spatial && along_axes)) {  // a rack's are perpendicular
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

  /// Adds a constraint between two coordinates. A control on one of them realises it, or an ideal reaction.
  void add_control() {
    RandomCoordinate *one = all_left() < 2 ? nullptr : free_coordinate(false), *two = free_coordinate(false);
    if (!one || !two || &of(*one) == &of(*two) || one->angle != two->angle || one->fixed || two->fixed) return;
    RandomConstraint row;
    row.name = "R1";
    const double factor = chance_.between(0.5, 2);
    const char* levels[] = {"position", "velocity", "acceleration"};
    const int level = chance_.below(3);
    row.level = levels[level];
    const auto derived = [&](const std::string& name) {
      return level == 0 ? name : level == 1 ? "der(" + name + ")" : "der(der(" + name + "))";
    };
    row.formula = derived(one->name) + " - " + written(factor) + "*" + derived(two->name);
    two->start = one->start / factor;
    row.ideal = chance_.happens(0.3);
    if (row.ideal) row.acts = {{one->name, 1}, {two->name, -factor}};
    else row.acts = {{one->name, chance_.between(0.5, 2)}};
    --freedoms_of(*one);
    m_.constraints.push_back(row);
  }

  /// Adds a force along a coordinate.
  void push(const RandomCoordinate& c, const std::string& newtons) {
    RandomForce f;
    f.name = "F" + std::to_string(m_.forces.size() + 1);
    f.type = "joint_force";
    f.coordinate = c.name;
    f.value = newtons + (c.angle ? "*metre" : "");
    m_.forces.push_back(f);
  }

  static std::string rate_in_seconds(const RandomCoordinate& c) {
    return "second*der(" + c.name + ")" + (c.angle ? "" : "/metre");
  }

  /// Adds a force that follows a rate late; sometimes it begins anew.
  void add_state() {
    const RandomCoordinate *seen = any_coordinate(), *pushed = any_coordinate();
    if (!seen || !pushed) return;
    std::string text =
        "unit = \"N\"\nstart = 0.3\nrate = \"4*(newton*(1 - 0.5*" + rate_in_seconds(*seen) + ") - s1)/second\"\n";
    if (chance_.happens(0.3)) text += "reset = { when = \"s1 > 0.4*newton\", value = 0.1 }\n";
    m_.quantities.push_back({"s1", "states", text});
    push(*pushed, "s1");
  }

  /// Adds a damper whose force follows from an equation.
  void add_unknown() {
    const RandomCoordinate* c = any_coordinate();
    if (!c) return;
    m_.quantities.push_back(
        {"u1", "unknowns",
         "unit = \"N\"\nequation = \"u1/newton + 0.1*(u1/newton)^3 - " + rate_in_seconds(*c) + "\"\n"});
    push(*c, "-u1");
  }

  /// Returns the distance in the zero configuration; in space across the first's axis.
  double distance_of_axes(const RandomJoint& first, const RandomJoint& second) const {
    const auto place = [&](const Site& site) {
      return Vector3d(body(site.body).position + body(site.body).R * site.at);
    };
    const Vector3d between = place(second.child) - place(first.child);
    if (!m_.spatial) return between.norm();
    const Vector3d axis = first.axes.empty() ? Vector3d(Vector3d::UnitZ()) : first.axes[0];
    return (body(first.parent.body).R * first.parent.frame * axis).cross(between).norm();
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

  /// Returns any scalar coordinate, also of joints that close loops.
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
        f.value = "newton/metre*(20*(" + f.name + ".length - 0.5*metre) + second*der(" + f.name +
                  ".length)) + 2*newton*" + amount;
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
          f.value +=
              " + 2*" + m_.sensors[0].name + ".distance/metre - 0.2*second*der(" + m_.sensors[0].name + ".x)/metre";
        f.value += ")";
      } else {
        f.numbers = {{"stiffness", chance_.between(2, 20)}, {"damping", chance_.between(0, 0.5)}};
        if (chance_.happens(0.5)) f.numbers["rest"] = chance_.between(-0.2, 0.2);
        if (chance_.happens(0.5)) f.numbers["preload"] = chance_.between(-1, 1);
      }
    }
    m_.forces.push_back(f);
  }

  /// Adds friction with coefficients so small that nothing jams.
  void add_friction() {
    const RandomCoordinate* c = any_coordinate();
    if (!c) return;
    RandomForce f;
    f.name = "F" + std::to_string(m_.forces.size() + 1);
    f.type = "friction";
    f.coordinate = c->name;
    f.numbers = {{"coulomb", chance_.between(0.005, 0.03)}, {"stick_speed", chance_.between(0.3, 1)}};
    if (f.numbers["coulomb"] < 0.012) {  // Some of these frictions have no speed: they stick.
      if (f.numbers["stick_speed"] > 0.6) f.numbers["static"] = 1.5 * f.numbers["coulomb"];
      f.numbers.erase("stick_speed");
    }
    if (c->angle) f.numbers["radius"] = chance_.between(0.02, 0.1);
    if (chance_.happens(0.5)) f.numbers["viscous"] = chance_.between(0, 0.3);
    m_.forces.push_back(f);
  }
};

}  // namespace

RandomMechanism random_mechanism(bool spatial, unsigned seed) { return Making(spatial, seed).make(); }

}  // namespace mechfmu::testing
