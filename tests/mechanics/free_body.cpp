// Sums forces and moments on each body.
#include "free_body.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "elements/forces/force_type.hpp"
#include "touching.hpp"

namespace mechfmu::testing {

using Eigen::Matrix3d;
using Eigen::Vector3d;

std::vector<BodyPose> poses(const RandomMechanism& m, const Assembled& a) {
  std::vector<BodyPose> result(1);
  for (std::size_t i = 1; i < m.bodies.size(); ++i) {
    const std::string& name = m.bodies[i].name;
    BodyPose pose;
    pose.position = a.vector(name + ".position");
    if (m.spatial) {
      const auto q = [&](const char* component) { return a[name + ".orientation." + component]; };
      pose.R = Eigen::Quaterniond(q("w"), q("x"), q("y"), q("z")).toRotationMatrix();
    } else {
      pose.R = rotated_by({0, 0, a[name + ".angle"]});
    }
    result.push_back(pose);
  }
  return result;
}

std::vector<BodyMotion> motions(const RandomMechanism& m, const Assembled& a) {
  std::vector<BodyMotion> result(1);
  const std::vector<BodyPose> at = poses(m, a);
  for (std::size_t i = 1; i < m.bodies.size(); ++i) {
    const std::string& name = m.bodies[i].name;
    BodyMotion motion;
    motion.center_acceleration = a.vector(name + "_acceleration");
    if (m.spatial) {
      motion.turning = at[i].R * a.vector(name + ".angular_velocity");
      motion.turning_rate = a.vector(name + "_angular_acceleration");
    } else {
      motion.turning.z() = a[name + ".angular_velocity"];
      motion.turning_rate.z() = a[name + "_angular_acceleration"];
    }
    result.push_back(motion);
  }
  return result;
}

namespace {

/// These are first and second differences of fourth order.
template <class Value>
std::pair<Value, Value> differences(const std::vector<Value>& x, double h) {
  return {(x[0] - 8 * x[1] + 8 * x[3] - x[4]) / (12 * h),
          (-x[0] + 16 * x[1] - 30 * x[2] + 16 * x[3] - x[4]) / (12 * h * h)};
}

Vector3d rotation_vector(const Matrix3d& R) {
  const Eigen::AngleAxisd turned(R);
  return turned.angle() * turned.axis();
}

}  // namespace

std::vector<BodyMotion> motions_by_differences(const RandomMechanism& m, Assembled& a, double h, double* events) {
  const double events_before = a.simulation().events();
  std::vector<std::vector<BodyPose>> at;
  std::vector<double> middle;
  for (int i = 0; i < 5; ++i) {
    if (i > 0) a.advance(a.simulation().time() + h);
    at.push_back(poses(m, a));
    if (i == 2) middle.assign(a.simulation().state(), a.simulation().state() + a.simulation().state_size());
  }
  if (events != nullptr) *events = a.simulation().events() - events_before;
  a.simulation().restore(middle.data());
  std::vector<BodyMotion> moving(m.bodies.size());
  for (std::size_t i = 1; i < m.bodies.size(); ++i) {
    // The vector of the rotation since the middle has the angular velocity and acceleration as its rates there. It
    // grows evenly if a shaft turns fast, while entries of R swing.
    std::vector<Vector3d> centers, turned;
    for (const std::vector<BodyPose>& all : at) {
      centers.push_back(all[i].position + all[i].R * m.bodies[i].center);
      turned.push_back(rotation_vector(all[i].R * at[2][i].R.transpose()));
    }
    moving[i].center_acceleration = differences(centers, h).second;
    std::tie(moving[i].turning, moving[i].turning_rate) = differences(turned, h);
  }
  return moving;
}

namespace {

Vector3d place_of(const Site& site, const std::vector<BodyPose>& at) {
  const BodyPose& body = at[static_cast<std::size_t>(site.body)];
  return body.position + body.R * site.at;
}

Matrix3d frame_of(const Site& site, const std::vector<BodyPose>& at) {
  return at[static_cast<std::size_t>(site.body)].R * site.frame;
}

/// Returns x as docs/mechanism-file.md explains it: the parent's x into the plane, or its y if x is nearly the normal.
Vector3d first_in_plane(const Vector3d& normal) {
  const Vector3d x = std::abs(normal.x()) > 0.9 ? Vector3d::UnitY() : Vector3d::UnitX();
  return (x - x.dot(normal) * normal).normalized();
}

/// Returns the vector from a disk's contact to its centre: it is in the disk, whose axis is b, and steepest against the
/// plane's normal n.
Vector3d from_contact(const Vector3d& n, const Vector3d& b) { return n - n.dot(b) * b; }

}  // namespace

std::pair<Vector3d, Vector3d> effort_wrench(const RandomMechanism& m, const std::vector<BodyPose>& at,
                                            const RandomJoint& j, int coordinate) {
  const Matrix3d J = frame_of(j.parent, at);
  const Vector3d none = Vector3d::Zero();
  const bool angle = j.coordinates[static_cast<std::size_t>(coordinate)].angle;
  if (!m.spatial) {
    if (angle) return {none, Vector3d::UnitZ()};
    if (j.type == "free") return {J * (coordinate == 0 ? Vector3d::UnitX() : Vector3d::UnitY()), none};
    return {J * (j.axes.empty() ? Vector3d(Vector3d::UnitX()) : j.axes[0]), none};
  }
  const Vector3d axis = j.axes.empty() ? Vector3d(Vector3d::UnitZ()) : j.axes[0];
  if (j.type == "universal") return {none, coordinate == 0 ? J * j.axes[0] : frame_of(j.child, at) * j.axes[1]};
  if (angle) return {none, J * axis};
  if (j.type == "free") return {J * Vector3d::Unit(coordinate), none};
  if (j.coordinates.size() == 1 || j.type == "cylindrical") return {J * axis, none};
  const Vector3d normal = j.type == "rolling" ? j.normal : axis, x = first_in_plane(normal);
  const Vector3d direction = J * (coordinate == 0 ? x : Vector3d(normal.cross(x)));
  if (j.type != "rolling") return {direction, none};
  // The contact moves by the centre's motion less that of the upward radius u = w/|w|, which turning moves too.
  const Vector3d n = J * normal, b = frame_of(j.child, at) * axis, w = from_contact(n, b), u = w.normalized();
  Vector3d torque;
  for (int i = 0; i < 3; ++i) {
    const Vector3d b_rate = Vector3d::Unit(i).cross(b), w_rate = -n.dot(b_rate) * b - n.dot(b) * b_rate;
    const Vector3d u_rate = (w_rate - u.dot(w_rate) * u) / w.norm();
    torque(i) = -j.numbers.at("radius") * direction.dot(u_rate);
  }
  return {direction, torque};
}

namespace {

/// Collects what acts on bodies.
class Loads {
 public:
  Loads(const RandomMechanism& m, const Assembled& a)
      : m_(m), a_(a), at_(poses(m, a)), force(m.bodies.size(), Vector3d::Zero()), moment(force),
        force_size(m.bodies.size(), 0), moment_size(force_size) {
    for (std::size_t i = 1; i < m.bodies.size(); ++i)
      push(static_cast<int>(i), center(i), m.bodies[i].mass * m.gravity, Vector3d::Zero());
    for (const RandomJoint& joint : m.joints) react(joint);
    for (const RandomForce& f : m.forces) apply(f);
    for (const RandomCoupling& coupling : m.couplings) apply(coupling);
    for (const RandomJoint& joint : m.joints)
      for (const RandomCoordinate& one : joint.coordinates)
        if (one.limited) along(one.name, a_[one.name + ".limit.effort"]);
    for (const RandomContact& contact : m.contacts)
      for (const Touch& touch : touches(contact, at_, m.spatial)) apply(contact, touch);
    for (const FormulaContact& contact : m.formula_contacts) apply(contact);
    for (const RandomConstraint& constraint : m.constraints) apply(constraint);
  }

