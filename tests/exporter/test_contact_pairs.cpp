// Tests gaps and slips of pairs of surfaces against places and velocities computed by hand.
#include <catch2/catch.hpp>

#include <cmath>

#include "elements/contacts/contact_pair.hpp"

namespace mechfmu::test {
namespace {

using casadi::DM;
using casadi::SX;
using Kind = ContactSurface::Kind;

/// Has one body that moves: in the plane by x, y, angle; in space it slides, and turns about the ground's z axis.
class OneBody final : public Surroundings {
 public:
  explicit OneBody(bool spatial) : spatial_(spatial) {}
  bool spatial() const override { return spatial_; }
  SX value(const Expression&) const override { throw std::logic_error("no formulas"); }
  SX named(const std::string&) const override { throw std::logic_error("no names"); }
  SX rate(const SX& e) const override { return SX::jtimes(e, q, v); }
  SX point(const PointReference& reference) const override {
    return reference.body == 0 ? SX::zeros(spatial_ ? 3 : 2, 1) : SX(q(casadi::Slice(0, spatial_ ? 3 : 2)));
  }
  SX rotation(int body) const override {
    const SX angle = body == 0 ? SX(0) : SX(q(3)), c = cos(angle), s = sin(angle);
    if (!spatial_) return SX::vertcat({SX::horzcat({c, -s}), SX::horzcat({s, c})});
    return SX::vertcat({SX::horzcat({c, -s, 0}), SX::horzcat({s, c, 0}), SX::horzcat({0, 0, 1})});
  }
  SX angular_velocity(int) const override { return spatial_ ? SX(SX::vertcat({0, 0, v(3)})) : SX(v(3)); }
  PlacedJoint joint(const std::string&) const override { throw std::logic_error("no joints"); }
  std::pair<PlacedJoint, std::size_t> coordinate(const std::string&) const override {
    throw std::logic_error("no joints");
  }
  Unit length_unit() const override { return {}; }
  Unit unit_of(const Expression&, const Unit& otherwise) const override { return otherwise; }

  double at(const SX& e, const std::vector<double>& position, const std::vector<double>& velocity) const {
    return static_cast<double>(casadi::Function("f", {q, v}, {e})(std::vector<DM>{position, velocity})[0]);
  }
  const SX q = SX::sym("q", 4), v = SX::sym("v", 4);

