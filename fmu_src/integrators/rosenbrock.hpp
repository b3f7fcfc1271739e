// This file says what the tables of Rosenbrock methods hold, and has the one step that these methods share. They are
// linearly implicit Runge–Kutta methods for stiff equations (E. Hairer, G. Wanner, Solving Ordinary Differential
// Equations II, second edition, section IV.7, in the form (7.25) without products of matrices and vectors).
//
// A member is a table of constants, with those of any method (stepping/integration.hpp) and
//   stages, gamma             (1/(h γ) − ∂f/∂y) U_i = f(t + α_i h, y + Σ_j a_ij U_j) + Σ_j c_ij U_j / h + γ_i h ∂f/∂t
//   a[i][j], c[i][j]          sums over j < i; the derivatives are those at (t, y)
//   alpha[i], gammas[i]
//   b[j], embedded[j]         y₁ = y + Σ_j b_j U_j; the weights of the local error
// One matrix is factored for a trial of a step; the derivatives serve all trials.
#pragma once

#include <cmath>

#include "linear/columns.hpp"
#include "linear/dense.hpp"

namespace mechfmu {

template <class Method, int fixed_length>
class Rosenbrock {
 public:
  Rosenbrock(Arena& arena, int length)
      : length_(length), slope_(arena, length), time_slope_(arena, length), jacobian_(arena, length, length),
        matrix_(arena, length, length), weights_(arena, length), pivots_(arena, length),
        stages_(arena, length, Method::stages), stage_(arena, length) {}

  double* first_slope() { return slope_.data(); }

  template <class Equations>
  bool linearise(const Equations& equations, double t, const double* y) {
    return equations.linearise(t, y, slope_.data(), jacobian_.data(), time_slope_.data());
  }

  template <class Equations>
  bool step(const Equations& equations, double t, const double* y, double h, double* y1) {
    const int n = length();
    for (int i = 0; i < n * n; ++i) matrix_.data()[i] = -jacobian_.data()[i];
    for (int i = 0; i < n; ++i) matrix_(i, i) += 1 / (h * Method::gamma);
    for (int i = 0; i < n; ++i) weights_[i] = 1 / equations.sizes()[i];
    if (!dense::factor(n, matrix_.data(), pivots_.data(),
                       weights_.data())) {  // it is singular by chance, or derivatives have no bounds
      dense::fill(n * Method::stages, NAN, stages_.data());
      return true;  // the error is not a number, so that a shorter step follows
    }
    for (int s = 0; s < Method::stages; ++s) {
      double* U = stages_.column(s);
      if (s == 0) {
        dense::copy(n, slope_.data(), U);
      } else {
        sum(s, Method::a[s], y, stage_.data());
        if (!equations.rate(t + Method::alpha[s] * h, stage_.data(), U)) return false;
      }
      for (int j = 0; j < s; ++j) dense::add(n, Method::c[s][j] / h, stages_.column(j), U);
      dense::add(n, Method::gammas[s] * h, time_slope_.data(), U);
      dense::solve(n, matrix_.data(), pivots_.data(), U);
    }
    sum(Method::stages, Method::b, y, y1);
    return true;
  }

  template <class Judge>
  double error(double, Judge&& judge) {
    dense::fill(length(), 0, stage_.data());
    for (int j = 0; j < Method::stages; ++j) {
      dense::add(length(), Method::embedded[j], stages_.column(j), stage_.data());
    }
    return judge(stage_.data());
  }
  static constexpr bool linear = true;
  static constexpr bool ends_at_result = false;

 private:
  int length() const { return fixed_length < 0 ? length_ : fixed_length; }

  /// Computes result = y + Σ weights_j U_j over the first `count` stages.
  void sum(int count, const double* weights, const double* y, double* result) const {
    const int n = length();
    dense::copy(n, y, result);
    for (int j = 0; j < count; ++j) dense::add(n, weights[j], stages_.column(j), result);
  }

  int length_;
  Buffer<fixed_length> slope_, time_slope_;                ///< f and ∂f/∂t at (t, y)
  Columns<fixed_length, fixed_length> jacobian_, matrix_;  ///< ∂f/∂y at (t, y); the factors of 1/(h γ) − ∂f/∂y
  Buffer<fixed_length> weights_;                           ///< 1 / nominal sizes of y, by which rows are compared
  IndexBuffer pivots_;
  Columns<fixed_length, Method::stages> stages_;  ///< U_i in columns
  Buffer<fixed_length> stage_;                    ///< y of a stage, or the local error
};

}  // namespace mechfmu