  Vector3d center(std::size_t i) const { return at_[i].position + at_[i].R * m_.bodies[i].center; }
  const BodyPose& pose(std::size_t i) const { return at_[i]; }

 private:
  void push(int body, const Vector3d& place, const Vector3d& f, const Vector3d& torque) {
    const auto i = static_cast<std::size_t>(body);
    const Vector3d about = (place - center(i)).cross(f) + torque;
    force[i] += f;
    moment[i] += about;
    force_size[i] += f.norm();
    moment_size[i] += about.norm();
  }

  /// The force acts on the second body, and with opposite sign on the first, at the same point.
  void between(int first, int second, const Vector3d& place, const Vector3d& f, const Vector3d& torque) {
    push(second, place, f, torque);
    push(first, place, -f, -torque);
  }

  void react(const RandomJoint& j) {
    const Vector3d place = place_of(j.child, at_);
    if (j.type == "distance") {
      pull(j.parent, j.child, a_[j.name + ".tension"]);
      return;
    }
    const Matrix3d& R = at_[static_cast<std::size_t>(j.parent.body)].R;
    const Vector3d torque =
        m_.spatial ? R * a_.vector(j.name + ".reaction.torque") : Vector3d(0, 0, a_[j.name + ".reaction.torque"]);
    between(j.parent.body, j.child.body, place, R * a_.vector(j.name + ".reaction.force"), torque);
  }

