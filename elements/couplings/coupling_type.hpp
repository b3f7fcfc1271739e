// The family of couplings: ideal constraints on coordinates of joints, or between two wheels. What a member tells, and
// the list of them. One file a member, one line in list.hpp. This header needs no symbolic mathematics: those who read
// a mechanism file ask it for keys.
#pragma once

#include <vector>

#include "elements/number_keys.hpp"

namespace mechfmu {

class Surroundings;
struct Coupling;
struct CouplingEquation;
struct ConditionEquation;

struct CouplingType {
  const char* name;
  /// What "first" and "second" are, unless there is the table "sum" in place of them.
  enum Couples { coordinates, angle_and_position, wheels, sum } couples = coordinates;
  /// What is held at zero.
  enum Holds { the_sum, second_coordinate, a_length } holds = second_coordinate;
  std::vector<NumberKey> numbers;
  CouplingEquation (*equation)(const Coupling&, const Surroundings&);
  /// What its geometry has to fulfil; null: nothing.
  std::vector<ConditionEquation> (*conditions)(const Coupling&, const Surroundings&) = nullptr;
};

/// All couplings.
std::span<const CouplingType> coupling_types();

/// The coupling of that name, or null.
const CouplingType* find_coupling_type(const std::string& name);

}  // namespace mechfmu
