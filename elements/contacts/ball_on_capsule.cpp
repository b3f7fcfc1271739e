// Is a ball, or a point, on a capsule: a ball on the one that is nearest of those that the capsule is made of.
#include "elements/rotations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

Touch touch_of_capsule(const ContactSurface& ball, const ContactSurface& capsule) {
  const SX axis = capsule.end - capsule.at;
  const SX part = SX::dot(ball.at - capsule.at, axis) / SX::sumsqr(axis);
  const SX nearest = capsule.at + SX::fmin(SX::fmax(part, 0), 1) * axis;
  const SX between = ball.at - nearest, normal = unit(between);
  return {SX::norm_2(between) - ball.radius - capsule.radius, normal, ball.at - ball.radius * normal,
          nearest + capsule.radius * normal};
}

}  // namespace

ContactPair contact_surfaces::ball_on_capsule() {
  return {.first = SurfaceKind::ball, .second = SurfaceKind::capsule, .touch = touch_of_capsule};
}

}  // namespace mechfmu
