// The names of the families' members, once: what a mechanism file may choose and an FMU accepts.
// A header for FMU code too: it needs nothing but the language.
#pragma once

namespace mechfmu {

/// Integrators, `[solver] method`.
inline constexpr const char* integration_methods[] = {"dopri5", "dop853", "rk4", "rodas"};

/// Tangent bases, `[solver] tangent_basis`.
inline constexpr const char* tangent_bases[] = {"partitioned", "gram_schmidt", "qr"};

/// Ways to keep the constraints, `[solver] drift_correction`.
inline constexpr const char* drift_corrections[] = {"projection", "integral", "baumgarte", "none"};

}  // namespace mechfmu
