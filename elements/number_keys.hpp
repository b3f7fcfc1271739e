// The keys with numbers that joints, forces and couplings have of their own: what the numbers measure, and what physics
// says of them. This header needs no symbolic mathematics.
#pragma once

#include <algorithm>
#include <span>
#include <string>

namespace mechfmu {

/// What a number measures; `effort` is a torque on an angle and a force on a position. Those below `length` are for
/// forces and couplings.
enum class Measures {
  plain,
  length,
  stiffness,
  damping,  ///< of a line between two points
  coordinate,
  coordinate_rate,  ///< of the coordinate it acts on
  effort,
  effort_stiffness,
  effort_damping,  ///< on that coordinate
  ratio,           ///< second coordinate per first
  second,          ///< as the second coordinate
  sum,             ///< as the sum
};

/// What physics says of a number.
enum class Bound {
  none,
  not_zero,  ///< a file that gives zero is refused
  not_negative,
  not_negative_unless_allowed,  ///< negative, it gives energy: the force's "allow_negative" says that this is meant
  positive,
};

/// A key with a number, or with a vector of numbers that measure the same.
struct NumberKey {
  const char* name;
  Measures measures;
  bool required = false;
  Bound bound = Bound::none;
  bool vector = false;  ///< two components in the plane, three in space; it has no bound

  bool is_size() const { return measures == Measures::length && bound != Bound::none; }
};

/// The type of that name, or null.
template <class Type>
const Type* find_type(std::span<const Type> types, const std::string& name) {
  const auto found = std::find_if(types.begin(), types.end(), [&](const Type& type) { return name == type.name; });
  return found == types.end() ? nullptr : &*found;
}

}  // namespace mechfmu
