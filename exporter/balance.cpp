// Along any direction of time, state and inputs, at fixed v̇, λ, loads L and z,
//
//   M v̇' − B λ' = (h + B λ − M v̇)',  C_a v̇' = −(γ + C_a v̇)',  L' = φ_v̇ v̇' + φ_λ λ' + φ_L L' + φ'
//
// and the core solves for v̇', λ' and L'. Violations are among the results, since what stabilises a motion in model
// exchange is made of them. With Bᵀ z = λ the multipliers of least norm stay so: for B n = 0 also n'ᵀ λ = −nᵀ (Bᵀ z)'.
#include "balance.hpp"

namespace mechfmu {

using casadi::SX;

casadi::Function balance_of(const Derivation& d) {
  const Symbols& s = d.equations.symbols;
  const SX carrier = SX::sym("carrier", s.v.numel());
  std::vector<SX> arguments = s.all();
  const std::vector<SX> motion = d.acceleration(arguments);  // h, γ, C_a, B
  const SX loads = d.loads(arguments).front(), violation = d.violation(arguments).front();
  const SX C_a(d.C_a, motion[2]), C(d.C, d.stages.C), M = SX::tril2symm(SX(d.M, d.stages.M));
  const SX B = d.character.ideal ? SX(C_a.T()) : SX(d.B, motion[3]);
  const SX balance = SX::densify(SX::vertcat({
      motion[0] + SX::mtimes(B, s.multipliers) - SX::mtimes(M, s.acceleration),
      motion[1] + SX::mtimes(C_a, s.acceleration),
      loads,
      violation,
      SX::mtimes(C, s.v) + d.stages.c_t,
      SX::mtimes(B.T(), carrier),
  }));
  arguments.push_back(carrier);
  return casadi::Function("balance", arguments, SX::cse(std::vector<SX>{balance}));
}

}  // namespace mechfmu
