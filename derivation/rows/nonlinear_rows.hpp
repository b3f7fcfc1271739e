// Finds constraints that are not linear in the velocities or accelerations that they hold, and brings them to the form
// that the core solves.
#pragma once

#include "equations/equations.hpp"

namespace mechfmu {

/// Returns the equations with the constraints marked that are not linear in the velocities or accelerations that they
/// are given for (ConstraintEquation::nonlinear). They come after the others of their level, and their multipliers do,
/// too. Those of velocities have no row of C.
Equations with_nonlinear_rows_marked(Equations);

/// Returns the equations with linear rows in place of acceleration constraints f(v̇) = 0 that are not linear in v̇:
///
///   f(s) + ∂f/∂v̇(s) (v̇ − s) = 0          s − v̇ = 0
///
/// The accelerations s at which the slopes are taken are further loads, so that the search for loads finds s, v̇ and λ
/// together, from those of the last step on. Their reactions act along ∂f/∂v̇.
Equations with_accelerations_sought(Equations);

}  // namespace mechfmu
