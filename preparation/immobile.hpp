// Finds coordinates that cannot move, which an author may not expect.
#pragma once

#include <string>
#include <vector>

#include "derivation/derive.hpp"
#include "hidden_row.hpp"

namespace mechfmu {

/// Holds coordinates that cannot move although time and inputs do not drive them, and the constraints that hold them.
struct Immobile {
  std::vector<std::string> coordinates, constraints;
  std::vector<int> velocities;
  std::optional<HiddenRow> missing = {};  ///< the constraint that would let them move, if it could be derived

  bool any() const { return !coordinates.empty(); }
};

struct ImmobileCoordinates {
  Immobile by_positions;   ///< coordinates that position constraints hold already
  Immobile by_velocities;  ///< coordinates that move under these alone, but not with the velocity constraints
};

/// Finds them at a consistent position of the file's values, or near it.
ImmobileCoordinates immobile_coordinates(const Derivation& derivation, const std::vector<double>& q);

/// Returns "'rear', 'front' and 'circle' together leave 'x' and 'y' no motion, except …", or an empty text if nothing
/// is held.
std::string hidden_condition_text(const Immobile& by_velocities);

}  // namespace mechfmu
