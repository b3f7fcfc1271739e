// A symmetric positive definite matrix of a known pattern in factors, P M Pᵀ = L Lᵀ, and their derivative. Rows are
// taken in an order in which few nonzeros fill in: for the mass matrix of a tree, from the outermost bodies inward,
// none.
#pragma once

#include "buffer.hpp"
#include "pattern.hpp"

namespace mechfmu {

/// The order of elimination: always a row that has the fewest neighbours left; and where L has nonzeros then.
class EliminationOrder {
 public:
  /// The lower triangle of a pattern.
  EliminationOrder(Arena&, const Pattern& M);

  int at(int i) const { return order_[i]; }
  int slot(int row) const { return slot_[row]; }
  /// Of L below the diagonal, in the order: row i of column j.
  bool filled(int i, int j) const { return connected(order_[i], order_[j]); }
  int count() const { return count_; }

 private:
  bool connected(int i, int j) const { return filled_[i * size_ + j]; }
  void connect(int i, int j) { filled_[i * size_ + j] = filled_[j * size_ + i] = true; }

  int size_, count_ = 0;
  IndexBuffer order_, slot_;
  Array<bool> filled_;
};

/// From as many velocities on, a mechanism without constraints is factored along the nonzeros of M: measured, of a
/// chain, where M has no zeros (docs/method.md, large mechanisms).
constexpr int sparse_inertia_from = 4;

class SparseCholesky {
 public:
  /// Patterns of the lower triangles of a matrix and of its rate, which is zero where the matrix is.
  SparseCholesky(Arena&, const Pattern& M, const Pattern& M_rate);

  /// False: not positive definite, or NaN in it.
  bool factor(const double* M);
  /// L̇, after factor.
  void differentiate(const double* M_rate);

  /// v = Pᵀ L^{-T} u
  void along(const double* u, double* v) const;
  /// u = L⁻¹ P x
  void solve(const double* x, double* u) const;
  /// y = Pᵀ L̇ u, after differentiate.
  void rate_times(const double* u, double* y) const;

  /// Of L.
  int nonzeros() const { return begin_[size_]; }

 private:
  void find_places(const Pattern&, IndexBuffer& place) const;

  int size_, M_nonzeros_, M_rate_nonzeros_;
  EliminationOrder order_;
  IndexBuffer begin_, at_;  ///< L column by column: where each begins, and its rows, ascending; the diagonal first
  IndexBuffer row_begin_;   ///< L row by row, without the diagonal:
  IndexBuffer row_entry_, row_column_;  ///< entries, and their columns
  IndexBuffer place_, rate_place_;      ///< of the matrix's nonzeros in L
  Buffer<dynamic> L_, L_rate_;
  mutable Buffer<dynamic> x_;
};

}  // namespace mechfmu
