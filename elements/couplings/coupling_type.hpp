// Says what a member of the family of couplings tells, and lists the members: ideal constraints on coordinates of
// joints, or between two wheels. Each member has one file and one line in list.hpp. This header needs no symbolic
// mathematics: those who read a mechanism file ask it for keys.
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
  /// Says what "first" and "second" are, unless there is the table "sum" in place of them.
  enum Couples { coordinates, angle_and_position, wheels, sum } couples = coordinates;
  /// Says what is held at zero.
  enum Holds { the_sum, second_coordinate, a_length } holds = second_coordinate;
  std::vector<NumberKey> numbers;
  CouplingEquation (*equation)(const Coupling&, const Surroundings&);
  /// Returns conditions on its geometry. Null: there are none.
  std::vector<ConditionEquation> (*conditions)(const Coupling&, const Surroundings&) = nullptr;
};

/// Returns all couplings.
std::span<const CouplingType> coupling_types();

/// Returns the coupling of that name, or null.
const CouplingType* find_coupling_type(const std::string& name);

}  // namespace mechfmu
