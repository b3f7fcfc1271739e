// Adds to random mechanisms what changes at events: contacts of all pairs of surfaces and by formulas, limits,
// clutches, one-way couplings, locks, backlash.
#pragma once

#include "random.hpp"

namespace mechfmu::testing {

/// Adds some of it, with numbers, but without the places that depend on where the mechanism starts.
void add_what_changes(RandomMechanism&, Chance&);

/// Is true if something was added.
bool has_what_changes(const RandomMechanism&);

/// Returns the mechanism with all that may touch at its place: as far open at the start as its gap says, and mostly in
/// the way of the motion. The mechanism is assembled without it for this.
RandomMechanism with_gaps_at_start(RandomMechanism, unsigned seed);

}  // namespace mechfmu::testing
