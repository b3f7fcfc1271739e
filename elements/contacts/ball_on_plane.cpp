// Is a ball, or a point, on a plane; in the plane a circle on a line.
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

Touch touch_of_plane(const ContactSurface& ball, const ContactSurface& plane) {
  return {SX::dot(plane.normal, ball.at - plane.at) - ball.radius, ball.at - ball.radius * plane.normal, plane.normal};
}

}  // namespace

ContactPair contact_surfaces::ball_on_plane() {
  return {ContactSurface::Kind::ball, ContactSurface::Kind::plane, touch_of_plane};
}

}  // namespace mechfmu
