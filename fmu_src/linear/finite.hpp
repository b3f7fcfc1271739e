// Which numbers count as finite.
#pragma once

#include <cmath>

namespace mechfmu {

/// A number that no length, rate, force or time comes near to, whatever its unit, and whose sums do not overflow yet.
inline constexpr double beyond_all = 1e300;

/// False for NaN, for infinities, and for what is on its way there.
inline bool is_finite(double x) { return std::fabs(x) < beyond_all; }

}  // namespace mechfmu
