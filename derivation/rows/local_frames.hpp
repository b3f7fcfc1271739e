// The constraints' local coordinates, and the constrained points that they belong to (Blajer, Bestle and Schiehlen
// 1994).
#pragma once

#include <string>
#include <vector>

#include "equations/equations.hpp"

namespace mechfmu {

/// Says which local coordinates there are, for all rows of C. Rows that share local coordinates belong to one point. A
/// row that has none in the file is one itself. All of this is empty if no row has any in the file.
struct LocalFrames {
  std::vector<std::string> names;       ///< names of local coordinates, for comments
  std::vector<int> points, row_points;  ///< the point of each local coordinate, and of each row of C
  std::vector<casadi::SX> values;       ///< local coordinates; those that are rows themselves are empty
  casadi::SX C_hat = casadi::SX(0, 0);  ///< rows of C × local coordinates
  int count() const { return static_cast<int>(names.size()); }
};

LocalFrames local_frames_of(const Equations& equations);

}  // namespace mechfmu
