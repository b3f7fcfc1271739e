// This is the only file that compiles Eigen's decompositions.
#include "decompositions.hpp"

#include <algorithm>
#include <limits>

#include <Eigen/Dense>

namespace mechfmu {

Cholesky::Cholesky(const MatrixXd& A) {
  const Eigen::LLT<MatrixXd> decomposition(A);
  factors_ = decomposition.matrixLLT();
  definite_ = decomposition.info() == Eigen::Success;
}

MatrixXd Cholesky::solve_L(const MatrixXd& B) const {
  MatrixXd X = B;
  if (X.size() == 0) return X;  // Eigen would form references to numbers that are not there.
  factors_.triangularView<Eigen::Lower>().solveInPlace(X);
  return X;
}

VectorXd Cholesky::solve_L_transposed(const VectorXd& b) const {
  VectorXd x = b;
  if (x.size() == 0) return x;  // Eigen would form references to numbers that are not there.
  factors_.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  return x;
}

VectorXd Cholesky::solve(const VectorXd& b) const {
  VectorXd x = b;
  if (x.size() == 0) return x;  // Eigen would form references to numbers that are not there.
  factors_.triangularView<Eigen::Lower>().solveInPlace(x);
  factors_.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  return x;
}

VectorXd solve_symmetric(const MatrixXd& A, const VectorXd& b) { return A.ldlt().solve(b); }

LeastSquares solve_least_squares(const MatrixXd& A, const VectorXd& b, double tolerance) {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
  decomposition.setThreshold(tolerance);
  decomposition.compute(A);
  return {static_cast<int>(decomposition.rank()), decomposition.solve(b)};
}

VectorXd solve_least_squares(const MatrixXd& A, const VectorXd& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

namespace {

unsigned asked_of(SingularValues::Vectors vectors) {
  switch (vectors) {
    case SingularValues::none: return 0;
    case SingularValues::thin: return Eigen::ComputeThinU | Eigen::ComputeThinV;
    case SingularValues::all: break;
  }
  return Eigen::ComputeFullU | Eigen::ComputeFullV;
}

}  // namespace

SingularValues::SingularValues(const MatrixXd& A, Vectors vectors) {
  const Eigen::JacobiSVD<MatrixXd> decomposition(A, asked_of(vectors));
  values = decomposition.singularValues();
  nonzero = static_cast<int>(decomposition.nonzeroSingularValues());
  if (vectors == none) return;
  U = decomposition.matrixU();
  V = decomposition.matrixV();
}

int SingularValues::rank(double tolerance) const {
  int result = nonzero;
  while (result > 0 && values[result - 1] < std::max(values[0] * tolerance, std::numeric_limits<double>::min())) {
    --result;
  }
  return result;
}

VectorXd SingularValues::solve(const VectorXd& b, int rank) const {
  const VectorXd parts = U.leftCols(rank).transpose() * b;
  return V.leftCols(rank) * (values.head(rank).asDiagonal().inverse() * parts);
}

Eigenvalues::Eigenvalues(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> decomposition(A);
  values = decomposition.eigenvalues();
  vectors = decomposition.eigenvectors();
}

int rank_of(const MatrixXd& A, double tolerance) {
  Eigen::ColPivHouseholderQR<MatrixXd> decomposition(A);
  decomposition.setThreshold(tolerance);
  return static_cast<int>(decomposition.rank());
}

VectorXd pivots_of(const MatrixXd& A) {
  return Eigen::ColPivHouseholderQR<MatrixXd>(A).matrixQR().diagonal().cwiseAbs();
}

MatrixXd reflections_of(const MatrixXd& A, double tolerance, int& rank) {
  Eigen::ColPivHouseholderQR<MatrixXd> decomposition(A);
  decomposition.setThreshold(tolerance);
  rank = static_cast<int>(decomposition.rank());
  return decomposition.householderQ() * MatrixXd::Identity(A.rows(), A.rows());
}

}  // namespace mechfmu
