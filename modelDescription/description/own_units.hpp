// The units that a file itself writes, for messages: who gives lengths in mm reads them in mm.
#pragma once

#include "description.hpp"

namespace mechfmu {

/// Of this dimension the unit that most declarations of the file have, of equals the first; else SI. `radian`: of an
/// angle, whose dimension is 1.
Unit own_unit(const Description& description, const Dimension& dimension, int radian = 0);
/// What a formula's value is shown in: the unit of the first parameter or input of this dimension that it names; SI of
/// a number, which the file writes in SI; else the file's own.
Unit unit_of_formula(const Description& description, const Expression& formula, const Unit& si);
Unit own_length_unit(const Description& description);
Unit own_angle_unit(const Description& description);

}  // namespace mechfmu