 private:
  bool spatial_;
};

SX of(std::initializer_list<double> numbers) { return SX(DM(std::vector<double>(numbers))); }

TEST_CASE("a wheel on an inclined line slips by the velocity of its lowest point", "[contacts]") {
  const OneBody around(false);
  const double slope = 0.3;
  const ContactSurface wheel{.kind = Kind::ball, .body = 1, .at = around.point({1, 0, {}}), .radius = 0.5};
  const ContactSurface line{.kind = Kind::plane, .at = of({1, 2}), .normal = of({-std::sin(slope), std::cos(slope)})};
  const ContactPair* pair = find_contact_pair(wheel.kind, line.kind);
  REQUIRE(pair);
  const Touch touch = pair->touch(wheel, line);
  const std::vector<SX> slips = slips_of(touch, wheel, line, around);
  REQUIRE(slips.size() == 1);
  const std::vector<double> q = {3, 4, 0, 0.2}, v = {0.7, -0.4, 0, 1.5};
  CHECK(around.at(touch.gap, q, v) == Approx(-2 * std::sin(slope) + 2 * std::cos(slope) - 0.5));
  // Down the slope's direction, and ω r against it for a wheel that turns to the left.
  CHECK(around.at(slips[0], q, v) == Approx(0.7 * std::cos(slope) - 0.4 * std::sin(slope) + 1.5 * 0.5));
  // The rate of the gap is the velocity along the normal.
  CHECK(around.at(around.rate(touch.gap), q, v) == Approx(-0.7 * std::sin(slope) - 0.4 * std::cos(slope)));
}

TEST_CASE("balls touch balls and capsules at the nearest point", "[contacts]") {
  const OneBody around(true);
  const ContactSurface ball{.kind = Kind::ball, .body = 1, .at = around.point({1, 0, {}}), .radius = 0.5};
  const ContactSurface other{.kind = Kind::ball, .at = of({0, 0, 0}), .radius = 1};
  const ContactSurface capsule{.kind = Kind::capsule, .at = of({0, 0, 0}), .end = of({4, 0, 0}), .radius = 0.25};
  const Touch on_ball = find_contact_pair(Kind::ball, Kind::ball)->touch(ball, other);
  const Touch on_capsule = find_contact_pair(Kind::ball, Kind::capsule)->touch(ball, capsule);
  const std::vector<double> rest = {0, 0, 0, 0};
  CHECK(around.at(on_ball.gap, {1, 2, 2, 0}, rest) == Approx(3 - 1.5));
  CHECK(around.at(on_ball.at(1), {1, 2, 2, 0}, rest) == Approx(2 - 0.5 * 2 / 3));
  CHECK(around.at(on_capsule.gap, {2, 0, 3, 0}, rest) == Approx(3 - 0.75));   // It is beside the axis.
  CHECK(around.at(on_capsule.gap, {-3, 0, 4, 0}, rest) == Approx(5 - 0.75));  // It is beyond an end.
  CHECK(around.at(on_capsule.gap, {7, 4, 0, 0}, rest) == Approx(5 - 0.75));
  CHECK(around.at(on_capsule.normal(0), {7, 4, 0, 0}, rest) == Approx(0.6));
}

TEST_CASE("slips in space lie across the normal, in length and direction", "[contacts]") {
  const OneBody around(true);
  const ContactSurface ball{.kind = Kind::ball, .body = 1, .at = around.point({1, 0, {}}), .radius = 0.5};
  const std::vector<double> q = {1, 2, 2, 0.4}, v = {0.3, -0.5, 0.9, 2};
  for (const std::vector<double>& n : {std::vector<double>{0, 0, 1}, {1, 0, 0}, {0.6, 0, 0.8}, {0.8, 0, 0.6}}) {
    const ContactSurface plane{.kind = Kind::plane, .at = of({0, 0, 0}), .normal = SX(DM(n))};
    const Touch touch = find_contact_pair(Kind::ball, Kind::plane)->touch(ball, plane);
    const std::vector<SX> slips = slips_of(touch, ball, plane, around);
    REQUIRE(slips.size() == 2);
    // The material's velocity at −r n from the centre, ω = (0, 0, 2).
    const double u[] = {0.3 + 2 * 0.5 * n[1], -0.5 - 2 * 0.5 * n[0], 0.9};
    const double normal = u[0] * n[0] + u[1] * n[1] + u[2] * n[2];
    const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - normal * normal;
    CHECK(std::hypot(around.at(slips[0], q, v), around.at(slips[1], q, v)) == Approx(std::sqrt(square)));
  }
}

TEST_CASE("a ball that rests on a plane that moves slips by what the plane does", "[contacts]") {
  const OneBody around(true);
  const ContactSurface ball{.kind = Kind::ball, .at = of({1, 0, 0.5}), .radius = 0.5};
  const ContactSurface plane{.kind = Kind::plane, .body = 1, .at = around.point({1, 0, {}}), .normal = of({0, 0, 1})};
  const Touch touch = find_contact_pair(Kind::ball, Kind::plane)->touch(ball, plane);
  const std::vector<SX> slips = slips_of(touch, ball, plane, around);
  // The table turns about the origin, and is turned by a quarter: its first direction is the ground's y.
  const std::vector<double> q = {0, 0, 0, casadi::pi / 2}, v = {0, 0, 0, 2};
  CHECK(around.at(slips[0], q, v) == Approx(-2));
  CHECK(around.at(slips[1], q, v) == Approx(0).margin(1e-12));
}

}  // namespace
}  // namespace mechfmu::test
