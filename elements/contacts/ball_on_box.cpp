// Is a ball on a box; in the plane a circle on a rectangle. Its centre is beside a face, beyond an edge or a corner,
// or, where it penetrates deeply, inside: then the nearest face counts. A point would have no normal where it meets an
// edge.
#include "elements/rotations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

Touch touch_of_box(const ContactSurface& ball, const ContactSurface& box) {
  const SX place = turned_back(box.axes, ball.at - box.at);
  const casadi_int count = place.numel();
  SX sides(count, 1), beyond(count, 1), outside = 0, squares = 0;
  for (casadi_int i = 0; i < count; ++i) {
    sides(i) = SX::if_else(place(i) < 0, -1, 1);
    beyond(i) = sides(i) * place(i) - box.half(i);
    outside += beyond(i) > 0;
    squares += SX::sq(SX::fmax(beyond(i), 0));
  }
  SX face = 0, farthest = beyond(0);  // the face whose plane is farthest away
  for (casadi_int i = 1; i < count; ++i) {
    const SX farther = beyond(i) > farthest;
    face = SX::if_else(farther, i, face);
    farthest = SX::if_else(farther, beyond(i), farthest);
  }
  // Beside a face the length is 1, so that nothing is divided by zero.
  const SX beside = outside <= 1, length = SX::sqrt(SX::if_else(beside, 1, squares));
  SX normal(count, 1);
  for (casadi_int i = 0; i < count; ++i)
    normal(i) = sides(i) * SX::if_else(beside, SX::if_else(face == i, 1, 0), SX::fmax(beyond(i), 0) / length);
  normal = turned(box.axes, normal);
  const SX distance = SX::if_else(beside, farthest, length);
  return {distance - ball.radius, normal, ball.at - ball.radius * normal, ball.at - distance * normal};
}

}  // namespace

ContactPair contact_surfaces::ball_on_box() {
  return {.first = SurfaceKind::ball, .second = SurfaceKind::box, .touch = touch_of_box};
}

}  // namespace mechfmu
