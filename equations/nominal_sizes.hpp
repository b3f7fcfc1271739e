// Finds the sizes against which coordinates, their rates and loads are large or small. Errors, moves and rounding are
// judged by them.
//
//   coordinate   the file's `nominal`; else 1 for an angle; for a displacement the mechanism's length, the largest
//                distance between places that the file gives (joints, mass centres, radii; where all coordinates are
//                0); else the largest |start| of a coordinate of the same dimension; else 1
//   rate         the file's `rate_nominal`; else the coordinate's nominal in the file's stop_time (not the importer's,
//                on which results must not depend)
//   friction     the bodies' weight and inertia
//   unknown      the file's `nominal`; else its |start|; else what its unit is of the mechanism's force or mass, length
//                and stop_time, where these are known; else 1 in its unit
#pragma once

#include "equations.hpp"

namespace mechfmu {

/// Fills in Equations::nominal and what belongs to it, with the file's parameters.
void find_nominal_sizes(const Description& description, Equations& equations);

}  // namespace mechfmu
