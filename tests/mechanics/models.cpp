// Tests every model of the project: each body taken alone satisfies Newton's and Euler's equations with nothing but the
// poses, reactions and forces that the model shows, and every joint holds its two sides together.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "elements/joints/joint_type.hpp"
#include "equations/translate.hpp"
#include "free_body.hpp"
#include "modelDescription/description/description.hpp"

namespace mechfmu::testing {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Evaluates the numbers of a description without the code that assembles mechanisms.
class Numbers {
 public:
  explicit Numbers(const Description& d) : d_(d), value_(d.functions) {
    for (const Parameter& parameter : d.parameters) value_.define(parameter.name, parameter.value.expression);
    for (const Definition& definition : d.definitions) value_.define(definition.name, definition.value);
  }

  RandomMechanism mechanism() {
    RandomMechanism m;
    m.spatial = d_.spatial;
    m.gravity = vector(d_.gravity);
    for (const Body& body : d_.bodies) m.bodies.push_back(numbers_of(body));
    for (const Joint& joint : d_.joints) m.joints.push_back(numbers_of(joint));
    for (const Force& force : d_.forces) {
      RandomForce f;
      f.name = force.name;
      f.type = force.type;
      f.coordinate = force.coordinate;
      f.from = site(force.at);
      if (force.body >= 0) f.from.body = force.body;
      f.to = site(force.to);
      f.frame = force.frame;
      m.forces.push_back(f);
    }
    for (const Coupling& k : d_.couplings) {
      if (k.type == "linear") throw std::runtime_error("no balance with sums of coordinates: " + k.name);
      m.couplings.push_back({k.name, k.type, k.first, k.second, balanced_numbers(k), {}});
    }
    for (const Constraint& constraint : d_.constraints) m.constraints.push_back({.name = constraint.name});
    for (const Contact& contact : d_.contacts) {
      if (contact.surfaces.empty()) m.formula_contacts.push_back(by_formula(contact, m));
      else m.contacts.push_back({contact.name, numbers_of(contact.surfaces[0]), numbers_of(contact.surfaces[1])});
    }
    return m;
  }

 private:
  FormulaContact by_formula(const Contact& contact, const RandomMechanism& m) {
    if (!contact.slips.empty()) throw std::runtime_error("no balance with slips by formulas: " + contact.name);
    FormulaContact result;
    result.name = contact.name;
    for (const RandomJoint& joint : m.joints)
      for (const RandomCoordinate& one : joint.coordinates) result.coordinates.push_back(one.name);
    for (const Sensor& sensor : d_.sensors) result.sensors.push_back({sensor.name, site(sensor.from), site(sensor.to)});
    result.gap = [this, &contact](const std::map<std::string, double>& values) {
      for (const auto& [name, value] : values) value_.define(name, casadi::SX(value));
      return number(contact.gap);
    };
    return result;
  }

  RandomSurface numbers_of(const Surface& surface) {
    RandomSurface s;
    s.shape = surface.shape;
    s.at = site(surface.at);
    s.sizes = numbers(surface.sizes);
    for (const PointReference& point : surface.points) s.points.push_back(site(point));
    if (!surface.direction.components.empty()) s.direction = vector(surface.direction);
    if (!surface.function.empty())
      s.curve = [this, name = surface.function](double x) { return static_cast<double>(value_.call(name, x)); };
    return s;
  }

  double number(const Expression& expression) { return static_cast<double>(value_(expression)); }

  std::vector<double> numbers(const std::vector<Expression>& expressions) {
    std::vector<double> values;
    for (const Expression& expression : expressions) values.push_back(number(expression));
    return values;
  }

  std::map<std::string, double> numbers(const std::map<std::string, Expression>& expressions) {
    std::map<std::string, double> values;
    for (const auto& [key, expression] : expressions) values[key] = number(expression);
    return values;
  }

  /// Returns the numbers that a balance reads. Others, such as a clutch's capacity, may depend on time and inputs.
  std::map<std::string, double> balanced_numbers(const Coupling& coupling) {
    std::map<std::string, double> values;
    for (const char* key : {"ratio", "radius", "factor", "radius_first", "radius_second"})
      if (const auto found = coupling.numbers.find(key); found != coupling.numbers.end())
        values[key] = number(found->second);
    return values;
  }

  Vector3d vector(const Vector& vector) {
    Vector3d result = Vector3d::Zero();
    for (std::size_t i = 0; i < vector.components.size(); ++i)
      result(static_cast<Eigen::Index>(i)) = number(vector.components[i]);
    return result;
  }

  Matrix3d rotation(const Rotation& rotation) {
    const std::vector<double> n = numbers(rotation.numbers);
    const auto about = [&](int axis, double angle) { return rotated_by(angle * Vector3d::Unit(axis)); };
    switch (rotation.kind) {
      case Rotation::Kind::none: break;
      case Rotation::Kind::angle: return about(2, n[0]);
      case Rotation::Kind::axis_angle: return rotated_by(n[3] * Vector3d(n[0], n[1], n[2]).normalized());
      case Rotation::Kind::roll_pitch_yaw: return about(2, n[2]) * about(1, n[1]) * about(0, n[0]);
      case Rotation::Kind::quaternion:
        return Eigen::Quaterniond(n[0], n[1], n[2], n[3]).normalized().toRotationMatrix();
    }
    return Matrix3d::Identity();
  }

  const Body& body(int index) const { return d_.bodies[static_cast<std::size_t>(index)]; }
  const BodyPoint& point(int of, int index) const { return body(of).points[static_cast<std::size_t>(index)]; }
  const BodyPoint& point(const PointReference& reference) const { return point(reference.body, reference.point); }

