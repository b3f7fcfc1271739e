// Differentiates the start.
#pragma once

#include "start/rows/rounded_loops.hpp"
#include "start/start.hpp"

namespace mechfmu {

/// Finds moves of q and changes of v along a direction, where the start found q and v.
ConsistentStart::Derivative differentiate_start(RoundedLoops&, const VectorXd& q, const VectorXd& v,
                                                const ConsistentStart::Direction&, VectorXd& moves, VectorXd& v_change,
                                                Message&);

}  // namespace mechfmu
