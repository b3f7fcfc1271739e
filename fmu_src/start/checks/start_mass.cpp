// Checks that the mass matrix is regular at a position.
#include "start_mass.hpp"

#include "start/algebra/decompositions.hpp"

namespace mechfmu {

bool check_mass(StartMoves& w, const double* q, const char* needs_regular_M, Message& message) {
  w.matrices(VectorXd::Map(q, w.s.positions));
  const VectorXd scale = w.metric_diagonal().cwiseSqrt().cwiseInverse();
  const Entries M = w.mass_matrix();
  Entries rows(w.s.rows(), w.s.velocities, w.s.C_nonzeros), C = rows;  // C has scaled columns
  w.add_constraints(0, w.s.rows(), rows);
  for (int e = 0; e < rows.count(); ++e) C.add(rows.row(e), rows.column(e), rows.value(e) * scale[rows.column(e)]);
  const MatrixXd N =
      needs_regular_M ? MatrixXd(MatrixXd::Identity(w.s.velocities, w.s.velocities)) : w.null_space(C, nullptr);
  if (N.cols() == 0) return true;
  MatrixXd reduced(N.cols(), N.cols());
  for (int j = 0; j < N.cols(); ++j) {
    reduced.col(j) = N.transpose() * scale.cwiseProduct(M.times(scale.cwiseProduct(N.col(j))));
  }
  const Eigenvalues eigen(reduced);
  if (eigen.values[0] > least_inertia) return true;
  int worst = 0;
  (N * eigen.vectors.col(0)).cwiseAbs().maxCoeff(&worst);
  message.fail("The mass matrix is not positive definite ");
  if (needs_regular_M) message.add("(tangent basis '%s' needs it so in every direction)", needs_regular_M);
  else message.add("in the directions that the constraints leave free");
  message.add(
      ": nothing resists an acceleration of '%s' (eigenvalue %.3g, scaled by the diagonal). Give it inertia, or %s.",
      w.mechanism.velocity_names[worst], eigen.values[0],
      needs_regular_M ? "choose tangent_basis = \"partitioned\"" : "a constraint that fixes it");
  return false;
}

}  // namespace mechfmu
