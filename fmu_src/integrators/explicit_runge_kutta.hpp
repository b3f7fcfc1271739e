// Explicit Runge–Kutta methods: what their members' tables hold and the one step that they share.
//
// A member is a table of constants, with those of any method (core/integration.hpp) and
//   stages, a[i][j], b[j], c[i]    k_i = f(t + c_i h, y + h Σ_j a_ij k_j),  y₁ = y + h Σ_j b_j k_j
//   embedded[e][j], combine        unless the step is fixed: weights of the local errors, where column `stages` belongs
//                                  to f(t + h, y₁); and what makes one number of their norms
#pragma once

#include <cmath>
#include <utility>

#include "core/buffer.hpp"
#include "core/dense.hpp"

namespace mechfmu {

template <class Method, int fixed_length>
class ExplicitRungeKutta {
 public:
  explicit ExplicitRungeKutta(int length)
      : length_(length), stage_(length), slopes_(length * columns) {}
  bool ok() const { return stage_.ok() && slopes_.ok(); }

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
    return !ends_at_result || equations.rate(t + h, y1, slopes_.data() + Method::stages * n);
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

  /// The error estimate needs f(t + h, y₁).
  static constexpr bool ends_at_result = [] {
    for (const auto& weights : Method::embedded) {
      if (weights[Method::stages] != 0) return true;
    }
    return false;
  }();

 private:
  static constexpr int columns = Method::stages + 1;

  int length() const { return fixed_length < 0 ? length_ : fixed_length; }

  template <class Weights, int... j>
  double weigh(const Weights& weights, int i, std::integer_sequence<int, j...>) const {
    double sum = 0;
    ((weights[j] != 0 ? void(sum += weights[j] * slopes_[i + j * length()]) : void()), ...);
    return sum;
  }

  template <int s, class Equations>
  bool stages_from(const Equations& equations, double t, const double* y, double h) {
    if constexpr (s < Method::stages) {
      const int n = length();
      for (int i = 0; i < n; ++i) {
        stage_[i] = y[i] + h * weigh(Method::a[s], i, std::make_integer_sequence<int, s>{});
      }
      if (!equations.rate(t + Method::c[s] * h, stage_.data(), slopes_.data() + s * n)) return false;
      return stages_from<s + 1>(equations, t, y, h);
    } else {
      return true;
    }
  }

  int length_;
  Buffer<fixed_length> stage_;
  Buffer<area(fixed_length, columns)> slopes_;
};

}  // namespace mechfmu
