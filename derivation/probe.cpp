// Formulas are compared at scattered points: parameters and inputs around the file's values, everything else of both
// signs and several sizes, in nominal sizes, so that nothing depends on the units that a file is written in. Numbers
// can only decide what holds everywhere if the formulas are of one piece. So a choice (abs, max, if, …) that depends on
// the variables in question counts as a dependence on them, and any other becomes a number of its own: what holds for
// all its values holds for all its pieces.
#include "probe.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "equations/columns.hpp"
#include "equations/sharing.hpp"
#include "fmu_src/linear/finite.hpp"

namespace mechfmu {

using casadi::DM;
using casadi::SX;

namespace {

constexpr int point_count = 24, gentle_points = 8;

/// Returns a number that no formula treats as special. The first points are positive and of order one, where roots and
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

/// Returns the sizes by which scattered numbers for the mechanism's symbols are multiplied.
std::vector<DM> symbol_sizes(const Equations& e) {
  const std::vector<double> by_velocity = nominal_sizes(e);
  std::vector<double> rates = e.rate_nominal, positions, accelerations;
  rates.resize(by_velocity.size(), 1);
  std::size_t next = 0;
  for (std::size_t j = 0; j < by_velocity.size(); ++j) {
    const bool turned = next < e.quaternions.size() && e.quaternions[next].velocity == static_cast<int>(j);
    positions.insert(positions.end(), turned ? 4 : 1, by_velocity[j]);
    if (turned) j += 2, ++next;
  }
  for (const StateEquation& state : e.states) positions.push_back(state.nominal);
  for (const double rate : rates) accelerations.push_back(rate / e.duration);
  return {DM(e.duration),      DM(positions), DM(rates),          DM(1), DM(1), DM(accelerations),
          DM(e.nominal_force), DM(1),         DM(e.load_sizes()), DM(1)};
}

/// Returns the points at which functions of the mechanism's symbols and `extra` ones are evaluated.
std::vector<std::vector<DM>> scattered_points(const SX& extra, const Equations& equations) {
  std::vector<SX> arguments = equations.symbols.all();
  const std::vector<DM> sizes = symbol_sizes(equations);
  arguments.push_back(extra);
  std::mt19937 random(1);
  std::vector<std::vector<DM>> result;
  for (int i = 0; i < point_count; ++i) {
    std::vector<DM> point;
    for (const SX& symbol : arguments) point.push_back(scattered_column(random, i, symbol.numel()));
    for (std::size_t k = 0; k < sizes.size(); ++k) point[k] = point[k] * sizes[k];
    point[3] = around(random, equations.input_values);
    for (int side = equations.given_inputs(); side < equations.first_turns(); ++side) point[3](side) = 0;
    point[4] = around(random, equations.parameter_values);
    result.push_back(point);
  }
  return result;
}

/// Expressions at the scattered points; `extra`: symbols that are not the mechanism's.
std::vector<std::vector<DM>> values_at_points(const std::vector<SX>& expressions, const SX& extra,
                                              const Equations& equations) {
  std::vector<SX> arguments = equations.symbols.all();
  arguments.push_back(extra);
  const casadi::Function function("function", arguments, expressions);
  std::vector<std::vector<DM>> result;
  for (const std::vector<DM>& point : scattered_points(extra, equations)) result.push_back(function(point));
  return result;
}

/// Entries are small against the largest, all multiplied by `sizes`; empty: all are alike.
bool agree_with(const SX& a, const SX& b, const SX& extra, const Equations& equations, double round_off,
                const std::vector<double>& sizes = {}) {
  const auto count = static_cast<std::size_t>(a.numel());
  std::vector<double> difference(count, -1), size(count, 0);  // largest of each entry; -1: it had no value
  for (const std::vector<DM>& values : values_at_points({SX::densify(a), SX::densify(b)}, extra, equations))
    for (std::size_t i = 0; i < count; ++i) {
      const double unit = sizes.empty() ? 1 : sizes[i];
      const double left = unit * values[0].nonzeros()[i], right = unit * values[1].nonzeros()[i];
      if (!is_finite(left) || !is_finite(right)) continue;
      difference[i] = std::max(difference[i], std::abs(left - right));
      size[i] = std::max(size[i], std::abs(left) + std::abs(right));
    }
  const double largest = count > 0 ? *std::max_element(size.begin(), size.end()) : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_zero = size[i] <= rounded_entry * largest;
    if (difference[i] < 0 || (difference[i] > round_off * size[i] && !is_zero)) return false;
  }
  return true;
}

bool is_choice(casadi_int operation) {
  using enum casadi::Operation;
  switch (operation) {
    case OP_FABS:
    case OP_SIGN:
    case OP_COPYSIGN:
    case OP_FMIN:
    case OP_FMAX:
    case OP_FLOOR:
    case OP_CEIL:
    case OP_FMOD:
    case OP_REMAINDER:
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE:
    case OP_NOT:
    case OP_AND:
    case OP_OR: return true;
    default: return false;
  }
}

/// Is a column of one piece.
struct Pieceless {
  SX column;                    ///< has a symbol in place of every choice
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

std::vector<double> nominal_sizes(const Equations& equations) {
  std::vector<double> sizes = equations.nominal;
  sizes.resize(equations.velocities.size(), 1);
  return sizes;
}

std::optional<SX> free_of(const SX& expression, const SX& variables, const Equations& equations,
                          const std::vector<double>& sizes) {
  if (variables.is_empty() || !SX::depends_on(expression, variables)) return expression;
  const Pieceless plain = without_choices(SX::vec(SX::densify(expression)), variables);
  if (std::find(plain.piecewise.begin(), plain.piecewise.end(), true) != plain.piecewise.end()) return std::nullopt;
  std::mt19937 random(2);
  const SX numbers = SX(scattered_column(random, 0, variables.numel()));
  if (!agree_with(plain.column, SX::substitute(plain.column, variables, numbers), plain.choices, equations,
                  formulas_agree, sizes))
    return std::nullopt;
  return SX::substitute(expression, variables, numbers);
}

namespace {

/// By entry of a column: the variables that it depends on, ascending; of several pieces, on all. Those whose
/// derivatives do not meet in any entry are varied together, as numbers: the derivatives' own expressions would fill
/// the memory for a long chain.
std::vector<std::vector<casadi_int>> true_dependences(const Pieceless& plain, const SX& variables,
                                                      const Equations& equations) {
  const casadi::Sparsity mentions = SX::jacobian_sparsity(plain.column, variables);
  const std::vector<casadi_int> entry = mentions.get_row(), variable = mentions.get_col();
  std::vector<bool> cancels(entry.size(), true);
  const SX direction = SX::sym("direction", variables.numel());
  std::vector<SX> arguments = equations.symbols.all();
  arguments.push_back(plain.choices);
  arguments.push_back(direction);
  const casadi::Function slope("slope", arguments,
                               shared({SX::densify(SX::jtimes(plain.column, variables, direction)), plain.column}));
  const casadi::Sparsity together = mentions.uni_coloring(mentions.T());
  std::vector<casadi_int> color(static_cast<std::size_t>(variables.numel()));
  const std::vector<casadi_int> member = together.get_row(), group = together.get_col();
  for (std::size_t i = 0; i < member.size(); ++i) color[static_cast<std::size_t>(member[i])] = group[i];
  const DM sizes = symbol_sizes(equations)[1];  // the variables are positions
  for (std::vector<DM> point : scattered_points(plain.choices, equations)) {
    std::vector<DM> slopes;
    DM values;
    for (casadi_int i = 0; i < together.size2(); ++i) {
      DM direction = DM::zeros(variables.numel());
      for (std::size_t j = 0; j < color.size(); ++j)
        if (color[j] == i) direction(static_cast<casadi_int>(j)) = sizes(static_cast<casadi_int>(j));
      point.push_back(direction);
      const std::vector<DM> found = slope(point);
      point.pop_back();
      slopes.push_back(found[0]);
      values = found[1];
    }
    for (std::size_t i = 0; i < entry.size(); ++i) {
      const auto row = static_cast<std::size_t>(entry[i]);
      const DM& found = slopes[static_cast<std::size_t>(color[static_cast<std::size_t>(variable[i])])];
      if (!(std::abs(found.nonzeros()[row]) <= unseen_dependence * std::abs(values.nonzeros()[row])))
        cancels[i] = false;
    }
  }
  std::vector<std::vector<casadi_int>> result(static_cast<std::size_t>(plain.column.numel()));
  for (std::size_t i = 0; i < entry.size(); ++i)
    if (!cancels[i]) result[static_cast<std::size_t>(entry[i])].push_back(variable[i]);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!plain.piecewise[i]) continue;
    result[i].resize(static_cast<std::size_t>(variables.numel()));
    std::iota(result[i].begin(), result[i].end(), 0);
  }
  return result;
}

SX at_origin(const SX& column, const SX& variables) {
  return SX::substitute(column, variables, SX::zeros(variables.numel()));
}

/// Variables that no entry depends on at zero in all, so that entries go on to share what they have in common; and
/// those that are constant at the origin.
SX at_common_origin(SX column, const SX& variables, const std::vector<std::vector<casadi_int>>& depends) {
  std::vector<bool> depended_on(static_cast<std::size_t>(variables.numel()), false);
  std::vector<casadi_int> constant, absent;
  for (std::size_t i = 0; i < depends.size(); ++i) {
    if (depends[i].empty()) constant.push_back(static_cast<casadi_int>(i));
    for (const casadi_int variable : depends[i]) depended_on[static_cast<std::size_t>(variable)] = true;
  }
  for (std::size_t i = 0; i < depended_on.size(); ++i)
    if (!depended_on[i]) absent.push_back(static_cast<casadi_int>(i));
  if (!absent.empty()) column = at_origin(column, variables(absent));
  if (!constant.empty()) column(constant) = at_origin(SX(column(constant)), variables);
  return column;
}

/// Each entry with what it does not depend on at zero.
SX at_own_origins(const SX& column, const SX& variables, const std::vector<std::vector<casadi_int>>& depends) {
  std::map<std::vector<casadi_int>, std::vector<casadi_int>> alike;
  for (std::size_t i = 0; i < depends.size(); ++i) alike[depends[i]].push_back(static_cast<casadi_int>(i));
  SX result = column;
  for (const auto& [kept, rows] : alike) {
    std::vector<casadi_int> gone;
    for (casadi_int i = 0; i < variables.numel(); ++i)
      if (!std::binary_search(kept.begin(), kept.end(), i)) gone.push_back(i);
    if (!gone.empty()) result(rows) = at_origin(SX(column(rows)), variables(gone));
  }
  return result;
}

}  // namespace

