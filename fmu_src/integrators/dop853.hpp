// This is Dormand and Prince's method of order 8 with error estimates of orders 5 and 3 (E. Hairer, S. P. Nørsett,
// G. Wanner, Solving Ordinary Differential Equations I, second edition, section II.10: DOP853).
#pragma once

#include <cmath>

#include "explicit_runge_kutta.hpp"

namespace mechfmu {

struct Dop853 {
  template <int length>
  using Step = ExplicitRungeKutta<Dop853, length>;
  static constexpr const char* name = "dop853";
  static constexpr int stages = 12;
  static constexpr int order = 8;
  static constexpr bool fixed_step = false;
  static constexpr int error_exponent = 8;
  static constexpr double safety = 0.8;  // with 0.9 every third step is rejected, and large tolerances are exceeded
  static constexpr double c[12] = {
      0,
      0.05260015195876773,
      0.0789002279381516,
      0.1183503419072274,
      0.2816496580927726,
      0.3333333333333333,
      0.25,
      0.3076923076923077,
      0.6512820512820513,
      0.6,
      0.8571428571428571,
      1.0};
  static constexpr double a[12][12] = {
      {},
      {0.05260015195876773},
      {0.0197250569845379, 0.0591751709536137},
      {0.02958758547680685, 0, 0.08876275643042054},
      {0.2413651341592667, 0, -0.8845494793282861, 0.924834003261792},
      {0.037037037037037035, 0, 0, 0.17082860872947386, 0.12546768756682242},
      {0.037109375, 0, 0, 0.17025221101954405, 0.06021653898045596, -0.017578125},
      {0.03709200011850479, 0, 0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402,
       0.008273789163814023},
      {0.6241109587160757, 0, 0, -3.3608926294469414, -0.868219346841726, 27.59209969944671, 20.154067550477894,
       -43.48988418106996},
      {0.47766253643826434, 0, 0, -2.4881146199716677, -0.590290826836843, 21.230051448181193, 15.279233632882423,
       -33.28821096898486, -0.020331201708508627},
      {-0.9371424300859873, 0, 0, 5.186372428844064, 1.0914373489967295, -8.149787010746927, -18.52006565999696,
       22.739487099350505, 2.4936055526796523, -3.0467644718982196},
      {2.273310147516538, 0, 0, -10.53449546673725, -2.0008720582248625, -17.9589318631188, 27.94888452941996,
       -2.8589982771350235, -8.87285693353063, 12.360567175794303, 0.6433927460157636}};
  static constexpr double b[12] = {
      0.054293734116568765,
      0,
      0,
      0,
      0,
      4.450312892752409,
      1.8915178993145003,
      -5.801203960010585,
      0.3111643669578199,
      -0.1521609496625161,
      0.20136540080403034,
      0.04471061572777259};
  static constexpr int estimates = 2;
  /// The rows are the weights of the fifth- and third-order errors.
  static constexpr double embedded[2][13] = {
      {0.01312004499419488, 0, 0, 0, 0, -1.2251564463762044, -0.4957589496572502, 1.6643771824549864,
       -0.35032884874997366, 0.3341791187130175, 0.08192320648511571, -0.022355307863886294, 0},
      {-0.18980075407240762, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585, -0.4226823213237919,
       -0.1521609496625161, 0.20136540080403034, 0.02265179219836082, 0}};
  /// Returns the fifth-order error. It is enlarged if the third-order one says that it is too small to be trusted.
  static double combine(const double* norms) {
    const double both = norms[0] * norms[0] + 0.01 * norms[1] * norms[1];
    return both == 0 ? 0 : norms[0] * norms[0] / std::sqrt(both);  // NaN stays NaN, so that the step is not accepted
  }
};

}  // namespace mechfmu
