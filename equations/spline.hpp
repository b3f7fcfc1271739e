// Makes twice continuously differentiable curves of tables: cubic splines as symbolic expressions.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <casadi/casadi.hpp>

#include "modelDescription/description/description.hpp"

namespace mechfmu {

/// Is one cubic piece of a curve: value + slope s + square s² + cube s³ with s = x - from, for x from `from` on.
struct CubicPiece {
  double from = 0;
  double value = 0, slope = 0, square = 0, cube = 0;
};

/// Returns the natural cubic spline through points (ascending x) with a piece on either side that holds the end value
/// or follows the end tangent. Inside it is twice continuously differentiable; at its ends the curvature is zero, so
/// that "line" is twice continuously differentiable everywhere, while "hold" has a kink if the end slope is not zero.
std::vector<CubicPiece> natural_spline(const std::vector<std::array<double, 2>>& points, Function::Beyond beyond);

/// Returns the spline of one period. It is twice continuously differentiable everywhere. The last point may repeat the
/// first.
std::vector<CubicPiece> periodic_spline(std::vector<std::array<double, 2>> points, double period);

/// Returns the curve at x. Comparisons select the piece, so it may be differentiated like any other expression.
casadi::SX evaluate_spline(const std::vector<CubicPiece>& pieces, const casadi::SX& x, std::optional<double> period);

}  // namespace mechfmu
