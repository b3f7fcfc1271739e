// This file says what the tables of explicit Runge–Kutta methods hold, and has the one step that these methods share.
//
// A member is a table of constants, with those of any method (stepping/integration.hpp) and
//   stages, a[i][j], b[j], c[i]    k_i = f(t + c_i h, y + h Σ_j a_ij k_j),  y₁ = y + h Σ_j b_j k_j
//   embedded[e][j], combine        unless the step is fixed: weights of the local errors, where column `stages` belongs
//                                  to f(t + h, y₁); and the function that makes one number of their norms
#pragma once

#include <cmath>
#include <utility>

#include "linear/columns.hpp"
#include "linear/dense.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu {

template <class Method, int fixed_length>
class ExplicitRungeKutta {
 public:
  ExplicitRungeKutta(Arena& arena, int length)
      : length_(length), stage_(arena, length), slopes_(arena, length, columns) {}

  double* first_slope() { return slopes_.data(); }

  template <class Equations>
  bool linearise(const Equations&, double, const double*) {
    return true;
  }

  template <class Equations>
  bool step(const Equations& equations, double t, const double* y, double h, double* y1) {
    if (!stages_from<1>(equations, t, y, h)) return false;
    const int n = length();
    for (int i = 0; i < n; ++i) stage_[i] = weigh(Method::b, i, std::make_integer_sequence<int, Method::stages>{});
    for (int i = 0; i < n; ++i) y1[i] = y[i] + h * stage_[i];
    return !ends_at_result || equations.rate(t + h, y1, slopes_.column(Method::stages));
  }

  template <class Judge>
  double error(double h, Judge&& judge) {
    double norms[Method::estimates] = {};
    for (int e = 0; e < Method::estimates; ++e) {
      for (int i = 0; i < length(); ++i) {
        stage_[i] = h * weigh(Method::embedded[e], i, std::make_integer_sequence<int, columns>{});
      }
      norms[e] = judge(stage_.data());
    }
    return Method::combine(norms);
  }

  /// A roughness is the local error of a step, and how far the step goes at the fastest rate, h |λ|.
  struct Roughness {
    double error, rate;
  };
  /// Is true if the local error of a fixed step may be above `bound`. It serves a method that evaluates as Rk4 does,
  /// and judges by the slopes that the method has. If y follows ẏ = λ y with z = h |λ|, the slopes at mid-step differ
  /// by z²/4 of a slope, and the method errs by z⁵/120 of y. If y follows time, the bend of the slopes' course counts.
  /// An error is compared with the nominal sizes of error control, which `judge` knows, or with the variation of y in
  /// 1/|λ|. The last vector that `judge` sees differs most. Nothing is evaluated for this, and in most steps the test
  /// whether some slope changes is all that is computed.
  template <class Judge>
  bool rough(double bound, double h, Judge&& judge, Roughness& found) {
    if (!slopes_change()) return false;  // nearly all steps end here
    const auto size = [&](double of_first, double of_second, double of_third, double of_last) {
      const int n = length();
      const double *k1 = slopes_.column(0), *k2 = slopes_.column(1), *k3 = slopes_.column(2), *k4 = slopes_.column(3);
      for (int i = 0; i < n; ++i) {
        stage_[i] = of_first * k1[i] + of_second * k2[i] + of_third * k3[i] + of_last * k4[i];
      }
      return judge(stage_.data());
    };
    const auto moved = [&] { return size(0, -1, 1, 0); };
    const auto bent = [&] { return size(1, -1, -1, 1); };
    const double by_state = moved(), change = larger(by_state, bent()), first = size(1, 0, 0, 0);
    if (error_of(h, change, first) <= bound) return false;
    const double slope = larger(larger(first, size(0, 1, 0, 0)), larger(size(0, 0, 1, 0), size(0, 0, 0, 1)));
    found.error = error_of(h, change, slope);
    if (!(found.error > bound)) return false;
    found.rate = by_state > 0 ? 2 * std::sqrt(by_state / larger(first, least_of_first * by_state)) : 0;
    if (by_state == change) moved();
    else bent();
    return true;
  }

  static constexpr bool linear = false;
  /// Is true if the error estimate needs f(t + h, y₁).
  static constexpr bool ends_at_result = [] {
    for (const auto& weights : Method::embedded) {
      if (weights[Method::stages] != 0) return true;
    }
    return false;
  }();

 private:
  static constexpr int columns = Method::stages + 1;

  static double larger(double a, double b) { return a > b ? a : b; }

  /// Is true if slopes change enough within a step for an error that is to be told: h |λ| > 0.4.
  bool slopes_change() const {
    const int n = length();
    const double *k1 = slopes_.column(0), *k2 = slopes_.column(1), *k3 = slopes_.column(2), *k4 = slopes_.column(3);
    bool change = false;
    for (int i = 0; i < n; ++i) {
      const double least = 0.04 * std::fabs(k1[i]);
      change |= std::fabs(k3[i] - k2[i]) > least || std::fabs(k1[i] - k2[i] - k3[i] + k4[i]) > least;
    }
    return change;
  }
  static double error_of(double h, double change, double slope) {
    const double part = change / slope, error = 2. / 15 * h * change * part;
    const double of_variation = 4. / 15 * part * part * std::sqrt(part);
    return error < of_variation ? error : of_variation;
  }
  int length() const { return fixed_length < 0 ? length_ : fixed_length; }

  template <class Weights, int... j>
  double weigh(const Weights& weights, int i, std::integer_sequence<int, j...>) const {
    double sum = 0;
    ((weights[j] != 0 ? void(sum += weights[j] * slopes_(i, j)) : void()), ...);
    return sum;
  }

  template <int s, class Equations>
  bool stages_from(const Equations& equations, double t, const double* y, double h) {
    if constexpr (s < Method::stages) {
      const int n = length();
      for (int i = 0; i < n; ++i) {
        stage_[i] = y[i] + h * weigh(Method::a[s], i, std::make_integer_sequence<int, s>{});
      }
      if (!equations.rate(t + Method::c[s] * h, stage_.data(), slopes_.column(s))) return false;
      return stages_from<s + 1>(equations, t, y, h);
    } else {
      return true;
    }
  }

  int length_;
  Buffer<fixed_length> stage_;             ///< y of a stage, or a sum of slopes
  Columns<fixed_length, columns> slopes_;  ///< k_i in columns; the last one has f(t + h, y₁) if the error needs it
};

}  // namespace mechfmu
