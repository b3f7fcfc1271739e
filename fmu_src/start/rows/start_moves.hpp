// Declares the linear algebra of the start: which moves lead onto rows, and what rows leave free. Small mechanisms are
// solved by dense orthogonal decompositions, sparse ones by factors with pivots of their own (start_sparse.cpp).
#pragma once

#include "start_equations.hpp"

namespace mechfmu {

/// From so many velocities on, damped moves come from eigenvalues, which cost less than singular values.
inline constexpr int damped_by_eigenvalues_from = 40;

class StartMoves : public StartEquations {
 public:
  using StartEquations::StartEquations;

  /// Returns Δ with J Δ = −f, for rows of length one, smallest in the metric G. It is that of least squares where J is
  /// rank-deficient (if the start is sparse: of as many rows as are independent). Only columns that are not fixed move.
  /// `lengths` are the lengths of the rows, if they are not to be taken from J.
  VectorXd smallest_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed,
                         const VectorXd* lengths = nullptr) const;
  /// Returns null vectors of J with zeros at the fixed columns, orthonormal.
  MatrixXd null_space(const Entries& J, const bool* fixed) const;
  /// Returns μ with Jᵀ μ as near to `slope` as it goes, in the columns that are not fixed.
  VectorXd multipliers(const Entries& J, const VectorXd& slope, const bool* fixed) const;
  int rank(const Entries& J, const bool* without) const;
  /// Returns the rank of rows that are at most as long as one, counting pivots above the level.
  int rank_at(double level, const Entries& J, const bool* without) const;
  /// Splits J at a level. Its rows are at most as long as one. The second form takes at most `most` of the values above
  /// the level.
  LevelSplit split_at(const Entries& J, const VectorXd& f, const bool* fixed, double level) const {
    return split_at(J, f, fixed, level, J.rows());
  }
  LevelSplit split_at(const Entries& J, const VectorXd& f, const bool* fixed, double level, int most) const;

  /// Takes the Δ that minimise |J Δ + f|² + μ |Δ|², with |Δ| in the metric (Levenberg, Marquardt), and returns the
  /// largest that largest_move allows. If J is nearly singular, a shortened Newton step would run far along directions
  /// that J hardly sees.
  VectorXd damped_move(const Entries& J, const VectorXd& f, const Entries& metric, const bool* fixed,
                       const VectorXd& q) const;

 private:
  template <class Damped>
  VectorXd largest_of(const Damped& damped, const VectorXd& q) const;
};

/// Returns null vectors of J with zeros at the fixed columns, orthonormal.
MatrixXd null_space(const MatrixXd& J, const bool* fixed);

/// Returns the columns that are not fixed.
Eigen::VectorXi free_columns(int count, const bool* fixed);

}  // namespace mechfmu
