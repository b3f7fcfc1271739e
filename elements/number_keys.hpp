// Describes the keys with numbers that joints, forces and couplings have of their own: what the numbers measure, and
// what physics says about them. This header needs no symbolic mathematics.
#pragma once

#include <algorithm>
#include <span>
#include <string>

namespace mechfmu {

/// Says what a number measures; `effort` is a torque on an angle and a force on a position. Those below `length` are
/// for forces and couplings.
enum class Measures {
  plain,
  length,
  stiffness,
  damping,  ///< damping of a line between two points
  coordinate,
  coordinate_rate,  ///< rate of the coordinate that it acts on
  effort,
  effort_stiffness,
  effort_damping,  ///< damping of that coordinate
  ratio,           ///< second coordinate per first
  second,          ///< unit of the second coordinate
  sum,             ///< unit of the sum
};

/// Says how physics bounds a number.
enum class Bound {
  none,
  not_zero,  ///< a file that gives zero is refused
  not_negative,
  not_negative_unless_allowed,  ///< If it is negative, it gives energy: the force's "allow_negative" says that this is
                                ///< meant.
  positive,
};

/// Is a key with a number, or with a vector of numbers that measure the same.
struct NumberKey {
  const char* name;
  Measures measures;
  bool required = false;
  Bound bound = Bound::none;
  bool vector = false;  ///< two components in the plane, three in space; it has no bound

  bool is_size() const { return measures == Measures::length && bound != Bound::none; }
};

/// Returns the type of that name, or null.
template <class Type>
const Type* find_type(std::span<const Type> types, const std::string& name) {
  const auto found = std::find_if(types.begin(), types.end(), [&](const Type& type) { return name == type.name; });
  return found == types.end() ? nullptr : &*found;
}

}  // namespace mechfmu