  void pull(const Site& from, const Site& to, double pull) {
    const Vector3d one = place_of(from, at_), two = place_of(to, at_), f = pull * (two - one).normalized();
    push(from.body, one, f, Vector3d::Zero());
    push(to.body, two, -f, Vector3d::Zero());
  }

  void along(const std::string& coordinate, double effort) {
    if (coordinate == "ground") return;
    const auto [joint, index] = m_.coordinate(coordinate);
    const auto [f, torque] = effort_wrench(m_, at_, *joint, index);
    between(joint->parent.body, joint->child.body, place_of(joint->child, at_), effort * f, effort * torque);
  }

  void apply(const RandomForce& f) {
    const Matrix3d& R = at_[static_cast<std::size_t>(f.frame)].R;
    const Acts acts = find_force_type(f.type)->acts;
    if (acts == Acts::at_point) {
      push(f.from.body, place_of(f.from, at_), R * a_.vector(f.name + ".force"), Vector3d::Zero());
    } else if (acts == Acts::on_body) {
      const Vector3d torque = m_.spatial ? R * a_.vector(f.name + ".torque") : Vector3d(0, 0, a_[f.name + ".torque"]);
      push(f.from.body, place_of(f.from, at_), Vector3d::Zero(), torque);
    } else if (acts == Acts::along_line) {
      pull(f.from, f.to, a_[f.name + ".force"]);
    } else {
      along(f.coordinate, a_[f.name + (a_.has(f.name + ".torque") ? ".torque" : ".force")]);
    }
  }

  void apply(const RandomCoupling& k) {
    const double multiplier = a_["coupling." + k.name + ".multiplier"];
    if (k.type == "mesh") {
      mesh(k, multiplier);
    } else if (k.type == "linear") {
      along(k.first, multiplier);
      along(k.second, multiplier * k.numbers.at("factor"));
    } else if (k.type == "clutch" || k.type == "lock") {
      along(k.first, multiplier);
      along(k.second, -multiplier);
    } else if (k.type == "one_way") {
      along(k.second, multiplier);
      along(k.first, -multiplier);
    } else {
      along(k.second, multiplier);
      along(k.first, -multiplier * k.numbers.at(k.type == "gear" ? "ratio" : "radius"));
    }
  }

  void apply(const RandomConstraint& constraint) {
    const std::string name = "constraint." + constraint.name;
    for (const auto& [coordinate, part] : constraint.acts) along(coordinate, part * a_[name + ".multiplier"]);
    if (!constraint.acts.empty()) return;
    for (const RandomJoint& joint : m_.joints)
      for (const RandomCoordinate& one : joint.coordinates)
        if (const std::string effort = name + ".effort." + one.name; a_.has(effort)) along(one.name, a_[effort]);
  }

  void apply(const RandomContact& contact, const Touch& touch) {
    Vector3d f = a_[touch.name + ".normal.force"] * touch.normal;
    const std::string friction = touch.name + ".friction.force";
    if (a_.has(friction)) f += a_[friction] * touch.along;
    if (a_.has(friction + ".x")) f += a_[friction + ".x"] * touch.along + a_[friction + ".y"] * touch.across;
    const RandomSurface &one = contact.first, &two = contact.second;
    const auto body = [](const RandomSurface& s) { return s.points.empty() ? s.at.body : s.points[0].body; };
    between(body(two), body(one), touch.place, f, Vector3d::Zero());
  }

  /// The force acts on everything on which the gap depends, by as much as it does.
  void apply(const FormulaContact& contact) {
    const double force = a_[contact.name + ".normal.force"];
    std::map<std::string, double> values;
    for (const std::string& name : contact.coordinates) values[name] = a_[name];
    for (const RandomSensor& sensor : contact.sensors)
      values[sensor.name + ".distance"] = (place_of(sensor.to, at_) - place_of(sensor.from, at_)).norm();
    const auto slope = [&](const std::string& name) {
      const double h = 1e-5;
      std::map<std::string, double> more = values, less = values;
      more[name] += h;
      less[name] -= h;
      return (contact.gap(more) - contact.gap(less)) / (2 * h);
    };
    for (const std::string& name : contact.coordinates) along(name, force * slope(name));
    for (const RandomSensor& sensor : contact.sensors)
      pull(sensor.from, sensor.to, -force * slope(sensor.name + ".distance"));
  }

