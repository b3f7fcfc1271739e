// Lists the shapes that the surfaces of contacts have in a file, with their keys, and says what pairs make of them.
// This header needs no symbolic mathematics: those who read a mechanism file ask it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mechfmu {

/// Is what a pair of surfaces calls its members (contact_pair.hpp). A ball may be a point, a ball without radius; an
/// edge is that of a disk.
enum class SurfaceKind { none, ball, edge, plane, capsule, box, polygon, profile };

/// Says what a file gives for a shape.
enum class SurfaceValue {
  point,              ///< the name of a point
  length,             ///< one length
  lengths,            ///< one length for each direction
  radius_and_length,  ///< a list of these two
  radius_and_points,  ///< a list of a radius and the names of two points
  points,             ///< a list of the names of three points or more
  direction,          ///< components
  function,           ///< the name of a function
};

struct SurfaceShape {
  const char* name;  ///< key in a file
  bool in_plane, in_space;
  SurfaceValue value;
  const char* example;  ///< shows in messages how to write it
  SurfaceKind kind;     ///< kind of the whole; none if only its pieces can touch
  /// Kind of its pieces: corners, ends, rims. They stand for it where nothing between them can touch first.
  SurfaceKind pieces = SurfaceKind::none;
  /// Is true if it has places without a normal: points and corners. Two such surfaces do not touch.
  bool sharp = false;
  bool has_axis = false;  ///< is true if it has the key "axis"

  bool is_in(bool spatial) const { return spatial ? in_space : in_plane; }
  /// Is true if points say where it is; else the key "at" does.
  bool placed_by_points() const {
    return value == SurfaceValue::point || value == SurfaceValue::points || value == SurfaceValue::radius_and_points;
  }
};

/// Returns all shapes.
std::span<const SurfaceShape> surface_shapes();

/// Returns the shape of that name, or null.
const SurfaceShape* find_surface_shape(const std::string& name);

/// Says how two shapes touch: by which pair, in which order its members are given, and whether the first member is one
/// of the pieces of its shape.
struct Pairing {
  std::size_t pair = 0;  ///< index in contact_pairs()
  bool swapped = false;  ///< is true if the second shape is the pair's first member
  bool in_pieces = false;
};

/// Returns how they touch; none if no pair is made for them.
std::optional<Pairing> pairing_of(const SurfaceShape& first, const SurfaceShape& second);

/// Returns the names of shapes that touch this one, in the plane or in space.
std::vector<std::string> shapes_touching(const SurfaceShape&, bool spatial);

}  // namespace mechfmu
