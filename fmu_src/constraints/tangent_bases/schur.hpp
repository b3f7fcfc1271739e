// "schur" takes the null space from the Schur vectors of H = Cᵀ C that belong to zeros (Pennestrì and Valentini 2007,
// (32)–(34)): Kᵀ H K = U is upper triangular, and for a symmetric H it is diagonal.
//
// H becomes tridiagonal by Householder's reflections, then diagonal by QL steps with shifts. Each of these steps is a
// chase of plane rotations (Golub and Van Loan, 8.3).
#pragma once

#include "linear/columns.hpp"
#include "linear/tolerances.hpp"
#include "normal_matrix.hpp"

namespace mechfmu {

template <int fixed_n>
class SchurVectors {
 public:
  using Square = WritableColumns<fixed_n>;
  static constexpr const char* name = "schur";
  SchurVectors(Arena& arena, int n) : beside_(arena, n), v_(arena, n), p_(arena, n) {}

  bool decompose(Square H, Square K) {
    const int n = H.rows();
    small_ = uncoupled_of_all * dense::largest(n * n, H.data());
    dense::fill(n * n, 0, K.data());
    for (int j = 0; j < n; ++j) K(j, j) = 1;
    for (int j = 0; j + 2 < n; ++j) annihilate_below(j, H, K);
    for (int j = 0; j + 1 < n; ++j) beside_[j] = H(j + 1, j);
    if (n > 0) beside_[n - 1] = 0;
    for (int l = 0; l < n; ++l) {
      int steps = 0;
      for (int end = decoupled(l, H); end > l; end = decoupled(l, H)) {
        if (++steps > 60) return false;
        chase(l, end, H, K);
      }
    }
    return true;
  }

 private:
  /// Computes H ← P H P and K ← K P with the reflection P = I − 2 v vᵀ, which leaves only one number below the diagonal
  /// of column j.
  void annihilate_below(int j, Square H, Square K) {
    const int n = H.rows();
    double* v = v_.data();
    dense::fill(n, 0, v);
    for (int i = j + 1; i < n; ++i) v[i] = H(i, j);
    double length = std::sqrt(dense::dot(n, v, v));
    if (!(length > 0)) return;
    v[j + 1] += v[j + 1] > 0 ? length : -length;
    length = std::sqrt(dense::dot(n, v, v));
    for (int i = j + 1; i < n; ++i) v[i] /= length;
    for (int c = 0; c < n; ++c) p_[c] = dense::dot(n, H.column(c), v);
    const double both = dense::dot(n, p_.data(), v);
    for (int c = 0; c < n; ++c) {
      for (int i = 0; i < n; ++i) H(i, c) += 4 * both * v[i] * v[c] - 2 * (v[i] * p_[c] + p_[i] * v[c]);
    }
    dense::fill(n, 0, p_.data());
    for (int c = j + 1; c < n; ++c) dense::add(n, v[c], K.column(c), p_.data());
    for (int c = j + 1; c < n; ++c) dense::add(n, -2 * v[c], p_.data(), K.column(c));
  }

  /// Returns the first row from l on that nothing couples with the next.
  int decoupled(int l, ColumnsView<fixed_n> H) const {
    const int n = H.rows();
    int i = l;
    for (; i + 1 < n; ++i) {
      const double size = std::fabs(H(i, i)) + std::fabs(H(i + 1, i + 1));
      if (!(std::fabs(beside_[i]) > uncoupled * size + small_)) break;
    }
    return i;
  }

  /// Makes one QL step on the rows from l to `end`.
  void chase(int l, int end, Square H, Square K) {
    const int n = H.rows();
    const auto d = [&](int i) -> double& { return H(i, i); };
    double* e = beside_.data();
    double g = (d(l + 1) - d(l)) / (2 * e[l]);
    const double root = std::sqrt(1 + g * g);
    g = d(end) - d(l) + e[l] / (g + (g >= 0 ? root : -root));  // This is Wilkinson's shift.
    double s = 1, c = 1, p = 0;
    for (int i = end - 1; i >= l; --i) {
      const double f = s * e[i], b = c * e[i];
      const double r = std::sqrt(f * f + g * g);
      e[i + 1] = r;
      if (!(r > 0)) {
        d(i + 1) -= p;
        e[end] = 0;
        return;
      }
      s = f / r;
      c = g / r;
      g = d(i + 1) - p;
      const double t = (d(i) - g) * s + 2 * c * b;
      p = s * t;
      d(i + 1) = g + p;
      g = c * t - b;
      double *x = K.column(i), *y = K.column(i + 1);
      for (int j = 0; j < n; ++j) {
        const double held = y[j];
        y[j] = s * x[j] + c * held;
        x[j] = c * x[j] - s * held;
      }
    }
    d(l) -= p;
    e[l] = g;
    e[end] = 0;
  }

  double small_ = 0;        ///< size of the couplings between zeros
  Buffer<fixed_n> beside_;  ///< the diagonal beside the main one
  Buffer<fixed_n> v_, p_;
};

template <class Model>
using SchurNullSpace = NormalMatrixNullSpace<Model, SchurVectors>;

template <class Model>
using SchurBasis = CarriedBasis<Model, SchurNullSpace>;

}  // namespace mechfmu
