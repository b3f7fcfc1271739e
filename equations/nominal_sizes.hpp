// What coordinates and their rates are large or small against: the sizes that errors, moves and rounding are judged by.
//
//   coordinate   the file's `nominal`; else 1 for an angle; for a displacement the mechanism's length, the largest
//   distance
//                between places that the file gives (joints, mass centres, radii; where all coordinates are 0); else
//                the largest |start| of a coordinate of the same dimension; else 1
//   rate         the file's `rate_nominal`; else the coordinate's nominal in the file's stop_time (not the importer's,
//   on
//                which results must not depend)
#pragma once

#include "equations.hpp"

namespace mechfmu {

/// Fills in Equations::nominal and what belongs to it, with the file's parameters.
void find_nominal_sizes(const Description& description, Equations& equations);

}  // namespace mechfmu
