// Loads: normal forces of friction and the author's unknowns, with what the core asks of them.
#pragma once

#include "derive.hpp"

namespace mechfmu {

/// An expression with loads at the values that the search for them begins with.
casadi::SX at_load_starts(const casadi::SX& expression, const Equations& equations);

/// Adds the functions of loads, and where they occur. `motion` holds h, γ, C_a, B as Derivation::acceleration returns
/// them. Adds an error if nothing determines an unknown.
void add_loads(Derivation& derivation, const std::vector<casadi::SX>& motion, Diagnostics& diagnostics);

}  // namespace mechfmu
