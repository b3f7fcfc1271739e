// Tests what every joint must fulfil, at random coordinates: its pose, its rows as a cut, its coordinates computed from
// a pose, the wrenches of its efforts, its rolling.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "elements/joints/joint_equations.hpp"
#include "elements/joints/joint_type.hpp"
#include "elements/rotations.hpp"
#include "random.hpp"

namespace mechfmu::testing {
namespace {

using casadi::DM;
using casadi::Slice;
using casadi::SX;

constexpr double pi = std::numbers::pi;

/// Is one joint in the plane or in space, with symbols for its coordinates and for any relative pose.
class Sample {
 public:
  Sample(const JointType& type, bool spatial, unsigned seed)
      : form(*(spatial ? type.spatial : type.planar)), spatial(spatial), chance_(seed), type_(type.name) {
    const auto count = static_cast<casadi_int>(form.coordinates.size());
    g.q = SX::sym("q", count);
    g.v = SX::sym("v", count);
    g.quaternion = SX::sym("quaternion", form.orientation ? 4 : 0);
    g.angular_velocity = SX::sym("omega", form.orientation ? 3 : 0);
    g.axis = unit(direction());
    g.frame = frame();
    for (const NumberKey& key : form.numbers) g.numbers[key.name] = key.vector ? direction() : SX(number(0.2, 0.5));
    if (seed % 2 == 1) g.flags.insert(form.flags.begin(), form.flags.end());
    g.rotation = rotation_of(unit(direction(4)));
    g.rotation_angle = number(-3, 3);
    g.offset = SX::sym("offset");
    if (form.axis_in_child && type_ == "rolling") g.axis = disk_axis();
    moved = SX::sym("moved", space());
    turned = SX::sym("turned", spatial ? 3 : 1);
  }

  casadi_int space() const { return spatial ? 3 : 2; }
  double number(double low, double high) { return chance_.between(low, high); }
  DM numbers(casadi_int count, double size) {
    DM result = DM::zeros(count);
    for (casadi_int i = 0; i < count; ++i) result(i) = number(-size, size);
    return result;
  }

  /// Returns the motion of the joint in the tree.
  JointMotion motion() const { return form.move(g); }

  /// Returns its pose with rates, at any rates of its coordinates.
  JointPose pose() const {
    const JointMotion m = motion();
    return {m.position, m.R, m.angle, rate(m.position), m.rotation_rate};
  }

  SX rate(const SX& expression) const {
    const SX quaternion = form.orientation ? quaternion_rate(g.quaternion, g.angular_velocity) : SX(0, 1);
    return SX::densify(SX::jtimes(expression, SX::vertcat({g.q, g.quaternion}), SX::vertcat({g.v, quaternion})));
  }

  /// Returns a pose that is shifted by `moved` and turned by `turned`, in the parent's joint frame.
  JointPose displaced(JointPose pose) const {
    pose.position = pose.position + moved;
    if (spatial) {
      pose.R = SX::mtimes(SX::eye(3) + cross_matrix(turned), pose.R);
    } else {
      pose.R = SX::mtimes(planar_rotation(turned), pose.R);
      pose.angle = pose.angle + turned;
    }
    return pose;
  }
  SX displacement() const { return SX::vertcat({moved, turned}); }

