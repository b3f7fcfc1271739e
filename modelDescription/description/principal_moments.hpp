// Computes principal moments of inertia, from numbers or from symbols.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace mechfmu {

/// Returns the eigenvalues of [xx, yy, zz, xy, xz, yz], descending (Smith 1961, "Eigenvalues of a symmetric 3 × 3
/// matrix").
template <class Number>
std::array<Number, 3> principal_moments(const std::vector<Number>& I) {
  using std::acos, std::cos, std::fmax, std::fmin, std::sqrt;
  const Number mean = (I[0] + I[1] + I[2]) / 3;
  const Number a = I[0] - mean, b = I[1] - mean, c = I[2] - mean, d = I[3], e = I[4], f = I[5];
  const Number p = sqrt((a * a + b * b + c * c + 2 * (d * d + e * e + f * f)) / 6);
  const Number determinant = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
  const Number cosine = determinant / (2 * p * p * p + (p == 0));  // If p is 0, all three are the mean.
  const Number angle = acos(fmin(fmax(cosine, -1.0), 1.0)) / 3;
  const Number largest = mean + 2 * p * cos(angle);
  const Number smallest = mean + 2 * p * cos(angle + 2 * std::numbers::pi / 3);
  return {largest, 3 * mean - largest - smallest, smallest};
}

}  // namespace mechfmu
