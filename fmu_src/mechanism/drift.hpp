// Names the ways to keep the constraints.
#pragma once

namespace mechfmu {

/// The members have the order of drift_corrections in families.hpp.
enum class Drift { projection, integral, baumgarte, none };

/// Is true if velocities are put back onto their constraints after each step.
constexpr bool keeps_rates(Drift drift) { return drift == Drift::projection || drift == Drift::integral; }

}  // namespace mechfmu
