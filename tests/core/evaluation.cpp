// Evaluates a mechanism's equations at one point as dense matrices.
#include "evaluation.hpp"

#include <Eigen/SVD>
#include <catch2/catch.hpp>

#include "fmu_src/linear/pivoting.hpp"
#include "fmu_src/linear/products.hpp"

namespace mechfmu::testing {

PointAt::PointAt(const Loaded& loaded, double t, VectorXd q)
    : q_(std::move(q)), work_(static_cast<std::size_t>(loaded.sizes().work) + 1) {
  point_.time = t;
  point_.q = q_.data();
  point_.parameters = loaded.parameters().data();
  point_.inputs = loaded.inputs().data();
  point_.work = work_.data();
  point_.context = loaded.table().context;
  loaded.table().prepare(point_);
}

Evaluation::Evaluation(const Loaded& loaded, double t, const VectorXd& q, const VectorXd& v) {
  const Mechanism& m = loaded.table();
  const Sizes& s = m.sizes;
  const PointAt at(loaded, t, q);
  Point p = *at;
  p.v = v.data();

  const int n = s.velocities;
  M_values.resize(m.M.nonzeros + 1);
  C_values.resize(m.C.nonzeros + 1);
  M_rate_values.resize(m.M_rate.nonzeros + 1);
  C_rate_values.resize(m.C_rate.nonzeros + 1);
  c_t.setZero(s.rows());
  g.setZero(n);
  m.position(p, M_values.data(), C_values.data(), c_t.data());
  m.velocity(p, g.data(), C_rate_values.data(), M_rate_values.data());
  std::vector<double> C_a_values(m.C_a.nonzeros + 1), B_values(m.B.nonzeros + 1);
  h.setZero(n);
  gamma.setZero(s.all_rows());
  m.acceleration(p, h.data(), gamma.data(), C_a_values.data(), B_values.data());
  f.setZero(s.position_rows);
  m.violation(p, f.data());

  M.resize(n, n);
  M_rate.resize(n, n);
  C.resize(s.rows(), n);
  C_rate.resize(s.rows(), n);
  C_a.resize(s.all_rows(), n);
  expand_symmetric(m.M, M_values.data(), M.data());
  expand_symmetric(m.M_rate, M_rate_values.data(), M_rate.data());
  expand(m.C, C_values.data(), C.data());
  expand(m.C_rate, C_rate_values.data(), C_rate.data());
  expand(m.C_a, C_a_values.data(), C_a.data());
  if (m.character.ideal) {
    B = C_a.transpose();
  } else {
    B.resize(n, s.all_rows());
    expand(m.B, B_values.data(), B.data());
  }
}

VectorXd positions(const Simulation& simulation) {
  return VectorXd::Map(simulation.positions(), simulation.mechanism().sizes.positions);
}
VectorXd velocities(const Simulation& simulation) {
  return VectorXd::Map(simulation.velocities(), simulation.mechanism().sizes.velocities);
}
bool Evaluation::has_regular_M() const { return Eigen::LLT<MatrixXd>(M).info() == Eigen::Success; }

Evaluation evaluate(const Loaded& loaded, const Simulation& simulation) {
  return Evaluation(loaded, simulation.time(), positions(simulation), velocities(simulation));
}

MatrixXd null_space(const MatrixXd& A) {
  if (A.rows() == 0) return MatrixXd::Identity(A.cols(), A.cols());
  Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullV);
  svd.setThreshold(rank_tolerance);
  return svd.matrixV().rightCols(A.cols() - svd.rank());
}

ChoiceAt::ChoiceAt(const Loaded& loaded, const Evaluation& at)
    : n_(loaded.sizes().velocities), k_(loaded.sizes().degrees_of_freedom()), choice_(memory_, loaded.sizes()),
      covectors_(n_ * k_ + 1) {
  std::vector<double> metric(n_);
  column_metric(loaded.table().M, at.M_values.data(), loaded.table().nominal, metric.data());
  REQUIRE(choice_.by_pivoting(loaded.table(), at.C_values.data(), metric.data()));
  unit_covectors();
}

void ChoiceAt::independent(const std::vector<int>& columns) {
  choice_.take_independent(columns.data());
  unit_covectors();
}

void ChoiceAt::unit_covectors() {
  std::fill(covectors_.begin(), covectors_.end(), 0);
  for (int j = 0; j < k_; ++j) covectors_[choice_.independent[j] + j * n_] = 1;
  choice_.covectors = covectors_.data();
}

}  // namespace mechfmu::testing
