// The reaction of each constraint by itself, as its local coordinates and as the mechanism's velocities have it
// (Blajer, Bestle and Schiehlen 1994, (36) and (37)).
#pragma once

#include "equations.hpp"
#include "translate.hpp"

namespace mechfmu {

/// Returns the residual of a constraint, and its local coordinates if it has some.
ConstraintEquation translated(const Constraint& constraint, Translator& translate);

/// Returns the reaction r̂ = Ĉᵀ λ of a row along each of its local coordinates.
std::vector<std::pair<Shown, casadi::SX>> local_reactions(const ConstraintEquation& row, const casadi::SX& multiplier);

/// Adds the generalised reactions of each constraint of the file, r_j = c_j λ_j, as outputs of a group of their own.
/// The equations have everything else already.
void add_efforts(Equations& equations);

/// Adds what each constraint of the file leaves open, and each joint whose equations close a loop, likewise.
void add_violations(Equations& equations);

}  // namespace mechfmu
