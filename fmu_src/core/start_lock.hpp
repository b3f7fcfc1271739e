// Mechanisms that nothing can move, although they would if their data were rounded.
#pragma once

#include "mechanism.hpp"
#include "message.hpp"

namespace mechfmu {

/// Whether the constraints leave no motion from q on, but would with a larger closure tolerance: then the message says so,
/// and which. May allocate.
bool tell_lock(const Mechanism&, double closure_tolerance, double time, const double* parameters, const double* inputs,
               const double* q, Message&);

}  // namespace mechfmu
