// Derives the rows of all constraints: C v + c_t = 0, f_v(v) = 0 and C_a v̇ + γ = 0, with the directions B of reactions.
#pragma once

#include "derivation/rows/motion_rates.hpp"
#include "equations/equations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Holds the constraints of a mechanism, all rows.
struct ConstraintRows {
  casadi::SX f_p, C, c_t;
  casadi::SX f_v, F;  ///< velocity constraints that are not linear in v, and ∂f_v/∂v
  casadi::SX gamma, C_a, B;
};

/// Adds errors for rows that contain nothing that they could constrain.
ConstraintRows derive_constraint_rows(const Equations&, const MotionRates&, Diagnostics&);

/// Is true for a velocity constraint that has no row of C.
inline bool is_curved(const ConstraintEquation& row) { return row.nonlinear && row.level == Level::velocity; }

}  // namespace mechfmu
