// This file factors A = C_d and solves for many right-hand sides at once. LU with row pivoting goes column by column
// and keeps and touches nothing but nonzeros. The constraints of a loop know few coordinates, so C_d is mostly zeros:
// for a Stewart platform it is six blocks of three rows. Rows are not exchanged: everything stays at its place, and
// place(j) tells where the j-th pivot is.
#pragma once

#include <cmath>

#include "columns.hpp"
#include "products.hpp"

namespace mechfmu {

/// This class holds the factors of a square matrix. The compiler may know its size.
template <int fixed_size>
class SparseFactors {
 public:
  SparseFactors(Arena& arena, int size)
      : size_(size), values_(arena, size * size), reciprocals_(arena, size), at_(arena, size * size),
        pivots_(arena, size), L_begin_(arena, size), L_end_(arena, size), free_(arena, size) {}

  /// Factors A, column-major, and uses it up. Rows that measure different things are compared by entries times
  /// `weights`; all weights are 1 if it is nullptr. Returns false if A is singular or NaN is in it.
  bool factor(WritableColumns<fixed_size> A, const double* weights = nullptr) {
    const int n = size();
    for (int i = 0; i < n; ++i) free_[i] = i;
    for (int c = 0; c < n; ++c) {
      double* x = A.column(c);
      int entry = begin(c);
      for (int j = 0; j < c; ++j) {  // the column of U follows from the columns of L before
        const int pivot = pivots_[j];
        const double top = x[pivot];
        if (top == 0) continue;
        if (top != top) return false;  // it is NaN
        values_[entry] = top;
        at_[entry++] = pivot;
        for (int e = L_begin_[j]; e < L_end_[j]; ++e) x[at_[e]] -= values_[e] * top;
      }
      L_begin_[c] = entry;
      int best = -1;
      double largest = 0;
      for (int s = 0; s < n - c; ++s) {
        const double size = std::fabs(x[free_[s]]) * (weights != nullptr ? weights[free_[s]] : 1);
        if (size == 0) continue;
        if (size != size) return false;
        if (size > largest) {
          largest = size;
          best = s;
        }
        at_[entry++] = free_[s];
      }
      if (!(largest > 0)) return false;
      const int pivot = free_[best];
      free_[best] = free_[n - c - 1];
      pivots_[c] = pivot;
      const double reciprocal = reciprocals_[c] = 1 / x[pivot];
      int kept = L_begin_[c];
      for (int e = kept; e < entry; ++e) {
        if (at_[e] == pivot) continue;
        values_[kept] = x[at_[e]] * reciprocal;
        at_[kept++] = at_[e];
      }
      L_end_[c] = kept;
    }
    return true;
  }

  /// Returns the place of the solution's component j.
  int place(int j) const { return pivots_[j]; }

  /// Solves X ← A⁻¹ X for a matrix of so many columns. Each component of the solution is at its place afterwards.
  template <int fixed_columns>
  void solve(int columns, WritableColumns<fixed_size> X) const {
    const int n = size();
    for (int j = 0; j < n; ++j) eliminate<fixed_columns>(columns, X, pivots_[j], L_begin_[j], L_end_[j]);
    for (int j = n - 1; j >= 0; --j) {
      const int row = pivots_[j];
      repeat<fixed_columns>(columns, [&](int c) { X(row, c) *= reciprocals_[j]; });
      eliminate<fixed_columns>(columns, X, row, begin(j), L_begin_[j]);
    }
  }

  /// Solves x ← A^{-T} x, where x has each component at its place before, and in order afterwards.
  void solve_transposed(double* x) const {
    const int n = size();
    for (int j = 0; j < n; ++j) {
      double sum = x[pivots_[j]];
      for (int e = begin(j); e < L_begin_[j]; ++e) sum -= values_[e] * x[at_[e]];
      x[pivots_[j]] = sum * reciprocals_[j];
    }
    for (int j = n - 1; j >= 0; --j) {
      double sum = x[pivots_[j]];
      for (int e = L_begin_[j]; e < L_end_[j]; ++e) sum -= values_[e] * x[at_[e]];
      x[pivots_[j]] = sum;
    }
  }

 private:
  int size() const { return fixed_size >= 0 ? fixed_size : size_; }
  /// Returns the place at which the entries of column j begin.
  int begin(int j) const { return j * size(); }

  /// Subtracts multiples of row `from` of X from other rows.
  template <int fixed_columns>
  [[gnu::always_inline]] void eliminate(int columns, WritableColumns<fixed_size> X, int from, int begin,
                                        int end) const {
    const int n = size();
    for (int e = begin; e < end; ++e) {
      const double factor = values_[e];
      const double* source = X.data() + from;
      double* x = X.data() + at_[e];
      repeat<fixed_columns>(columns, [&](int c) { x[c * n] -= factor * source[c * n]; });
    }
  }

  int size_;
  Buffer<area(fixed_size, fixed_size)> values_;  ///< n numbers for each column: U above its pivot, then L below it
  Buffer<fixed_size> reciprocals_;               ///< reciprocals of the pivots
  IndexBuffer at_;                               ///< the values' rows
  IndexBuffer pivots_, L_begin_, L_end_, free_;  ///< pivot row of each column; places of L in it; rows without a pivot
};

}  // namespace mechfmu
