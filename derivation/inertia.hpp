// Derives the mass matrix and the forces without reactions from energies, or takes them from a mass matrix that is
// given.
//
//   d/dt (M v + b) = Q + ∂T/∂q + B λ        T = ½ vᵀMv + bᵀv + T0
//   g = Q + ∂T/∂q − ḃ                        d(Mv)/dt without reactions
//   h = Q + ∂T/∂q − d/dt ∂T/∂v |_{v̇=0} = g − Ṁ v
//
// With a mass matrix the forces of inertia at v̇ = 0 may be given instead, h = Q + h_inertia: for velocities that are
// not the rates of coordinates, q̇ = A(q) v, Lagrange's equations do not hold. Then T = ½ vᵀMv.
#pragma once

#include "derivation/rows/motion_rates.hpp"
#include "equations/equations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Is the inertia of a mechanism.
struct InertiaTerms {
  casadi::SX M;         ///< lower triangle
  casadi::SX momentum;  ///< ∂T/∂v = M v + b; not where forces of inertia are given
  casadi::SX b, T0;     ///< parts of T = ½ vᵀMv + bᵀv + T0; likewise
};

/// Are forces without reactions.
struct ForceTerms {
  casadi::SX g, h, Q_short;
};

/// Adds an error if the kinetic energy is not quadratic in the velocities, or if a mass matrix is not symmetric.
InertiaTerms derive_inertia(const Equations&, Diagnostics&);

/// Returns g, h and, for one degree of freedom, Q_s. `M_rate` is Ṁ.
ForceTerms derive_forces(const Equations&, const InertiaTerms&, const casadi::SX& M_rate, const MotionRates&);

}  // namespace mechfmu
