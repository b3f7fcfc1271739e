// Tangent bases keep to the contract of a member that stands here. This file also has what all bases share that start
// from a null basis V.
//
// A member is a class template over the model with
//   bool factor(M, C, choice)                    works at one configuration and returns false if it is singular. It may
//                                                change the order of the choice's rows and dependent columns
//   ColumnsView<F::n> W() const                  W_d, n × k: C W_d = 0, W_dᵀ M W_d = I
//   void particular(r, x) const                  finds some x with (C x)_rows = r (one number a kept row)
//   void multipliers(f, λ) const                 λ with Cᵀ λ = f for f in the range of Cᵀ; 0 for dropped rows
//   void differentiate(M, M_rate, C_rate)        prepares Ẇ_d along the motion
//   void rate_transposed_times(x, y) const       y = Ẇ_dᵀ x, after differentiate
// A member that does not work with W_d itself also has, in place of products with it,
//   void apply(u, v) const                       v = W_d u
//   void onto(x, u) const                        u = W_dᵀ x
// A member that looks at local coordinates also has
//   void see(const Point&)                       is called wherever M and C were evaluated anew, before factor
// Every member has, too,
//   static constexpr bool carried                E* is not made of unit vectors but carried: after each accepted
//                                                step it becomes M W_d, which leaves W_d and u as they are
//   static constexpr bool needs_regular_M
// A member that asks for the motion in independent coordinates (stepping/independent_motion.hpp) has
//   static constexpr bool integrates_independent = true
// The bases are those of E* and the kept rows in the Choice. Members are in list.hpp; each says where it comes from.
#pragma once

#include <type_traits>
#include <utility>

#include "constraints/choice.hpp"
#include "linear/dense.hpp"
#include "linear/products.hpp"
#include "mechanism/model.hpp"

namespace mechfmu {

/// Is true if a basis applies W_d without having made it. (A requires-expression would do, but importers that compile
/// an FMU's sources may know C++17 only.)
template <class Basis, class = void>
inline constexpr bool applies_itself = false;
template <class Basis>
inline constexpr bool applies_itself<Basis, decltype(std::declval<const Basis&>().apply(nullptr, nullptr))> = true;

/// Is true if a basis looks at the point at which M and C were evaluated.
template <class Basis, class = void>
inline constexpr bool looks_at_point = false;
template <class Basis>
inline constexpr bool looks_at_point<Basis, decltype(std::declval<Basis&>().see(std::declval<const Point&>()))> = true;

/// Is true if only independent coordinates and their rates are integrated with a basis.
template <class Basis, class = void>
inline constexpr bool integrates_independent_with = false;
template <class Basis>
inline constexpr bool integrates_independent_with<Basis, std::enable_if_t<Basis::integrates_independent>> = true;

/// Shows the point to a basis that looks at it.
template <class Basis>
inline void see(Basis& basis, const Point& point) {
  if constexpr (looks_at_point<Basis>) basis.see(point);
}

/// v = W_d u
template <class Basis>
inline void apply(const Basis& basis, int n, int k, const double* u, double* v) {
  if constexpr (applies_itself<Basis>) {
    basis.apply(u, v);
  } else {
    dense::fill(n, 0, v);
    for (int j = 0; j < k; ++j) dense::add(n, u[j], basis.W().column(j), v);
  }
}

/// u = W_dᵀ x
template <class Basis>
inline void onto(const Basis& basis, int n, int k, const double* x, double* u) {
  if constexpr (applies_itself<Basis>) {
    basis.onto(x, u);
  } else {
    for (int j = 0; j < k; ++j) u[j] = dense::dot(n, basis.W().column(j), x);
  }
}

/// Replaces Δ by Δ − W_d W_dᵀ M Δ: only the constrained directions remain.
template <class Model>
void remove_tangent_part(const Model& model, ColumnsView<Fixed<Model>::n> W, const double* M, double* delta,
                         double* M_delta) {
  const int n = model.sizes().velocities, k = model.sizes().degrees_of_freedom();
  times_symmetric(model.M(), M, delta, M_delta);
  for (int j = 0; j < k; ++j) dense::add(n, -dense::dot(n, W.column(j), M_delta), W.column(j), delta);
}

/// Makes V orthonormal in M: S = VᵀMV = U Uᵀ, W_d = V U^{-T}. It also has the derivative of W_d along a motion with V̇:
/// Ṡ = V̇ᵀMV + VᵀMV̇ + VᵀṀV, U̇ = U Φ, where Φ is the upper part of U⁻¹ Ṡ U^{-T} with half its diagonal, and Ẇ_dᵀ = U⁻¹
/// V̇ᵀ − Φ W_dᵀ.
template <class Model>
class Orthonormalised {
 public:
  using F = Fixed<Model>;
  Orthonormalised(Arena& arena, const Model& model)
      : model_(model), W_(arena, n(), k()), U_(arena, k(), k()), phi_(arena, k(), k()), MV_(arena, n(), k()),
        product_(arena, n(), k()), scratch_(arena, k()), components_(arena, k()) {}
  ColumnsView<F::n> W() const { return W_; }

