// Is a ball, or a point, on a ball. Their centres never coincide.
#include "elements/rotations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

Touch touch_of_balls(const ContactSurface& first, const ContactSurface& second) {
  const SX between = first.at - second.at, normal = unit(between);
  return {SX::norm_2(between) - first.radius - second.radius, normal, first.at - first.radius * normal,
          second.at + second.radius * normal};
}

}  // namespace

ContactPair contact_surfaces::ball_on_ball() {
  return {.first = SurfaceKind::ball, .second = SurfaceKind::ball, .touch = touch_of_balls};
}

}  // namespace mechfmu
