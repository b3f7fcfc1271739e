// Takes all rows together by least squares, whichever rows are kept as pivots. If data are rounded, rows that depend on
// others disagree with them a little, C_d ≈ T C_k. To close the kept ones alone would move the mechanism whenever
// others are kept. With rows divided by their sizes, the kept ones become
//
//   f_k + P (f_d − T f_k)        C_k + P E,  E = C_d − T C_k        P = Tᵀ (1 + T Tᵀ)⁻¹
//
// This is (1 + TᵀT)⁻¹ (f_k + Tᵀ f_d), and C likewise. If f is zero, what rows leave open is as small as it can be, and
// what they leave free is what the strong singular vectors of C leave. T is taken orthogonal in M: E M⁻¹ C_kᵀ = 0. Then
// what other rows would give differs by the third power of the data's errors. The multipliers of the kept rows and of
// the others become
//
//   λ_k = μ − Tᵀ Pᵀ μ, λ_d = Pᵀ μ:        (C_k + P E)ᵀ μ = Cᵀ λ
//
// Sizes are known at run time. Nothing is allocated after construction.
#pragma once

#include <cmath>

#include "linear/columns.hpp"
#include "linear/dense.hpp"
#include "mechanism/mechanism.hpp"

namespace mechfmu {

class SharedRows {
 public:
  /// Serves the rows of `pattern`, or the first of them. The pattern is mechanism.C or mechanism.C_a.
  SharedRows(Arena& arena, const Mechanism& mechanism, const Pattern& pattern, int most_dropped)
      : mechanism_(mechanism), pattern_(pattern), T_(arena, pattern.rows, most_dropped),
        products_(arena, most_dropped, most_dropped), left_(arena, most_dropped), square_(arena, pattern.rows),
        size_(arena, pattern.rows), kept_(arena, pattern.rows), dropped_(arena, most_dropped),
        is_kept_(arena, pattern.rows) {}

  /// Prepares all for a matrix with these values, whose columns are measured in the metric. multipliers(d, λ) finds row
  /// d of T, which is 0 for dropped rows.
  template <class Multipliers>
  void factor(int rows, int rank, const int* kept, const double* values, const double* metric,
              Multipliers&& multipliers) {
    find_sizes(rows, values, metric);
    list_rows(rows, rank, kept);
    for (int d = 0; d < dropped_count_; ++d) multipliers(d, T().column(d));
    factor_products();
  }

  int dropped() const { return dropped_count_; }
  /// Gives the d-th dropped row of the matrix.
  void take_row(const double* values, int d, double* row) const;

  /// Sets y to f of the kept rows, in their order, with what the others add.
  void share(const double* f, double* y);
  /// Sets p to the d-th column of P.
  void column(int d, double* p);
  /// Finds λ of all rows from μ of the kept ones, which is in their order.
  void spread(const double* mu, double* lambda);
  /// Finds ν = Pᵀ μ.
  void dropped_multipliers(const double* mu, double* nu);

 private:
  /// T is stored row by row: its rows are columns here.
  WritableColumns<> T() { return T_.packed(rows_); }
  ColumnsView<> T() const { return T_.packed(rows_); }
  /// Returns an entry of T for rows that are divided by their sizes.
  double part(int d, int k) const { return T()(k, d) * size_[k] / size_[dropped_[d]]; }
  void find_sizes(int rows, const double* values, const double* metric);
  void list_rows(int rows, int rank, const int* kept);
  void factor_products();
  void add_left(double* y);

  const Mechanism& mechanism_;
  const Pattern& pattern_;
  int rows_ = 0, rank_ = 0, dropped_count_ = 0;
  RunTimeColumns T_, products_;
  Buffer<dynamic> left_, square_, size_;
  IndexBuffer kept_, dropped_, is_kept_;
};

}  // namespace mechfmu
