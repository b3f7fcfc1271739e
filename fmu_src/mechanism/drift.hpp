// Names the ways to keep the constraints, and says when projection corrects.
#pragma once

namespace mechfmu {

/// The members have the order of drift_corrections in families.hpp.
enum class Drift { projection, integral, baumgarte, none };

/// Is true if velocities are put back onto their constraints after each step.
constexpr bool keeps_rates(Drift drift) { return drift == Drift::projection || drift == Drift::integral; }

/// Is true if projection corrects after each step (Settings::drift_interval, drift_bound); else it does so
/// occasionally.
constexpr bool corrects_each_step(double interval, double bound) {
  return interval <= 1 && !(interval == 0 && bound > 0);
}

}  // namespace mechfmu
