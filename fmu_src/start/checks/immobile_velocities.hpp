// Finds coordinates that cannot move, or not independently of each other. ConsistentStart says what the functions
// return.
#pragma once

#include "start/rows/start_closing.hpp"

namespace mechfmu {

int generically_independent(StartClosing&, const double* q, const int* velocities, int count);

void find_immobile(StartClosing&, const double* q, const bool* counted, bool* velocities, bool* rows);

}  // namespace mechfmu
