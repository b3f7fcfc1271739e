// Makes sines and cosines of sums of angles from those of the parts.
#pragma once

#include "derivation/program/program.hpp"

namespace mechfmu {

/// Returns the program with sin and cos of an argument b ± c made from those of b and c, if the program needs these
/// anyway: four products cost a fraction of a call. Angles of links are sums of joints' angles, so chains and loops
/// have many of them.
Program with_shared_angles(const Program& program);

}  // namespace mechfmu
