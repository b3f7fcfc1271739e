// Is a ball, or a point, on a plane; in the plane a circle on a line.
#include "elements/rotations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

Touch touch_of_plane(const ContactSurface& ball, const ContactSurface& plane) {
  const SX normal = turned(plane.axes, plane.direction);
  const SX height = SX::dot(normal, ball.at - plane.at);
  return {height - ball.radius, normal, ball.at - ball.radius * normal, ball.at - height * normal};
}

}  // namespace

ContactPair contact_surfaces::ball_on_plane() {
  return {.first = SurfaceKind::ball, .second = SurfaceKind::plane, .for_pieces = true, .touch = touch_of_plane};
}

}  // namespace mechfmu
