// "gram_schmidt" is Blajer 1993 as printed, with the misprints of (3.2) and (3.5) corrected.
//
// P* = [Cᵀ E*] is orthonormalised in the metric M⁻¹ (covariant vectors):
//   v_i* = p_i* − Σ_{j<i} (w_jᵀ p_i*) w_j*     w_i* = v_i* / ‖v_i‖     w_i = M⁻¹ w_i*     ‖v_i‖² = v_i*ᵀ M⁻¹ v_i* (3.2)
// It is also differentiated along the motion, with (M⁻¹)˙ = −M⁻¹ Ṁ M⁻¹ and ė* = 0:
//   v̇_i* = ṗ_i* − Σ_j [ (ẇ_jᵀ p_i* + w_jᵀ ṗ_i*) w_j* + (w_jᵀ p_i*) ẇ_j* ]     (‖v‖²)˙ = 2 vᵀ v̇* − vᵀ Ṁ v
//   ẇ_i* = v̇_i*/‖v_i‖ − ½ ‖v_i‖⁻³ (‖v_i‖²)˙ v_i*      ẇ_i = M⁻¹ (ẇ_i* − Ṁ w_i)                              (3.5)
// ‖v_i‖² is formed from v_i* itself, not as a difference of squares, and a vector that shrinks is orthogonalised twice.
// P* = W* R gives x = W_c R_cc^{-T} r with C x = r, and λ = R_cc⁻¹ W_cᵀ f. M must be regular.
#pragma once

#include "tangent_basis.hpp"

namespace mechfmu {

template <class Model>
class GramSchmidtBasis {
 public:
  static constexpr const char* name = "gram_schmidt";
  static constexpr bool carried = false;
  static constexpr bool needs_regular_M = true;
  using F = Fixed<Model>;

  GramSchmidtBasis(Arena& arena, const Model& model)
      : model_(model), L_(arena, n(), n()), P_(arena, n(), n()), W_(arena, n(), n()), W_star_(arena, n(), n()),
        R_(arena, n(), n()), length_(arena, n()), W_rate_(arena, n(), n()), W_star_rate_(arena, n(), n()),
        P_rate_(arena, n(), n()), x_(arena, n()) {}

  bool factor(const double* M, const double* C, const Choice& choice) {
    choice_ = &choice;
    const int n = this->n();
    expand_symmetric(model_.M(), M, L_.data());
    if (!dense::factor_downward(n, L_.data())) return false;
    supplement(C);
    for (int j = 0; j < k(); ++j) P_(choice.independent[j], r() + j) = 1;
    dense::fill(n * n, 0, R_.data());
    for (int i = 0; i < n; ++i) {
      double* w_star = W_star_.column(i);
      double* w = W_.column(i);
      dense::copy(n, P_.column(i), w_star);
      solve_M(w_star, w);
      double before = std::sqrt(dense::dot(n, w_star, w)), after = before;
      for (int pass = 0; pass < 2; ++pass) {
        for (int j = 0; j < i; ++j) {
          const double part = dense::dot(n, W_.column(j), w_star);
          R_(j, i) += part;
          dense::add(n, -part, W_star_.column(j), w_star);
        }
        solve_M(w_star, w);
        after = std::sqrt(dense::dot(n, w_star, w));
        if (after > 0.5 * before) break;
        before = after;
      }
      if (!(after > 0)) return false;
      R_(i, i) = length_[i] = after;
      for (int l = 0; l < n; ++l) {
        w_star[l] /= after;
        w[l] /= after;
      }
    }
    return true;
  }

  ColumnsView<F::n> W() const { return {W_.column(r()), n()}; }

  void particular(const double* residual, double* x) const {
    dense::fill(n(), 0, x);
    for (int i = 0; i < r(); ++i) {  // R_ccᵀ y = r, x = W_c y
      double y = residual[i];
      for (int j = 0; j < i; ++j) y -= R_(j, i) * x_[j];
      x_[i] = y / R_(i, i);
      dense::add(n(), x_[i], W_.column(i), x);
    }
  }

  void multipliers(const double* force, double* lambda) const {
    dense::fill(model_.sizes().rows(), 0, lambda);
    for (int i = r() - 1; i >= 0; --i) {
      double y = dense::dot(n(), W_.column(i), force);
      for (int j = i + 1; j < r(); ++j) y -= R_(i, j) * x_[j];
      x_[i] = y / R_(i, i);
      lambda[choice_->rows[i]] = x_[i];
    }
  }

  void differentiate(const double*, const double* M_rate, const double* C_rate) {
    const int n = this->n();
    supplement_rate(C_rate);
    for (int i = 0; i < n; ++i) {
      double* v_star_rate = W_star_rate_.column(i);
      const double* p = P_.column(i);
      const double* p_rate = P_rate_.column(i);
      dense::copy(n, p_rate, v_star_rate);
      for (int j = 0; j < i; ++j) {
        const double part = R_(j, i);
        const double part_rate = dense::dot(n, W_rate_.column(j), p) + dense::dot(n, W_.column(j), p_rate);
        dense::add(n, -part_rate, W_star_.column(j), v_star_rate);
        dense::add(n, -part, W_star_rate_.column(j), v_star_rate);
      }
      // With w = v/‖v‖: ½ ‖v‖⁻² (‖v‖²)˙ = (wᵀ v̇*)/‖v‖ − ½ wᵀ Ṁ w.
      const double* w = W_.column(i);
      times_symmetric(model_.M_rate(), M_rate, w, x_.data());
      const double shrink = dense::dot(n, w, v_star_rate) / length_[i] - dense::dot(n, w, x_.data()) / 2;
      for (int l = 0; l < n; ++l) v_star_rate[l] = v_star_rate[l] / length_[i] - shrink * W_star_(l, i);
      double* w_rate = W_rate_.column(i);
      for (int l = 0; l < n; ++l) w_rate[l] = v_star_rate[l] - x_[l];
      dense::solve_downward(n, L_.data(), w_rate);
    }
  }

  void rate_transposed_times(const double* x, double* y) const {
    for (int j = 0; j < k(); ++j) y[j] = dense::dot(n(), W_rate_.column(r() + j), x);
  }

 private:
  using Square = Columns<F::n, F::n>;
  int n() const { return model_.sizes().velocities; }
  int k() const { return model_.sizes().degrees_of_freedom(); }
  int r() const { return model_.sizes().rank; }

  void solve_M(const double* b, double* x) {
    dense::copy(n(), b, x);
    dense::solve_downward(n(), L_.data(), x);
  }

  /// Sets the first columns of P_ to the kept rows of C, and the others to zero.
  void supplement(const double* C) {
    dense::fill(n() * n(), 0, P_.data());
    const Pattern& pattern = model_.C();
    for (int e = 0; e < pattern.nonzeros; ++e) {
      const int slot = choice_->row_slot[pattern.row[e]];
      if (slot >= 0) P_(pattern.column[e], slot) = C[e];
    }
  }
  void supplement_rate(const double* C_rate) {
    dense::fill(n() * n(), 0, P_rate_.data());
    const Pattern& pattern = model_.C_rate();
    for (int e = 0; e < pattern.nonzeros; ++e) {
      const int slot = choice_->row_slot[pattern.row[e]];
      if (slot >= 0) P_rate_(pattern.column[e], slot) = C_rate[e];
    }
  }

  Model model_;
  const Choice* choice_ = nullptr;
  Square L_, P_, W_, W_star_, R_;
  Buffer<F::n> length_;
  Square W_rate_, W_star_rate_, P_rate_;
  mutable Buffer<F::n> x_;
};

}  // namespace mechfmu
