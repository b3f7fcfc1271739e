// Formulas are compared at scattered points: parameters and inputs around the file's values, everything else of both
// signs and several sizes. Numbers can only decide what holds everywhere if the formulas are of one piece. So a choice
// (abs, max, if, …) that depends on the variables in question counts as a dependence on them, and any other becomes a
// number of its own: what holds for all its values holds for all its pieces.
#include "probe.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace mechfmu {

using casadi::DM;
using casadi::SX;

namespace {

constexpr int point_count = 24, gentle_points = 8;

/// A number that no formula treats as special. The first points are positive and of order one, where roots and
/// logarithms have values too.
double scattered(std::mt19937& random, int point) {
  if (point < gentle_points) return std::uniform_real_distribution<double>(0.2, 1.3)(random);
  const double size = std::exp(std::uniform_real_distribution<double>(std::log(0.05), std::log(12))(random));
  return random() % 2 == 0 ? size : -size;
}

DM scattered_column(std::mt19937& random, int point, casadi_int count) {
  std::vector<double> result(static_cast<std::size_t>(count));
  for (double& value : result) value = scattered(random, point);
  return result;
}

DM around(std::mt19937& random, const std::vector<double>& values) {
  std::uniform_real_distribution<double> factor(0.78, 1.22), number(0.2, 1.3);
  std::vector<double> result(values);
  for (double& value : result) value = value != 0 ? value * factor(random) : number(random);
  return result;
}

/// Expressions at the scattered points; `extra`: symbols that are not the mechanism's.
std::vector<std::vector<DM>> values_at_points(const std::vector<SX>& expressions, const SX& extra,
                                              const Equations& equations) {
  std::vector<SX> arguments = equations.symbols.all();
  arguments.push_back(extra);
  const casadi::Function function("function", arguments, expressions);
  std::mt19937 random(1);
  std::vector<std::vector<DM>> result;
  for (int i = 0; i < point_count; ++i) {
    std::vector<DM> point;
    for (const SX& symbol : arguments) point.push_back(scattered_column(random, i, symbol.numel()));
    point[3] = around(random, equations.input_values);
    point[4] = around(random, equations.parameter_values);
    result.push_back(function(point));
  }
  return result;
}

bool agree_with(const SX& a, const SX& b, const SX& extra, const Equations& equations, double round_off) {
  const auto count = static_cast<std::size_t>(a.numel());
  std::vector<double> difference(count, -1), size(count, 0);  // of each entry, the largest; -1: it had no value
  for (const std::vector<DM>& values : values_at_points({SX::densify(a), SX::densify(b)}, extra, equations))
    for (std::size_t i = 0; i < count; ++i) {
      const double left = values[0].nonzeros()[i], right = values[1].nonzeros()[i];
      if (!std::isfinite(left) || !std::isfinite(right)) continue;
      difference[i] = std::max(difference[i], std::abs(left - right));
      size[i] = std::max(size[i], std::abs(left) + std::abs(right));
    }
  const double largest = count > 0 ? *std::max_element(size.begin(), size.end()) : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_zero = size[i] <= 1e-12 * largest;  // but for round-off
    if (difference[i] < 0 || (difference[i] > round_off * size[i] && !is_zero)) return false;
  }
  return true;
}

bool is_choice(casadi_int operation) {
  using namespace casadi;
  switch (operation) {
    case OP_FABS: case OP_SIGN: case OP_COPYSIGN: case OP_FMIN: case OP_FMAX: case OP_FLOOR: case OP_CEIL:
    case OP_FMOD: case OP_REMAINDER: case OP_LT: case OP_LE: case OP_EQ: case OP_NE: case OP_NOT: case OP_AND:
    case OP_OR: return true;
    default: return false;
  }
}

/// A column of one piece.
struct Pieceless {
  SX column;                    ///< with a symbol in place of every choice
  SX choices;                   ///< these symbols
  std::vector<bool> piecewise;  ///< entries whose choices depend on the variables
};

