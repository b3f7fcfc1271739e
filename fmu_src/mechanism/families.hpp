// The families' members by name, as a mechanism file chooses them and an FMU accepts them, without their code.
#pragma once

#include "sequence.hpp"

namespace mechfmu {

using MemberNames = Sequence<const char*>;

/// Integrators, `[solver] method`.
extern const MemberNames integration_methods;

/// Tangent bases, and after them what serves without one: `[solver] tangent_basis`.
extern const MemberNames tangent_bases;

/// Ways to keep the constraints, `[solver] drift_correction`.
extern const MemberNames drift_corrections;

}  // namespace mechfmu
