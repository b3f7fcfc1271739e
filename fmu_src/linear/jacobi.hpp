// Jacobi's rotations give singular values and vectors of a matrix, and eigenvalues and eigenvectors of a symmetric one.
// They are short, allocate nothing, and reach full accuracy.
#pragma once

#include "columns.hpp"
#include "dense.hpp"
#include "tolerances.hpp"

namespace mechfmu::dense {

/// At most so many sweeps go over all pairs. Convergence is quadratic, and a handful suffices.
inline constexpr int most_sweeps = 40;

/// A rotation holds cosine and sine of the smaller angle φ with tan 2φ = 2 off/(b − a).
struct Rotation {
  double c, s;
  Rotation(double a, double b, double off) {
    const double zeta = (b - a) / (2 * off);
    const double t = (zeta >= 0 ? 1 : -1) / (std::fabs(zeta) + std::sqrt(1 + zeta * zeta));
    c = 1 / std::sqrt(1 + t * t);
    s = c * t;
  }
  void turn(double& x, double& y) const {
    const double held = x;
    x = c * held - s * y;
    y = s * held + c * y;
  }
};

/// Turns the columns of A until they are orthogonal: A U = W Σ (Hestenes 1958). U is columns × columns. Columns that
/// have become round-off are left as they are.
inline void orthogonalise_columns(int columns, WritableColumns<> A, WritableColumns<> U) {
  const int rows = A.rows();
  fill(columns * columns, 0, U.data());
  for (int j = 0; j < columns; ++j) U(j, j) = 1;
  double whole = 0;
  for (int j = 0; j < columns; ++j) raise(whole, dot(rows, A.column(j), A.column(j)));
  bool turned = true;
  for (int sweep = 0; turned && sweep < most_sweeps; ++sweep) {
    turned = false;
    for (int i = 0; i < columns; ++i) {
      for (int j = i + 1; j < columns; ++j) {
        double *x = A.column(i), *y = A.column(j);
        const double a = dot(rows, x, x), b = dot(rows, y, y), off = dot(rows, x, y);
        if (!(std::fabs(off) > uncoupled * std::sqrt(a * b)) || std::fmin(a, b) < rounded_square * whole) continue;
        turned = true;
        const Rotation rotation(a, b, off);
        for (int l = 0; l < rows; ++l) rotation.turn(x[l], y[l]);
        for (int l = 0; l < columns; ++l) rotation.turn(U(l, i), U(l, j));
      }
    }
  }
}

/// Makes Tᵀ H T diagonal: the diagonal of H becomes the eigenvalues of the symmetric matrix, and T its eigenvectors.
inline void diagonalise(WritableColumns<> H, WritableColumns<> T) {
  const int n = H.rows();
  fill(n * n, 0, T.data());
  for (int j = 0; j < n; ++j) T(j, j) = 1;
  const double small = uncoupled_of_all * largest(n * n, H.data());
  bool turned = true;
  for (int sweep = 0; turned && sweep < most_sweeps; ++sweep) {
    turned = false;
    for (int i = 0; i < n; ++i) {
      for (int j = i + 1; j < n; ++j) {
        if (!(std::fabs(H(i, j)) > small)) continue;
        turned = true;
        const Rotation rotation(H(i, i), H(j, j), H(i, j));
        for (int l = 0; l < n; ++l) rotation.turn(H(l, i), H(l, j));
        for (int l = 0; l < n; ++l) rotation.turn(H(i, l), H(j, l));
        for (int l = 0; l < n; ++l) rotation.turn(T(l, i), T(l, j));
        H(i, j) = H(j, i) = 0;
      }
    }
  }
}

}  // namespace mechfmu::dense
