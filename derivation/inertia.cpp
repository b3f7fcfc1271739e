// Derives the mass matrix, and checks that energies and matrices have the form that this needs.
#include "inertia.hpp"

#include "probe.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

SX gradient_column(const SX& expression, const SX& variables) {
  return SX::densify(SX::gradient(expression, variables));
}

SX at_zero(const SX& expression, const SX& variables) {
  return SX::substitute(expression, variables, SX::zeros(variables.sparsity()));
}

SX applied_forces(const Equations& equations, const MotionRates& rates) {
  SX Q = SX::densify(equations.forces);
  if (!equations.potential_energy) return Q;
  const SX& V = *equations.potential_energy;
  return Q - (equations.quaternions.empty() ? gradient_column(V, equations.symbols.q)
                                            : SX::densify(rates.along_velocities(V).T()));
}

void check_symmetry(const SX& M, const Equations& equations, Diagnostics& diagnostics) {
  if (!equations.mass_matrix) return;
  for (casadi_int i = 0; i < M.size1(); ++i)
    for (casadi_int j = 0; j < i; ++j)
      if (!SX::is_equal(SX(M(i, j)), SX(M(j, i)), 50) && !agree(SX(M(i, j)), SX(M(j, i)), equations))
        diagnostics.add(equations.energy_place,
                        "the mass matrix is not symmetric in the entries of " +
                            in_quotes(equations.positions[static_cast<std::size_t>(i)].name) + " and " +
                            in_quotes(equations.positions[static_cast<std::size_t>(j)].name),
                        "give entry (i, j) and entry (j, i) the same value");
}

}  // namespace

InertiaTerms derive_inertia(const Equations& equations, Diagnostics& diagnostics) {
  const SX& T = equations.kinetic_energy;
  const SX& v = equations.symbols.v;
  InertiaTerms inertia;
  if (equations.inertia_forces) {
    inertia.M = without_cancelling(SX::sparsify(SX::tril(equations.mass_matrix.value())), equations);
    inertia.M = SX::sparsify(inertia.M);
    return inertia;
  }
  inertia.momentum = gradient_column(T, v);
  const std::vector<double> sizes = nominal_sizes(equations);
  std::vector<double> of_entries;
  for (const double column : sizes)
    for (const double row : sizes) of_entries.push_back(row * column);
  const std::optional<SX> M =
      equations.mass_matrix ? equations.mass_matrix
                            : free_of(Places(v).jacobian(inertia.momentum), v, equations, of_entries);
  if (!M) {
    diagnostics.add(equations.energy_place, "the kinetic energy is not quadratic in the velocities",
                    "write it as a sum of squares and products of velocities; other forces belong in "
                    "[dynamics.forces]");
    inertia.M = SX(v.numel(), v.numel());
    inertia.b = SX::zeros(v.numel());
    inertia.T0 = 0;
    return inertia;
  }
  check_symmetry(*M, equations, diagnostics);
  inertia.M = SX::sparsify(without_cancelling(SX::sparsify(SX::tril(*M)), equations));
  if (SX::depends_on(SX::jacobian(inertia.momentum, v), v)) {  // a quadratic form in disguise: taken at v = 1
    const SX ones = SX::ones(v.numel());
    inertia.b = SX::densify(SX::substitute(inertia.momentum, v, ones) - SX::mtimes(*M, ones));
    inertia.T0 = SX::substitute(T, v, ones) - SX::dot(inertia.b, ones) - SX::bilin(*M, ones, ones) / 2;
  } else {
    inertia.b = SX::densify(at_zero(inertia.momentum, v));
    inertia.T0 = at_zero(T, v);
  }
  return inertia;
}

ForceTerms derive_forces(const Equations& equations, const InertiaTerms& inertia, const SX& M_rate,
                         const MotionRates& rates) {
  const SX Q = applied_forces(equations, rates);
  if (equations.inertia_forces) {
    const SX h = Q + SX::densify(*equations.inertia_forces);
    return {h + SX::densify(SX::mtimes(SX::tril2symm(M_rate), equations.symbols.v)), h, Q};
  }
  const Symbols& s = equations.symbols;
  const SX alone = SX::vertcat({s.time, s.states}), alone_rates = SX::vertcat({SX(1), equations.state_rates()});
  const SX Q_and_inertia = Q + gradient_column(equations.kinetic_energy, equations.symbols.q);
  return {Q_and_inertia - SX::densify(rates.at_fixed_velocities(inertia.b)),
          Q_and_inertia - SX::densify(rates.at_fixed_velocities(inertia.momentum)),
          Q + gradient_column(inertia.T0, equations.symbols.q) -
              SX::densify(SX::jtimes(inertia.b, alone, alone_rates))};
}

}  // namespace mechfmu
