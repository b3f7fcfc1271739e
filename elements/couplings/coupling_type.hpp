// Says what a member of the family of couplings tells, and lists the members: ideal constraints on coordinates of
// joints, or between two wheels, and rows that come and go on such coordinates. Each member has one file and one line
// in list.hpp. This header needs no symbolic mathematics: those who read a mechanism file ask it for keys.
#pragma once

#include <vector>

#include "elements/number_keys.hpp"

namespace mechfmu {

class Surroundings;
struct Coupling;
struct CouplingEquation;
struct ConditionEquation;
struct ContactEquation;

struct CouplingType {
  const char* name;
  /// Says what "first" and "second" are, unless there is the table "sum" in place of them.
  /// `with_ground`: "second" may be "ground"; "coordinate" stands for "first" with the ground.
  enum Couples { coordinates, angle_and_position, wheels, sum, with_ground } couples = coordinates;
  /// Says what is held at zero.
  enum Holds { the_sum, second_coordinate, a_length } holds = second_coordinate;
  std::vector<NumberKey> numbers;
  /// Lists keys whose numbers may change during the motion, as those of a contact may.
  std::vector<NumberKey> changing = {};
  bool has_condition = false;  ///< is true if it has the key "when", which is needed
  /// Returns what it holds at zero. Null: it has rows that come and go only.
  CouplingEquation (*equation)(const Coupling&, const Surroundings&) = nullptr;
  /// Returns groups of rows that come and go in place of the equation. Null: there are none.
  std::vector<ContactEquation> (*contacts)(const Coupling&, const Surroundings&) = nullptr;
  /// Returns conditions on its geometry. Null: there are none.
  std::vector<ConditionEquation> (*conditions)(const Coupling&, const Surroundings&) = nullptr;
};

/// Returns all couplings.
std::span<const CouplingType> coupling_types();

/// Is true if rows that come and go stand in place of the coupling's equation.
bool comes_and_goes(const Coupling&);

/// Returns the coupling of that name, or null.
const CouplingType* find_coupling_type(const std::string& name);

}  // namespace mechfmu