Pieceless without_choices(const SX& column, const SX& variables) {
  std::vector<SX> others{SX(0, 1)};
  for (const SX& symbol : SX::symvar(column))
    if (!SX::depends_on(variables, symbol)) others.push_back(symbol);
  const std::vector<SX> arguments = {variables, SX::vertcat(others)};
  const casadi::Function function("function", arguments, {SX::densify(column)});
  struct Value {
    SX expression;
    bool depends = false, piecewise = false;
  };
  std::vector<Value> work(static_cast<std::size_t>(function.sz_w()));
  const auto at = [&work](casadi_int i) -> Value& { return work[static_cast<std::size_t>(i)]; };
  Pieceless result;
  std::vector<SX> entries(static_cast<std::size_t>(column.numel()), SX(0)), choices{SX(0, 1)};
  result.piecewise.assign(entries.size(), false);
  for (casadi_int k = 0; k < function.n_instructions(); ++k) {
    const casadi_int id = function.instruction_id(k);
    const std::vector<casadi_int> in = function.instruction_input(k), out = function.instruction_output(k);
    if (id == casadi::OP_OUTPUT) {
      const auto entry = static_cast<std::size_t>(out[1]);
      entries[entry] = at(in[0]).expression;
      result.piecewise[entry] = at(in[0]).piecewise;
    } else if (id == casadi::OP_INPUT) {
      at(out[0]) = {SX(arguments[static_cast<std::size_t>(in[0])](in[1])), in[0] == 0, false};
    } else if (id == casadi::OP_CONST) {
      at(out[0]) = {SX(function.instruction_constant(k)), false, false};
    } else {
      const bool binary = in.size() > 1;
      const Value a = at(in[0]), b = binary ? at(in[1]) : Value{};
      Value value;
      value.depends = a.depends || b.depends;
      value.piecewise = a.piecewise || b.piecewise;
      if (id == casadi::OP_IF_ELSE_ZERO) {
        value.piecewise = value.piecewise || a.depends;
        value.expression = a.expression * b.expression;
      } else if (is_choice(id)) {
        value.piecewise = value.piecewise || value.depends;
        value.expression = SX::sym("choice" + std::to_string(k));
        choices.push_back(value.expression);
      } else {
        value.expression = binary ? SX::binary(id, a.expression, b.expression) : SX::unary(id, a.expression);
      }
      at(out[0]) = value;
    }
  }
  result.column = SX::vertcat(entries);
  result.choices = SX::vertcat(choices);
  return result;
}

}  // namespace

bool agree(const SX& a, const SX& b, const Equations& equations, double round_off) {
  return agree_with(a, b, SX(0, 1), equations, round_off);
}

std::optional<SX> free_of(const SX& expression, const SX& variables, const Equations& equations) {
  if (variables.is_empty() || !SX::depends_on(expression, variables)) return expression;
  const Pieceless plain = without_choices(SX::vec(SX::densify(expression)), variables);
  if (std::find(plain.piecewise.begin(), plain.piecewise.end(), true) != plain.piecewise.end()) return std::nullopt;
  std::mt19937 random(2);
  const SX numbers = SX(scattered_column(random, 0, variables.numel()));
  if (!agree_with(plain.column, SX::substitute(plain.column, variables, numbers), plain.choices, equations, 1e-9))
    return std::nullopt;
  return SX::substitute(expression, variables, numbers);
}

SX without_cancelling(const SX& matrix, const SX& variables, const Equations& equations) {
  constexpr double strict = 1e-13;  // a true dependence this weak could not be seen in a motion either
  const SX entries = matrix.nnz() == 0 ? SX(0, 1) : SX(matrix.nonzeros());
  const Pieceless plain = without_choices(entries, variables);
  const SX slopes = SX::jacobian(plain.column, variables);
  if (slopes.nnz() == 0) return matrix;
  const std::vector<casadi_int> entry = slopes.sparsity().get_row(), variable = slopes.sparsity().get_col();
  std::vector<bool> cancels(entry.size(), true);
  for (std::size_t i = 0; i < entry.size(); ++i)
    if (plain.piecewise[static_cast<std::size_t>(entry[i])]) cancels[i] = false;
  for (const std::vector<DM>& values : values_at_points({SX(slopes.nonzeros()), plain.column}, plain.choices, equations))
    for (std::size_t i = 0; i < entry.size(); ++i) {
      const double slope = values[0].nonzeros()[i];
      const double size = values[1].nonzeros()[static_cast<std::size_t>(entry[i])];
      if (!(std::abs(slope) <= strict * std::abs(size))) cancels[i] = false;
    }
  std::vector<std::vector<SX>> absent(static_cast<std::size_t>(entries.numel()));
  for (std::size_t i = 0; i < entry.size(); ++i)
    if (cancels[i]) absent[static_cast<std::size_t>(entry[i])].push_back(variables(variable[i]));
  std::vector<SX> result, plain_result;
  for (std::size_t i = 0; i < absent.size(); ++i) {
    const SX gone = absent[i].empty() ? SX(0, 1) : SX::vertcat(absent[i]);
    const auto at_origin = [&](const SX& value) {
      return absent[i].empty() ? value : SX::substitute(value, gone, SX::zeros(gone.sparsity()));
    };
    const auto index = static_cast<casadi_int>(i);
    result.push_back(at_origin(entries(index)));
    plain_result.push_back(at_origin(plain.column(index)));
  }
  const DM at_a_point = values_at_points({SX::vertcat(plain_result)}, plain.choices, equations).front().front();
  for (std::size_t i = 0; i < result.size(); ++i)
    if (!std::isfinite(at_a_point.nonzeros()[i])) {
      result[i] = entries(static_cast<casadi_int>(i));
      plain_result[i] = plain.column(static_cast<casadi_int>(i));
    }
  if (!agree_with(plain.column, SX::vertcat(plain_result), plain.choices, equations, strict)) return matrix;
  return SX(matrix.sparsity(), SX::vertcat(result));
}

}  // namespace mechfmu
