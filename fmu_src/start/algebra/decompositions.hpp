// Decompositions of small dense matrices for the start. They are Eigen's, behind functions: its templates are compiled
// once, in decompositions.cpp, and not in each file that solves something.
#pragma once

#include <Eigen/Core>

namespace mechfmu {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Solves with A = L Lᵀ, where A is symmetric.
class Cholesky {
 public:
  explicit Cholesky(const MatrixXd& A);
  /// Is true if A is positive definite.
  bool is_definite() const { return definite_; }
  /// Returns L⁻¹ B.
  MatrixXd solve_L(const MatrixXd& B) const;
  /// Returns L⁻ᵀ b.
  VectorXd solve_L_transposed(const VectorXd& b) const;
  /// Returns A⁻¹ b.
  VectorXd solve(const VectorXd& b) const;

 private:
  MatrixXd factors_;  ///< L; above its diagonal stand numbers of A
  bool definite_;
};

/// Returns A⁻¹ b by A = L D Lᵀ, where A is symmetric.
VectorXd solve_symmetric(const MatrixXd& A, const VectorXd& b);

/// x has the smallest |A x − b|; if several x have it, this one is the shortest.
struct LeastSquares {
  int rank;
  VectorXd x;
};
/// Takes pivots up to `tolerance` times the largest for zero.
LeastSquares solve_least_squares(const MatrixXd& A, const VectorXd& b, double tolerance);
/// Takes pivots that are rounding for zero.
VectorXd solve_least_squares(const MatrixXd& A, const VectorXd& b);

/// Finds A = U Σ Vᵀ.
struct SingularValues {
  enum Vectors { none, thin, all };
  SingularValues(const MatrixXd& A, Vectors);

  /// Returns how many values are at least `tolerance` times the largest.
  int rank(double tolerance) const;
  /// Returns the x with the smallest |A x − b| by the first `rank` values.
  VectorXd solve(const VectorXd& b, int rank) const;

  VectorXd values;
  MatrixXd U, V;
  int nonzero;
};

/// Finds A = V Λ Vᵀ, where A is symmetric. The eigenvalues are in rising order.
struct Eigenvalues {
  explicit Eigenvalues(const MatrixXd& A);

  VectorXd values;
  MatrixXd vectors;
};

/// Returns the rank by Householder's reflections, largest columns first: it counts pivots above `tolerance` times the
/// largest.
int rank_of(const MatrixXd& A, double tolerance);
/// Returns the sizes of these pivots.
VectorXd pivots_of(const MatrixXd& A);
/// Returns the product of these reflections: the first `rank` columns span those of A, the others are orthogonal to
/// them.
MatrixXd reflections_of(const MatrixXd& A, double tolerance, int& rank);

}  // namespace mechfmu
