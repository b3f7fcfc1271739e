// Says what a member of the family of forces tells, and lists the members. Each member has one file and one line in
// list.hpp.
//
// A force enters by its power: an effort on a rate. The wrenches on bodies and the generalised forces are derived.
// This header needs no symbolic mathematics: those who read a mechanism file ask it for keys.
#pragma once

#include <vector>

#include "elements/number_keys.hpp"

namespace mechfmu {

class ForceBuilder;
class Surroundings;
struct ConditionEquation;
struct Force;

/// Says where a force acts, and so which variables and keys it has.
enum class Acts { at_point, on_body, along_line, on_coordinate };

struct ForceType {
  const char* name;
  Acts acts;
  bool has_value = false;               ///< is true for the key "value"; otherwise its numbers say what it does
  std::vector<NumberKey> numbers = {};  ///< its other keys
  bool normal_force = false;            ///< is true for friction, which has the variable "normal_force", and may stick
  /// Enters the force's power and shows its variables.
  void (*apply)(const ForceBuilder&);
  /// Returns conditions on its numbers beside their bounds. Null: there are none.
  std::vector<ConditionEquation> (*conditions)(const Force&, const Surroundings&) = nullptr;

  /// Is true if it has numbers that "allow_negative" speaks of.
  bool may_give_energy() const {
    return std::any_of(numbers.begin(), numbers.end(),
                       [](const NumberKey& key) { return key.bound == Bound::not_negative_unless_allowed; });
  }
};

/// Returns all forces.
std::span<const ForceType> force_types();

/// Returns the force of that name, or null.
const ForceType* find_force_type(const std::string& name);

}  // namespace mechfmu
