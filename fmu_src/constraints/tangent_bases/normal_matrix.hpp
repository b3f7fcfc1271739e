// Finds the null space of C as that of the symmetric n × n matrix H = Cᵀ C (Pennestrì and Valentini 2007, (20)), for
// "zero_eigenvalue" and "schur". Both find H = T Λ Tᵀ, where Λ is diagonal, T = [T_1 T_2] is orthogonal, and T_1
// belongs to the n − r zeros:
//   N = T_1,   x = C⁺ r,   λ = (Cᵀ)⁺ f,   C⁺ = T_2 Λ_2⁻¹ T_2ᵀ Cᵀ
// H has the square of C's condition. So N, x and λ are refined by what C itself says of them, N ← N − C⁺ C N. This is
// done again if the correction was not small.
//
// `Decomposition` says its name and has bool decompose(H, T), which leaves Λ on the diagonal of H.
#pragma once

#include "carried.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu {

template <class Model, template <int> class Decomposition>
class NormalMatrixNullSpace {
 public:
  using F = Fixed<Model>;
  static constexpr const char* name = Decomposition<F::n>::name;

  NormalMatrixNullSpace(Arena& arena, const Model& model)
      : n_(model.sizes().velocities), r_(model.sizes().rank), decomposition_(arena, n_), A_(arena, n_, r_),
        H_(arena, n_, n_), T_(arena, n_, n_), N_(arena, n_, n_ - r_), rest_(arena, r_), x_(arena, n_), y_(arena, n_),
        T_2_(arena, r_) {}

  bool factor(ColumnsView<F::n> A) {
    dense::copy(n_ * r_, A.data(), A_.data());
    dense::fill(n_ * n_, 0, H_.data());
    for (int l = 0; l < r_; ++l) {
      for (int j = 0; j < n_; ++j) dense::add(n_, A(j, l), A.column(l), H_.column(j));
    }
    if (!decomposition_.decompose(H_, T_)) return false;
    return partition();
  }
  ColumnsView<F::n> N() const { return N_; }

  void particular(const double* residual, double* x) const {
    pseudo_inverse(residual, x);
    refine(residual, x);
  }
  void multipliers(const double* force, double* lambda) const {
    dense::copy(n_, force, y_.data());
    dense::fill(r_, 0, lambda);
    for (int pass = 0; pass < most_passes; ++pass) {
      inverse(y_.data(), x_.data());
      for (int l = 0; l < r_; ++l) {
        rest_[l] = dense::dot(n_, row(l), x_.data());
        lambda[l] += rest_[l];
        dense::add(n_, -rest_[l], row(l), y_.data());
      }
      if (pass > 0 && dense::largest(r_, rest_.data()) <= refined * dense::largest(r_, lambda)) return;
    }
  }

 private:
  static constexpr int most_passes = 4;

  /// Refines x ← x + C⁺ (r − C x), where `residual` = nullptr stands for r = 0.
  void refine(const double* residual, double* x) const {
    for (int pass = 1; pass < most_passes; ++pass) {
      for (int l = 0; l < r_; ++l) rest_[l] = (residual ? residual[l] : 0) - dense::dot(n_, row(l), x);
      pseudo_inverse(rest_.data(), y_.data());
      dense::add(n_, 1, y_.data(), x);
      if (dense::largest(n_, y_.data()) <= refined * dense::largest(n_, x)) return;
    }
  }

  /// Returns row l of C.
  const double* row(int l) const { return A_.column(l); }
  double eigenvalue(int j) const { return H_(j, j); }

  /// Gives the vectors of the r largest eigenvalues to T_2, and the others to N.
  bool partition() {
    for (int i = 0; i < n_; ++i) x_[i] = 1;  // vector i is not yet in T_2
    for (int i = 0; i < r_; ++i) {
      int best = -1;
      for (int j = 0; j < n_; ++j) {
        if (x_[j] > 0 && (best < 0 || eigenvalue(j) > eigenvalue(best))) best = j;
      }
      if (!(eigenvalue(best) > 0)) return false;
      T_2_[i] = best;
      x_[best] = 0;
    }
    int column = 0;
    for (int j = 0; j < n_; ++j) {
      if (!(x_[j] > 0)) continue;
      dense::copy(n_, T_.column(j), N_.column(column++));
    }
    for (int j = 0; j < n_ - r_; ++j) refine(nullptr, N_.column(j));
    return true;
  }
  /// x = T_2 Λ_2⁻¹ T_2ᵀ y
  void inverse(const double* y, double* x) const {
    dense::fill(n_, 0, x);
    for (int i = 0; i < r_; ++i) {
      const double* t = T_.column(T_2_[i]);
      dense::add(n_, dense::dot(n_, t, y) / eigenvalue(T_2_[i]), t, x);
    }
  }
  /// x = C⁺ b
  void pseudo_inverse(const double* b, double* x) const {
    dense::fill(n_, 0, x_.data());
    for (int l = 0; l < r_; ++l) dense::add(n_, b[l], row(l), x_.data());
    inverse(x_.data(), x);
  }

  int n_, r_;
  Decomposition<F::n> decomposition_;
  Columns<F::n, F::r> A_;
  Columns<F::n, F::n> H_, T_;
  Columns<F::n, F::k> N_;
  mutable Buffer<F::r> rest_;
  mutable Buffer<F::n> x_, y_;
  IndexBuffer T_2_;
};

}  // namespace mechfmu
