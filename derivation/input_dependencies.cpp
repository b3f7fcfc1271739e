// Finds connected components of [M −B; C_a 0] and the inputs that enter each.
#include "input_dependencies.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

namespace mechfmu {

using casadi::Sparsity;
using casadi::SX;

namespace {

using Inputs = std::vector<int>;  ///< indices, which ascend

/// Returns the inputs of both, without repetition.
Inputs joined(const Inputs& a, const Inputs& b) {
  Inputs result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

/// The equations of motion as a graph: unknowns are v̇, then λ, then loads.
class Components {
 public:
  explicit Components(casadi_int count) : parent_(static_cast<std::size_t>(count)), inputs_(parent_.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  void join(casadi_int a, casadi_int b) { parent_[static_cast<std::size_t>(root(a))] = root(b); }

  /// Inputs that enter an equation; equation i belongs to unknown i.
  void add_inputs(casadi_int unknown, const Inputs& inputs) {
    Inputs& all = inputs_[static_cast<std::size_t>(unknown)];
    all.insert(all.end(), inputs.begin(), inputs.end());
  }

  /// Returns the inputs that enter each component, and for every unknown the number of its own component.
  std::vector<Inputs> collect(std::vector<std::size_t>& component) {
    std::vector<Inputs> result;
    std::vector<std::size_t> of_root(parent_.size(), parent_.size());
    for (std::size_t i = 0; i < parent_.size(); ++i) {
      std::size_t& number = of_root[static_cast<std::size_t>(root(static_cast<casadi_int>(i)))];
      if (number == parent_.size()) {
        number = result.size();
        result.emplace_back();
      }
      component.push_back(number);
      result[number].insert(result[number].end(), inputs_[i].begin(), inputs_[i].end());
    }
    for (Inputs& inputs : result) {
      std::sort(inputs.begin(), inputs.end());
      inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    }
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

/// Returns for every row of a column expression the indices of the variables that it contains.
std::vector<Inputs> contained(const SX& expression, const SX& variables) {
  std::vector<Inputs> result(static_cast<std::size_t>(expression.numel()));
  if (expression.is_empty() || variables.is_empty()) return result;
  const Sparsity pattern = SX::jacobian_sparsity(SX::densify(expression), variables);
  const std::vector<casadi_int> rows = pattern.get_row(), columns = pattern.get_col();
  for (std::size_t i = 0; i < rows.size(); ++i)  // columns follow each other
    result[static_cast<std::size_t>(rows[i])].push_back(static_cast<int>(columns[i]));
  return result;
}

/// Sets of inputs, each once.
class Sets {
 public:
  std::size_t number(const Inputs& inputs) {
    const auto [place, is_new] = numbers_.emplace(inputs, numbers_.size());
    return place->second;
  }
  std::vector<Inputs> all() const {
    std::vector<Inputs> result(numbers_.size());
    for (const auto& [inputs, number] : numbers_) result[number] = inputs;
    return result;
  }

 private:
  std::map<Inputs, std::size_t> numbers_;
};

}  // namespace

DependencySets dependency_sets(const Equations& equations, const SX& M, const SX& C_a, const SX& B, const SX& h,
                               const SX& gamma) {
  const Symbols& symbols = equations.symbols;
  const casadi_int n = h.numel(), rows = gamma.numel();
  const auto found = static_cast<casadi_int>(equations.turning.size() + equations.switches.size());
  const SX given = symbols.inputs(casadi::Slice(0, symbols.inputs.numel() - found));
  // One equation for each unknown: M v̇ − B λ = h, C_a v̇ = −γ, and loads as they say.
  std::vector<SX> right_sides{h, gamma};
  for (const LoadEquation& load : equations.loads) right_sides.push_back(load.value);
  const SX direct = SX::densify(SX::vertcat(right_sides));
  const SX unknowns = SX::vertcat({symbols.acceleration, symbols.multipliers, symbols.loads});
  Components components(direct.numel());
  // Unknowns that share an equation are solved together; `first` is the unknown to which row 0 of a matrix belongs.
  const auto join = [&](const SX& matrix, casadi_int first_row, casadi_int first_column) {
    const std::vector<casadi_int> row = matrix.sparsity().get_row(), column = matrix.sparsity().get_col();
    for (std::size_t i = 0; i < row.size(); ++i) components.join(first_row + row[i], first_column + column[i]);
    const SX entries = matrix.nnz() ? SX(matrix.nonzeros()) : SX(0, 1);
    const std::vector<Inputs> inputs = contained(entries, given), loads = contained(entries, symbols.loads);
    for (std::size_t i = 0; i < row.size(); ++i) {
      components.add_inputs(first_row + row[i], inputs[i]);
      for (const int load : loads[i]) components.join(first_row + row[i], n + rows + load);
    }
  };
  join(M, 0, 0);
  join(C_a, n, 0);
  join(B, 0, n);
  const std::vector<Inputs> entering = contained(direct, given), solved_with = contained(direct, unknowns);
  for (casadi_int i = 0; i < direct.numel(); ++i) {
    components.add_inputs(i, entering[static_cast<std::size_t>(i)]);
    for (const int unknown : solved_with[static_cast<std::size_t>(i)]) components.join(i, unknown);
  }

  std::vector<std::size_t> component;
  const std::vector<Inputs> solved = components.collect(component);
  Sets sets;
  std::vector<std::size_t> numbers;
  for (const Inputs& inputs : solved) numbers.push_back(sets.number(inputs));
  DependencySets result;
  for (casadi_int i = 0; i < n + rows; ++i)
    (i < n ? result.accelerations : result.multipliers).push_back(numbers[component[static_cast<std::size_t>(i)]]);
  std::vector<SX> outputs{SX(0, 1)};
  for (const OutputEquation& output : equations.outputs) outputs.push_back(output.value);
  const SX output_column = SX::vertcat(outputs);
  const std::vector<Inputs> inputs_of = contained(output_column, given),
                            unknowns_of = contained(output_column, unknowns);
  for (std::size_t i = 0; i < inputs_of.size(); ++i) {
    std::set<std::size_t> read;
    for (const int unknown : unknowns_of[i]) read.insert(component[static_cast<std::size_t>(unknown)]);
    Inputs inputs = inputs_of[i];
    for (const std::size_t one : read) inputs = joined(inputs, solved[one]);
    result.outputs.push_back(sets.number(inputs));
  }
  result.sets = sets.all();
  return result;
}

InputDependencies input_dependencies(const Equations& equations, const SX& M, const SX& C_a, const SX& B, const SX& h,
                                     const SX& gamma) {
  const DependencySets found = dependency_sets(equations, M, C_a, B, h, gamma);
  const auto listed = [&](const std::vector<std::size_t>& numbers) {
    std::vector<std::vector<int>> result;
    for (const std::size_t number : numbers) result.push_back(found.sets[number]);
    return result;
  };
  return {listed(found.outputs), listed(found.accelerations), listed(found.multipliers)};
}

}  // namespace mechfmu
