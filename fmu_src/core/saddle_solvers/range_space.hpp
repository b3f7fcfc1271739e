// "range_space": the multipliers first (Pennestrì and Valentini 2007, (5)–(10)), cheap while m < n/2.
//   M = L Lᵀ,   H = L⁻¹ Cᵀ,   Hᵀ H = C M⁻¹ Cᵀ = L_1 L_1ᵀ
//   L_1 L_1ᵀ λ = −γ − Hᵀ L⁻¹ h,   v̇ = L^{-T} (L⁻¹ h + H λ)
// The signs are those of B = Cᵀ here. C M⁻¹ Cᵀ has the square of C's condition.
#pragma once

#include "saddle_solver.hpp"

namespace mechfmu {

class RangeSpaceSolver final : public SaddleSolver {
 public:
  static constexpr const char* name = "range_space";
  static constexpr bool needs_regular_M = true;
  static constexpr bool needs_ideal = true;

  RangeSpaceSolver(int n, int rows) : n_(n), L_(n * n), H_(n * rows), L_1_(rows * rows) {}
  bool ok() const override { return L_.ok() && H_.ok() && L_1_.ok(); }

  bool factor(int r, const double* M, const double* A, const double*) override {
    r_ = r;
    dense::copy(n_ * n_, M, L_.data());
    if (!dense::factor_downward(n_, L_.data())) return false;
    dense::copy(n_ * r, A, H_.data());
    for (int i = 0; i < r; ++i) dense::solve_lower(n_, L_.data(), H_.data() + i * n_);
    for (int j = 0; j < r; ++j) {
      for (int i = 0; i < r; ++i) L_1_[i + j * r] = dense::dot(n_, H_.data() + i * n_, H_.data() + j * n_);
    }
    return dense::factor_downward(r, L_1_.data());
  }

  void solve(const double* h, const double* gamma, double* acceleration, double* multipliers) override {
    if (h != nullptr) dense::copy(n_, h, acceleration);
    else dense::fill(n_, 0, acceleration);
    dense::solve_lower(n_, L_.data(), acceleration);
    for (int i = 0; i < r_; ++i) {
      multipliers[i] = (gamma != nullptr ? -gamma[i] : 0) - dense::dot(n_, H_.data() + i * n_, acceleration);
    }
    dense::solve_downward(r_, L_1_.data(), multipliers);
    for (int i = 0; i < r_; ++i) dense::add(n_, multipliers[i], H_.data() + i * n_, acceleration);
    dense::solve_lower_transposed(n_, L_.data(), acceleration);
  }

 private:
  int n_, r_ = 0;
  Buffer<dynamic> L_, H_, L_1_;
};

}  // namespace mechfmu
