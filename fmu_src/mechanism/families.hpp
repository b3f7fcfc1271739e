// Lists the families' members by name, without their code. A mechanism file chooses by these names, and an FMU accepts
// them.
#pragma once

#include "sequence.hpp"

namespace mechfmu {

using MemberNames = Sequence<const char*>;

/// Lists the integrators: `[solver] method` is one of them.
extern const MemberNames integration_methods;

/// Lists the tangent bases, then the saddle solvers: `[solver] tangent_basis` is one of them.
extern const MemberNames tangent_bases;

/// Lists the ways to keep the constraints: `[solver] drift_correction` is one of them.
extern const MemberNames drift_corrections;

}  // namespace mechfmu