  /// Evaluates an expression at coordinates and rates.
  struct State {
    DM q, v, quaternion, omega, offset;
  };
  State state() {
    State s{numbers(g.q.numel(), 1), numbers(g.v.numel(), 1), DM(0, 1), numbers(g.angular_velocity.numel(), 1), 0};
    for (std::size_t i = 0; i < form.coordinates.size(); ++i)
      if (form.coordinates[i].angle) s.q(static_cast<casadi_int>(i)) = number(-3, 3);
    if (form.orientation) {
      // Any rotation; a disk must not lie flat, so its own axis stays near.
      const DM q = type_ == "rolling" ? DM::vertcat({DM(1), numbers(3, 0.2)}) : numbers(4, 1);
      s.quaternion = q / DM::norm_2(q);
    }
    if (type_ == "rolling" && !spatial) s.offset = s.q(0) + static_cast<double>(value(g.number("radius"), s)) * s.q(1);
    return s;
  }
  DM value(const SX& expression, const State& s, const DM& displacement) const {
    const casadi::Function f("f", {g.q, g.v, g.quaternion, g.angular_velocity, g.offset, moved, turned}, {expression});
    return DM::densify(f(std::vector<DM>{s.q, s.v, s.quaternion, s.omega, s.offset, displacement(Slice(0, space())),
                                         displacement(Slice(space(), displacement.numel()))})
                           .at(0));
  }
  DM value(const SX& expression, const State& s) const { return value(expression, s, DM::zeros(spatial ? 6 : 3)); }

  /// Returns how freely it moves: velocities less the number that it determines.
  casadi_int freedoms() const {
    casadi_int count = static_cast<casadi_int>(form.coordinates.size()) + (form.orientation ? 3 : 0);
    if (!form.move) return (spatial ? 6 : 3) - 1;  // It is a distance.
    const JointMotion m = motion();
    count -= static_cast<casadi_int>(m.rows.rows.size());
    if (form.roll && m.rows.rows.empty()) count -= static_cast<casadi_int>(form.roll(g, pose()).rows.size());
    return count;
  }

  const JointForm& form;
  const bool spatial;
  JointGeometry g;
  SX moved, turned;

 private:
  SX direction(casadi_int dimension = 0) {
    const casadi_int n = dimension ? dimension : space();
    for (;;) {
      const DM v = numbers(n, 1);
      if (static_cast<double>(DM::norm_2(v)) > 0.3) return unit(SX(v));
    }
  }
  SX frame() {
    if (!spatial) return SX();
    if (type_ == "rolling" || type_ == "universal") return frame_about(direction(), direction());
    return frame_about(g.axis, direction());
  }
  SX disk_axis() {
    return spatial ? unit(first(g) + number(-0.5, 0.5) * third(g) + number(-0.5, 0.5) * second(g)) : g.axis;
  }

