// Is a ball, or a point, on a capsule: a ball on the one that is nearest of those that the capsule is made of.
#include "elements/rotations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

Touch touch_of_capsule(const ContactSurface& ball, const ContactSurface& capsule) {
  const SX axis = capsule.end - capsule.at;
  const SX part = SX::dot(ball.at - capsule.at, axis) / SX::sumsqr(axis);
  const SX between = ball.at - capsule.at - SX::fmin(SX::fmax(part, 0), 1) * axis, normal = unit(between);
  return {SX::norm_2(between) - ball.radius - capsule.radius, ball.at - ball.radius * normal, normal};
}

}  // namespace

ContactPair contact_surfaces::ball_on_capsule() {
  return {ContactSurface::Kind::ball, ContactSurface::Kind::capsule, touch_of_capsule};
}

}  // namespace mechfmu
