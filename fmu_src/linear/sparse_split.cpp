// This file finds pivots, then factors in their order.
#include "sparse_split.hpp"

#include "dense.hpp"

namespace mechfmu {

SparseSplit::SparseSplit(Arena& arena, int rows, int columns, int most_nonzeros)
    : rows_(rows), columns_(columns), entry_row_(arena, most_nonzeros), entry_column_(arena, most_nonzeros),
      values_(arena, most_nonzeros), pivoting_(arena, rows, columns, most_nonzeros),
      factors_(arena, rows < columns ? rows : columns, most_nonzeros), row_(arena, rows), column_(arena, columns),
      row_slot_(arena, rows), column_slot_(arena, columns), x_(arena, rows > columns ? rows : columns) {}

int SparseSplit::split(const Priorities& priorities, int limit, const double* metric, double tolerance) {
  pivoting_.take(pattern(), values_.data());
  if (metric != nullptr) pivoting_.scale_columns(metric);
  rank_ = pivoting_.eliminate(priorities, limit, tolerance);
  for (int i = 0; i < rows_; ++i) {
    row_[i] = pivoting_.row(i);
    row_slot_[row_[i]] = i < rank_ ? i : -1;
  }
  for (int j = 0; j < columns_; ++j) {
    column_[j] = pivoting_.column(j);
    column_slot_[column_[j]] = j < rank_ ? j : -1;
  }
  factors_.forget();
  const OrderedFactors::Order order{rank_, row_.data(), column_.data(), row_slot_.data(), column_slot_.data()};
  const bool done = !pivoting_.full() && factors_.arrange(pattern(), order) &&
                    (rank_ == 0 || factors_.factor(pattern(), values_.data()) > 0);
  return done ? rank_ : -1;
}

void SparseSplit::particular(const double* b, double* x) const {
  for (int i = 0; i < rank_; ++i) x_[i] = b[row_[i]];
  factors_.solve(x_.data());
  dense::fill(columns_, 0, x);
  for (int j = 0; j < rank_; ++j) x[column_[j]] = x_[j];
}

void SparseSplit::null_vector(int j, double* x) const {
  const int own = column_[rank_ + j];
  dense::fill(rank_, 0, x_.data());
  for (int e = 0; e < count_; ++e) {
    if (entry_column_[e] == own && row_slot_[entry_row_[e]] >= 0) x_[row_slot_[entry_row_[e]]] = -values_[e];
  }
  factors_.solve(x_.data());
  dense::fill(columns_, 0, x);
  for (int i = 0; i < rank_; ++i) x[column_[i]] = x_[i];
  x[own] = 1;
}

void SparseSplit::multipliers(const double* c, double* y) const {
  for (int j = 0; j < rank_; ++j) x_[j] = c[column_[j]];
  factors_.solve_transposed(x_.data());
  dense::fill(rows_, 0, y);
  for (int i = 0; i < rank_; ++i) y[row_[i]] = x_[i];
}

}  // namespace mechfmu
