// These few loops are the small dense linear algebra that the method needs, on column-major arrays. Sizes are plain
// ints; if a generated model passes constants, the compiler unrolls. (Eigen's fixed-size decompositions compile ten
// times longer and gain nothing at these sizes; Eigen serves where run time does not matter.)
#pragma once

#include <cmath>

namespace mechfmu::dense {

/// Factors the n × n matrix A in place, as LU with row pivoting: row i of U and L belongs to row pivot[i] of A. Rows
/// that measure different things are compared by entries times `weights`, which are exchanged with them; all weights
/// are 1 if it is nullptr. `judge(j, size)` sees every pivot's size. Returns false if A is singular or NaN is in it.
template <class Judge>
inline bool factor(int n, double* A, int* pivot, double* weights, Judge&& judge) {
  const auto exchange = [](double& a, double& b) {
    const double held = a;
    a = b;
    b = held;
  };
  for (int j = 0; j < n; ++j) {
    const auto size_of = [&](int i) { return std::fabs(A[i + j * n]) * (weights != nullptr ? weights[i] : 1); };
    int best = j;
    double largest = size_of(j);
    for (int i = j + 1; i < n; ++i) {
      const double size = size_of(i);
      if (size > largest) {
        largest = size;
        best = i;
      }
    }
    pivot[j] = best;
    if (!(largest > 0)) return false;
    judge(j, largest);
    if (best != j) {
      for (int c = 0; c < n; ++c) exchange(A[j + c * n], A[best + c * n]);
      if (weights != nullptr) exchange(weights[j], weights[best]);
    }
    const double reciprocal = 1 / A[j + j * n];
    for (int i = j + 1; i < n; ++i) A[i + j * n] *= reciprocal;
    for (int c = j + 1; c < n; ++c) {
      const double top = A[j + c * n];
      if (top == 0) continue;
      for (int i = j + 1; i < n; ++i) A[i + c * n] -= A[i + j * n] * top;
    }
  }
  return true;
}
inline bool factor(int n, double* A, int* pivot, double* weights = nullptr) {
  return factor(n, A, pivot, weights, [](int, double) {});
}

/// Writes the size of the largest entry of each column to `sizes`.
inline void column_sizes(int n, const double* A, double* sizes) {
  for (int j = 0; j < n; ++j) {
    sizes[j] = 0;
    for (int i = 0; i < n; ++i) {
      const double size = std::fabs(A[i + j * n]);
      if (size > sizes[j]) sizes[j] = size;
    }
  }
}

/// Calls factor(). Returns the smallest pivot relative to the size that its column had, or 0 if A is singular.
inline double factor_judged(int n, double* A, int* pivot, const double* sizes) {
  double quality = 1;
  const bool regular = factor(n, A, pivot, nullptr, [&](int j, double size) {
    if (!(size >= quality * sizes[j])) quality = size / sizes[j];
  });
  return regular ? quality : 0;
}

/// Solves x ← A⁻¹ x for a factored A.
inline void solve(int n, const double* LU, const int* pivot, double* x) {
  for (int j = 0; j < n; ++j) {
    const double held = x[pivot[j]];
    x[pivot[j]] = x[j];
    x[j] = held;
  }
  for (int j = 0; j < n; ++j) {
    for (int i = j + 1; i < n; ++i) x[i] -= LU[i + j * n] * x[j];
  }
  for (int j = n - 1; j >= 0; --j) {
    x[j] /= LU[j + j * n];
    for (int i = 0; i < j; ++i) x[i] -= LU[i + j * n] * x[j];
  }
}

/// Solves x ← A^{-T} x for a factored A.
inline void solve_transposed(int n, const double* LU, const int* pivot, double* x) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i) x[j] -= LU[i + j * n] * x[i];
    x[j] /= LU[j + j * n];
  }
  for (int j = n - 1; j >= 0; --j) {
    for (int i = j + 1; i < n; ++i) x[j] -= LU[i + j * n] * x[i];
  }
  for (int j = n - 1; j >= 0; --j) {
    const double held = x[pivot[j]];
    x[pivot[j]] = x[j];
    x[j] = held;
  }
}

/// Computes U with S = U Uᵀ by Cholesky's method from the last row up. U is upper triangular with a positive diagonal
/// and lies in the upper triangle of S afterwards. Returns false if S is not positive definite.
inline bool factor_upward(int k, double* S) {
  for (int j = k - 1; j >= 0; --j) {
    double d = S[j + j * k];
    for (int l = j + 1; l < k; ++l) d -= S[j + l * k] * S[j + l * k];
    if (!(d > 0)) return false;
    d = std::sqrt(d);
    S[j + j * k] = d;
    for (int i = 0; i < j; ++i) {
      double sum = S[i + j * k];
      for (int l = j + 1; l < k; ++l) sum -= S[i + l * k] * S[j + l * k];
      S[i + j * k] = sum / d;
    }
  }
  return true;
}

/// Solves x ← U⁻¹ x.
inline void solve_upper(int k, const double* U, double* x) {
  for (int j = k - 1; j >= 0; --j) {
    x[j] /= U[j + j * k];
    for (int i = 0; i < j; ++i) x[i] -= U[i + j * k] * x[j];
  }
}

/// Writes L with A = L Lᵀ to the lower triangle of A. Returns false if A is not positive definite.
inline bool factor_downward(int n, double* A) {
  for (int j = 0; j < n; ++j) {
    double d = A[j + j * n];
    for (int l = 0; l < j; ++l) d -= A[j + l * n] * A[j + l * n];
    if (!(d > 0)) return false;
    d = std::sqrt(d);
    A[j + j * n] = d;
    for (int i = j + 1; i < n; ++i) {
      double sum = A[i + j * n];
      for (int l = 0; l < j; ++l) sum -= A[i + l * n] * A[j + l * n];
      A[i + j * n] = sum / d;
    }
  }
  return true;
}

/// The two functions solve x ← L⁻¹ x and x ← L^{-T} x. L is in the lower triangle.
inline void solve_lower(int n, const double* L, double* x) {
  for (int j = 0; j < n; ++j) {
    x[j] /= L[j + j * n];
    for (int i = j + 1; i < n; ++i) x[i] -= L[i + j * n] * x[j];
  }
}
inline void solve_lower_transposed(int n, const double* L, double* x) {
  for (int j = n - 1; j >= 0; --j) {
    for (int i = j + 1; i < n; ++i) x[j] -= L[i + j * n] * x[i];
    x[j] /= L[j + j * n];
  }
}

/// Solves x ← (L Lᵀ)⁻¹ x.
inline void solve_downward(int n, const double* L, double* x) {
  solve_lower(n, L, x);
  solve_lower_transposed(n, L, x);
}

inline double dot(int n, const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// Computes y += s x.
inline void add(int n, double s, const double* x, double* y) {
  for (int i = 0; i < n; ++i) y[i] += s * x[i];
}

inline void fill(int n, double value, double* x) {
  for (int i = 0; i < n; ++i) x[i] = value;
}

inline void copy(int n, const double* from, double* to) {
  for (int i = 0; i < n; ++i) to[i] = from[i];
}

/// Computes largest ← max(largest, size). Once it is NaN, it stays NaN.
inline void raise(double& largest, double size) {
  if (size > largest || size != size) largest = size;
}

/// Returns the largest absolute value; it is NaN if one of the numbers is.
inline double largest(int n, const double* x) {
  double result = 0;
  for (int i = 0; i < n; ++i) raise(result, std::fabs(x[i]));
  return result;
}

}  // namespace mechfmu::dense
