// "udwadia_kalaba": Gauss's principle with the pseudo-inverse (Pennestrì and Valentini 2007, after (47)).
//   a = M⁻¹ h,   D = C M^{-1/2},   v̇ = a + M^{-1/2} D⁺ (−γ − C a),   λ = (D Dᵀ)⁺ (−γ − C a)
// M = T Λ Tᵀ gives M^{-1/2} = T Λ^{-1/2} Tᵀ, and D = U Σ Wᵀ gives D⁺ = W Σ⁻¹ Uᵀ, both by Jacobi's rotations. Singular
// values that are round-off count as zeros. (Dependent rows could stay among the others, and λ would be of least norm. But
// beside the constraints, where the stages of a step are, they are not dependent, and contradict each other.)
#pragma once

#include "core/tangent_bases/jacobi.hpp"
#include "saddle_solver.hpp"

namespace mechfmu {

class UdwadiaKalabaSolver final : public SaddleSolver {
 public:
  static constexpr const char* name = "udwadia_kalaba";
  static constexpr bool needs_regular_M = true;
  static constexpr bool needs_ideal = true;

  UdwadiaKalabaSolver(int n, int rows)
      : n_(n), M_(n * n), T_(n * n), root_(n * n), A_(n * rows), W_(n * rows), U_(rows * rows), sigma_(rows),
        open_(rows), x_(n), y_(n) {}
  bool ok() const override {
    return M_.ok() && T_.ok() && root_.ok() && A_.ok() && W_.ok() && U_.ok() && sigma_.ok() && open_.ok() && x_.ok() &&
           y_.ok();
  }

  bool factor(int r, const double* M, const double* A, const double*) override {
    r_ = r;
    dense::copy(n_ * n_, M, M_.data());
    dense::diagonalise(n_, M_.data(), T_.data());
    dense::fill(n_ * n_, 0, root_.data());
    for (int l = 0; l < n_; ++l) {
      const double eigenvalue = M_[l + l * n_];
      if (!(eigenvalue > 0)) return false;
      const double* t = T_.data() + l * n_;
      for (int j = 0; j < n_; ++j) dense::add(n_, t[j] / std::sqrt(eigenvalue), t, root_.data() + j * n_);
    }
    dense::copy(n_ * r, A, A_.data());
    for (int i = 0; i < r; ++i) times_root(A + i * n_, W_.data() + i * n_);
    dense::orthogonalise_columns(n_, r, W_.data(), U_.data());
    double largest = 0;
    for (int i = 0; i < r; ++i) {
      sigma_[i] = std::sqrt(dense::dot(n_, W_.data() + i * n_, W_.data() + i * n_));
      dense::raise(largest, sigma_[i]);
    }
    for (int i = 0; i < r; ++i) {
      if (!(sigma_[i] > round_off * largest)) sigma_[i] = 0;
    }
    return largest == largest;
  }

  void solve(const double* h, const double* gamma, double* acceleration, double* multipliers) override {
    if (h != nullptr) {
      times_root(h, x_.data());
      times_root(x_.data(), acceleration);
    } else {
      dense::fill(n_, 0, acceleration);
    }
    for (int i = 0; i < r_; ++i) {
      open_[i] = (gamma != nullptr ? -gamma[i] : 0) - dense::dot(n_, A_.data() + i * n_, acceleration);
    }
    dense::fill(n_, 0, x_.data());
    dense::fill(r_, 0, multipliers);
    for (int i = 0; i < r_; ++i) {
      if (sigma_[i] == 0) continue;
      const double* u = U_.data() + i * r_;
      const double along = dense::dot(r_, u, open_.data()) / (sigma_[i] * sigma_[i]);
      dense::add(n_, along, W_.data() + i * n_, x_.data());  // the columns of W_ are those of W Σ
      dense::add(r_, along, u, multipliers);
    }
    times_root(x_.data(), y_.data());
    dense::add(n_, 1, y_.data(), acceleration);
  }

 private:
  /// y = M^{-1/2} x
  void times_root(const double* x, double* y) const {
    for (int j = 0; j < n_; ++j) y[j] = dense::dot(n_, root_.data() + j * n_, x);
  }

  static constexpr double round_off = 1e-14;

  int n_, r_ = 0;
  Buffer<dynamic> M_, T_, root_, A_, W_, U_, sigma_, open_, x_, y_;
};

}  // namespace mechfmu
