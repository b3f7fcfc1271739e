// Finds the units that a file itself writes, for messages: an author who gives lengths in mm reads them in mm.
#pragma once

#include "description.hpp"

namespace mechfmu {

/// Returns the unit that most declarations of this dimension have; among equals the first one; if there is none, the SI
/// unit. `radian` is the exponent of rad: an angle has the dimension 1.
Unit own_unit(const Description& description, const Dimension& dimension, int radian = 0);
/// Returns the unit in which a formula's value is shown: that of the first parameter or input of this dimension that
/// the formula names. For a plain number, which the file writes in SI, it is the SI unit; otherwise it is own_unit().
Unit unit_of_formula(const Description& description, const Expression& formula, const Unit& si);
Unit own_length_unit(const Description& description);
Unit own_angle_unit(const Description& description);

}  // namespace mechfmu