  Chance chance_;
  const std::string type_;
};

/// Calls a test with every joint that `wanted` accepts, several times.
void for_joints(bool (*wanted)(const JointForm&), void (*test)(Sample&)) {
  for (const JointType& type : joint_types())
    for (const bool spatial : {false, true}) {
      const JointForm* form = spatial ? type.spatial : type.planar;
      if (!form || !wanted(*form)) continue;
      for (unsigned seed = 0; seed < 4; ++seed) {
        INFO(type.name << (spatial ? " in space" : " in the plane") << ", seed " << seed);
        Sample sample(type, spatial, seed);
        test(sample);
      }
    }
}

double largest(const DM& values) { return values.is_empty() ? 0 : static_cast<double>(DM::norm_inf(DM::vec(values))); }

SX rows_of(const JointRows& rows) { return rows.rows.empty() ? SX(0, 1) : SX::vertcat(rows.rows); }

casadi_int rank(const DM& matrix) {
  if (matrix.is_empty()) return 0;
  Eigen::MatrixXd dense(matrix.size1(), matrix.size2());
  for (casadi_int i = 0; i < matrix.size1(); ++i)
    for (casadi_int j = 0; j < matrix.size2(); ++j) dense(i, j) = static_cast<double>(matrix(i, j));
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(dense);
  return (svd.singularValues().array() > 1e-6).count();
}

/// All rows of a cut, by what they do to a velocity: rows of positions by displacements, rows of rolling by velocities.
DM cut_slopes(const Sample& joint, const JointPose& pose, const Sample::State& at) {
  std::vector<SX> slopes{SX(0, joint.displacement().numel())};
  const JointPose displaced = joint.displaced(pose);
  slopes.push_back(SX::jacobian(rows_of(joint.form.close(joint.g, displaced).rows), joint.displacement()));
  if (joint.form.roll) {
    JointPose moving = pose;
    moving.velocity = joint.moved;
    moving.rotation_rate = joint.spatial ? SX::mtimes(pose.R.T(), joint.turned) : joint.turned;
    slopes.push_back(SX::jacobian(rows_of(joint.form.roll(joint.g, moving)), joint.displacement()));
  }
  return joint.value(SX::densify(SX::vertcat(slopes)), at);
}

/// A pose that a rod allows.
JointPose at_its_length(Sample& joint) {
  const DM direction = joint.numbers(joint.space(), 1);
  JointPose pose;
  pose.position = joint.g.number("length") * SX(direction / DM::norm_2(direction));
  pose.angle = joint.number(-3, 3);
  pose.R = joint.spatial ? rotation_of(SX(unit(SX(joint.numbers(4, 1))))) : planar_rotation(pose.angle);
  return pose;
}

bool carries(const JointForm& form) { return form.move != nullptr; }
bool closes(const JointForm& form) { return form.close != nullptr; }
bool both(const JointForm& form) { return form.move && form.close; }

TEST_CASE("a joint's angular velocity is that of its rotation", "[joints]") {
  for_joints(carries, [](Sample& joint) {
    const Sample::State at = joint.state();
    const JointMotion m = joint.motion();
    CHECK(largest(joint.value(SX::mtimes(m.R.T(), m.R) - SX::eye(joint.space()), at)) <= 1e-14);
    const SX turning = SX::mtimes(m.R.T(), SX::reshape(joint.rate(SX::vec(m.R)), joint.space(), joint.space()));
    if (joint.spatial) {
      CHECK(largest(joint.value(turning - cross_matrix(m.rotation_rate), at)) <= 1e-14);
    } else {
      CHECK(largest(joint.value(turning(1, 0) - m.rotation_rate, at)) <= 1e-14);
      CHECK(largest(joint.value(joint.rate(SX(m.angle)) - m.rotation_rate, at)) <= 1e-14);
      CHECK(largest(joint.value(m.R - planar_rotation(m.angle), at)) <= 1e-14);
    }
  });
}

TEST_CASE("a cut joint's equations hold on its poses, are independent, and fail off them", "[joints]") {
  for_joints(closes, [](Sample& joint) {
    const JointPose pose = joint.form.move ? joint.pose() : at_its_length(joint);
    const Sample::State at = joint.state();
    const JointClosure closure = joint.form.close(joint.g, pose);
    CHECK(closure.rows.rows.size() == closure.rows.names.size());
    CHECK(largest(joint.value(rows_of(closure.rows), at)) <= 1e-14);
    if (joint.form.move) CHECK(largest(joint.value(rows_of(joint.motion().rows), at)) <= 1e-14);

    const DM slopes = cut_slopes(joint, pose, at);
    CHECK(rank(slopes) == slopes.size1());
    CHECK(slopes.size1() == (joint.spatial ? 6 : 3) - joint.freedoms());

    // Off the pose: the residual is what the slopes say.
    const SX residual = rows_of(joint.form.close(joint.g, joint.displaced(pose)).rows);
    if (residual.is_empty()) return;
    const DM off = joint.numbers(joint.displacement().numel(), 1e-3);
    const DM expected = DM::mtimes(slopes(Slice(0, residual.numel()), Slice()), off);
    CHECK(largest(expected) > 1e-5);
    CHECK(largest(joint.value(residual, at, off) - expected) <= 1e-4);
  });
}

TEST_CASE("a cut joint's equations leave its own motion alone", "[joints]") {
  for_joints(both, [](Sample& joint) {
    const JointPose pose = joint.pose();
    const Sample::State at = joint.state();
    CHECK(largest(joint.value(joint.rate(rows_of(joint.form.close(joint.g, pose).rows)), at)) <= 1e-13);
  });
}

TEST_CASE("a cut joint tells the coordinates of its pose", "[joints]") {
  for_joints(both, [](Sample& joint) {
    const Sample::State at = joint.state();
    const JointClosure closure = joint.form.close(joint.g, joint.pose());
    REQUIRE(closure.coordinates.size() == joint.form.coordinates.size());
    for (std::size_t i = 0; i < closure.coordinates.size(); ++i) {
      const auto place = static_cast<casadi_int>(i);
      double apart = static_cast<double>(joint.value(closure.coordinates[i].value - joint.g.q(place), at));
      if (closure.coordinates[i].wraps) {
        CHECK(joint.form.coordinates[i].angle);
        CHECK(std::abs(static_cast<double>(joint.value(closure.coordinates[i].value, at))) <= pi);
        apart = std::remainder(apart, 2 * pi);
      }
      CHECK(std::abs(apart) <= 1e-13);
      const double rate_apart =
          static_cast<double>(joint.value(joint.rate(closure.coordinates[i].value) - joint.g.v(place), at));
      CHECK(std::abs(rate_apart) <= 1e-12);
    }
  });
}

TEST_CASE("where a cut joint's equations hold and its branch is right, the pose is one of the joint's", "[joints]") {
  for_joints(both, [](Sample& joint) {
    if (!joint.spatial) return;
    const Sample::State at = joint.state();
    const JointMotion m = joint.motion();
    for (const SX& condition : joint.form.close(joint.g, joint.pose()).branch)
      CHECK(static_cast<double>(joint.value(condition, at)) > 0.01);
    // Half turns about the joint's axes are what the equations may mistake for the pose.
    for (casadi_int i = 0; i < 3; ++i) {
      const SX axis = joint.g.frame(Slice(), i);
      JointPose reversed = joint.pose();
      reversed.R = SX::mtimes(m.R, 2 * SX::mtimes(axis, axis.T()) - SX::eye(3));
      const JointClosure closure = joint.form.close(joint.g, reversed);
      if (largest(joint.value(rows_of(closure.rows), at)) > 1e-9) continue;
      bool right = true;
      for (const SX& condition : closure.branch) right = right && static_cast<double>(joint.value(condition, at)) > 0;
      if (!right || joint.form.orientation) continue;
      Sample::State told = at;
      for (std::size_t c = 0; c < closure.coordinates.size(); ++c)
        told.q(static_cast<casadi_int>(c)) = joint.value(closure.coordinates[c].value, at);
      CHECK(largest(joint.value(m.R, told) - joint.value(reversed.R, at)) <= 1e-12);
      CHECK(largest(joint.value(m.position, told) - joint.value(reversed.position, at)) <= 1e-12);
    }
  });
}

TEST_CASE("the wrench of an effort has the effort's power", "[joints]") {
  for_joints(carries, [](Sample& joint) {
    const Sample::State at = joint.state();
    const JointMotion m = joint.motion();
    REQUIRE(m.efforts.size() == joint.form.coordinates.size());
    const SX velocity = joint.rate(m.position);
    const SX turning = joint.spatial ? SX::mtimes(m.R, m.rotation_rate) : m.rotation_rate;
    for (std::size_t i = 0; i < m.efforts.size(); ++i) {
      const SX power = SX::dot(m.efforts[i].force, velocity) + SX::dot(m.efforts[i].torque, turning);
      CHECK(largest(joint.value(power - joint.g.v(static_cast<casadi_int>(i)), at)) <= 1e-13);
    }
  });
}

TEST_CASE("an effort does the same at a cut joint as at a joint of the tree", "[joints]") {
  for_joints(both, [](Sample& joint) {
    const Sample::State at = joint.state();
    const JointMotion m = joint.motion();
    const JointClosure closure = joint.form.close(joint.g, joint.displaced(joint.pose()));
    for (std::size_t i = 0; i < m.efforts.size(); ++i) {
      const SX slopes = SX::densify(SX::jacobian(closure.coordinates[i].value, joint.displacement())).T();
      const SX wrench = SX::vertcat({SX::densify(m.efforts[i].force), SX::densify(m.efforts[i].torque)});
      CHECK(largest(joint.value(slopes - wrench, at)) <= 1e-13);
    }
  });
}

// Rolling by hand: the wheel's centre moves with the spin times the radius, its contact stands still.

JointGeometry upright(double radius) {
  JointGeometry g;
  g.frame = SX::eye(3);
  g.axis = SX(std::vector<double>{0, 1, 0});
  g.numbers["radius"] = radius;
  return g;
}

TEST_CASE("a wheel in the plane rolls against its turning", "[joints]") {
  JointGeometry g;
  g.axis = SX(std::vector<double>{0.6, 0.8});
  g.numbers["radius"] = 0.5;
  JointPose pose;
  pose.rotation_rate = -3;  // Clockwise is forwards.
  pose.velocity = SX(std::vector<double>{0.6 * 1.5, 0.8 * 1.5});
  const JointRows rolling = find_joint_form("rolling", false)->roll(g, pose);
  REQUIRE(rolling.rows.size() == 1);
  CHECK(largest(static_cast<DM>(rolling.rows[0])) <= 1e-15);
  pose.velocity = SX(std::vector<double>{0.6 * 1.4, 0.8 * 1.4});
  const JointRows slipping = find_joint_form("rolling", false)->roll(g, pose);
  CHECK(static_cast<double>(slipping.rows[0]) == Approx(-0.1));
}

TEST_CASE("an upright disk rolls straight on, and spins about the vertical on the spot", "[joints]") {
  for (const bool side_slip : {false, true}) {
    JointGeometry g = upright(0.5);
    if (side_slip) g.flags.insert("side_slip");
    JointPose pose;
    pose.R = SX::eye(3);
    pose.position = SX(std::vector<double>{0, 0, 0.5});
    pose.velocity = SX(std::vector<double>{1, 0, 0});
    pose.rotation_rate = SX(std::vector<double>{0, 2, 0.7});
    const JointRows rolling = find_joint_form("rolling", true)->roll(g, pose);
    CHECK(rolling.rows.size() == (side_slip ? 1 : 2));
    CHECK(largest(static_cast<DM>(rows_of(rolling))) <= 1e-15);
    pose.velocity = SX(std::vector<double>{1, 0.3, 0});  // This is sideways.
    const DM slip = static_cast<DM>(rows_of(find_joint_form("rolling", true)->roll(g, pose)));
    CHECK(largest(slip) == Approx(side_slip ? 0 : 0.3).margin(1e-15));
    pose.velocity = SX(std::vector<double>{1.2, 0, 0});  // This is too fast.
    CHECK(largest(static_cast<DM>(rows_of(find_joint_form("rolling", true)->roll(g, pose)))) == Approx(0.2));
  }
}

TEST_CASE("a leaning disk whose centre stands still runs around on the plane", "[joints]") {
  // Its axis leans by 0.4 and precesses about the vertical; the contact runs around the point below the centre. If the
  // material point at the contact rests, ω points from it to the centre: ω = u, for any size of u.
  const JointGeometry g = upright(0.5);
  JointPose pose;
  pose.R = SX::vertcat({SX::horzcat({1, SX(1, 2)}), SX::horzcat({SX(2, 1), planar_rotation(SX(0.4))})});
  const SX u = SX(std::vector<double>{0, -std::sin(0.4), std::cos(0.4)});
  pose.position = 0.5 * u;
  pose.velocity = SX::zeros(3);
  pose.rotation_rate = SX::mtimes(pose.R.T(), 3 * u);
  CHECK(largest(static_cast<DM>(rows_of(find_joint_form("rolling", true)->roll(g, pose)))) <= 1e-15);
  CHECK(largest(static_cast<DM>(rows_of(find_joint_form("rolling", true)->close(g, pose).rows))) <= 1e-15);
}

}  // namespace
}  // namespace mechfmu::testing
