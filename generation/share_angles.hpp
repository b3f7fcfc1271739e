// Sines and cosines of sums of angles from those of the parts.
#pragma once

#include "derivation/program.hpp"

namespace mechfmu {

/// The program with sin and cos of an argument b ± c made from those of b and c, where the program asks for these
/// anyway: four products cost a fraction of a call. Angles of links are sums of joints' angles, so chains and loops are
/// full of them.
Program with_shared_angles(const Program& program);

}  // namespace mechfmu
