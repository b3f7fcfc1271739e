// Tells of constraints that can never hold together.
#pragma once

#include "start/rows/start_equations.hpp"

namespace mechfmu {

/// Is true if constraints can never hold together, where an assembly has failed, and says which. If `velocity` is
/// given, this is about their rates.
bool tell_contradiction(StartEquations&, const VectorXd& reached, const VectorXd* velocity, Message&);

}  // namespace mechfmu
