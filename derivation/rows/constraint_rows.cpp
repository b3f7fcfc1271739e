// Splits constraints into factors of velocities or accelerations and the rest.
#include "derivation/rows/constraint_rows.hpp"

#include "derivation/probe.hpp"
#include "derivation/rows/contact_rows.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

/// Returns the parts of f = factor · x + rest, neither of which depends on x. (Rows that are not linear were marked,
/// or brought to this form, before.)
std::pair<SX, SX> linear_parts(const ConstraintEquation& row, const SX& x, const Places& places,
                               const Equations& equations) {
  const SX slope = places.jacobian(row.residual);
  const SX factor = free_of(slope, x, equations, nominal_sizes(equations)).value_or(slope);
  if (!SX::depends_on(slope, x)) return {factor, SX::substitute(row.residual, x, SX::zeros(x.sparsity()))};
  const SX ones = SX::ones(x.numel());
  return {factor, SX::substitute(row.residual, x, ones) - SX::mtimes(factor, ones)};
}

/// An equilibrium is sought with all bodies at rest, where a row that is not linear has no direction to act along.
void check_may_rest(const ConstraintEquation& row, const Equations& equations, Diagnostics& diagnostics) {
  if (!equations.equilibrium) return;
  diagnostics.add(row.place,
                  "the constraint " + in_quotes(row.name) +
                      " is not linear in the velocities, and start = \"equilibrium\" looks for a start at rest",
                  "give it as a sum of velocities times factors, or start from guesses");
}

void check_direction(const ConstraintEquation& row, const SX& direction, Diagnostics& diagnostics) {
  if (direction.nnz() > 0 || row.of_joint) return;
  const char* missing = row.level == Level::position   ? "coordinate"
                        : row.level == Level::velocity ? "velocity"
                                                       : "acceleration";
  diagnostics.add(row.place,
                  "the constraint " + in_quotes(row.name) + " does not depend on any " + missing +
                      ", so nothing can fulfil it",
                  row.level == Level::position ? "use the coordinates that it is to constrain, or remove it"
                                               : "give it at the level of what it contains, or remove it");
}

}  // namespace

ConstraintRows derive_constraint_rows(const Equations& equations, const MotionRates& rates, Diagnostics& diagnostics) {
  const Places by_v(equations.symbols.v), by_acceleration(equations.symbols.acceleration);
  const casadi_int n = equations.symbols.v.numel();
  std::vector<SX> f_p{SX(0, 1)}, C{SX(0, n)}, c_t{SX(0, 1)}, f_v{SX(0, 1)}, F{SX(0, n)}, gamma{SX(0, 1)}, C_a{SX(0, n)},
      B{SX(n, 0)};
  for (const ConstraintEquation& row : equations.constraints) {
    const SX& f = row.residual;
    SX direction;
    if (row.level == Level::position) {
      direction = rates.along_velocities(f);
      f_p.push_back(f);
      c_t.push_back(SX::jacobian(f, equations.symbols.time));
      gamma.push_back(rates.at_fixed_velocities(rates.at_fixed_velocities(f)));
    } else if (is_curved(row)) {
      check_may_rest(row, equations, diagnostics);
      direction = by_v.jacobian(f);
      f_v.push_back(f);
      F.push_back(direction);
      gamma.push_back(rates.at_fixed_velocities(f));
    } else if (row.level == Level::velocity) {
      const auto [factor, rest] = linear_parts(row, equations.symbols.v, by_v, equations);
      direction = factor;
      c_t.push_back(rest);
      gamma.push_back(rates.at_fixed_velocities(f));
    } else {
      const auto [factor, rest] = linear_parts(row, equations.symbols.acceleration, by_acceleration, equations);
      direction = factor;
      gamma.push_back(rest);
    }
    check_direction(row, direction, diagnostics);
    if (row.level != Level::acceleration && !is_curved(row)) C.push_back(direction);
    if (row.kept_by_others) direction = SX(1, n), gamma.back() = 0;
    if (row.instead) {
      const SX& held = row.instead->residual;
      const bool of_positions = row.instead->level == Level::position;
      direction = of_positions ? rates.along_velocities(held) : by_v.jacobian(held);
      gamma.back() = rates.at_fixed_velocities(of_positions ? rates.at_fixed_velocities(held) : held);
    }
    C_a.push_back(direction);
    B.push_back(row.realised_by ? SX::sparsify(*row.realised_by) : direction.T());
  }
  add_contact_rows(equations, rates, gamma, C_a, B);
  return {dense_column(f_p), SX::vertcat(C),      dense_column(c_t), dense_column(f_v),
          SX::vertcat(F),    dense_column(gamma), SX::vertcat(C_a),  SX::horzcat(B)};
}

}  // namespace mechfmu
