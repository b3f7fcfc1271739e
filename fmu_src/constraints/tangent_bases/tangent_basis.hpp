// Tangent bases: the contract of a member, and what all that start from a null basis V share.
//
// A member is a class template over the model with
//   bool factor(M, C, choice)                    at one configuration; false: singular. The order of the choice's rows
//   and
//                                                dependent columns may be changed
//   const double* W() const                      W_d, n × k: C W_d = 0, W_dᵀ M W_d = I
//   void particular(r, x) const                  some x with (C x)_rows = r (one number a kept row)
//   void multipliers(f, λ) const                 λ with Cᵀ λ = f for f in the range of Cᵀ; 0 for dropped rows
//   void differentiate(M, M_rate, C_rate)        prepares Ẇ_d along the motion
//   void rate_transposed_times(x, y) const       y = Ẇ_dᵀ x, after differentiate
// and, where W_d is not what it works with, in place of products with it,
//   void along(u, v) const                       v = W_d u
//   void onto(x, u) const                        u = W_dᵀ x
//   static constexpr bool carried                E* is not made of unit vectors but carried along: after each accepted
//                                                step it becomes M W_d, which leaves W_d and u as they are
//   static constexpr bool needs_regular_M
// The bases are those of E* and the kept rows in the Choice. Members are in list.hpp; each says where it comes from.
#pragma once

#include <utility>

#include "constraints/choice.hpp"
#include "linear/dense.hpp"
#include "linear/products.hpp"
#include "mechanism/model.hpp"

namespace mechfmu {

/// Whether a basis applies W_d without having made it. (A requires-expression would do, but importers that compile an
/// FMU's sources may know C++17 only.)
template <class Basis, class = void>
inline constexpr bool applies_itself = false;
template <class Basis>
inline constexpr bool applies_itself<Basis, decltype(std::declval<const Basis&>().along(nullptr, nullptr))> = true;

/// v = W_d u
template <class Basis>
inline void along(const Basis& basis, int n, int k, const double* u, double* v) {
  if constexpr (applies_itself<Basis>) {
    basis.along(u, v);
  } else {
    dense::fill(n, 0, v);
    for (int j = 0; j < k; ++j) dense::add(n, u[j], basis.W() + j * n, v);
  }
}

/// u = W_dᵀ x
template <class Basis>
inline void onto(const Basis& basis, int n, int k, const double* x, double* u) {
  if constexpr (applies_itself<Basis>) {
    basis.onto(x, u);
  } else {
    for (int j = 0; j < k; ++j) u[j] = dense::dot(n, basis.W() + j * n, x);
  }
}

/// Δ ← Δ − W_d W_dᵀ M Δ: only the constrained directions remain.
template <class Model>
void remove_tangent_part(const Model& model, const double* W, const double* M, double* delta, double* M_delta) {
  const int n = model.sizes().velocities, k = model.sizes().degrees_of_freedom();
  times_symmetric(model.M(), M, delta, M_delta);
  for (int j = 0; j < k; ++j) dense::add(n, -dense::dot(n, W + j * n, M_delta), W + j * n, delta);
}

/// V made orthonormal in M. S = VᵀMV = U Uᵀ, W_d = V U^{-T}; and its derivative along a motion with V̇:
/// Ṡ = V̇ᵀMV + VᵀMV̇ + VᵀṀV, U̇ = U Φ, Φ = upper part of U⁻¹ Ṡ U^{-T} with half its diagonal,
/// Ẇ_dᵀ = U⁻¹ V̇ᵀ − Φ W_dᵀ.
template <class Model>
class Orthonormalised {
 public:
  using F = Fixed<Model>;
  Orthonormalised(Arena& arena, const Model& model)
      : model_(model), W_(arena, n() * k()), U_(arena, k() * k()), phi_(arena, k() * k()), MV_(arena, n() * k()),
        product_(arena, n() * k()), scratch_(arena, k()), along_(arena, k()) {}
  const double* W() const { return W_.data(); }

  bool factor(const double* M, const double* V) {
    const int n = this->n(), k = this->k();
    if (k == 1) return factor_vector(M, V, false);
    times_symmetric_columns<F::M, F::k>(model_.M(), M, k, V, MV_.data());
    for (int j = 0; j < k; ++j) transposed_times<F::k>(n, k, V, MV_.data() + j * n, U_.data() + j * k);
    if (!dense::factor_upward(k, U_.data())) return false;
    for (int j = k - 1; j >= 0; --j) {  // W_d Uᵀ = V, last column first
      double* w = W_.data() + j * n;
      dense::copy(n, V + j * n, w);
      for (int l = j + 1; l < k; ++l) dense::add(n, -U_[j + l * k], W_.data() + l * n, w);
      const double scale = 1 / U_[j + j * k];
      for (int i = 0; i < n; ++i) w[i] *= scale;
    }
    return true;
  }

  /// The same for a single vector, or for its negative.
  bool factor_vector(const double* M, const double* V, bool negative) {
    const double square = square_in<F::M>(model_.M(), M, V);
    if (!(square > 0)) return false;
    U_[0] = std::sqrt(square);
    const double scale = (negative ? -1 : 1) / U_[0];
    for (int i = 0; i < n(); ++i) W_[i] = V[i] * scale;
    return true;
  }

  /// After factor with the same M and V.
  void differentiate(const double* M, const double* M_rate, const double* V, const double* V_rate) {
    const int n = this->n(), k = this->k();
    double* X = phi_.data();
    if (k == 1) times_symmetric<F::M>(model_.M(), M, V, MV_.data());  // for larger k factor has left it
    times_symmetric_columns<F::M_rate, F::k>(model_.M_rate(), M_rate, k, V, product_.data());
    for (int j = 0; j < k; ++j) transposed_times<F::k>(n, k, V_rate, MV_.data() + j * n, X + j * k);
    for (int j = 0; j < k; ++j) {
      transposed_times<F::k>(n, k, V, product_.data() + j * n, scratch_.data());
      for (int i = 0; i <= j; ++i) X[i + j * k] = X[j + i * k] = X[i + j * k] + X[j + i * k] + scratch_[i];
    }
    for (int j = 0; j < k; ++j) dense::solve_upper(k, U_.data(), X + j * k);  // U⁻¹ Ṡ
    for (int i = 0; i < k; ++i) {                                             // … U^{-T}, row by row
      for (int j = 0; j < k; ++j) scratch_[j] = X[i + j * k];
      dense::solve_upper(k, U_.data(), scratch_.data());
      for (int j = 0; j < k; ++j) X[i + j * k] = j > i ? scratch_[j] : j == i ? scratch_[j] / 2 : 0;
    }
  }

  void rate_transposed_times(const double* V_rate, const double* x, double* y) const {
    const int n = this->n(), k = this->k();
    transposed_times<F::k>(n, k, V_rate, x, y);
    dense::solve_upper(k, U_.data(), y);
    transposed_times<F::k>(n, k, W_.data(), x, along_.data());
    for (int j = 0; j < k; ++j) {
      for (int i = 0; i <= j; ++i) y[i] -= phi_[i + j * k] * along_[j];
    }
  }

 private:
  int n() const { return model_.sizes().velocities; }
  int k() const { return model_.sizes().degrees_of_freedom(); }

  Model model_;
  Buffer<area(F::n, F::k)> W_;
  Buffer<area(F::k, F::k)> U_, phi_;
  Buffer<area(F::n, F::k)> MV_, product_;
  Buffer<F::k> scratch_;
  mutable Buffer<F::k> along_;
};

}  // namespace mechfmu
