// Scales that are powers of two change no digits.
#pragma once

#include <cmath>

#include "finite.hpp"

namespace mechfmu {

/// Returns 2^round(log₂ size), or 1 for what has no size.
inline double power_of_two(double size) {
  if (!(size > 0) || !is_finite(size)) return 1;
  int exponent = 0;
  const double part = std::frexp(size, &exponent);  // it is in [½, 1)
  return std::ldexp(1, part < 0.70710678118654752 ? exponent - 1 : exponent);
}

}  // namespace mechfmu
