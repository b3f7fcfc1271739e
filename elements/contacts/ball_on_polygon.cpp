// Is a circle on a convex polygon. The distance to a convex polygon is that to the edge whose line is farthest, if the
// centre is beside that edge or inside; else it is that to the nearest corner.
#include "elements/rotations.hpp"
#include "list.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

const SX& corner(const ContactSurface& polygon, std::size_t i) { return polygon.corners[i % polygon.corners.size()]; }

SX edge_after(const ContactSurface& polygon, std::size_t i) { return corner(polygon, i + 1) - corner(polygon, i); }

SX cross_of(const SX& a, const SX& b) { return a(0) * b(1) - a(1) * b(0); }

/// Returns 1 if the corners go round to the left, else −1.
SX sense_of(const ContactSurface& polygon) {
  SX area = 0;
  for (std::size_t i = 0; i < polygon.corners.size(); ++i) area += cross_of(corner(polygon, i), corner(polygon, i + 1));
  return SX::if_else(area < 0, -1, 1);
}

Touch touch_of_polygon(const ContactSurface& ball, const ContactSurface& polygon) {
  const SX place = turned_back(polygon.axes, ball.at - polygon.at), sense = sense_of(polygon);
  SX farthest, normal, part, square, nearest;
  for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
    const SX edge = edge_after(polygon, i), from = place - corner(polygon, i),
             out = unit(-sense * cross_product(1, edge));
    const SX distance = SX::dot(out, from), own_part = SX::dot(from, edge) / SX::sumsqr(edge),
             own_square = SX::sumsqr(from);
    if (i == 0) {
      farthest = distance, normal = out, part = own_part, square = own_square, nearest = corner(polygon, i);
      continue;
    }
    const SX farther = distance > farthest, nearer = own_square < square;
    farthest = SX::if_else(farther, distance, farthest);
    normal = SX::if_else(farther, out, normal);
    part = SX::if_else(farther, own_part, part);
    square = SX::if_else(nearer, own_square, square);
    nearest = SX::if_else(nearer, corner(polygon, i), nearest);
  }
  // Beside an edge the length is 1, so that nothing is divided by zero.
  const SX beyond = farthest > 0, at_corner = beyond * SX::if_else(part < 0, 1, part > 1);
  const SX length = SX::sqrt(SX::if_else(at_corner, square, 1));
  const SX distance = SX::if_else(at_corner, length, farthest);
  normal = turned(polygon.axes, SX::if_else(at_corner, (place - nearest) / length, normal));
  return {distance - ball.radius, normal, ball.at - ball.radius * normal, ball.at - distance * normal};
}

/// The polygon turns the same way at each corner.
std::vector<ConditionEquation> conditions_of_polygon(const ContactSurface&, const ContactSurface& polygon,
                                                     const std::string& what, const Place& place) {
  std::vector<ConditionEquation> conditions;
  const SX sense = sense_of(polygon);
  for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
    const SX before = edge_after(polygon, i), after = edge_after(polygon, i + 1);
    ConditionEquation condition;
    condition.relation = Condition::more_than;
    condition.what = "the angle by which the polygon of " + what + " turns at its corner " +
                     std::to_string((i + 1) % polygon.corners.size() + 1);
    condition.unit = known_unit("deg");
    condition.repair = "round things touch convex polygons only: divide it into convex ones, each with its contact";
    condition.place = place;
    condition.number = sense * SX::atan2(cross_of(before, after), SX::dot(before, after));
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

}  // namespace

ContactPair contact_surfaces::ball_on_polygon() {
  return {.first = SurfaceKind::ball,
          .second = SurfaceKind::polygon,
          .touch = touch_of_polygon,
          .conditions = conditions_of_polygon};
}

}  // namespace mechfmu