  Site site(const PointReference& reference) {
    return {reference.body, vector(point(reference).at), rotation(point(reference).rotation)};
  }

  RandomBody numbers_of(const Body& body) {
    RandomBody b;
    b.name = body.name;
    if (&body == &d_.bodies[0]) return b;
    b.mass = number(body.mass);
    b.center = vector(body.center_of_mass);
    const std::vector<double> n = numbers(body.inertia);
    if (n.size() == 1) b.inertia(2, 2) = n[0];
    if (n.size() == 6) b.inertia << n[0], n[3], n[4], n[3], n[1], n[5], n[4], n[5], n[2];
    return b;
  }

  /// In the joint frame of the side whose direction it is.
  Vector3d direction(const Axis& axis, const Site& side) {
    if (!axis.points) return vector(axis.components).normalized();
    const auto [from, to] = *axis.points;
    const Vector3d between = vector(point(side.body, to).at) - vector(point(side.body, from).at);
    return side.frame.transpose() * between.normalized();
  }

  RandomJoint numbers_of(const Joint& joint) {
    const JointForm& form = *find_joint_form(joint.type, d_.spatial);
    RandomJoint j;
    j.name = joint.name;
    j.type = joint.type;
    j.parent = site(joint.parent);
    j.child = site(joint.child);
    // If no point carries a frame, the joint frames agree when the bodies are turned as in the zero configuration.
    const auto bare = [&](const PointReference& r) { return point(r).rotation.kind == Rotation::Kind::none; };
    const auto zero = [&](const PointReference& r) { return rotation(body(r.body).rotation); };
    if (bare(joint.parent) && bare(joint.child)) j.child.frame = zero(joint.child).transpose() * zero(joint.parent);
    for (const Axis& axis : joint.axes) j.axes.push_back(direction(axis, form.axis_in_child ? j.child : j.parent));
    if (joint.normal) j.normal = direction(*joint.normal, j.parent);
    if (joint.type == "universal") j.axes[1] = (j.axes[1] - j.axes[1].dot(j.axes[0]) * j.axes[0]).normalized();
    j.numbers = numbers(joint.numbers);
    j.rotation = rotation(joint.rotation);
    j.orientation = form.orientation;
    for (std::size_t i = 0; i < joint.coordinates.size(); ++i) {
      j.coordinates.emplace_back();
      j.coordinates.back().name = joint.coordinates[i].name;
      j.coordinates.back().angle = form.coordinates[i].angle;
      j.coordinates.back().limited = joint.coordinates[i].limits.has_value();
    }
    return j;
  }

  const Description& d_;
  Translator value_;
};

/// Inputs that the file leaves at zero become small numbers, all different: motors pull, roads rise, symmetry breaks.
void push(Assembled& a) {
  const std::vector<Input>& inputs = a.description().inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].start == 0) a.simulation().set_input(static_cast<int>(i), 0.1 * static_cast<double>(i + 1));
}

/// How badly the bodies balance when both sides of a joint are the child, so that its reaction is as good as forgotten.
double imbalance_without(std::size_t joint, RandomMechanism m, const Assembled& a,
                         const std::vector<BodyMotion>& moving) {
  m.joints[joint].parent.body = m.joints[joint].child.body;
  return worst_imbalance(m, a, moving);
}

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void check_model(const std::filesystem::path& path, int& models) {
  Assembled a(text_of_file(path), path.string());
  if (a.description().bodies.empty()) return;  // It is a mechanism of equations.
  ++models;
  Numbers numbers(a.description());
  const RandomMechanism m = numbers.mechanism();
  push(a);
  a.start();
  CHECK(worst_gap(m, a) <= 1e-9);
  const double end = a.description().solver.stop_time;
  std::vector<double> forgotten(m.joints.size(), 0);
  for (const double part : {0.005, 0.05, 0.25}) {  // The first comes after what dies away at once.
    INFO("at " << part << " of the time");
    a.advance(part * end);
    // The time that an author shows has some swings: a coordinate that turns 1000 radians in it has the error (w
    // h)^4/90 = 1e-6 with this h. Rounding of positions, some 1e-16, counts 5/h^2 times: 5e-8 m/s^2 for h = 1e-4 s, and
    // more for a shorter h, whose accelerations are greater.
    const std::vector<BodyMotion> moving = motions_by_differences(m, a, 1e-4 * end);
    CHECK(worst_imbalance(m, a, moving) <= 1e-6);
    CHECK(worst_gap(m, a) <= 1e-9);
    for (std::size_t i = 0; i < m.joints.size(); ++i)
      forgotten[i] = std::max(forgotten[i], imbalance_without(i, m, a, moving));
  }
  for (std::size_t i = 0; i < m.joints.size(); ++i) {
    INFO("without joint " << m.joints[i].name);
    // While the pin that pushes a slider flies within its hole, the slider's guide has no reaction.
    const bool bears =
        m.joints[i].type != "free" && !(a.description().name == "SliderCrankClearance" && m.joints[i].name == "D");
    if (bears) CHECK(forgotten[i] >= 1e-3);
  }
}

TEST_CASE("each body of every model balances, and joints hold their sides together", "[models]") {
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(MECHFMU_SOURCE_DIR "/models")) {
    const std::filesystem::path path = entry.path() / "mechanism.toml";
    if (!std::filesystem::exists(path)) continue;
    INFO(path.string());
    try {
      check_model(path, models);
    } catch (const std::runtime_error& error) {
      FAIL_CHECK(error.what());
    }
  }
  CHECK(models >= 20);
}

}  // namespace
}  // namespace mechfmu::testing
