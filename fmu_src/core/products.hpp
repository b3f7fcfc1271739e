// Products with matrices in their exported sparsity.
#pragma once

#include "mechanism.hpp"

namespace mechfmu {

/// y = M x, M symmetric, given by its lower triangle.
inline void times_symmetric(const Pattern& pattern, const double* M, const double* x, double* y) {
  for (int i = 0; i < pattern.rows; ++i) y[i] = 0;
  for (int e = 0; e < pattern.nonzeros; ++e) {
    const int r = pattern.row[e], c = pattern.column[e];
    y[r] += M[e] * x[c];
    if (r != c) y[c] += M[e] * x[r];
  }
}

/// xᵀ M y, M symmetric.
inline double between_symmetric(const Pattern& pattern, const double* M, const double* x, const double* y) {
  double sum = 0;
  for (int e = 0; e < pattern.nonzeros; ++e) {
    const int r = pattern.row[e], c = pattern.column[e];
    sum += r == c ? M[e] * x[r] * y[r] : M[e] * (x[r] * y[c] + x[c] * y[r]);
  }
  return sum;
}

/// y = C x
inline void times(const Pattern& pattern, const double* C, const double* x, double* y) {
  for (int i = 0; i < pattern.rows; ++i) y[i] = 0;
  for (int e = 0; e < pattern.nonzeros; ++e) y[pattern.row[e]] += C[e] * x[pattern.column[e]];
}

/// Column-major dense copies.
inline void expand(const Pattern& pattern, const double* values, double* full) {
  for (int i = 0; i < pattern.rows * pattern.columns; ++i) full[i] = 0;
  for (int e = 0; e < pattern.nonzeros; ++e) full[pattern.row[e] + pattern.column[e] * pattern.rows] = values[e];
}

inline void expand_symmetric(const Pattern& pattern, const double* values, double* full) {
  for (int i = 0; i < pattern.rows * pattern.columns; ++i) full[i] = 0;
  for (int e = 0; e < pattern.nonzeros; ++e) {
    full[pattern.row[e] + pattern.column[e] * pattern.rows] = values[e];
    full[pattern.column[e] + pattern.row[e] * pattern.rows] = values[e];
  }
}

}  // namespace mechfmu
