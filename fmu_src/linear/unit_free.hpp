// This class takes the units from C: columns are multiplied by the nominal sizes of what they belong to, then rows are
// divided by their largest entries, and all these scales are rounded to powers of two. Decompositions and pivots
// compare and add up entries of different columns and rows. With a C without units they do so in the same way, and to
// the same bits, in whatever units of length, mass and time a mechanism is written. No digits change.
#pragma once

#include "columns.hpp"
#include "dense.hpp"
#include "powers_of_two.hpp"

namespace mechfmu {

template <int fixed_n, int fixed_rows>
class UnitFree {
 public:
  UnitFree(Arena& arena, int n, int most_rows, const double* nominal)
      : n_(n), columns_(arena, n), rows_(arena, most_rows) {
    for (int j = 0; j < n && arena.ok(); ++j) columns_[j] = power_of_two(nominal[j]);
  }

  /// The two functions return the scales that columns and rows of C are multiplied by.
  double column(int j) const { return columns_[j]; }
  double row(int i) const { return rows_[i]; }

  /// Takes the units from A = Cᵀ, n × rows.
  void take(int rows, WritableColumns<fixed_n> A) {
    for (int i = 0; i < rows; ++i) {
      double* a = A.column(i);
      times_columns(a);
      rows_[i] = 1 / power_of_two(dense::largest(n_, a));
      for (int j = 0; j < n_; ++j) a[j] *= rows_[i];
    }
  }
  /// Computes x ← D x, where D has the columns' scales.
  void times_columns(double* x) const {
    for (int j = 0; j < n_; ++j) x[j] *= columns_[j];
  }

 private:
  int n_;
  Buffer<fixed_n> columns_;  ///< scales of the columns of C, powers of two
  Buffer<fixed_rows> rows_;  ///< scales of the rows of C, powers of two, after take()
};

}  // namespace mechfmu
