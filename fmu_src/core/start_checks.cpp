// Ranks of the constraints and regularity of the mass matrix at a position.
#include "start_work.hpp"

namespace mechfmu {

ConsistentStart::Ranks ConsistentStart::ranks(double time, const double* parameters, const double* inputs, const double* q) {
  Work& w = *work_;
  w.locate(time, parameters, inputs);
  w.place = VectorXd::Map(q, w.s.positions);
  w.matrices(w.place);
  column_metric(w.mechanism.M, w.M_values.data(), w.scale.data());
  Ranks result;
  const auto rank = [&](int rows) {
    w.pivoting.clear();
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < w.s.velocities; ++j) w.pivoting.set(i, j, w.C(i, j) / std::sqrt(w.scale[j]));
    }
    return w.pivoting.eliminate(priorities(w.mechanism, w.s.rows()), w.s.velocities);
  };
  result.position = rank(w.s.position_rows);
  result.all = rank(w.s.rows());
  w.redundant.setOnes();
  for (int i = 0; i < result.all; ++i) w.redundant[w.pivoting.row(i)] = 0;
  return result;
}

bool ConsistentStart::redundant(int row) const { return work_->redundant[row] != 0; }

ConsistentStart::Ranks ConsistentStart::generic_ranks(double time, const double* parameters, const double* inputs, const double* q) {
  Work& w = *work_;
  Ranks most = ranks(time, parameters, inputs, q);
  const VectorXd start = VectorXd::Map(q, w.s.positions);
  w.matrices(start);
  const MatrixXd metric = w.metric();
  const MatrixXd N = null_space(w.C.topRows(w.s.position_rows), nullptr);
  Scatter scatter;
  VectorXd nearby = start;
  for (int trial = 0; trial < 4 && N.cols() > 0; ++trial) {
    const VectorXd z = scatter.column(static_cast<int>(N.cols()));
    const double amplitude = 1e-2 * (1 + start.cwiseAbs().maxCoeff());
    VectorXd candidate = w.moved(start, amplitude * (N * z) / std::sqrt(1.0 * z.size()));
    if (!w.close(metric, Work::always, candidate)) continue;
    const Ranks there = ranks(time, parameters, inputs, candidate.data());
    if (there.all > most.all || there.position > most.position) nearby = candidate;
    most.all = there.all > most.all ? there.all : most.all;
    most.position = there.position > most.position ? there.position : most.position;
  }
  ranks(time, parameters, inputs, nearby.data());  // which rows are redundant, where C is regular
  return most;
}

bool ConsistentStart::check_mass(double time, const double* parameters, const double* inputs, const double* q,
                                 const char* needs_regular_M, Message& message) {
  Work& w = *work_;
  w.locate(time, parameters, inputs);
  w.matrices(VectorXd::Map(q, w.s.positions));
  VectorXd metric(w.s.velocities);
  column_metric(w.mechanism.M, w.M_values.data(), metric.data());
  const VectorXd scale = metric.cwiseSqrt().cwiseInverse();
  const MatrixXd M = scale.asDiagonal() * w.M * scale.asDiagonal();
  const MatrixXd N = needs_regular_M ? MatrixXd(MatrixXd::Identity(w.s.velocities, w.s.velocities))
                                     : null_space(w.C * scale.asDiagonal(), nullptr);
  if (N.cols() == 0) return true;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(N.transpose() * M * N);
  if (eigen.eigenvalues()[0] > 1e-12) return true;
  int worst = 0;
  (N * eigen.eigenvectors().col(0)).cwiseAbs().maxCoeff(&worst);
  message.fail("The mass matrix is not positive definite ");
  if (needs_regular_M) message.add("(tangent basis '%s' needs it so in every direction)", needs_regular_M);
  else message.add("in the directions that the constraints leave free");
  message.add(": nothing resists an acceleration of '%s' (eigenvalue %.3g, scaled by the diagonal). Give it inertia, or %s.",
              w.mechanism.velocity_names[worst], eigen.eigenvalues()[0],
              needs_regular_M ? "choose tangent_basis = \"partitioned\"" : "a constraint that fixes it");
  return false;
}

}  // namespace mechfmu
