// Along any direction of time, state and inputs, at fixed v̇, λ, loads L and z,
//
//   M v̇' − B λ' = (h + B λ − M v̇)',  C_a v̇' = −(γ + C_a v̇)',  F_v̇ v̇' + F_λ λ' + F_L L' = −F'
//
// and the core solves for v̇', λ' and L'. Violations are among the results, and gaps and speeds of rows that come and
// go, since what stabilises a motion in model exchange is made of them. With Bᵀ z = λ the multipliers of least norm
// stay so: for B n = 0 also n'ᵀ λ = −nᵀ (Bᵀ z)'.
#include "balance.hpp"

#include "equations/sharing.hpp"

namespace mechfmu {

using casadi::SX;

MotionBalance balance_of_motion(const Derivation& d, const std::vector<SX>& motion) {
  const Symbols& s = d.equations.symbols;
  const SX C_a(d.C_a, motion[2]), M = SX::tril2symm(SX(d.M, d.mass));
  const SX B = d.character.ideal ? SX(C_a.T()) : SX(d.B, motion[3]);
  return {motion[0] + SX::mtimes(B, s.multipliers) - SX::mtimes(M, s.acceleration),
          motion[1] + SX::mtimes(C_a, s.acceleration)};
}

casadi::Function balance_of(const Derivation& d) {
  const Symbols& s = d.equations.symbols;
  const SX preimage = SX::sym("preimage", s.v.numel());
  std::vector<SX> arguments = s.all();
  const std::vector<SX> motion = d.acceleration(arguments);  // h, γ, C_a, B
  const SX loads = d.loads(arguments).front(), violation = d.violation(arguments).front();
  const MotionBalance moving = balance_of_motion(d, motion);
  const SX C_a(d.C_a, motion[2]), C(d.C, d.stages.C);
  const SX B = d.character.ideal ? SX(C_a.T()) : SX(d.B, motion[3]);
  const SX balance = SX::densify(SX::vertcat({
      moving.force,
      moving.acceleration,
      loads,
      violation,
      SX::mtimes(C, s.v) + d.stages.c_t,
      SX::mtimes(B.T(), preimage),
      d.gaps(arguments).front(),
      d.contact_speeds(arguments).front(),
  }));
  arguments.push_back(preimage);
  return casadi::Function("balance", arguments, shared({balance}));
}

casadi::Function start_of(const Derivation& d) {
  const std::vector<SX> arguments = d.equations.symbols.all();
  std::vector<SX> results{SX(0, 1)};
  for (const casadi::Function* function : {&d.nonlinear, &d.violation, &d.start_positions, &d.start_velocities,
                                           &d.start_guesses, &d.guess, &d.calculate}) {
    for (const SX& result : (*function)(arguments)) results.push_back(SX::densify(result));
  }
  results.insert(results.begin() + 1, {d.stages.M, d.stages.C, SX::densify(d.stages.c_t)});
  return casadi::Function("start", arguments, shared({SX::vertcat(results)}));
}

}  // namespace mechfmu
