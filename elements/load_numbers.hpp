// What the numbers of forces and couplings measure, and what physics says of them.
#pragma once

#include <algorithm>
#include <span>
#include <string>

namespace mechfmu {

/// What a number of a force or a coupling measures; `effort` is a torque on an angle and a force on a position.
enum class LoadNumber {
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
enum class LoadLimit {
  none,
  not_negative,
  not_negative_unless_allowed,  ///< negative, it gives energy: the force's "allow_negative" says that this is meant
  positive,
};

/// A key with a number.
struct LoadKey {
  const char* name;
  LoadNumber measures;
  bool required = false;
  LoadLimit limit = LoadLimit::none;
};

/// The type of that name, or null.
template <class Type>
const Type* find_type(std::span<const Type> types, const std::string& name) {
  const auto found = std::find_if(types.begin(), types.end(), [&](const Type& type) { return name == type.name; });
  return found == types.end() ? nullptr : &*found;
}

}  // namespace mechfmu
