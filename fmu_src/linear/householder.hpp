// Householder reflections give A = Q [R ; 0], where A has n rows and r ≤ n independent columns. The last columns of Q
// are orthogonal to all columns of A.
#pragma once

#include "columns.hpp"
#include "dense.hpp"

namespace mechfmu {

template <int fixed_n, int fixed_r>
class Householder {
 public:
  Householder(Arena& arena, int n, int r) : n_(n), r_(r), A_(arena, n, r), beta_(arena, r) {}

  /// Factors A. Returns false if its columns are dependent or NaN is in them.
  bool factor(ColumnsView<fixed_n> A) {
    dense::copy(n() * r(), A.data(), A_.data());
    for (int j = 0; j < r(); ++j) {
      const double* a = A_.column(j);
      const double norm = std::sqrt(dense::dot(n() - j, a + j, a + j));
      if (!(norm > 0)) return false;
      make_reflection(j, norm);
      for (int c = j + 1; c < r(); ++c) reflect(j, A_.column(c));
    }
    return true;
  }

  /// Factors A P, rows × columns. The longest rest of a column is taken next, until all rests are below `tolerance` of
  /// the longest column. Returns how many columns were taken: they are independent, and all others depend on them to
  /// the tolerance. `order` has the columns in the order P. Returns −1 if NaN is in A.
  int factor_pivoted(int rows, int columns, ColumnsView<> A, int* order, double tolerance) {
    static_assert(fixed_n < 0 && fixed_r < 0);
    n_ = rows;
    A_.reshape(rows);
    dense::copy(rows * columns, A.data(), A_.data());
    for (int j = 0; j < columns; ++j) order[j] = j;
    double longest = 0;
    for (r_ = 0; r_ < columns; ++r_) {
      const int j = r_;
      int best = j;
      double most = 0;
      for (int c = j; c < columns; ++c) {
        const double square = j < rows ? dense::dot(rows - j, A_.column(c) + j, A_.column(c) + j) : 0;
        if (square != square) return -1;
        if (square > most) {
          most = square;
          best = c;
        }
      }
      const double norm = std::sqrt(most);
      if (j == 0) longest = norm;
      if (!(norm > tolerance * longest)) break;
      for (int i = 0; best != j && i < rows; ++i) {
        const double held = A_(i, j);
        A_(i, j) = A_(i, best);
        A_(i, best) = held;
      }
      const int held = order[j];
      order[j] = order[best];
      order[best] = held;
      make_reflection(j, norm);
      for (int c = j + 1; c < columns; ++c) reflect(j, A_.column(c));
    }
    return r_;
  }

  double R(int i, int j) const { return A_(i, j); }

  /// The two functions compute x ← Q x and x ← Qᵀ x.
  void apply_Q(double* x) const {
    for (int j = r() - 1; j >= 0; --j) reflect(j, x);
  }
  void apply_Q_transposed(double* x) const {
    for (int j = 0; j < r(); ++j) reflect(j, x);
  }
  /// The two functions solve x ← R⁻¹ x and x ← R^{-T} x for the first r numbers of x.
  void solve_R(double* x) const {
    for (int i = r() - 1; i >= 0; --i) {
      for (int j = i + 1; j < r(); ++j) x[i] -= R(i, j) * x[j];
      x[i] /= R(i, i);
    }
  }
  void solve_R_transposed(double* x) const {
    for (int i = 0; i < r(); ++i) {
      for (int j = 0; j < i; ++j) x[i] -= R(j, i) * x[j];
      x[i] /= R(i, i);
    }
  }
  /// Writes Q [0 ; I], n × (n − r), to N.
  void complement(WritableColumns<fixed_n> N) const {
    dense::fill(n() * (n() - r()), 0, N.data());
    for (int j = 0; j < n() - r(); ++j) {
      N(r() + j, j) = 1;
      apply_Q(N.column(j));
    }
  }

 private:
  int n() const { return fixed_n >= 0 ? fixed_n : n_; }
  int r() const { return fixed_r >= 0 ? fixed_r : r_; }

  /// Makes the reflection that leaves nothing of column j below the diagonal.
  void make_reflection(int j, double norm) {
    double* a = A_.column(j);
    const double head = a[j] > 0 ? -norm : norm;  // this sign avoids cancellation
    const double first = a[j] - head;
    beta_[j] = -first / head;  // 2/(vᵀv) for v scaled to v_j = 1
    for (int i = j + 1; i < n(); ++i) a[i] /= first;
    a[j] = head;
  }

  /// Computes x ← (I − beta v vᵀ) x with v = (1, a_{j+1,j}, …) from row j on.
  void reflect(int j, double* x) const {
    const double* v = A_.column(j);
    const double sum = beta_[j] * (x[j] + dense::dot(n() - j - 1, v + j + 1, x + j + 1));
    x[j] -= sum;
    dense::add(n() - j - 1, -sum, v + j + 1, x + j + 1);
  }

  int n_, r_;
  Columns<fixed_n, fixed_r> A_;  ///< R in the upper triangle, the vectors of the reflections below it
  Buffer<fixed_r> beta_;         ///< factors of the reflections, 2/(vᵀv)
};

}  // namespace mechfmu
