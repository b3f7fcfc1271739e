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

/// Arguments of functions of Symbols::all().
std::vector<std::vector<DM>> points(const Equations& equations) {
  std::mt19937 random(1);
  std::vector<std::vector<DM>> result;
  for (int i = 0; i < point_count; ++i) {
    std::vector<DM> point;
    for (const SX& symbol : equations.symbols.all()) point.push_back(scattered(random, symbol.numel()));
    point[3] = around(random, equations.input_values);
    point[4] = around(random, equations.parameter_values);
    result.push_back(point);
  }
  return result;
}

}  // namespace

bool agree(const SX& a, const SX& b, const Equations& equations, double round_off) {
  const casadi::Function both("both", equations.symbols.all(), {SX::densify(a), SX::densify(b)});
  for (const std::vector<DM>& point : points(equations)) {
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

SX without_cancelling(const SX& matrix, const SX& variables, const Equations& equations) {
  constexpr double strict = 1e-13;  // a true dependence this weak could not be seen in a motion either
  const SX entries(matrix.nonzeros());
  const SX slopes = SX::jacobian(entries, variables);
  if (slopes.nnz() == 0) return matrix;
  const casadi::Function both("both", equations.symbols.all(), {SX(slopes.nonzeros()), entries});
  const std::vector<casadi_int> entry = slopes.sparsity().get_row(), variable = slopes.sparsity().get_col();
  std::vector<bool> cancels(entry.size(), true);
  for (const std::vector<DM>& point : points(equations)) {
    const std::vector<DM> values = both(point);
    for (std::size_t i = 0; i < entry.size(); ++i) {
      const double slope = values[0].nonzeros()[i];
      const double size = values[1].nonzeros()[static_cast<std::size_t>(entry[i])];
      if (!(std::abs(slope) <= strict * std::abs(size))) cancels[i] = false;
    }
  }
  std::vector<SX> result(entries.nonzeros().begin(), entries.nonzeros().end());
  std::vector<std::vector<SX>> absent(result.size());
  for (std::size_t i = 0; i < entry.size(); ++i)
    if (cancels[i]) absent[static_cast<std::size_t>(entry[i])].push_back(variables(variable[i]));
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (absent[i].empty()) continue;
    const SX gone = SX::vertcat(absent[i]);
    result[i] = SX::substitute(result[i], gone, SX::zeros(gone.sparsity()));
  }
  const casadi::Function values("values", equations.symbols.all(), {SX::vertcat(result)});
  const DM at_a_point = values(points(equations).front()).front();
  for (std::size_t i = 0; i < result.size(); ++i)
    if (!std::isfinite(at_a_point.nonzeros()[i])) result[i] = entries(static_cast<casadi_int>(i));
  const SX simpler = SX::vertcat(result);
  if (!agree(entries, simpler, equations, strict)) return matrix;
  return SX(matrix.sparsity(), simpler);
}

}  // namespace mechfmu
