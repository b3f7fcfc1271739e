// Finds what makes a motion stiff: the slopes of forces by velocities, in the directions that constraints leave.
#include "suited_method.hpp"

#include <cmath>
#include <cstdio>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>

#include "fmu_src/linear/tolerances.hpp"
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

/// Evaluates forces and constraints at the assembled positions for any v.
class ForcesAt {
 public:
  ForcesAt(const Derivation& d, const Assembled& at) : d_(d), at_(at) {}

  /// Returns h, γ, C_a and B.
  std::vector<DM> operator()(const VectorXd& v) const {
    const Symbols& s = d_.equations.symbols;
    const auto zeros = [](const casadi::SX& symbols) { return DM::zeros(symbols.numel()); };
    return d_.acceleration(std::vector<DM>{DM(0), DM(at_.q), DM(std::vector<double>(v.begin(), v.end())),
                                           DM(at_.inputs), DM(at_.parameters), zeros(s.acceleration),
                                           zeros(s.multipliers), DM(at_.angles), DM(at_.loads), zeros(s.slide)});
  }

 private:
  const Derivation& d_;
  const Assembled& at_;
};

/// Returns −∂h/∂v at rest by differences of so small velocities that stick_speeds are large beside them.
MatrixXd damping(const Derivation& d, const ForcesAt& forces) {
  const Eigen::Index n = d.sizes.velocities;
  const VectorXd at_rest = as_matrix(forces(VectorXd::Zero(n)).front());
  MatrixXd result(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const double step = velocity_of_slopes * d.equations.rate_nominal[static_cast<std::size_t>(j)];
    result.col(j) = (at_rest - VectorXd(as_matrix(forces(VectorXd::Unit(n, j) * step).front()))) / step;
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

Decay fastest_decay(const Derivation& d, const Assembled& at) {
  const Eigen::Index n = d.sizes.velocities;
  if (n == 0 || n > most_velocities_for_decay) return {};
  const ForcesAt forces(d, at);
  const MatrixXd D = damping(d, forces);
  if (!D.allFinite() || D.isZero(0)) return {};
  const MatrixXd lower = as_matrix(DM(d.M, numbers(d.mass, d.equations, at)));
  const MatrixXd M = lower.selfadjointView<Eigen::Lower>();
  MatrixXd N = MatrixXd::Identity(n, n);
  if (d.sizes.lasting_rows() > 0) {
    const DM nonzeros = forces(VectorXd::Zero(n))[2];
    const MatrixXd rows = as_matrix(DM(d.C_a, nonzeros)).topRows(d.sizes.lasting_rows());
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
  char text[160];
  std::snprintf(text, sizeof text,
                " slows %s down within %.2g s at rest: explicit methods need some %.2g steps in a communication"
                " step there",
                in_quotes(decay.velocity).c_str(), 1 / decay.rate, steps);
  return steep_frictions(description, decay.velocity) + text;
}

}  // namespace mechfmu
