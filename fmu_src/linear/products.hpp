// This file has products with matrices in their exported sparsity, and loops that are written out where their length is
// known.
#pragma once

#include <utility>

#include "buffer.hpp"
#include "dense.hpp"
#include "pattern.hpp"

namespace mechfmu {

/// Calls f(0) … f(count − 1). The calls are written out for a short length that the compiler knows, so that a generated
/// model's patterns become constants; otherwise they are a loop.
template <int fixed_count, class F>
[[gnu::always_inline]] inline void repeat(int count, F&& f) {
  constexpr int longest = 40;
  if constexpr (fixed_count >= 0 && fixed_count <= longest) {
    [&]<int... i>(std::integer_sequence<int, i...>) { (f(i), ...); }(std::make_integer_sequence<int, fixed_count>{});
  } else {
    for (int i = 0; i < count; ++i) f(i);
  }
}

/// Computes y = M x. M is symmetric and given by its lower triangle.
template <int nonzeros = dynamic>
inline void times_symmetric(const Pattern& pattern, const double* M, const double* x, double* y) {
  for (int i = 0; i < pattern.rows; ++i) y[i] = 0;
  repeat<nonzeros>(pattern.nonzeros, [&](int e) {
    const int r = pattern.row[e], c = pattern.column[e];
    y[r] += M[e] * x[c];
    if (r != c) y[c] += M[e] * x[r];
  });
}

/// Returns xᵀ M x. M is symmetric.
template <int nonzeros = dynamic>
inline double square_in(const Pattern& pattern, const double* M, const double* x) {
  double diagonal = 0, beside = 0;
  repeat<nonzeros>(pattern.nonzeros, [&](int e) {
    const int r = pattern.row[e], c = pattern.column[e];
    (r == c ? diagonal : beside) += M[e] * x[r] * x[c];
  });
  return diagonal + 2 * beside;
}

/// Computes y = C x.
template <int nonzeros = dynamic>
inline void times(const Pattern& pattern, const double* C, const double* x, double* y) {
  for (int i = 0; i < pattern.rows; ++i) y[i] = 0;
  repeat<nonzeros>(pattern.nonzeros, [&](int e) { y[pattern.row[e]] += C[e] * x[pattern.column[e]]; });
}

/// Returns how many terms of a product with several columns are written out, or dynamic if there are too many.
constexpr int written_out(int nonzeros, int columns) { return nonzeros * columns <= 120 ? nonzeros : dynamic; }

/// The two functions compute Y = M X and Y = C X for several columns at once, whose sums need not wait for one another.
template <int nonzeros, int fixed_columns>
inline void times_symmetric_columns(const Pattern& pattern, const double* M, int columns, const double* X, double* Y) {
  const int n = pattern.rows;
  for (int i = 0; i < n * columns; ++i) Y[i] = 0;
  repeat<written_out(nonzeros, fixed_columns)>(pattern.nonzeros, [&](int e) {
    const int r = pattern.row[e], c = pattern.column[e];
    repeat<fixed_columns>(columns, [&](int j) { Y[r + j * n] += M[e] * X[c + j * n]; });
    if (r != c) repeat<fixed_columns>(columns, [&](int j) { Y[c + j * n] += M[e] * X[r + j * n]; });
  });
}
template <int nonzeros, int fixed_columns>
inline void times_columns(const Pattern& pattern, const double* C, int columns, const double* X, double* Y) {
  for (int i = 0; i < pattern.rows * columns; ++i) Y[i] = 0;
  repeat<written_out(nonzeros, fixed_columns)>(pattern.nonzeros, [&](int e) {
    const int r = pattern.row[e], c = pattern.column[e];
    repeat<fixed_columns>(columns, [&](int j) { Y[r + j * pattern.rows] += C[e] * X[c + j * pattern.columns]; });
  });
}

/// Computes y = Vᵀ x, all sums side by side: the terms of one sum wait for one another, those of different sums do not.
template <int fixed_columns>
inline void transposed_times(int n, int columns, const double* V, const double* x, double* y) {
  if constexpr (fixed_columns < 0) {
    for (int j = 0; j < columns; ++j) y[j] = dense::dot(n, V + j * n, x);
  } else {
    double sum[fixed_columns > 0 ? fixed_columns : 1] = {};
    for (int i = 0; i < n; ++i) repeat<fixed_columns>(columns, [&](int j) { sum[j] += V[i + j * n] * x[i]; });
    for (int j = 0; j < columns; ++j) y[j] = sum[j];
  }
}

/// These functions write column-major dense copies.
template <int nonzeros = dynamic>
inline void expand(const Pattern& pattern, const double* values, double* full) {
  for (int i = 0; i < pattern.rows * pattern.columns; ++i) full[i] = 0;
  repeat<nonzeros>(pattern.nonzeros,
                   [&](int e) { full[pattern.row[e] + pattern.column[e] * pattern.rows] = values[e]; });
}

inline void expand_transposed(const Pattern& pattern, const double* values, double* full) {
  for (int i = 0; i < pattern.rows * pattern.columns; ++i) full[i] = 0;
  for (int e = 0; e < pattern.nonzeros; ++e) full[pattern.column[e] + pattern.row[e] * pattern.columns] = values[e];
}

inline void expand_symmetric(const Pattern& pattern, const double* values, double* full) {
  for (int i = 0; i < pattern.rows * pattern.columns; ++i) full[i] = 0;
  for (int e = 0; e < pattern.nonzeros; ++e) {
    full[pattern.row[e] + pattern.column[e] * pattern.rows] = values[e];
    full[pattern.column[e] + pattern.row[e] * pattern.rows] = values[e];
  }
}

}  // namespace mechfmu
