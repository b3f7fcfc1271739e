// A large matrix split by pivots: independent rows p and columns d, A_pd in factors, and the columns e that are left.
// What follows from it: x with A x = b, null vectors, y with Aᵀ y = c. Serves where such a matrix is met anew each
// time: at the start and for reactions. No allocation after construction.
#pragma once

#include "ordered_factors.hpp"
#include "pivoting.hpp"

namespace mechfmu {

class SparseSplit {
 public:
  SparseSplit(Arena&, int rows, int columns, int most_nonzeros);

  void clear() { count_ = 0; }
  /// None twice.
  void set(int row, int column, double value) {
    entry_row_[count_] = row;
    entry_column_[count_] = column;
    values_[count_++] = value;
  }
  /// Finds `limit` pivots at most, columns measured in the metric (nullptr: as they are), and factors. Returns how
  /// many; -1: there is no room for what fills in, or a number is none.
  int split(const Priorities&, int limit, const double* metric, double tolerance = rank_tolerance);

  int rank() const { return rank_; }
  /// Rows and columns in the order of their pivots; then the others.
  int row(int i) const { return row_[i]; }
  int column(int j) const { return column_[j]; }

  /// x, zero in the columns left: the rows p of A x are those of b.
  void particular(const double* b, double* x) const;
  /// A null vector, one in the j-th of the columns left.
  void null_vector(int j, double* x) const;
  /// y, zero in the rows left: the columns d of Aᵀ y are those of c.
  void multipliers(const double* c, double* y) const;

 private:
  Pattern pattern() const { return {rows_, columns_, count_, entry_row_.data(), entry_column_.data()}; }

  int rows_, columns_, count_ = 0, rank_ = 0;
  IndexBuffer entry_row_, entry_column_;
  Buffer<dynamic> values_;
  Pivoting pivoting_;
  OrderedFactors factors_;
  IndexBuffer row_, column_, row_slot_, column_slot_;
  mutable Buffer<dynamic> x_;
};

}  // namespace mechfmu
