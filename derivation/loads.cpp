// Equations of the loads, and how the motion changes with them.
//
//   F(v̇, λ, L) = 0     friction: F = L − φ; an unknown: what the author says is zero
//   actions: ∂/∂L of h + B λ − M v̇ and of γ + C_a v̇
//
// Where the actions are free of L, and so of v̇ and λ, these are affine in the loads, and one factorisation serves.
#include "loads.hpp"

#include "balance.hpp"
#include "equations/columns.hpp"
#include "probe.hpp"

namespace mechfmu {

using casadi::Slice;
using casadi::SX;

namespace {

SX starts_of(const Equations& equations) {
  std::vector<SX> starts;
  for (const LoadEquation& load : equations.loads) starts.push_back(load.start.value_or(SX(0)));
  return SX::densify(column(starts));
}

SX residuals_of(const Equations& equations) {
  std::vector<SX> residuals;
  for (const LoadEquation& load : equations.loads) {
    const SX symbol = equations.symbols.loads(static_cast<casadi_int>(residuals.size()));
    residuals.push_back(load.start ? load.value : symbol - load.value);
  }
  return SX::densify(column(residuals));
}

/// An unknown is determined by an equation that contains it, or one that asks for a motion which it changes.
void check_determined(const Equations& equations, const SX& slopes, const SX& actions, Diagnostics& diagnostics) {
  const casadi_int count = slopes.size1(), motion = slopes.size2() - count;
  SX occurs(count, count);
  for (casadi_int i = 0; i < count; ++i) {
    const bool asks = SX(slopes(i, Slice(0, motion))).nnz() > 0;
    for (casadi_int j = 0; j < count; ++j) {
      const bool moves = SX(actions(Slice(), j)).nnz() > 0;
      if (slopes.has_nz(i, motion + j) || (asks && moves)) occurs(i, j) = 1;
    }
  }
  for (casadi_int j = 0, found = 0; j < count; ++j) {
    const LoadEquation& load = equations.loads[static_cast<std::size_t>(j)];
    const casadi_int more = casadi::Sparsity::sprank(SX(occurs(Slice(), Slice(0, j + 1))).sparsity());
    if (more == found) {
      diagnostics.add(load.place, "no equation determines the unknown " + in_quotes(load.name),
                      "let its equation depend on it, or on a motion that it changes");
    }
    found = more;
  }
}

}  // namespace

SX at_load_starts(const SX& expression, const Equations& equations) {
  return equations.loads.empty() ? expression
                                 : SX::substitute(expression, equations.symbols.loads, starts_of(equations));
}

void add_loads(Derivation& derivation, const std::vector<SX>& motion, Diagnostics& diagnostics) {
  const Equations& equations = derivation.equations;
  const Symbols& symbols = equations.symbols;
  const SX& loads = symbols.loads;
  const SX residuals = residuals_of(equations);
  const SX slopes =
      SX::sparsify(SX::jacobian(residuals, SX::vertcat({symbols.acceleration, symbols.multipliers, loads})));
  Character& character = derivation.character;
  SX actions = SX::jacobian(SX::vertcat({motion[0], motion[1]}), loads);
  if (!equations.loads.empty()) {
    character.loads_in_mass = SX::depends_on(derivation.mass, loads);
    character.loads_in_matrices = SX::depends_on(SX::vertcat({derivation.mass, motion[2], motion[3]}), loads);
    if (character.loads_in_matrices) {
      const MotionBalance balance = balance_of_motion(derivation, motion);
      actions = SX::jacobian(SX::vertcat({balance.force, balance.acceleration}), loads);
    }
    actions = SX::sparsify(actions);
    const std::optional<SX> constant = free_of(SX(actions.nonzeros()), loads, equations);
    character.affine_loads = constant && !character.loads_in_matrices;
    if (character.affine_loads) actions = SX(actions.sparsity(), *constant);
    check_determined(equations, slopes, actions, diagnostics);
  }
  const auto function = [&](const std::string& name, const SX& result) {
    return casadi::Function(name, symbols.all(), SX::cse(std::vector<SX>{SX::vec(SX::densify(result))}));
  };
  derivation.loads = function("loads", residuals);
  derivation.load_slopes = function("load_slopes", slopes);
  derivation.load_actions = function("load_actions", actions);
  derivation.load_starts = function("load_starts", starts_of(equations));
  derivation.mass_with_loads = function("mass", character.loads_in_mass ? derivation.mass : SX(0, 1));
}

}  // namespace mechfmu
