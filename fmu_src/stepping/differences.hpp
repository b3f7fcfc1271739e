// Differences give stiff methods the derivatives of ẏ = f(t, y).
#pragma once

#include <cmath>

#include "linear/tolerances.hpp"

namespace mechfmu {

/// Returns how far a variable of this nominal size N is moved, in the direction of its rate: √(ε N max(|x|, 10⁻³ N)),
/// as in Hairer and Wanner's code RODAS, which has 10⁻⁵. Large variables have the rounding error ε|x|, for which this
/// is best. Small ones may vary over a thousandth of N, and still less than 10⁻⁶ of the derivative is lost to rounding.
inline double difference_step(double x, double nominal, double rate) {
  const double size = std::fabs(x) > least_variation * nominal ? std::fabs(x) : least_variation * nominal;
  return std::copysign(std::sqrt(machine_epsilon * size * nominal), rate);
}

/// Returns the step along a direction with which no variable moves by more than that.
inline double difference_step(int length, const double* x, const double* nominal, const double* direction) {
  double inverse = 0;
  for (int i = 0; i < length; ++i) {
    const double size = std::fabs(direction[i]) / difference_step(x[i], nominal[i], 1);
    if (size > inverse) inverse = size;
  }
  return inverse > 0 ? 1 / inverse : difference_step(1, 1, 1);
}

/// Computes one column, (f(x + δ) − f(x))/δ, for the variable x, which is put back then. `slope` holds f(x), and
/// `evaluate(result)` is f. Before x is put back, `finish(δ, column)` may correct the column.
template <class Evaluate, class Finish>
bool difference(int length, double& x, double nominal, double rate, const double* slope, Evaluate&& evaluate,
                double* column, Finish&& finish) {
  const double held = x;
  x += difference_step(x, nominal, rate);
  const double moved = x - held;  // rounding has changed δ to this
  const bool evaluated = evaluate(column);
  for (int i = 0; i < length; ++i) column[i] = (column[i] - slope[i]) / moved;
  if (evaluated) finish(moved, column);
  x = held;
  return evaluated;
}
template <class Evaluate>
bool difference(int length, double& x, double nominal, double rate, const double* slope, Evaluate&& evaluate,
                double* column) {
  return difference(length, x, nominal, rate, slope, evaluate, column, [](double, const double*) {});
}

}  // namespace mechfmu
