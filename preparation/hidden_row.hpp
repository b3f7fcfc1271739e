// Derives the position constraint that velocity constraints hide.
//
// n velocity rows of n velocities allow a motion only where they depend on each other. There det C = 0, which is an
// equation of positions (Phong 2002, section 4.2, where it says that the car's direction is tangent to the circle).
#pragma once

#include <optional>
#include <string>

#include "derivation/derive.hpp"

namespace mechfmu {

struct Immobile;

/// Is the missing constraint, in the words of a mechanism file.
struct HiddenRow {
  std::string position;     ///< formula that is 0
  std::string realised_by;  ///< "{ theta = 1 }"; empty: it is ideal
  /// Names the constraint whose control also realises this one; empty: it is ideal. At the determinant's zeros that
  /// constraint follows from the others, so that its control is free to hold this one.
  std::string like;
};

/// Returns the condition under which the rows that hold coordinates let them move. Returns none if there are not as
/// many rows as velocities in them, or if the condition cannot be written as a formula of the file.
std::optional<HiddenRow> hidden_row(const Equations&, const Immobile& held);

}  // namespace mechfmu
