// Pivots split a sparse matrix into independent rows p and columns d, with A_pd in factors, and the columns e that are
// left. Three things follow from this: x with A x = b, null vectors, and y with Aᵀ y = c. The class serves where such a
// matrix is met anew each time: at the start and for reactions. Nothing is allocated after construction.
#pragma once

#include "ordered_factors.hpp"
#include "pivoting.hpp"

namespace mechfmu {

class SparseSplit {
 public:
  SparseSplit(Arena&, int rows, int columns, int most_nonzeros);

  void clear() { count_ = 0; }
  /// Sets an entry; no entry is set twice.
  void set(int row, int column, double value) {
    entry_row_[count_] = row;
    entry_column_[count_] = column;
    values_[count_++] = value;
  }
  /// Finds `limit` pivots at most, with columns measured in the metric (if it is nullptr, they stay as they are), and
  /// factors. Returns how many pivots there are, or -1 if there is no room for what fills in or a number is NaN.
  int split(const Priorities&, int limit, const double* metric, double tolerance = rank_tolerance);

  int rank() const { return rank_; }
  /// The two functions return rows and columns in the order of their pivots; then the others follow.
  int row(int i) const { return row_[i]; }
  int column(int j) const { return column_[j]; }

  /// Computes x, which is zero in the columns that are left: the rows p of A x are those of b.
  void particular(const double* b, double* x) const;
  /// Computes a null vector, which is one in the j-th of the columns that are left.
  void null_vector(int j, double* x) const;
  /// Computes y, which is zero in the rows that are left: the columns d of Aᵀ y are those of c.
  void multipliers(const double* c, double* y) const;

 private:
  Pattern pattern() const { return {rows_, columns_, count_, entry_row_.data(), entry_column_.data()}; }

  int rows_, columns_, count_ = 0, rank_ = 0;
  IndexBuffer entry_row_, entry_column_;  ///< row and column of each entry
  Buffer<dynamic> values_;
  Pivoting pivoting_;
  OrderedFactors factors_;
  IndexBuffer row_, column_, row_slot_, column_slot_;
  mutable Buffer<dynamic> x_;
};

}  // namespace mechfmu
