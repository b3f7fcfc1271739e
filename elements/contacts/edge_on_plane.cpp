// Is the edge of a disk on a plane: its lowest point. u points from there to the disk's centre: in the disk's plane,
// steepest against the plane's normal n, u = (n − (n·b)b)/|…|, where b is the disk's axis.
#include "elements/rotations.hpp"
#include "list.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

Touch touch_of_edge(const ContactSurface& edge, const ContactSurface& plane) {
  const SX normal = turned(plane.axes, plane.direction), axis = turned(edge.axes, edge.direction);
  const SX lowest = edge.at - edge.radius * unit(normal - SX::dot(normal, axis) * axis);
  const SX gap = SX::dot(normal, lowest - plane.at);
  return {gap, normal, lowest, lowest - gap * normal};
}

/// A disk that lies flat has no lowest point.
std::vector<ConditionEquation> conditions_of_edge(const ContactSurface& edge, const ContactSurface& plane,
                                                  const std::string& what, const Place& place) {
  const SX angle = angle_between(turned(edge.axes, edge.direction), turned(plane.axes, plane.direction));
  ConditionEquation condition;
  condition.what = "the angle between the axis of the disk and the normal of the plane of " + what;
  condition.unit = known_unit("deg");
  condition.repair =
      "an edge that lies flat touches at no single point: tilt it, or let points stand for it where it may lie";
  condition.place = place;
  condition.number = SX::fmin(angle, casadi::pi - angle);
  condition.bound = least_tilt * casadi::pi / 180;
  return {condition};
}

}  // namespace

ContactPair contact_surfaces::edge_on_plane() {
  return {.first = SurfaceKind::edge,
          .second = SurfaceKind::plane,
          .for_pieces = true,
          .touch = touch_of_edge,
          .conditions = conditions_of_edge};
}

}  // namespace mechfmu
