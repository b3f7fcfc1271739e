// LU with complete pivoting of a matrix with more columns than rows tells which columns are dependent and which are
// independent:
//   C(rows, columns) = L [R_1 R_2],   L unit lower and R_1 upper triangular, r × r
#pragma once

#include "columns.hpp"
#include "dense.hpp"

namespace mechfmu {

template <int fixed_r, int fixed_n>
class FullPivoting {
 public:
  FullPivoting(Arena& arena, int most_rows, int n)
      : r_(most_rows), n_(n), LR_(arena, most_rows, n), rows_(arena, most_rows), columns_(arena, n) {}

  /// Factors C. `A` is Cᵀ, n × rows. Returns false if the rows of C are dependent or NaN is in them.
  bool factor(int rows, ColumnsView<fixed_n> A) {
    r_ = rows;
    LR_.reshape(rows);
    const int r = this->r(), n = this->n();
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < r; ++i) at(i, j) = A(j, i);
      columns_[j] = j;
    }
    for (int i = 0; i < r; ++i) rows_[i] = i;
    for (int s = 0; s < r; ++s) {
      int row = s, column = s;
      double largest = 0;
      for (int j = s; j < n; ++j) {
        for (int i = s; i < r; ++i) {
          const double size = std::fabs(at(i, j));
          if (size != size) return false;  // if only zeros are beside NaN, it is never met again
          if (size > largest) {
            largest = size;
            row = i;
            column = j;
          }
        }
      }
      if (!(largest > 0)) return false;
      exchange(s, row, column);
      for (int i = s + 1; i < r; ++i) at(i, s) /= at(s, s);
      for (int j = s + 1; j < n; ++j) {
        const double top = at(s, j);
        if (top == 0) continue;
        for (int i = s + 1; i < r; ++i) at(i, j) -= at(i, s) * top;
      }
    }
    return true;
  }

  /// Factors a C that has fewer columns than there is memory for.
  bool factor(int rows, int columns, ColumnsView<fixed_n> A) {
    static_assert(fixed_n < 0);
    n_ = columns;
    return factor(rows, A);
  }
  /// Returns the size of the i-th pivot.
  double pivot(int i) const { return std::fabs(at(i, i)); }

  /// The two functions return places in C: row(0 … r−1) are its rows, column(0 … r−1) the dependent columns, and
  /// column(r … n−1) the independent ones.
  int row(int i) const { return rows_[i]; }
  int column(int j) const { return columns_[j]; }
  /// Returns an entry of R_2.
  double R_2(int i, int j) const { return LR_(i, r() + j); }

  /// These functions solve x ← L⁻¹ x, R_1⁻¹ x, L^{-T} x and R_1^{-T} x for r numbers in the order of the pivots.
  void solve_L(double* x) const {
    for (int j = 0; j < r(); ++j) {
      for (int i = j + 1; i < r(); ++i) x[i] -= at(i, j) * x[j];
    }
  }
  void solve_R_1(double* x) const {
    for (int j = r() - 1; j >= 0; --j) {
      x[j] /= at(j, j);
      for (int i = 0; i < j; ++i) x[i] -= at(i, j) * x[j];
    }
  }
  void solve_L_transposed(double* x) const {
    for (int j = r() - 1; j >= 0; --j) {
      for (int i = j + 1; i < r(); ++i) x[j] -= at(i, j) * x[i];
    }
  }
  void solve_R_1_transposed(double* x) const {
    for (int j = 0; j < r(); ++j) {
      for (int i = 0; i < j; ++i) x[j] -= at(i, j) * x[i];
      x[j] /= at(j, j);
    }
  }

 private:
  int r() const { return fixed_r >= 0 ? fixed_r : r_; }
  int n() const { return fixed_n >= 0 ? fixed_n : n_; }
  double& at(int i, int j) { return LR_(i, j); }
  double at(int i, int j) const { return LR_(i, j); }

  /// Brings the pivot to its place.
  void exchange(int s, int row, int column) {
    const auto swap = [](auto& a, auto& b) {
      const auto held = a;
      a = b;
      b = held;
    };
    for (int j = 0; row != s && j < n(); ++j) swap(at(s, j), at(row, j));
    for (int i = 0; column != s && i < r(); ++i) swap(at(i, s), at(i, column));
    swap(rows_[s], rows_[row]);
    swap(columns_[s], columns_[column]);
  }

  int r_, n_;
  Columns<fixed_r, fixed_n> LR_;  ///< L below the diagonal, without its ones, and [R_1 R_2] from the diagonal on
  IndexBuffer rows_, columns_;    ///< rows and columns of C in the order of the pivots
};

}  // namespace mechfmu
