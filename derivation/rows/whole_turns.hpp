// Angles that go on turning: what is periodic in them is made of angles within a turn, and whole turns are counted
// apart.
#pragma once

#include "equations/equations.hpp"

namespace mechfmu {

/// The equations for positions of which those in Equations::turning may lack whole turns, which are inputs then, the
/// last ones: sines and cosines take positions as they are, all else takes q + 2π · turns. A coordinate keeps its
/// digits so, however far it has turned.
Equations with_whole_turns(Equations);

/// Returns what the start values say of the positions, without the turns that are inputs.
casadi::SX guess_within_turns(const Equations&);

}  // namespace mechfmu
