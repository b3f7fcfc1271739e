// Solves square systems whose rows may depend on each other, S x = b with a b that these rows allow: the x of least
// Euclidean norm. LU with complete pivoting of S, its rows and columns scaled by its diagonal, tells the rank. A
// diagonal entry that is rounding of what it was before other equations took nearly all of it is none.
#pragma once

#include <cmath>

#include "columns.hpp"
#include "dense.hpp"
#include "tolerances.hpp"

namespace mechfmu {

class LeastNorm {
 public:
  LeastNorm(Arena& arena, int most)
      : LU_(arena, most, most), null_(arena, most, most), products_(arena, most, most), scale_(arena, most),
        part_(arena, most), row_(arena, most), column_(arena, most) {}

  /// Gives the matrix, whose entries the caller writes before factor().
  WritableColumns<> matrix(int count) {
    count_ = count;
    return LU_.packed(count);
  }
  /// Factors the matrix. `sizes` are those that its diagonal had before.
  void factor(const double* sizes) {
    const WritableColumns<> A = LU_.packed(count_);
    for (int i = 0; i < count_; ++i) {
      const double size = A(i, i) > dependent_rows_that_hold * sizes[i] ? A(i, i) : sizes[i];
      scale_[i] = size > 0 ? 1 / std::sqrt(size) : 1;
      row_[i] = column_[i] = i;
    }
    for (int j = 0; j < count_; ++j) {
      for (int i = 0; i < count_; ++i) A(i, j) *= scale_[i] * scale_[j];
    }
    for (rank_ = 0; rank_ < count_; ++rank_) {
      if (!pivot(A)) break;
      for (int i = rank_ + 1; i < count_; ++i) A(i, rank_) /= A(rank_, rank_);
      for (int j = rank_ + 1; j < count_; ++j)
        dense::add(count_ - rank_ - 1, -A(rank_, j), &A(rank_ + 1, rank_), &A(rank_ + 1, j));
    }
    find_null_vectors(A);
  }
  int rank() const { return rank_; }
  /// Returns vectors N with S N = 0, in columns.
  ColumnsView<> null_vectors() const { return null_.packed(count_); }
  int null_count() const { return count_ - rank_; }

  /// Replaces b by x.
  void solve(double* x) {
    const WritableColumns<> A = LU_.packed(count_);
    for (int i = 0; i < rank_; ++i) part_[i] = x[row_[i]] * scale_[row_[i]];
    for (int j = 0; j < rank_; ++j) {
      for (int i = j + 1; i < rank_; ++i) part_[i] -= A(i, j) * part_[j];
    }
    solve_upper(A, part_.data());
    dense::fill(count_, 0, x);
    for (int i = 0; i < rank_; ++i) x[column_[i]] = part_[i] * scale_[column_[i]];
    for (int i = 0; i < null_count(); ++i) part_[i] = -dense::dot(count_, null_vectors().column(i), x);
    find_parts(part_.data());
    for (int i = 0; i < null_count(); ++i) dense::add(count_, part_[i], null_vectors().column(i), x);
  }
  /// Replaces the numbers Nᵀ x by the y of x = N y.
  void find_parts(double* numbers) const { dense::solve_downward(null_count(), products_.data(), numbers); }

 private:
  /// Brings an entry to its place that is at least half as large as the largest that is left: the first one, so that
  /// rounding does not choose among rows that are alike. Returns false if all are rounding.
  bool pivot(const WritableColumns<>& A) {
    double largest = 0;
    for (int j = rank_; j < count_; ++j) {
      for (int i = rank_; i < count_; ++i) largest = std::fabs(A(i, j)) > largest ? std::fabs(A(i, j)) : largest;
    }
    if (!(largest > dependent_rows_that_hold)) return false;
    int row = rank_, column = rank_;
    while (!(std::fabs(A(row, column)) >= largest / 2)) {
      if (++row < count_) continue;
      row = rank_;
      ++column;
    }
    const auto swap = [](auto& a, auto& b) {
      const auto held = a;
      a = b;
      b = held;
    };
    for (int j = 0; row != rank_ && j < count_; ++j) swap(A(rank_, j), A(row, j));
    for (int i = 0; column != rank_ && i < count_; ++i) swap(A(i, rank_), A(i, column));
    swap(row_[rank_], row_[row]);
    swap(column_[rank_], column_[column]);
    return true;
  }
  void solve_upper(const WritableColumns<>& A, double* x) const {
    for (int j = rank_ - 1; j >= 0; --j) {
      x[j] /= A(j, j);
      for (int i = 0; i < j; ++i) x[i] -= A(i, j) * x[j];
    }
  }
  /// Finds vectors N with S N = 0, and factors NᵀN.
  void find_null_vectors(const WritableColumns<>& A) {
    const int count = count_ - rank_;
    const WritableColumns<> N = null_.packed(count_), products = products_.packed(count);
    for (int k = 0; k < count; ++k) {
      double* n = N.column(k);
      for (int i = 0; i < rank_; ++i) part_[i] = -A(i, rank_ + k);
      solve_upper(A, part_.data());
      dense::fill(count_, 0, n);
      for (int i = 0; i < rank_; ++i) n[column_[i]] = part_[i] * scale_[column_[i]];
      n[column_[rank_ + k]] = scale_[column_[rank_ + k]];
    }
    for (int j = 0; j < count; ++j) {
      for (int i = j; i < count; ++i) products(i, j) = dense::dot(count_, N.column(i), N.column(j));
    }
    dense::factor_downward(count, products.data());
  }

  int count_ = 0, rank_ = 0;
  RunTimeColumns LU_, null_, products_;
  Buffer<dynamic> scale_, part_;
  IndexBuffer row_, column_;
};

}  // namespace mechfmu
