// Finds the start's velocities.
#pragma once

#include "start/rows/rounded_loops.hpp"

namespace mechfmu {

/// Finds the v nearest to the guesses that fits all rows of velocities at the assembled q. If it returns false, v is
/// the best that was reached.
bool find_start_velocities(RoundedLoops&, const VectorXd& q, VectorXd& v, Message&);

}  // namespace mechfmu
