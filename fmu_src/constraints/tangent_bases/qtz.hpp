// "qtz" takes the null space from the complete orthogonal decomposition (Vita and Pennestrì 2004; named in Pennestrì
// and Valentini 2007).
//   C P = Q [R_1 R_2] with the longest column next at each step,   [R_1 R_2] = [T 0] Z
//   N = P Zᵀ [0 ; I],   x = P Zᵀ [T⁻¹ Qᵀ r ; 0],   λ = Q T^{-T} (Z Pᵀ f)_1
#pragma once

#include "carried.hpp"
#include "linear/householder.hpp"

namespace mechfmu {

template <class Model>
class QtzNullSpace {
 public:
  static constexpr const char* name = "qtz";
  using F = Fixed<Model>;

  QtzNullSpace(Arena& arena, const Model& model)
      : n_(model.sizes().velocities), r_(model.sizes().rank), C_(arena, r_, n_), Q_(arena, r_, r_), beta_(arena, r_),
        Z_(arena, n_, r_), R_transposed_(arena, n_, r_), N_(arena, n_, n_ - r_), x_(arena, n_), P_(arena, n_) {}

  bool factor(ColumnsView<F::n> A) {
    for (int j = 0; j < n_; ++j) {
      for (int i = 0; i < r_; ++i) C_(i, j) = A(j, i);
      P_[j] = j;
    }
    for (int j = 0; j < r_; ++j) {
      if (!reflect_longest(j)) return false;
    }
    for (int j = 0; j < n_; ++j) {
      for (int i = 0; i < r_; ++i) R_transposed_(j, i) = i <= j ? C_(i, j) : 0;
    }
    if (!Z_.factor(R_transposed_)) return false;  // [R_1 R_2]ᵀ = Zᵀ [Tᵀ ; 0]
    for (int j = 0; j < n_ - r_; ++j) {
      dense::fill(n_, 0, x_.data());
      x_[r_ + j] = 1;
      apply_P_Z(N_.column(j));
    }
    return true;
  }
  ColumnsView<F::n> N() const { return N_; }

  void particular(const double* residual, double* x) const {
    dense::fill(n_, 0, x_.data());
    dense::copy(r_, residual, x_.data());
    for (int j = 0; j < r_; ++j) reflect(j, x_.data());
    Z_.solve_R_transposed(x_.data());  // T is the transpose of that R
    apply_P_Z(x);
  }
  void multipliers(const double* force, double* lambda) const {
    for (int j = 0; j < n_; ++j) x_[j] = force[P_[j]];
    Z_.apply_Q_transposed(x_.data());
    Z_.solve_R(x_.data());
    dense::copy(r_, x_.data(), lambda);
    for (int j = r_ - 1; j >= 0; --j) reflect(j, lambda);
  }

 private:
  /// x = P Zᵀ x_
  void apply_P_Z(double* x) const {
    Z_.apply_Q(x_.data());
    for (int j = 0; j < n_; ++j) x[P_[j]] = x_[j];
  }

  /// Makes step j of C P = Q R: it takes the longest of the columns left, and finds the reflection I − beta v vᵀ that
  /// shortens the column to one number. v is kept in column j of Q_.
  bool reflect_longest(int j) {
    int best = j;
    double longest = -1;
    for (int c = j; c < n_; ++c) {
      const double* a = C_.column(c) + j;
      const double square = dense::dot(r_ - j, a, a);
      if (square > longest) {
        longest = square;
        best = c;
      }
    }
    if (!(longest > 0)) return false;
    for (int i = 0; i < r_; ++i) {
      const double held = C_(i, j);
      C_(i, j) = C_(i, best);
      C_(i, best) = held;
    }
    const int held = P_[j];
    P_[j] = P_[best];
    P_[best] = held;
    double *a = C_.column(j), *v = Q_.column(j);
    const double head = a[j] > 0 ? -std::sqrt(longest) : std::sqrt(longest);
    dense::fill(r_, 0, v);
    dense::copy(r_ - j, a + j, v + j);
    v[j] -= head;
    beta_[j] = 2 / dense::dot(r_, v, v);
    for (int c = j; c < n_; ++c) reflect(j, C_.column(c));
    return true;
  }
  void reflect(int j, double* x) const {
    const double* v = Q_.column(j);
    dense::add(r_, -beta_[j] * dense::dot(r_, v, x), v, x);
  }

  int n_, r_;
  Columns<F::r, F::n> C_;  ///< C, then R
  Columns<F::r, F::r> Q_;
  Buffer<F::r> beta_;
  Householder<F::n, F::r> Z_;
  Columns<F::n, F::r> R_transposed_;
  Columns<F::n, F::k> N_;
  mutable Buffer<F::n> x_;
  IndexBuffer P_;
};

template <class Model>
using QtzBasis = CarriedBasis<Model, QtzNullSpace>;

}  // namespace mechfmu
