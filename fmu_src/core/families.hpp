// The names of the families' members: what a mechanism file may choose and an FMU accepts.
#pragma once

#include "saddle_solvers/list.hpp"
#include "tangent_bases/list.hpp"

namespace mechfmu {

/// Integrators, `[solver] method`.
inline constexpr const char* integration_methods[] = {"dopri5", "dop853", "rk4", "rodas"};

/// Tangent bases, and after them what serves without one: `[solver] tangent_basis`.
using Resolutions = Members<decltype(joined(TangentBases<RunTimeModel>{}, SaddleSolvers<RunTimeModel>{}))>;
inline constexpr auto& tangent_bases = Resolutions::names;

/// Ways to keep the constraints, `[solver] drift_correction`.
inline constexpr const char* drift_corrections[] = {"projection", "integral", "baumgarte", "none"};

}  // namespace mechfmu
