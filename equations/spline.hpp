// Tables as twice continuously differentiable curves: cubic splines as symbolic expressions.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <casadi/casadi.hpp>

#include "modelDescription/description/description.hpp"

namespace mechfmu {

/// One cubic piece of a curve: value + slope s + square s² + cube s³ with s = x - from, for x from `from` on.
struct CubicPiece {
  double from = 0;
  double value = 0, slope = 0, square = 0, cube = 0;
};

/// The natural cubic spline through points (ascending x) with a piece on either side that holds the end value or
/// follows the end tangent. Inside it is twice continuously differentiable; at its ends the curvature is zero, so that
/// "line" is twice continuously differentiable everywhere, while "hold" has a kink wherever the end slope is not zero.
std::vector<CubicPiece> natural_spline(const std::vector<std::array<double, 2>>& points, Function::Beyond beyond);

/// The spline of one period, twice continuously differentiable everywhere. The last point may repeat the first.
std::vector<CubicPiece> periodic_spline(std::vector<std::array<double, 2>> points, double period);

/// The curve at x. Selection is by comparisons, so it may be differentiated like any other expression.
casadi::SX evaluate_spline(const std::vector<CubicPiece>& pieces, const casadi::SX& x, std::optional<double> period);

}  // namespace mechfmu
