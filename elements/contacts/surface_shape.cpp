// Lists the shapes, and finds pairs for them.
#include "surface_shape.hpp"

#include "contact_pair.hpp"
#include "elements/number_keys.hpp"

namespace mechfmu {

namespace {

constexpr bool plane = true, space = true, none = false;

constexpr SurfaceShape shapes[] = {
    {"point", plane, space, SurfaceValue::point, "point = \"P\"", SurfaceKind::ball, SurfaceKind::none, true},
    {"circle", plane, none, SurfaceValue::length, "circle = its radius", SurfaceKind::ball},
    {"sphere", none, space, SurfaceValue::length, "sphere = its radius", SurfaceKind::ball},
    {"capsule", plane, space, SurfaceValue::radius_and_points, "capsule = [radius, \"P\", \"Q\"]", SurfaceKind::capsule,
     SurfaceKind::ball},
    {"box", plane, space, SurfaceValue::lengths, "box = a list of its edges", SurfaceKind::box, SurfaceKind::ball,
     true},
    {"polygon", plane, none, SurfaceValue::points, "polygon = [\"P\", \"Q\", \"R\"]", SurfaceKind::polygon,
     SurfaceKind::ball, true},
    {"disk", none, space, SurfaceValue::length, "disk = its radius", SurfaceKind::edge, SurfaceKind::none, false, true},
    {"cylinder", none, space, SurfaceValue::radius_and_length, "cylinder = [radius, length]", SurfaceKind::none,
     SurfaceKind::edge, false, true},
    {"plane", plane, space, SurfaceValue::direction, "plane = its normal", SurfaceKind::plane},
    {"profile", plane, none, SurfaceValue::function, "profile = \"f\"", SurfaceKind::profile},
};

/// Returns the index of the pair in which the first shape, or its pieces, touches the whole of the second.
std::optional<std::size_t> pair_of(const SurfaceShape& first, const SurfaceShape& second, bool in_pieces) {
  const std::span<const ContactPair> pairs = contact_pairs();
  const SurfaceKind kind = in_pieces ? first.pieces : first.kind;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool serves = (!in_pieces || pairs[i].for_pieces) && !(first.sharp && second.sharp);
    if (serves && pairs[i].first == kind && pairs[i].second == second.kind) return i;
  }
  return std::nullopt;
}

}  // namespace

std::span<const SurfaceShape> surface_shapes() { return shapes; }

const SurfaceShape* find_surface_shape(const std::string& name) { return find_type(surface_shapes(), name); }

std::optional<Pairing> pairing_of(const SurfaceShape& first, const SurfaceShape& second) {
  for (const bool in_pieces : {false, true}) {
    if (const auto pair = pair_of(first, second, in_pieces)) return Pairing{*pair, false, in_pieces};
    if (const auto pair = pair_of(second, first, in_pieces)) return Pairing{*pair, true, in_pieces};
  }
  return std::nullopt;
}

std::vector<std::string> shapes_touching(const SurfaceShape& shape, bool spatial) {
  std::vector<std::string> names;
  for (const SurfaceShape& other : shapes)
    if (other.is_in(spatial) && pairing_of(shape, other)) names.push_back(other.name);
  return names;
}

}  // namespace mechfmu