  /// The tooth force acts on the second gear at the pitch point, across the line of centres and the first's axis.
  void mesh(const RandomCoupling& k, double multiplier) {
    const RandomJoint &first = m_.joint(k.first), &second = m_.joint(k.second);
    const Vector3d one = place_of(first.child, at_), two = place_of(second.child, at_);
    const Vector3d local = first.axes.empty() || !m_.spatial ? Vector3d(Vector3d::UnitZ()) : first.axes[0];
    const double r1 = k.numbers.at("radius_first"), r2 = k.numbers.at("radius_second");
    const Vector3d across = (frame_of(first.child, at_) * local).cross(two - one).normalized();
    between(first.child.body, second.child.body, one + r1 / (r1 + r2) * (two - one), multiplier * across,
            Vector3d::Zero());
  }

  const RandomMechanism& m_;
  const Assembled& a_;
  const std::vector<BodyPose> at_;

 public:
  std::vector<Vector3d> force, moment;  ///< sums of forces; their moments are about the mass centre
  std::vector<double> force_size, moment_size;
};

}  // namespace

double worst_imbalance(const RandomMechanism& m, const Assembled& a, const std::vector<BodyMotion>& motions) {
  const Loads loads(m, a);
  double worst = 0;
  for (std::size_t i = 1; i < m.bodies.size(); ++i) {
    const Matrix3d I = loads.pose(i).R * m.bodies[i].inertia * loads.pose(i).R.transpose();
    const BodyMotion& motion = motions[i];
    const Vector3d momentum_rate = m.bodies[i].mass * motion.center_acceleration;
    Vector3d turning_rate = I * motion.turning_rate + motion.turning.cross(I * motion.turning);
    Vector3d moment = loads.moment[i];
    if (!m.spatial) turning_rate.head(2).setZero(), moment.head(2).setZero();
    worst = std::max(worst, (momentum_rate - loads.force[i]).norm() / (1 + momentum_rate.norm() + loads.force_size[i]));
    worst = std::max(worst, (turning_rate - moment).norm() / (1 + turning_rate.norm() + loads.moment_size[i]));
    if (!std::isfinite(worst)) return worst;
  }
  return worst;
}

namespace {

/// The difference between where a joint's child is, as its joint frame and the parent's are, and where coordinates say.
double gap(const RandomMechanism& m, const Assembled& a, const std::vector<BodyPose>& at, const RandomJoint& j) {
  const Matrix3d J = frame_of(j.parent, at), K = frame_of(j.child, at);
  const Vector3d axis = !m.spatial || j.axes.empty() ? Vector3d(Vector3d::UnitZ()) : j.axes[0];
  Vector3d place = place_of(j.parent, at);
  Matrix3d R = j.rotation;
  for (std::size_t i = 0; i < j.coordinates.size(); ++i) {
    const double value = a[j.coordinates[i].name];
    if (!j.coordinates[i].angle) place += value * effort_wrench(m, at, j, static_cast<int>(i)).first;
    else R = R * rotated_by(value * (j.type == "universal" ? j.axes[i] : axis));
    if (j.type == "screw") place += value * j.numbers.at("lead") / (2 * EIGEN_PI) * J * axis;
  }
  if (j.orientation) {
    const auto q = [&](const char* component) { return a[j.name + ".orientation." + component]; };
    R = Eigen::Quaterniond(q("w"), q("x"), q("y"), q("z")).toRotationMatrix();
  }
  if (j.type == "rolling" && m.spatial)
    place += j.numbers.at("radius") * from_contact(J * j.normal, K * axis).normalized();
  else if (j.type == "rolling")
    place += j.numbers.at("radius") * Vector3d::UnitZ().cross(effort_wrench(m, at, j, 0).first);
  return std::max((place_of(j.child, at) - place).norm(), (K - J * R).norm());
}

}  // namespace

double worst_gap(const RandomMechanism& m, const Assembled& a) {
  const std::vector<BodyPose> at = poses(m, a);
  double worst = 0;
  for (const RandomJoint& joint : m.joints) {
    const double here = joint.type == "distance" ? 0 : gap(m, a, at, joint);
    if (!(here <= worst)) worst = here;
  }
  return worst;
}

}  // namespace mechfmu::testing
