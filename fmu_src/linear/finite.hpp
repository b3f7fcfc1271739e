// This file says which numbers count as finite.
#pragma once

#include <cmath>

namespace mechfmu {

/// No length, rate, force or time comes near to this number, whatever its unit, and its sums do not overflow yet.
inline constexpr double beyond_all = 1e300;

/// Is false for NaN, for infinities, and for numbers on their way there.
inline bool is_finite(double x) { return std::fabs(x) < beyond_all; }

}  // namespace mechfmu