  bool factor(const double* M, ColumnsView<F::n> V) {
    const int n = this->n(), k = this->k();
    if (k == 1) return factor_vector(M, V.data(), false);
    times_symmetric_columns<F::M, F::k>(model_.M(), M, k, V.data(), MV_.data());
    for (int j = 0; j < k; ++j) transposed_times<F::k>(n, k, V.data(), MV_.column(j), U_.column(j));
    if (!dense::factor_upward(k, U_.data())) return false;
    for (int j = k - 1; j >= 0; --j) {  // W_d Uᵀ = V, last column first
      double* w = W_.column(j);
      dense::copy(n, V.column(j), w);
      for (int l = j + 1; l < k; ++l) dense::add(n, -U_(j, l), W_.column(l), w);
      const double scale = 1 / U_(j, j);
      for (int i = 0; i < n; ++i) w[i] *= scale;
    }
    return true;
  }

  /// Does this for a single vector, or for its negative.
  bool factor_vector(const double* M, const double* V, bool negative) {
    const double square = square_in<F::M>(model_.M(), M, V);
    if (!(square > 0)) return false;
    U_(0, 0) = std::sqrt(square);
    const double scale = (negative ? -1 : 1) / U_(0, 0);
    double* w = W_.column(0);
    for (int i = 0; i < n(); ++i) w[i] = V[i] * scale;
    return true;
  }

  /// Prepares the derivative, after factor with the same M and V.
  void differentiate(const double* M, const double* M_rate, ColumnsView<F::n> V, ColumnsView<F::n> V_rate) {
    const int n = this->n(), k = this->k();
    Columns<F::k, F::k>& X = phi_;
    if (k == 1) times_symmetric<F::M>(model_.M(), M, V.data(), MV_.data());  // for larger k factor has left it
    times_symmetric_columns<F::M_rate, F::k>(model_.M_rate(), M_rate, k, V.data(), product_.data());
    for (int j = 0; j < k; ++j) transposed_times<F::k>(n, k, V_rate.data(), MV_.column(j), X.column(j));
    for (int j = 0; j < k; ++j) {
      transposed_times<F::k>(n, k, V.data(), product_.column(j), scratch_.data());
      for (int i = 0; i <= j; ++i) X(i, j) = X(j, i) = X(i, j) + X(j, i) + scratch_[i];
    }
    for (int j = 0; j < k; ++j) dense::solve_upper(k, U_.data(), X.column(j));  // U⁻¹ Ṡ
    for (int i = 0; i < k; ++i) {                                               // = … U^{-T}, row by row
      for (int j = 0; j < k; ++j) scratch_[j] = X(i, j);
      dense::solve_upper(k, U_.data(), scratch_.data());
      for (int j = 0; j < k; ++j) X(i, j) = j > i ? scratch_[j] : j == i ? scratch_[j] / 2 : 0;
    }
  }

  void rate_transposed_times(ColumnsView<F::n> V_rate, const double* x, double* y) const {
    const int n = this->n(), k = this->k();
    transposed_times<F::k>(n, k, V_rate.data(), x, y);
    dense::solve_upper(k, U_.data(), y);
    transposed_times<F::k>(n, k, W_.data(), x, components_.data());
    for (int j = 0; j < k; ++j) {
      for (int i = 0; i <= j; ++i) y[i] -= phi_(i, j) * components_[j];
    }
  }

 private:
  int n() const { return model_.sizes().velocities; }
  int k() const { return model_.sizes().degrees_of_freedom(); }

  Model model_;
  Columns<F::n, F::k> W_;
  Columns<F::k, F::k> U_, phi_;
  Columns<F::n, F::k> MV_, product_;
  Buffer<F::k> scratch_;
  mutable Buffer<F::k> components_;
};

}  // namespace mechfmu
