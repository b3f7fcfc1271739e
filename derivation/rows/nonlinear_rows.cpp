// A velocity constraint f(t, q, v) = 0 that is linear in v is a row of C. Any other one holds the motion by its rate,
// (∂f/∂v) v̇ + γ = 0, which is a row of C_a alone (Phong 2002, (2.15)). An acceleration constraint f(t, q, v, v̇) = 0
// that is not linear in v̇ is solved together with M v̇ = h + Bλ by Newton's method (Phong 2002, A.3 step 7).
#include "derivation/rows/nonlinear_rows.hpp"

#include <algorithm>
#include <map>

#include "derivation/probe.hpp"
#include "equations/columns.hpp"

namespace mechfmu {

using casadi::SX;

Equations with_nonlinear_rows_marked(Equations e) {
  const Places velocities(e.symbols.v), accelerations(e.symbols.acceleration);
  for (ConstraintEquation& row : e.constraints) {
    if (row.level == Level::position) continue;
    const bool of_velocities = row.level == Level::velocity;
    row.nonlinear = !free_of((of_velocities ? velocities : accelerations).jacobian(row.residual),
                             of_velocities ? e.symbols.v : e.symbols.acceleration, e, nominal_sizes(e));
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < e.constraints.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const ConstraintEquation &one = e.constraints[a], &other = e.constraints[b];
    return one.level != other.level ? one.level < other.level : one.nonlinear < other.nonlinear;
  });
  if (std::is_sorted(order.begin(), order.end())) return e;
  std::vector<ConstraintEquation> rows;
  std::vector<SX> multipliers;
  for (const std::size_t i : order) {
    rows.push_back(e.constraints[i]);
    multipliers.push_back(e.symbols.multipliers(static_cast<casadi_int>(i)));
  }
  e.constraints = std::move(rows);
  e.symbols.multipliers = column(multipliers);
  return e;
}

namespace {

/// Returns the indices of the accelerations that slopes of these rows contain, each with the first such row.
std::map<casadi_int, std::size_t> sought_accelerations(const Equations& e, const std::vector<std::size_t>& rows) {
  std::map<casadi_int, std::size_t> result;
  const SX& accelerations = e.symbols.acceleration;
  const Places places(accelerations);
  for (const std::size_t i : rows) {
    const SX slopes = nonzeros(places.jacobian(e.constraints[i].residual));
    for (const casadi_int j : SX::jacobian_sparsity(SX::densify(slopes), accelerations).get_col()) result.emplace(j, i);
  }
  return result;
}

}  // namespace

Equations with_accelerations_sought(Equations e) {
  const SX& accelerations = e.symbols.acceleration;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < e.constraints.size(); ++i) {
    if (e.constraints[i].level == Level::acceleration && e.constraints[i].nonlinear) rows.push_back(i);
  }
  if (rows.empty()) return e;
  std::vector<SX> real, sought;
  for (const auto& [j, row] : sought_accelerations(e, rows)) {
    const auto index = static_cast<std::size_t>(j);
    const Shown& shown = e.accelerations[index];
    real.push_back(accelerations(j));
    sought.push_back(SX::sym(shown.name));
    LoadEquation load{shown.name, e.constraints[row].place, sought.back() - real.back(), SX(0), shown.unit, shown.unit};
    load.nominal = index < e.rate_nominal.size() ? e.rate_nominal[index] / e.duration : 1;
    load.nominal_origin = NominalOrigin::mechanism_sizes;
    load.row = static_cast<int>(row);
    e.loads.push_back(load);
  }
  const SX at = column(real), s = column(sought);
  for (const std::size_t i : rows) {
    SX& f = e.constraints[i].residual;
    const SX slopes = SX::jacobian(f, at), there = SX::substitute(SX::vertcat({f, slopes.T()}), at, s);
    f = there(0) + SX::dot(there(casadi::Slice(1, 1 + at.numel())), at - s);
  }
  e.symbols.loads = SX::vertcat({e.symbols.loads, s});
  return e;
}

}  // namespace mechfmu
