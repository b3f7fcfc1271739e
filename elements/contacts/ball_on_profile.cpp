// Is a circle, or a point, on a profile y = f(x). The circle touches it at s, where the profile's normal leads to the
// centre: with tan a = f'(s), the centre is at x = s − r sin a, y = f(s) + r cos a. The first of these is an equation
// for s that does not depend on the height. It has one solution if the circle fits into every valley, since its slope
// there is 1 − r/(radius of curvature): halvings find it, and Newton's steps make it and its derivatives exact.
#include "elements/rotations.hpp"
#include "list.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

constexpr int halvings = 12;     ///< find s to r/4000
constexpr int newton_steps = 3;  ///< make of that 1e-14 r at the most, and second derivatives right

/// Has the profile's height, slope and second derivative at a place.
class Curve {
 public:
  explicit Curve(const ContactSurface& profile)
      : height_(SX::densify(profile.height(x_))), slope_(SX::densify(SX::jacobian(height_, x_))),
        bend_(SX::densify(SX::jacobian(slope_, x_))) {}

  SX height(const SX& s) const { return SX::substitute(height_, x_, s); }
  SX slope(const SX& s) const { return SX::substitute(slope_, x_, s); }
  /// Returns the sine of the slope's angle, and the curvature, which is positive in valleys.
  SX sine(const SX& s) const {
    const SX tangent = slope(s);
    return tangent / SX::sqrt(1 + SX::sq(tangent));
  }
  SX curvature(const SX& s) const {
    const SX square = 1 + SX::sq(slope(s));
    return SX::substitute(bend_, x_, s) / (square * SX::sqrt(square));
  }

 private:
  const SX x_ = SX::sym("x");
  const SX height_, slope_, bend_;
};

SX touched_at(const Curve& curve, const SX& x, const SX& radius) {
  if (radius.is_zero()) return x;
  SX s = x, step = radius;
  for (int i = 0; i < halvings; ++i) {
    step = step / 2;
    s = s + SX::if_else(s - radius * curve.sine(s) > x, -step, step);
  }
  for (int i = 0; i < newton_steps; ++i) s = s - (s - radius * curve.sine(s) - x) / (1 - radius * curve.curvature(s));
  return s;
}

Touch touch_of_profile(const ContactSurface& ball, const ContactSurface& profile) {
  const Curve curve(profile);
  const SX place = turned_back(profile.axes, ball.at - profile.at);
  const SX s = touched_at(curve, place(0), ball.radius);
  const SX slope = curve.slope(s), cosine = 1 / SX::sqrt(1 + SX::sq(slope)), height = curve.height(s);
  const SX normal = turned(profile.axes, SX::vertcat({-slope * cosine, cosine}));
  return {(place(1) - height - ball.radius * cosine) * cosine, normal, ball.at - ball.radius * normal,
          profile.at + turned(profile.axes, SX::vertcat({s, height}))};
}

/// The circle fits into the profile's valleys, as far as it spans them.
std::vector<ConditionEquation> conditions_of_profile(const ContactSurface& ball, const ContactSurface& profile,
                                                     const std::string& what, const Place& place) {
  if (ball.radius.is_zero()) return {};
  const Curve curve(profile);
  const SX x = turned_back(profile.axes, ball.at - profile.at)(0);
  constexpr int places = 8;  ///< at which it looks on each side
  SX sharpest = SX::fmax(curve.curvature(x), flat_valley / ball.radius);
  for (int i = 1; i <= places; ++i)
    for (const int side : {-1, 1}) sharpest = SX::fmax(sharpest, curve.curvature(x + side * i * ball.radius / places));
  ConditionEquation condition;
  condition.what = "the least radius of curvature of the profile below the circle of " + what;
  condition.unit = known_unit("m");
  condition.repair =
      "a circle that does not fit into a valley touches at two points: make it smaller, or the valley wider";
  condition.place = place;
  condition.number = 1 / sharpest;
  condition.bound = ball.radius;
  return {condition};
}

}  // namespace

ContactPair contact_surfaces::ball_on_profile() {
  return {.first = SurfaceKind::ball,
          .second = SurfaceKind::profile,
          .for_pieces = true,
          .touch = touch_of_profile,
          .conditions = conditions_of_profile};
}

}  // namespace mechfmu
