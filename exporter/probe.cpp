// Scattered points: parameters and inputs around the file's values, everything else of order one.
#include "probe.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace mechfmu {

using casadi::DM;
using casadi::SX;

namespace {

constexpr int point_count = 12;
constexpr double round_off = 1e-9;  // relative; what cancellation in a formula may leave of double precision

/// Numbers that no formula treats as special.
std::vector<double> scattered(std::mt19937& random, casadi_int count) {
  std::uniform_real_distribution<double> number(0.2, 1.3);
  std::vector<double> result(static_cast<std::size_t>(count));
  for (double& value : result) value = number(random);
  return result;
}

std::vector<double> around(std::mt19937& random, const std::vector<double>& values) {
  std::vector<double> result = scattered(random, static_cast<casadi_int>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != 0) result[i] = values[i] * (0.7 + 0.4 * result[i]);
  return result;
}

}  // namespace

bool agree(const SX& a, const SX& b, const Equations& equations) {
  const Symbols& symbols = equations.symbols;
  const casadi::Function both("both", symbols.all(), {SX::densify(a), SX::densify(b)});
  std::mt19937 random(1);
  for (int i = 0; i < point_count; ++i) {
    std::vector<DM> point;
    for (const SX& symbol : symbols.all()) point.push_back(scattered(random, symbol.numel()));
    point[3] = around(random, equations.input_values);
    point[4] = around(random, equations.parameter_values);
    const std::vector<DM> values = both(point);
    const DM difference = DM::abs(values[0] - values[1]), size = DM::abs(values[0]) + DM::abs(values[1]);
    if (!difference.is_regular()) continue;
    if (*std::max_element(difference->begin(), difference->end()) >
        round_off * *std::max_element(size->begin(), size->end()))
      return false;
  }
  return true;
}

std::optional<SX> free_of(const SX& expression, const SX& variables, const Equations& equations) {
  if (variables.is_empty() || !SX::depends_on(expression, variables)) return expression;
  const auto at = [&](unsigned seed) {
    std::mt19937 random(seed);
    const DM numbers = scattered(random, variables.numel());
    return SX::substitute(expression, variables, SX(numbers));
  };
  const SX replaced = at(2);
  if (!agree(SX::vec(expression), SX::vec(replaced), equations)) return std::nullopt;
  return replaced;
}

}  // namespace mechfmu
