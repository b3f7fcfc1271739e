// "range_space" finds the multipliers first (Pennestrì and Valentini 2007, (5)–(10)), which is cheap while m < n/2.
//   M = L Lᵀ,   H = L⁻¹ Cᵀ,   Hᵀ H = C M⁻¹ Cᵀ = L_1 L_1ᵀ
//   L_1 L_1ᵀ λ = −γ − Hᵀ L⁻¹ h,   v̇ = L^{-T} (L⁻¹ h + H λ)
// The signs are those of B = Cᵀ here. C M⁻¹ Cᵀ has the square of C's condition.
#pragma once

#include "saddle_solver.hpp"

namespace mechfmu {

template <class Model>
class RangeSpaceSolver final : public SaddleSolver {
 public:
  static constexpr const char* name = "range_space";
  static constexpr bool needs_regular_M = true;
  static constexpr bool needs_ideal = true;
  using F = Fixed<Model>;

  RangeSpaceSolver(Arena& arena, const Model& model)
      : model_(model), L_(arena, n(), n()), H_(arena, n(), model.sizes().all_rows()),
        L_1_(arena, model.sizes().all_rows(), model.sizes().all_rows()) {}

  bool factor(int rows, const double* M, const double* A, const double*) override {
    rows_ = rows;
    return with_rows<Model>(rows, [&](auto r) {
      const int n = this->n();
      dense::copy(n * n, M, L_.data());
      if (!dense::factor_downward(n, L_.data())) return false;
      dense::copy(n * r, A, H_.data());
      for (int i = 0; i < r; ++i) dense::solve_lower(n, L_.data(), H_.column(i));
      const auto L_1 = L_1_.packed(r);
      for (int j = 0; j < r; ++j) {  // it is symmetric, and only its lower triangle is needed
        for (int i = j; i < r; ++i) L_1(i, j) = dense::dot(n, H_.column(i), H_.column(j));
      }
      return dense::factor_downward(r, L_1.data());
    });
  }

  void solve(const double* h, const double* gamma, double* acceleration, double* multipliers) override {
    with_rows<Model>(rows_, [&](auto r) {
      const int n = this->n();
      if (h != nullptr) dense::copy(n, h, acceleration);
      else dense::fill(n, 0, acceleration);
      dense::solve_lower(n, L_.data(), acceleration);
      for (int i = 0; i < r; ++i) {
        multipliers[i] = (gamma != nullptr ? -gamma[i] : 0) - dense::dot(n, H_.column(i), acceleration);
      }
      dense::solve_downward(r, L_1_.data(), multipliers);
      for (int i = 0; i < r; ++i) dense::add(n, multipliers[i], H_.column(i), acceleration);
      dense::solve_lower_transposed(n, L_.data(), acceleration);
    });
  }

 private:
  int n() const { return model_.sizes().velocities; }

  Model model_;
  int rows_ = 0;
  Columns<F::n, F::n> L_;
  Columns<F::n, F::all_rows> H_;
  Columns<F::all_rows, F::all_rows> L_1_;
};

}  // namespace mechfmu
