// Connected components of [M −B; C_a 0] and the inputs that enter each.
#include "input_dependencies.hpp"

#include <numeric>
#include <set>

namespace mechfmu {

using casadi::Sparsity;
using casadi::SX;

namespace {

using Inputs = std::set<int>;

/// The equations of motion as a graph: unknown i < n is v̇_i, unknown n + j is λ_j, and the loads come after these.
class Components {
 public:
  explicit Components(casadi_int count) : parent_(static_cast<std::size_t>(count)), inputs_(parent_.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  void join(casadi_int a, casadi_int b) { parent_[static_cast<std::size_t>(root(a))] = root(b); }

  /// Inputs that enter an equation; equation i belongs to unknown i.
  void add_inputs(casadi_int unknown, const Inputs& inputs) {
    inputs_[static_cast<std::size_t>(unknown)].insert(inputs.begin(), inputs.end());
  }

  /// For every unknown the inputs that enter its component.
  std::vector<Inputs> of_components() {
    std::vector<Inputs> by_root(parent_.size()), result;
    const auto root_of = [this](std::size_t unknown) {
      return static_cast<std::size_t>(root(static_cast<casadi_int>(unknown)));
    };
    for (std::size_t i = 0; i < parent_.size(); ++i) by_root[root_of(i)].insert(inputs_[i].begin(), inputs_[i].end());
    for (std::size_t i = 0; i < parent_.size(); ++i) result.push_back(by_root[root_of(i)]);
    return result;
  }

 private:
  casadi_int root(casadi_int unknown) {
    casadi_int* parent = parent_.data();
    while (parent[unknown] != unknown) unknown = parent[unknown] = parent[parent[unknown]];
    return unknown;
  }

  std::vector<casadi_int> parent_;
  std::vector<Inputs> inputs_;
};

/// For every row of a column expression the indices of the variables that it contains.
std::vector<Inputs> contained(const SX& expression, const SX& variables) {
  std::vector<Inputs> result(static_cast<std::size_t>(expression.numel()));
  if (expression.is_empty() || variables.is_empty()) return result;
  const Sparsity pattern = SX::jacobian_sparsity(SX::densify(expression), variables);
  const std::vector<casadi_int> rows = pattern.get_row(), columns = pattern.get_col();
  for (std::size_t i = 0; i < rows.size(); ++i)
    result[static_cast<std::size_t>(rows[i])].insert(static_cast<int>(columns[i]));
  return result;
}

std::vector<int> ascending(const Inputs& inputs) { return {inputs.begin(), inputs.end()}; }

}  // namespace

InputDependencies input_dependencies(const Equations& equations, const SX& M, const SX& C_a, const SX& B, const SX& h,
                                     const SX& gamma) {
  const Symbols& symbols = equations.symbols;
  const casadi_int n = h.numel(), rows = gamma.numel(), loads = symbols.loads.numel();
  Components components(n + rows + loads);
  // Unknowns that share an equation are solved together; `first` is the unknown to which row 0 of a matrix belongs.
  const auto join = [&](const SX& matrix, casadi_int first_row, casadi_int first_column) {
    const std::vector<casadi_int> row = matrix.sparsity().get_row(), column = matrix.sparsity().get_col();
    for (std::size_t i = 0; i < row.size(); ++i) components.join(first_row + row[i], first_column + column[i]);
    const std::vector<Inputs> inputs = contained(matrix.nnz() ? SX(matrix.nonzeros()) : SX(0, 1), symbols.inputs);
    for (std::size_t i = 0; i < row.size(); ++i) components.add_inputs(first_row + row[i], inputs[i]);
  };
  join(M, 0, 0);
  join(C_a, n, 0);
  join(B, 0, n);
  const SX unknowns = SX::vertcat({symbols.acceleration, symbols.multipliers, symbols.loads});
  std::vector<SX> balances{h, gamma};
  for (const LoadEquation& load : equations.loads) balances.push_back(SX::densify(load.value));
  const SX balance = SX::vertcat(balances);
  const std::vector<Inputs> direct = contained(balance, symbols.inputs), read_loads = contained(balance, symbols.loads),
                            read_all = contained(balance, unknowns);
  for (casadi_int i = 0; i < balance.numel(); ++i) {
    const auto index = static_cast<std::size_t>(i);
    components.add_inputs(i, direct[index]);
    for (const int load : read_loads[index]) components.join(i, n + rows + load);
    if (i < n + rows) continue;
    for (const int unknown : read_all[index]) components.join(i, unknown);
  }

  InputDependencies result;
  const std::vector<Inputs> solved = components.of_components();
  for (std::size_t i = 0; i < static_cast<std::size_t>(n + rows); ++i)
    (i < static_cast<std::size_t>(n) ? result.accelerations : result.multipliers).push_back(ascending(solved[i]));
  for (const OutputEquation& output : equations.outputs) {
    Inputs inputs = contained(output.value, symbols.inputs).front();
    const Inputs read = contained(output.value, unknowns).front();
    for (const int unknown : read)
      inputs.insert(solved[static_cast<std::size_t>(unknown)].begin(), solved[static_cast<std::size_t>(unknown)].end());
    result.outputs.push_back(ascending(inputs));
  }
  return result;
}

}  // namespace mechfmu
