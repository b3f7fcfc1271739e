// Finds the start in equilibrium.
#pragma once

#include "start/rows/rounded_loops.hpp"

namespace mechfmu {

/// Moves from an assembled q to where forces balance at rest.
bool move_to_equilibrium(RoundedLoops&, const VectorXd& guess, VectorXd& q, Message&);

/// Finds the directions left free there, those along which forces balance, and the sizes of reactions.
void equilibrium_at(RoundedLoops&, const VectorXd& q, MatrixXd& N, MatrixXd& L, VectorXd& mu);

}  // namespace mechfmu
