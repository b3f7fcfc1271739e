// Finds what makes a motion stiff: the slopes of forces by velocities, in the directions that constraints leave.
#include "suited_method.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>

#include "fmu_src/linear/tolerances.hpp"
#include "fmu_src/mechanism/families.hpp"
#include "fmu_src/stepping/member_facts.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"

namespace mechfmu {

using casadi::DM;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

MatrixXd as_matrix(const DM& given) {
  const std::vector<double> values = DM::densify(given).nonzeros();
  return Eigen::Map<const MatrixXd>(values.data(), given.size1(), given.size2());
}

/// Returns −∂h/∂v at rest by differences of so small velocities that stick_speeds are large beside them.
MatrixXd damping(const Derivation& d, Assembled at_rest, const DM& forces_at_rest) {
  const VectorXd h = as_matrix(forces_at_rest);
  MatrixXd result(h.size(), h.size());
  for (std::size_t j = 0; j < at_rest.v.size(); ++j) {
    const double step = velocity_of_slopes * d.equations.rate_nominal[j];
    at_rest.v[j] = step;
    const VectorXd moved = as_matrix(d.acceleration(symbol_values(d.equations, at_rest)).front());
    at_rest.v[j] = 0;
    result.col(static_cast<Eigen::Index>(j)) = (h - moved) / step;
  }
  return result;
}

/// Names the frictions with a stick_speed that act on this velocity.
std::string steep_frictions(const Description& description, const std::string& velocity) {
  std::vector<std::string> names;
  for (const Force& force : description.forces) {
    if (force.numbers.count("stick_speed") > 0 && "der(" + force.coordinate + ")" == velocity)
      names.push_back(in_quotes(force.name));
  }
  return names.empty() ? "damping" : "the stick_speed of the friction " + listed(names);
}

}  // namespace

Decay fastest_decay(const Derivation& d, Assembled at) {
  const Eigen::Index n = d.sizes.velocities;
  if (n == 0 || n > most_velocities_for_decay) return {};
  std::fill(at.v.begin(), at.v.end(), 0);
  const std::vector<DM> at_rest = d.acceleration(symbol_values(d.equations, at));  // h, γ, C_a, B
  const MatrixXd D = damping(d, at, at_rest[0]);
  if (!D.allFinite() || D.isZero(0)) return {};
  const MatrixXd lower = as_matrix(DM(d.M, numbers(d.mass, d.equations, at)));
  const MatrixXd M = lower.selfadjointView<Eigen::Lower>();
  MatrixXd N = MatrixXd::Identity(n, n);
  if (d.sizes.lasting_rows() > 0) {
    const MatrixXd rows = as_matrix(DM(d.C_a, at_rest[2])).topRows(d.sizes.lasting_rows());
    Eigen::FullPivLU<MatrixXd> lu;
    lu.setThreshold(rank_tolerance);
    lu.compute(rows);
    if (lu.dimensionOfKernel() == 0) return {};
    N = lu.kernel();
  }
  const MatrixXd damped = N.transpose() * (D + D.transpose()) * N / 2, mass = N.transpose() * M * N;
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> decays(damped, mass);
  if (decays.info() != Eigen::Success || !decays.eigenvalues().allFinite()) return {};
  const VectorXd fastest = N * decays.eigenvectors().rightCols<1>();
  Eigen::Index most = 0;
  double largest = 0;
  for (Eigen::Index j = 0; j < n; ++j) {
    const double change = std::fabs(fastest[j]) / d.equations.rate_nominal[static_cast<std::size_t>(j)];
    if (change > largest) largest = change, most = j;
  }
  return {decays.eigenvalues()[decays.eigenvalues().size() - 1],
          d.equations.velocities[static_cast<std::size_t>(most)].name};
}

std::string stiffness_text(const Decay& decay, const Description& description) {
  const double steps = decay.rate * description.solver.communication_step / explicit_stability;
  if (!(steps > stiff_steps)) return "";
  const auto two_digits = [](double number) {
    char text[16];
    std::snprintf(text, sizeof text, "%.2g", number);
    return std::string(text);
  };
  return steep_frictions(description, decay.velocity) + " slows " + in_quotes(decay.velocity) + " down within " +
         two_digits(1 / decay.rate) + " s at rest: explicit methods need some " + two_digits(steps) +
         " steps in a communication step there";
}

std::string method_for_stiff() {
  int method = 0;
  while (!serves_stiff(method)) ++method;
  return integration_methods[method];
}

}  // namespace mechfmu
