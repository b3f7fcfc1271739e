// Finds the constraints that servo constraints hide if their control cannot realise them directly, such as that of a
// crane whose payload follows a path (Blajer and Kołodziejczyk 2004; Seifried and Blajer 2013).
#pragma once

#include "equations/equations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Returns the equations with hidden rows g = 0 beside constraints f = 0 whose accelerations their reactions do not
/// decide:
///
///   R = C M⁻¹ B of rank p < m everywhere,  Zᵀ R = 0:      g = Zᵀ (C M⁻¹ h + γ)
///
/// Each g takes the place of one row f in M v̇ = h + B λ, C_a v̇ + γ = 0 (ConstraintEquation::instead), until C_a M⁻¹ B
/// is regular; columns of B stay. Positions and velocities have to fulfil all rows f and g. It adds an error if no
/// control can realise a constraint.
///
/// `M` is the mass matrix, and `h` has the forces that M v̇ is without reactions.
Equations with_servo_rows(Equations, const casadi::SX& M, const casadi::SX& h, Diagnostics&);

}  // namespace mechfmu
