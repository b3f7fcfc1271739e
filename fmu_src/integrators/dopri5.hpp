// This is Dormand and Prince's method of order 5 with an embedded one of order 4 (J. R. Dormand, P. J. Prince, A family
// of embedded Runge–Kutta formulae, J. Comp. Appl. Math. 6 (1980) 19–26).
#pragma once

#include "explicit_runge_kutta.hpp"

namespace mechfmu {

struct Dopri5 {
  template <int length>
  using Step = ExplicitRungeKutta<Dopri5, length>;
  static constexpr const char* name = "dopri5";
  static constexpr int stages = 6;
  static constexpr int order = 5;
  static constexpr bool fixed_step = false;
  static constexpr int error_exponent = 5;
  static constexpr double safety = 0.9;
  static constexpr double c[6] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1};
  static constexpr double a[6][6] = {{},
                                     {1. / 5},
                                     {3. / 40, 9. / 40},
                                     {44. / 45, -56. / 15, 32. / 9},
                                     {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                                     {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656}};
  static constexpr double b[6] = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84};
  static constexpr int estimates = 1;
  /// The weights give y₁ minus the embedded solution of order 4; the last weight belongs to f(t + h, y₁).
  static constexpr double embedded[1][7] = {
      {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40}};
  static double combine(const double* norms) { return norms[0]; }
};

}  // namespace mechfmu