SX without_cancelling(const SX& matrix, const Equations& equations) {
  const SX variables = equations.symbols.q, entries = nonzeros(matrix);
  const Pieceless plain = without_choices(entries, variables);
  const std::vector<std::vector<casadi_int>> depends = true_dependences(plain, variables, equations);
  SX result = at_common_origin(entries, variables, depends),
     plain_result = at_common_origin(plain.column, variables, depends);
  constexpr casadi_int few = 200;  // entries; of more, what they have in common is worth more
  if (entries.numel() <= few) {
    const SX each = at_own_origins(entries, variables, depends);
    const std::vector<SX> symbols = equations.symbols.all();
    if (operations_of(symbols, {each}) < operations_of(symbols, {result})) {
      result = each;
      plain_result = at_own_origins(plain.column, variables, depends);
    }
  }
  const DM at_a_point = values_at_points({plain_result}, plain.choices, equations).front().front();
  for (casadi_int i = 0; i < entries.numel(); ++i)
    if (!is_finite(at_a_point.nonzeros()[static_cast<std::size_t>(i)])) {
      result(i) = entries(i);
      plain_result(i) = plain.column(i);
    }
  const std::vector<double> of_velocity = nominal_sizes(equations);
  const std::vector<casadi_int> rows = matrix.sparsity().get_row(), columns = matrix.sparsity().get_col();
  std::vector<double> sizes;
  for (std::size_t i = 0; i < rows.size(); ++i)
    sizes.push_back(of_velocity[static_cast<std::size_t>(rows[i])] * of_velocity[static_cast<std::size_t>(columns[i])]);
  if (!agree_with(plain.column, plain_result, plain.choices, equations, unseen_dependence, sizes)) return matrix;
  return SX(matrix.sparsity(), result);
}

}  // namespace mechfmu
