// Finds what values depend on, by the structure of their expressions.
#include "known_sets.hpp"

namespace mechfmu {

using casadi::Sparsity;
using casadi::SX;

Known both(const Known& one, const Known& other) {
  KnownUnion all;
  all.join(one);
  all.join(other);
  return all.known();
}

std::vector<Known> each_of(const std::vector<std::size_t>& numbers, const std::vector<Known>& sets) {
  std::vector<Known> result;
  for (const std::size_t number : numbers) result.push_back(sets[number]);
  return result;
}

Knowns::Knowns(const Equations& equations)
    : equations_(equations),
      column_(SX::vertcat({equations.symbols.time, equations.symbols.inputs, equations.symbols.parameters,
                           equations.symbols.positions(), equations.symbols.v, equations.symbols.angles})),
      first_parameter_(first_input_ + equations.symbols.inputs.numel()),
      first_position_(first_parameter_ + equations.symbols.parameters.numel()),
      first_velocity_(first_position_ + equations.symbols.positions().numel()),
      first_turn_(first_velocity_ + equations.symbols.v.numel()) {
  calculated_.resize(equations.parameters.size());
  for (const Calculation& calculation : equations.calculations) {
    calculated_[static_cast<std::size_t>(calculation.parameter)] = of(calculation.value, states()).front();
  }
}

KnownState Knowns::states() const {
  const auto each = [](const SX& of, std::vector<int> Known::* itself) {
    std::vector<Known> result(static_cast<std::size_t>(of.numel()));
    for (std::size_t i = 0; i < result.size(); ++i) (result[i].*itself).push_back(static_cast<int>(i));
    return result;
  };
  return {each(equations_.symbols.positions(), &Known::positions), each(equations_.symbols.v, &Known::velocities),
          std::vector<Known>(static_cast<std::size_t>(equations_.symbols.angles.numel()))};
}

std::vector<Known> Knowns::of(const SX& column, const KnownState& state) const {
  std::vector<std::vector<int>> sets(static_cast<std::size_t>(column.numel()));
  if (!sets.empty()) {
    const Sparsity pattern = SX::jacobian_sparsity(SX::densify(column), column_);
    const std::vector<casadi_int> row = pattern.get_row(), number = pattern.get_col();
    for (std::size_t i = 0; i < row.size(); ++i) {
      sets[static_cast<std::size_t>(row[i])].push_back(static_cast<int>(number[i]));
    }
  }
  return translate(sets, state);
}

Known Knowns::of_parameter(int parameter) const {
  const Known& known = calculated_[static_cast<std::size_t>(parameter)];
  return known.parameters.empty() && !known.everything ? Known{false, {}, {parameter}} : known;
}

std::vector<Known> Knowns::translate(const std::vector<std::vector<int>>& sets, const KnownState& state) const {
  const auto place = [](casadi_int number, casadi_int first) { return static_cast<std::size_t>(number - first); };
  std::vector<Known> result;
  for (const std::vector<int>& set : sets) {
    KnownUnion all;
    for (const int i : set) {
      if (i < first_input_ || i == first_input_ + equations_.input_time) {
        all.join({true, {}, {}});
      } else if (i < first_parameter_ && i - first_input_ >= equations_.given_inputs()) {
        continue;  // They are turns, beside the position.
      } else if (i < first_parameter_) {
        all.join({false, {static_cast<int>(i - first_input_)}, {}});
      } else if (i < first_position_) {
        all.join(of_parameter(static_cast<int>(i - first_parameter_)));
      } else if (i < first_velocity_) {
        all.join(state.positions[place(i, first_position_)]);
      } else if (i < first_turn_) {
        all.join(state.velocities[place(i, first_velocity_)]);
      } else {
        all.join(state.turns[place(i, first_turn_)]);
      }
    }
    result.push_back(all.known());
  }
  return result;
}

}  // namespace mechfmu
