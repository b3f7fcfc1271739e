// Coordinates that cannot move, which an author may not expect.
#pragma once

#include <string>
#include <vector>

#include "derivation/derive.hpp"

namespace mechfmu {

/// Coordinates without motion, though no motion of time or inputs is asked of them, and the constraints that hold them.
struct Immobile {
  std::vector<std::string> coordinates, constraints;
  std::vector<int> velocities;

  bool any() const { return !coordinates.empty(); }
};

struct ImmobileCoordinates {
  Immobile by_positions;   ///< what position constraints hold already
  Immobile by_velocities;  ///< what moves under these alone: velocity constraints leave it no motion, too
};

/// At a consistent position of the file's values, or near it.
ImmobileCoordinates immobile_coordinates(const Derivation& derivation, const std::vector<double>& q);

/// "'rear', 'front' and 'circle' together leave 'x' and 'y' no motion, except …"; empty if nothing is held.
std::string hidden_condition_text(const Immobile& by_velocities);

}  // namespace mechfmu
