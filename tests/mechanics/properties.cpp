// Tests what holds for every mechanism, on random ones: both kinds of coordinates agree, energy and momentum balance,
// every body alone obeys Newton and Euler, and neither the world's place nor the order of a file matters.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

#include "../outside_integration.hpp"
#include "changing_laws.hpp"
#include "fmu_src/mechanism/families.hpp"
#include "free_body.hpp"
#include "random_changing.hpp"
#include "random_members.hpp"

namespace mechfmu::testing {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

const std::vector<const char*> xyz = {".x", ".y", ".z"}, wxyz = {".w", ".x", ".y", ".z"};

/// Starts `other` where `one` is.
void start_alike(const RandomMechanism& m, const Assembled& one, Assembled& other) {
  for (const RandomJoint& joint : m.joints) {
    for (const RandomCoordinate& c : joint.coordinates) {
      other.set_parameter(c.name + "_start", one[c.name]);
      other.set_parameter(c.name + "_rate_start", one["der(" + c.name + ")"]);
    }
    if (!joint.orientation) continue;
    for (const char* component : wxyz)
      other.set_parameter(joint.name + ".orientation" + component + "_start",
                          one[joint.name + ".orientation" + component]);
    for (const char* component : xyz)
      other.set_parameter(joint.name + ".angular_velocity" + component + "_start",
                          one[joint.name + ".angular_velocity" + component]);
  }
  other.start();
}

/// Returns the largest difference of the variables of these names, relative to 1 + the largest of them.
double difference(const Assembled& one, const Assembled& other, const std::vector<std::string>& names) {
  double size = 1, worst = 0;
  std::string differs;
  for (const std::string& name : names) size = std::max(size, 1 + std::abs(one[name]));
  for (const std::string& name : names) {
    const double apart = std::abs(one[name] - other[name]);
    if (!(apart <= worst)) worst = apart, differs = name;
  }
  if (worst > 0) UNSCOPED_INFO(differs << ": " << one[differs] << " and " << other[differs]);
  return worst / size;
}

std::vector<std::string> with(const std::string& name, const std::vector<const char*>& endings,
                              const std::string& close = "") {
  std::vector<std::string> names;
  for (const char* ending : endings) names.push_back(name + ending + close);
  return names;
}

void append(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// The joints' motion agrees: coordinates, rates, accelerations.
void compare_motion(const RandomMechanism& m, const Assembled& one, const Assembled& other, double tolerance) {
  std::vector<std::string> positions, velocities, accelerations;
  for (const RandomJoint& joint : m.joints) {
    for (const RandomCoordinate& c : joint.coordinates) {
      positions.push_back(c.name);
      velocities.push_back("der(" + c.name + ")");
      accelerations.push_back("der(" + c.name + ",2)");
    }
    if (!joint.orientation) continue;
    append(velocities, with(joint.name + ".angular_velocity", xyz));
    append(accelerations, with("der(" + joint.name + ".angular_velocity", xyz, ")"));
    // A quaternion and its opposite are the same rotation.
    double product = 0;
    for (const char* c : wxyz) product += one[joint.name + ".orientation" + c] * other[joint.name + ".orientation" + c];
    CHECK(std::abs(std::abs(product) - 1) <= tolerance);
  }
  CHECK(difference(one, other, positions) <= tolerance);
  CHECK(difference(one, other, velocities) <= tolerance);
  CHECK(difference(one, other, accelerations) <= 10 * tolerance);
}

/// All reactions agree that redundant constraints do not leave open.
void compare_reactions(const RandomMechanism& m, const Assembled& one, const Assembled& other, double tolerance,
                       bool on_ground_too = true) {
  std::vector<std::string> names;
  for (const RandomJoint& joint : m.joints) {
    if (!on_ground_too && joint.parent.body == 0) continue;  // their components are the ground's
    if (joint.type == "distance") {
      names.push_back(joint.name + ".tension");
      continue;
    }
    for (std::size_t i = 0; i < (m.spatial ? 3u : 2u); ++i) names.push_back(joint.name + ".reaction.force" + xyz[i]);
    if (m.spatial) append(names, with(joint.name + ".reaction.torque", xyz));
    else names.push_back(joint.name + ".reaction.torque");
    for (const RandomCoordinate& c : joint.coordinates)
      if (!c.motion.empty()) names.push_back(c.name + ".drive");
  }
  for (const RandomCoupling& k : m.couplings) names.push_back("coupling." + k.name + ".multiplier");
  if (!one.is_determined() || !other.is_determined()) {
    const std::set<std::string> open = one.undetermined(), open_there = other.undetermined();
    std::erase_if(names, [&](const std::string& name) { return open.count(name) > 0 || open_there.count(name) > 0; });
  }
  CHECK(difference(one, other, names) <= tolerance);
}

/// The rate of the energy is the power of everything that has no potential.
void check_energy(const RandomMechanism& m, Assembled& a) {
  double expected = 0, size = 1;
  const auto add = [&](double power) {
    expected += power;
    size += std::abs(power);
  };
  for (const RandomForce& f : m.forces) {
    add(a[f.name + ".power"]);
    const auto number = [&](const char* key) { return f.numbers.count(key) ? f.numbers.at(key) : 0; };
    // Springs store this energy.
    if (f.type == "spring_damper")
      add(number("stiffness") * (a[f.name + ".length"] - number("rest_length")) * a.rate_of(f.name + ".length"));
    if (f.type == "joint_spring_damper")
      add((number("stiffness") * (a[f.coordinate] - number("rest")) - number("preload")) *
          a["der(" + f.coordinate + ")"]);
  }
  for (const RandomJoint& joint : m.joints)
    for (const RandomCoordinate& c : joint.coordinates)
      if (!c.motion.empty()) add(a[c.name + ".drive"] * a["der(" + c.name + ")"]);
  for (const RandomJoint& joint : m.joints)  // omega = 3
    if (joint.length_driven) add(-a[joint.name + ".tension"] * 0.02 * 3 * std::cos(3 * a.simulation().time()));
  const Power rows = power_of_rows(m, a);
  expected += rows.sum;
  size += rows.size + std::abs(a.rate_of("energy.kinetic"));
  CHECK(std::abs(a.rate_of("energy.total") - expected) <= 1e-9 * size);
}

/// Friction is what its law says, its normal force the joint's own reaction: across the sliding for a position.
void check_friction(const RandomMechanism& m, const Assembled& a) {
  const std::vector<BodyPose> at = poses(m, a);
  for (const RandomForce& f : m.forces) {
    if (f.type != "friction") continue;
    const auto [joint, index] = m.coordinate(f.coordinate);
    const bool angle = joint->coordinates[static_cast<std::size_t>(index)].angle;
    Vector3d reaction = at[static_cast<std::size_t>(joint->parent.body)].R * a.vector(joint->name + ".reaction.force");
    const Vector3d along = effort_wrench(m, at, *joint, index).first;
    if (!angle) reaction -= reaction.dot(along) * along;
    const double normal = reaction.norm(), rate = a["der(" + f.coordinate + ")"];
    const auto number = [&](const char* key, double otherwise) {
      return f.numbers.count(key) ? f.numbers.at(key) : otherwise;
    };
    const double arm = angle ? number("radius", 0) : 1, pressed = number("coulomb", 0) * normal * arm;
    const double effort = a[f.name + (angle ? ".torque" : ".force")] + number("viscous", 0) * rate,
                 slow = number("stick_speed", 0);
    INFO(f.name << " on " << f.coordinate << " of a joint " << joint->type);
    CHECK(std::abs(a[f.name + ".normal_force"] - normal) <= 1e-9 * (1 + normal));
    if (slow == 0 && std::abs(rate) < 1e-9) {
      CHECK(std::abs(effort) <= number("static", number("coulomb", 0)) * normal * arm + 1e-9 * (1 + normal));
      continue;
    }
    const double direction = slow > 0 ? std::tanh(rate / slow) : rate > 0 ? 1 : -1;
    CHECK(std::abs(effort + pressed * direction) <= 1e-9 * (1 + normal));
  }
}

/// Some friction comes from a reaction that redundant constraints leave open: formulations may choose differently.
bool friction_is_open(const RandomMechanism& m, const Assembled& a) {
  if (a.is_determined()) return false;
  const std::set<std::string> open = a.undetermined();
  return std::any_of(m.forces.begin(), m.forces.end(), [&](const RandomForce& f) {
    if (f.type != "friction") return false;
    const std::string force = m.coordinate(f.coordinate).first->name + ".reaction.force";
    return std::any_of(xyz.begin(), xyz.end(), [&](const char* end) { return open.count(force + end) > 0; });
  });
}

/// Returns momentum, and angular momentum about the ground's origin.
Eigen::Matrix<double, 6, 1> momentum(const RandomMechanism& m, const Assembled& a) {
  Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
  const std::vector<BodyPose> at = poses(m, a);
  const std::vector<BodyMotion> moving = motions(m, a);
  for (std::size_t i = 1; i < m.bodies.size(); ++i) {
    const RandomBody& body = m.bodies[i];
    const Vector3d arm = at[i].R * body.center;
    const Vector3d p = body.mass * (a.vector(body.name + ".velocity") + moving[i].turning.cross(arm));
    sum.head<3>() += p;
    sum.tail<3>() += (at[i].position + arm).cross(p) + at[i].R * body.inertia * at[i].R.transpose() * moving[i].turning;
  }
  return sum;
}

void check_state(const RandomMechanism& m, Assembled& a) {
  for (const std::string& law : broken_laws(m, a)) FAIL_CHECK(law);
  CHECK(worst_imbalance(m, a, motions(m, a)) <= 1e-9);
  CHECK(worst_gap(m, a) <= 1e-9);
  check_energy(m, a);
  check_friction(m, a);
}

/// Something moves whatever touches.
bool is_driven(const RandomMechanism& m) {
  for (const RandomJoint& joint : m.joints) {
    if (joint.length_driven) return true;
    for (const RandomCoordinate& c : joint.coordinates)
      if (!c.motion.empty()) return true;
  }
  return std::any_of(m.constraints.begin(), m.constraints.end(),
                     [](const RandomConstraint& constraint) { return constraint.level == "acceleration"; });
}

/// Nothing gives it energy: no motion drives it, and no force but springs and frictions acts.
bool is_left_alone(const RandomMechanism& m) {
  if (is_driven(m)) return false;
  for (const RandomForce& f : m.forces)
    if (f.type != "spring_damper" && f.type != "joint_spring_damper" && f.type != "friction") return false;
  return std::all_of(m.constraints.begin(), m.constraints.end(),
                     [](const RandomConstraint& constraint) { return constraint.ideal; });
}

/// Goes to `end`, and looks on the way whether laws hold, and energy grows.
void advance_under_laws(const RandomMechanism& m, Assembled& a, double end) {
  const int steps = has_what_changes(m) ? 10 : 1;
  const double begin = a.time();
  double energy = a["energy.total"];
  for (int i = 1; i <= steps; ++i) {
    a.advance(i == steps ? end : begin + (end - begin) * i / steps);
    for (const std::string& law : broken_laws(m, a)) FAIL_CHECK("at " << a.time() << " s " << law);
    if (is_left_alone(m)) CHECK(a["energy.total"] <= energy + 1e-8 * (1 + std::abs(energy)));
    energy = a["energy.total"];
  }
}

/// Writings of the same mechanism that must move alike: the world turned and shifted as a whole, another order.
std::vector<Form> other_forms(const RandomMechanism& m, unsigned seed) {
  Chance chance(seed);
  const auto number = [&] { return chance.between(-2, 2); };
  const double x = number(), y = number(), z = number(), a = number(), b = number(), c = number();
  const Vector3d turn = m.spatial ? Vector3d(a, b, c) : Vector3d(0, 0, c);
  return {{.turn = rotated_by(turn), .shift = Vector3d(x, y, m.spatial ? z : 0)}, {.shuffled = seed + 1}};
}

/// How often what has been checked.
struct Occurrences {
  std::size_t loops = 0;
  int bodies = 0;
  int checked = 0, still = 0, contradictory = 0, open_friction = 0;

  void count(const RandomMechanism& m) {
    bodies = std::max(bodies, static_cast<int>(m.bodies.size()) - 1);
    std::size_t closed = 0;
    for (const RandomJoint& joint : m.joints) closed += joint.closes;
    loops = std::max(loops, closed);
  }
};

/// Is the motion of all joints at one time.
std::vector<double> motion(const RandomMechanism& m, const Assembled& a) {
  std::vector<double> all;
  for (const RandomJoint& joint : m.joints) {
    for (const RandomCoordinate& c : joint.coordinates) all.insert(all.end(), {a[c.name], a["der(" + c.name + ")"]});
    for (const char* end : xyz)
      if (joint.orientation) all.push_back(a[joint.name + ".angular_velocity" + end]);
  }
  return all;
}

double difference(const std::vector<double>& one, const std::vector<double>& other) {
  double size = 1, worst = 0;
  for (std::size_t i = 0; i < one.size(); ++i) size = std::max(size, 1 + std::abs(one[i]));
  for (std::size_t i = 0; i < one.size(); ++i)
    if (!(std::abs(one[i] - other[i]) <= worst)) worst = std::abs(one[i] - other[i]);
  return worst / size;
}

/// The motion is the same with other resolutions, and for an integrator outside: this one is expected after 0.1 s.
void check_other_ways(const RandomMechanism& m, unsigned seed, Assembled& a, const std::vector<double>& expected) {
  constexpr double end = 0.1;
  constexpr std::size_t tried = 3;
  for (std::size_t i = 0; i < tried; ++i) {
    Settings settings = Assembled::settings();
    settings.tangent_basis = static_cast<int>((tried * seed + i) % tangent_bases.size());
    INFO("resolution " << tangent_bases[static_cast<std::size_t>(settings.tangent_basis)]);
    try {
      a.begin_anew(settings);
      a.start();
      a.advance(end);
      CHECK(difference(motion(m, a), expected) <= 1e-7);
    } catch (const std::runtime_error& error) {
      // Some resolutions need inertia everywhere, or positions only.
      const bool refuses = std::string(error.what()).find("hoose tangent_basis = \"partitioned\"") != std::string::npos;
      if (!refuses) FAIL_CHECK(error.what());
    }
  }
  INFO("integrated from outside");
  a.begin_anew(Assembled::settings());
  REQUIRE(a.simulation().integrate_outside());
  a.start();
  OutsideIntegration outside(a.simulation(), a.table().sizes);
  outside.run(end, 2e-3);
  CHECK(difference(motion(m, a), expected) <= 1e-6);
}

/// Returns the members that were checked: none if the mechanism cannot move.
Members check_mechanism(const RandomMechanism& chosen, unsigned seed, Occurrences& occurred) {
  const RandomMechanism m = with_gaps_at_start(chosen, seed);
  Assembled relative(text_of(m));
  ++occurred.checked;
  if (relative.degrees_of_freedom() == 0) {
    ++occurred.still;
    return {};
  }
  relative.start();
  check_state(m, relative);
  occurred.count(m);

  Assembled absolute(text_of(m, {.absolute = true}));
  CHECK(absolute.degrees_of_freedom() == relative.degrees_of_freedom());
  start_alike(m, relative, absolute);
  check_state(m, absolute);

  std::vector<std::unique_ptr<Assembled>> others;
  if (seed % 4 == 0 && m.bodies.size() <= (m.spatial ? 3u : 6u))
    for (const Form& form : other_forms(m, seed)) {
      others.push_back(std::make_unique<Assembled>(text_of(m, form)));
      start_alike(m, relative, *others.back());
    }
  const bool open = friction_is_open(m, relative);
  occurred.open_friction += open;
  const auto compare_all = [&](double tolerance) {
    if (open) return;
    compare_motion(m, relative, absolute, tolerance);
    compare_reactions(m, relative, absolute, 10 * tolerance);
    for (std::size_t i = 0; i < others.size(); ++i) {
      INFO((i == 0 ? "the world turned" : "another order"));
      compare_motion(m, relative, *others[i], tolerance);
      compare_reactions(m, relative, *others[i], 10 * tolerance, i > 0);
    }
  };
  compare_all(1e-9);

  const Eigen::Matrix<double, 6, 1> before = momentum(m, relative);
  advance_under_laws(m, relative, 0.1);
  absolute.advance(0.1);
  for (const auto& other : others) other->advance(0.1);
  compare_all(1e-7);
  check_state(m, relative);
  check_state(m, absolute);
  const std::vector<double> end = motion(m, relative);
  if (m.floating) CHECK((momentum(m, relative) - before).norm() <= 1e-9 * (1 + before.norm()));
  double events = 0;
  const std::vector<BodyMotion> seen = motions_by_differences(m, relative, 1e-3, &events);
  if (events == 0) CHECK(worst_imbalance(m, relative, seen) <= 1e-5);
  if (has_what_changes(m) && !open) check_other_ways(m, seed, relative, end);
  return members_of(m, relative.cut_joints());
}

void check_all(bool spatial) {
  Occurrences occurred;
  const Members missing = check_until_all_occurred(spatial, [&](unsigned seed, const RandomMechanism& m) {
    INFO("seed " << seed << "\n" << text_of(m));
    try {
      return check_mechanism(m, seed, occurred);
    } catch (const std::runtime_error& error) {
      const auto says = [&](const char* part) { return std::string(error.what()).find(part) != std::string::npos; };
      if (says("can never hold together") && drives_what_stands(m)) ++occurred.contradictory;
      else if (says("press together what touches") && is_driven(m)) ++occurred.contradictory;
      else if (says("The mechanism jams")) ++occurred.contradictory;
      else FAIL_CHECK(error.what());
      return Members();
    }
  });
  CHECK(missing == Members());
  CHECK(5 * occurred.still <= occurred.checked);
  CHECK(10 * occurred.contradictory <= occurred.checked);
  CHECK(10 * occurred.open_friction <= occurred.checked);
  CHECK(occurred.bodies == most_bodies_of_properties(spatial));
  CHECK(occurred.loops >= 3);
}

TEST_CASE("planar mechanisms balance, whatever their coordinates", "[random]") { check_all(false); }
TEST_CASE("spatial mechanisms balance, whatever their coordinates", "[random]") { check_all(true); }

}  // namespace
}  // namespace mechfmu::testing
