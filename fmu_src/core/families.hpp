// The names of the families' members: what a mechanism file may choose and an FMU accepts.
#pragma once

#include "tangent_bases/list.hpp"

namespace mechfmu {

/// Integrators, `[solver] method`.
inline constexpr const char* integration_methods[] = {"dopri5", "dop853", "rk4", "rodas"};

/// Tangent bases, `[solver] tangent_basis`.
using Resolutions = Members<TangentBases<RunTimeModel>>;
inline constexpr auto& tangent_bases = Resolutions::names;

/// Ways to keep the constraints, `[solver] drift_correction`.
inline constexpr const char* drift_corrections[] = {"projection", "integral", "baumgarte", "none"};

}  // namespace mechfmu
