// Solves and factors by Eigen's decompositions.
#include "peers.hpp"

#include <Eigen/Dense>

namespace mechfmu::testing {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd inverse_of(const MatrixXd& A) { return A.inverse(); }
double determinant_of(const MatrixXd& A) { return A.determinant(); }
VectorXd solution_of(const MatrixXd& A, const VectorXd& b) { return A.fullPivLu().solve(b); }
VectorXd definite_solution_of(const MatrixXd& A, const VectorXd& b) { return A.llt().solve(b); }
VectorXd least_squares_of(const MatrixXd& A, const VectorXd& b) { return A.completeOrthogonalDecomposition().solve(b); }
double smallest_pivot_of(const MatrixXd& A) {
  return A.colPivHouseholderQr().matrixQR().diagonal().cwiseAbs().minCoeff();
}
int rank_of(const MatrixXd& A) { return static_cast<int>(A.fullPivLu().rank()); }
MatrixXd upper_factor_of(const MatrixXd& A) { return A.llt().matrixU(); }
VectorXd singular_values_of(const MatrixXd& A) { return Eigen::JacobiSVD<MatrixXd>(A).singularValues(); }
VectorXd eigenvalues_of(const MatrixXd& A) { return Eigen::SelfAdjointEigenSolver<MatrixXd>(A).eigenvalues(); }

}  // namespace mechfmu::testing
