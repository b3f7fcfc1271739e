// This file factors a symmetric positive definite matrix of a known pattern, P M Pᵀ = L Lᵀ, and takes the factors'
// derivative. Rows are taken in an order in which few nonzeros fill in. For the mass matrix of a tree this order goes
// from the outermost bodies inward, and none fill in.
#pragma once

#include "buffer.hpp"
#include "pattern.hpp"

namespace mechfmu {

/// The order of elimination always takes a row that has the fewest neighbours left. It also says where L has nonzeros
/// then.
class EliminationOrder {
 public:
  /// The pattern M is that of the lower triangle.
  EliminationOrder(Arena&, const Pattern& M);

  int at(int i) const { return order_[i]; }
  int slot(int row) const { return slot_[row]; }
  /// Is true if L has a nonzero in row i of column j, below the diagonal; i and j count in the order.
  bool filled(int i, int j) const { return connected(order_[i], order_[j]); }
  /// Returns the number of nonzeros of L below the diagonal.
  int count() const { return count_; }

 private:
  bool connected(int i, int j) const { return filled_[i * size_ + j]; }
  void connect(int i, int j) { filled_[i * size_ + j] = filled_[j * size_ + i] = true; }

  int size_, count_ = 0;
  IndexBuffer order_, slot_;  ///< rows in their order; place of each row in it
  Array<bool> filled_;        ///< row × row: true if the rows were or have become neighbours
};

/// From as many velocities on, a mechanism without constraints is factored by the nonzeros of M. The number was
/// measured on a chain, where M has no zeros (docs/method.md, large mechanisms).
constexpr int sparse_inertia_from = 4;

class SparseCholesky {
 public:
  /// The patterns list the lower triangles of a matrix and of its rate, which is zero where the matrix is.
  SparseCholesky(Arena&, const Pattern& M, const Pattern& M_rate);

  /// Returns false if M is not positive definite or NaN is in it.
  bool factor(const double* M);
  /// Computes L̇; `factor` has been called before.
  void differentiate(const double* M_rate);

  /// Computes v = Pᵀ L^{-T} u.
  void solve_transposed(const double* u, double* v) const;
  /// Computes u = L⁻¹ P x.
  void solve(const double* x, double* u) const;
  /// Computes y = Pᵀ L̇ u; `differentiate` has been called before.
  void rate_times(const double* u, double* y) const;

  /// Returns the number of nonzeros of L.
  int nonzeros() const { return begin_[size_]; }

 private:
  void find_places(const Pattern&, IndexBuffer& place) const;

  int size_, M_nonzeros_, M_rate_nonzeros_;
  EliminationOrder order_;
  IndexBuffer begin_, at_;  ///< L column by column: each column's begin, and its rows, ascending, the diagonal first
  IndexBuffer row_begin_;   ///< L row by row, without the diagonal: each row's begin in the next two members
  IndexBuffer row_entry_, row_column_;  ///< entries of each row, and their columns
  IndexBuffer place_, rate_place_;      ///< places in L of the nonzeros of the matrix and of its rate
  Buffer<dynamic> L_, L_rate_;
  mutable Buffer<dynamic> x_;  ///< the column that is computed, by row
};

}  // namespace mechfmu
