// Eigen's decompositions, which tests hold results against: behind functions, so that their templates are compiled once
// for all test programs.
#pragma once

#include <Eigen/Core>

namespace mechfmu::testing {

Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& A);

double determinant_of(const Eigen::MatrixXd& A);

/// Returns the x with A x = b, by complete pivoting.
Eigen::VectorXd solution_of(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// Returns the same for a positive definite matrix, by Cholesky's factors.
Eigen::VectorXd definite_solution_of(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// Returns the shortest of the x with the smallest |A x − b|.
Eigen::VectorXd least_squares_of(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// Returns the smallest number on the diagonal of R, A P = Q R, where P takes the longest column that is left.
double smallest_pivot_of(const Eigen::MatrixXd& A);

/// Returns the rank by complete pivoting.
int rank_of(const Eigen::MatrixXd& A);

/// Returns the R with Rᵀ R = A.
Eigen::MatrixXd upper_factor_of(const Eigen::MatrixXd& A);

Eigen::VectorXd singular_values_of(const Eigen::MatrixXd& A);

/// Returns the eigenvalues of a symmetric matrix in rising order.
Eigen::VectorXd eigenvalues_of(const Eigen::MatrixXd& A);

}  // namespace mechfmu::testing
