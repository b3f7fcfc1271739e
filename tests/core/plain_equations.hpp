// Holds equations without a mechanism, for tests of the integrators themselves.
#pragma once

#include <vector>

#include "fmu_src/stepping/differences.hpp"

namespace mechfmu::testing {

/// ẏ = f(t, y) as a method asks for it (stepping/integration.hpp), derivatives by differences.
template <class Rate>
struct PlainEquations {
  Rate f;  ///< f(t, y, dy); false: cannot be evaluated
  int length;

  bool rate(double t, const double* y, double* dy) const { return f(t, y, dy); }
  bool linearise(double t, const double* y, const double* slope, double* J, double* f_t) const {
    std::vector<double> trial(y, y + length);
    const auto evaluate = [&](double* dy) { return f(t, trial.data(), dy); };
    for (int j = 0; j < length; ++j) {
      if (!difference(length, trial[j], 1, slope[j], slope, evaluate, J + j * length)) return false;
    }
    return difference(length, t, 1, 1, slope, evaluate, f_t);
  }
  const double* sizes() const { return ones.data(); }
  std::vector<double> ones = std::vector<double>(static_cast<std::size_t>(length), 1);
};

/// Steps of one size from y at 0: the states at the ends of equal parts of [0, end]. Empty: an evaluation failed.
template <class Method, class Rate>
std::vector<std::vector<double>> equal_steps(const Rate& rate, std::vector<double> y, double end, int parts,
                                             int steps_per_part) {
  const PlainEquations<Rate> equations = {rate, static_cast<int>(y.size())};
  Arena memory;
  typename Method::template Step<-1> method(memory, equations.length);
  std::vector<std::vector<double>> result;
  std::vector<double> y1(y.size());
  const double h = end / (parts * steps_per_part);
  for (int i = 0; i < parts * steps_per_part; ++i) {
    const double t = i * h;
    if (!rate(t, y.data(), method.first_slope()) || !method.linearise(equations, t, y.data()) ||
        !method.step(equations, t, y.data(), h, y1.data())) {
      return {};
    }
    y.swap(y1);
    if ((i + 1) % steps_per_part == 0) result.push_back(y);
  }
  return result;
}

}  // namespace mechfmu::testing
