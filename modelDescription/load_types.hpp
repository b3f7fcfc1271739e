// The families of forces and couplings as the reader knows them: names, keys and what their numbers measure.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace mechfmu {

/// What a number of a force or a coupling measures; `effort` is a torque on an angle and a force on a position.
enum class LoadNumber {
  plain,
  length,
  stiffness, damping,                       ///< of a line between two points
  coordinate, coordinate_rate,              ///< of the coordinate it acts on
  effort, effort_stiffness, effort_damping, ///< on that coordinate
  ratio,                                    ///< second coordinate per first
  second,                                   ///< as the second coordinate
  sum,                                      ///< as the sum
};

/// Where a force acts, and so which variables and keys it has.
enum class Acts { at_point, on_body, along_line, on_coordinate };

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

struct ForceType {
  const char* name;
  Acts acts;
  bool has_value;  ///< the key "value"; otherwise its numbers say what it does
  std::vector<LoadKey> numbers;
  bool normal_force = false;  ///< friction: has the variable "normal_force"

  /// Has numbers that "allow_negative" speaks of.
  bool may_give_energy() const {
    return std::any_of(numbers.begin(), numbers.end(),
                       [](const LoadKey& key) { return key.limit == LoadLimit::not_negative_unless_allowed; });
  }
};

struct CouplingType {
  const char* name;
  bool between_joints;  ///< "first" and "second" are joints, else coordinates
  bool sums;            ///< has the table "sum" instead of "first" and "second"
  std::vector<LoadKey> numbers;
};

/// All forces, all couplings.
std::span<const ForceType> force_types();
std::span<const CouplingType> coupling_types();

/// The type of that name, or null.
const ForceType* find_force_type(const std::string& name);
const CouplingType* find_coupling_type(const std::string& name);

}  // namespace mechfmu
