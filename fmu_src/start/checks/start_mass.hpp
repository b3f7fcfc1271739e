// Checks that the mass matrix is regular at a position.
#pragma once

#include "start/rows/start_moves.hpp"

namespace mechfmu {

/// Is false if M is not positive definite on the tangent space, or everywhere if a method `needs_regular_M`.
bool check_mass(StartMoves&, const double* q, const char* needs_regular_M, Message&);

}  // namespace mechfmu
