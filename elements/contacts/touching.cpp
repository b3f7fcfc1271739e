// Places surfaces, divides them into pieces, and lets pairs find how they touch.
#include "touching.hpp"

#include "elements/rotations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

SX components_of(const Vector& vector, const Surroundings& around) {
  std::vector<SX> components;
  for (const Expression& component : vector.components) components.push_back(around.value(component));
  return SX::vertcat(components);
}

/// Returns the surface as a whole. The frame that its point carries is its own; a ball has the ground's axes, since it
/// looks the same from all sides.
ContactSurface whole_of(const Surface& surface, const SurfaceShape& shape, const Surroundings& around) {
  ContactSurface result;
  result.kind = shape.kind;
  result.body = surface.at.body;
  result.at = around.point(surface.at);
  result.axes = around.frame(surface.at);
  const auto size = [&](std::size_t i) { return around.value(surface.sizes[i]); };
  switch (shape.value) {
    case SurfaceValue::point: break;
    case SurfaceValue::length:
    case SurfaceValue::radius_and_length: result.radius = size(0); break;
    case SurfaceValue::lengths: {
      std::vector<SX> half;
      for (std::size_t i = 0; i < surface.sizes.size(); ++i) half.push_back(size(i) / 2);
      result.half = SX::vertcat(half);
      break;
    }
    case SurfaceValue::radius_and_points:
      result.radius = size(0);
      result.at = around.point(surface.points[0]);
      result.end = around.point(surface.points[1]);
      break;
    case SurfaceValue::points:
      for (const PointReference& point : surface.points) result.corners.push_back(around.point_of_body(point));
      break;
    case SurfaceValue::direction: result.direction = unit(components_of(surface.direction, around)); break;
    case SurfaceValue::function:
      result.height = [&around, name = surface.function](const SX& x) { return around.call(name, x); };
      break;
  }
  if (shape.has_axis) result.direction = unit(components_of(surface.direction, around));
  if (shape.kind == SurfaceKind::ball) result.axes = SX::eye(around.spatial() ? 3 : 2);
  return result;
}

ContactSurface piece_at(const ContactSurface& whole, SurfaceKind kind, const SX& at, const SX& radius) {
  ContactSurface piece = whole;
  piece.kind = kind;
  piece.at = at;
  piece.radius = radius;
  return piece;
}

/// Returns the pieces of a surface in the order that docs/mechanism-file.md tells.
std::vector<ContactSurface> pieces_of(const Surface& surface, const SurfaceShape& shape, const Surroundings& around) {
  const ContactSurface whole = whole_of(surface, shape, around);
  const auto piece = [&](const SX& at, const SX& radius) { return piece_at(whole, shape.pieces, at, radius); };
  std::vector<ContactSurface> pieces;
  switch (shape.value) {
    case SurfaceValue::lengths:
      for (int i = 0; i < (1 << whole.half.numel()); ++i) {
        SX corner = whole.half;
        for (int k = 0; k < whole.half.numel(); ++k)
          if ((i >> k & 1) == 0) corner(k) = -corner(k);
        pieces.push_back(piece(whole.at + turned(whole.axes, corner), 0));
      }
      break;
    case SurfaceValue::radius_and_points:
      for (const SX& end : {whole.at, whole.end}) pieces.push_back(piece(end, whole.radius));
      break;
    case SurfaceValue::points:
      for (const PointReference& point : surface.points) pieces.push_back(piece(around.point(point), 0));
      break;
    case SurfaceValue::radius_and_length:
      for (const double side : {-0.5, 0.5})
        pieces.push_back(piece(whole.at + turned(whole.axes, side * around.value(surface.sizes[1]) * whole.direction),
                               whole.radius));
      break;
    default: break;
  }
  return pieces;
}

std::string text_of(const Surface& surface, const Description& description) {
  const std::string& body = description.bodies[static_cast<std::size_t>(surface.at.body)].name;
  return "the " + surface.shape + " of " + (surface.at.body == 0 ? "the ground" : in_quotes(body));
}

}  // namespace

std::vector<TouchingPlace> touching_places(const Contact& contact, const std::string& what,
                                           const Surroundings& around) {
  const Surface &given_first = contact.surfaces[0], &given_second = contact.surfaces[1];
  const SurfaceShape* shapes[] = {find_surface_shape(given_first.shape), find_surface_shape(given_second.shape)};
  const Pairing pairing = *pairing_of(*shapes[0], *shapes[1]);
  const ContactPair& pair = contact_pairs()[pairing.pair];
  const Surface &a = pairing.swapped ? given_second : given_first, &b = pairing.swapped ? given_first : given_second;
  const SurfaceShape &shape_a = *shapes[pairing.swapped], &shape_b = *shapes[!pairing.swapped];
  const std::vector<ContactSurface> firsts =
      pairing.in_pieces ? pieces_of(a, shape_a, around) : std::vector<ContactSurface>{whole_of(a, shape_a, around)};
  const ContactSurface second = whole_of(b, shape_b, around);
  std::vector<TouchingPlace> places;
  for (const ContactSurface& first : firsts) {
    TouchingPlace place{pair.touch(first, second), {}, {}};
    const std::vector<SX> tangents = tangents_of(place.touch, second);
    place.slips = slips_of(place.touch, tangents, first.body, second.body, around);
    // The first of the file moves against the second.
    if (pairing.swapped)
      for (SX& slip : place.slips) slip = -slip;
    if (pair.conditions) place.conditions = pair.conditions(first, second, what, contact.place);
    places.push_back(std::move(place));
  }
  return places;
}

std::string surfaces_text(const Contact& contact, const Description& description) {
  return " between " + text_of(contact.surfaces[0], description) + " and " + text_of(contact.surfaces[1], description);
}

}  // namespace mechfmu
