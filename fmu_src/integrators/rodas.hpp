// This is a Rosenbrock method of order 4 with an embedded one of order 3 for stiff equations. Both are L-stable and
// stiffly accurate. It is of the RODAS family (Hairer and Wanner II, section VI.4), with G. Steinebach's coefficients
// RODASP2 (Improvement of Rosenbrock–Wanner method RODASP, in: Progress in Differential-Algebraic Equations II,
// Springer 2020, 165–184). They keep order 4 where forces are stiff, and order 2 with any matrix in place of ∂f/∂y (Σ
// b_i α_i = ½ by itself), so that the error of a differenced one is damped by a power of h.
#pragma once

#include "rosenbrock.hpp"

namespace mechfmu {

struct Rodas {
  template <int length>
  using Step = Rosenbrock<Rodas, length>;
  static constexpr const char* name = "rodas";
  static constexpr int stages = 6;
  static constexpr int order = 4;
  static constexpr bool fixed_step = false;
  static constexpr int error_exponent = 4;
  static constexpr double safety = 0.9;
  static constexpr double gamma = 0.25;
  static constexpr double alpha[6] = {0, 0.75, 0.321448134013046, 0.519745732277726, 1, 1};
  static constexpr double gammas[6] = {0.25, -0.5, -0.189532918363016, 0.085612108792769, 0, 0};
  static constexpr double a[6][6] = {{},
                                     {3},
                                     {0.906377755268814, -0.189707390391685},
                                     {3.758617027739064, 1.161741776019525, -0.849258085312803},
                                     {7.089566927282776, 4.573591406461604, -8.423496976860259, -0.959280113459775},
                                     {7.089566927282776, 4.573591406461604, -8.423496976860259, -0.959280113459775, 1}};
  static constexpr double c[6][6] = {
      {},
      {-12},
      {-6.354581592719008, 0.338972550544623},
      {-8.575016317114033, -7.606483992117508, 12.22499765012482},
      {-5.888975457523102, -8.157396617841821, 24.805546872612922, 12.790401512796979},
      {-4.408651676063871, -6.692003137674639, 24.625568527593117, 16.627521966636085, -5.714285714285718}};
  static constexpr double b[6] = {7.089566927282776, 4.573591406461604, -8.423496976860259, -0.959280113459775, 1, 1};
  static constexpr double embedded[6] = {0, 0, 0, 0, 0, 1};
};

}  // namespace mechfmu
