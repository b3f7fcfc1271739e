// At a communication point positions and velocities are states: an input acts through forces and constraints at once.
//
//   M v̇' − B λ' = (h + B λ − M v̇)',  C_a v̇' = −(γ + C_a v̇)',  L' = φ_v̇ v̇' + φ_λ λ' + φ_L L' + φ'
//
// with the dashes of the right-hand sides along the inputs at fixed v̇, λ and loads L; the core solves for the others.
#include "input_slopes.hpp"

#include "columns.hpp"

namespace mechfmu {

using casadi::Slice;
using casadi::SX;

namespace {

SX matrix(const casadi::Sparsity& pattern, const SX& nonzeros) { return SX(pattern, nonzeros); }

/// The derivative of a column along a direction of variables.
SX along(const SX& column, const SX& variables, const SX& direction) {
  if (column.is_empty() || !SX::depends_on(column, variables)) return SX::zeros(column.numel());
  return SX::densify(SX::jtimes(column, variables, direction));
}

}  // namespace

void add_input_slopes(Derivation& d) {
  const Symbols& s = d.equations.symbols;
  if (d.equations.input_values.empty()) return;
  const SX solved = SX::vertcat({s.acceleration, s.multipliers, s.loads});
  const SX direction = SX::sym("direction", s.inputs.numel() + solved.numel());
  const SX of_inputs = direction(Slice(0, s.inputs.numel()));
  std::vector<SX> arguments = s.all();
  arguments.push_back(direction);
  const auto function = [&](const std::string& name, const std::vector<SX>& results) {
    return casadi::Function(name, arguments, SX::cse(results));
  };

  const std::vector<SX> motion = d.acceleration(s.all());  // h, γ, C_a, B
  const SX C_a = matrix(d.C_a, motion[2]), B = d.character.ideal ? SX(C_a.T()) : matrix(d.B, motion[3]);
  const SX M = SX::tril2symm(matrix(d.M, d.stages.M));
  const SX force = SX::densify(motion[0] + SX::mtimes(B, s.multipliers) - SX::mtimes(M, s.acceleration));
  const SX gamma = SX::densify(motion[1] + SX::mtimes(C_a, s.acceleration));
  const SX loads = d.loads(s.all()).front();
  d.input_slopes = function("input_slopes", {along(force, s.inputs, of_inputs), along(gamma, s.inputs, of_inputs),
                                             along(loads, s.inputs, of_inputs)});
  for (std::size_t group = 0; group < d.outputs.size(); ++group) {
    const SX values = d.outputs[group](s.all()).front();
    d.output_slopes[group] = function(d.outputs[group].name() + "_slopes",
                                      {along(values, SX::vertcat({s.inputs, solved}), direction)});
  }
}

}  // namespace mechfmu
