// This is the classical Runge–Kutta method of order 4 with a fixed step. It serves real time: it has no error estimate,
// and its cost is constant.
#pragma once

#include "explicit_runge_kutta.hpp"

namespace mechfmu {

struct Rk4 {
  template <int length>
  using Step = ExplicitRungeKutta<Rk4, length>;
  static constexpr const char* name = "rk4";
  static constexpr int stages = 4;
  static constexpr int order = 4;
  static constexpr bool fixed_step = true;
  static constexpr int error_exponent = 4;
  static constexpr double safety = 1;
  static constexpr double c[4] = {0, 0.5, 0.5, 1};
  static constexpr double a[4][4] = {{}, {0.5}, {0, 0.5}, {0, 0, 1}};
  static constexpr double b[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  static constexpr int estimates = 1;
  static constexpr double embedded[1][5] = {};
  static double combine(const double*) { return 0; }
};

}  // namespace mechfmu
