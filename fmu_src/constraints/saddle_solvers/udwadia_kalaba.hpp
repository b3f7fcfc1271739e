// "udwadia_kalaba" uses Gauss's principle with the pseudo-inverse (Pennestrì and Valentini 2007, after (47)).
//   a = M⁻¹ h,   D = C M^{-1/2},   v̇ = a + M^{-1/2} D⁺ (−γ − C a),   λ = (D Dᵀ)⁺ (−γ − C a)
// M = T Λ Tᵀ gives M^{-1/2} = T Λ^{-1/2} Tᵀ, and D = U Σ Wᵀ gives D⁺ = W Σ⁻¹ Uᵀ, both by Jacobi's rotations. Singular
// values that are round-off count as zeros. (Dependent rows could stay among the others, and λ would be of least norm.
// But beside the constraints, where the stages of a step are, they are not dependent, and they contradict each other.)
#pragma once

#include "linear/jacobi.hpp"
#include "linear/tolerances.hpp"
#include "saddle_solver.hpp"

namespace mechfmu {

template <class Model>
class UdwadiaKalabaSolver final : public SaddleSolver {
 public:
  static constexpr const char* name = "udwadia_kalaba";
  static constexpr bool needs_regular_M = true;
  static constexpr bool needs_ideal = true;
  using F = Fixed<Model>;

  UdwadiaKalabaSolver(Arena& arena, const Model& model)
      : model_(model), M_(arena, n(), n()), T_(arena, n(), n()), root_(arena, n(), n()), A_(arena, n(), most_rows()),
        W_(arena, n(), most_rows()), U_(arena, most_rows(), most_rows()), sigma_(arena, most_rows()),
        open_(arena, most_rows()), x_(arena, n()), y_(arena, n()) {}

  bool factor(int rows, const double* M, const double* A, const double*) override {
    rows_ = rows;
    return take_root(M) && with_rows<Model>(rows, [&](auto r) {
             const int n = this->n();
             dense::copy(n * r, A, A_.data());
             for (int i = 0; i < r; ++i) times_root(A_.column(i), W_.column(i));
             dense::orthogonalise_columns(r, W_, U_.packed(r));
             double largest = 0;
             for (int i = 0; i < r; ++i) {
               sigma_[i] = std::sqrt(dense::dot(n, W_.column(i), W_.column(i)));
               dense::raise(largest, sigma_[i]);
             }
             for (int i = 0; i < r; ++i) {
               if (!(sigma_[i] > vanished_singular_value * largest)) sigma_[i] = 0;
             }
             return largest == largest;
           });
  }

  void solve(const double* h, const double* gamma, double* acceleration, double* multipliers) override {
    const int n = this->n(), r = rows_;
    const auto U = U_.packed(r);
    if (h != nullptr) {
      times_root(h, x_.data());
      times_root(x_.data(), acceleration);
    } else {
      dense::fill(n, 0, acceleration);
    }
    for (int i = 0; i < r; ++i) {
      open_[i] = (gamma != nullptr ? -gamma[i] : 0) - dense::dot(n, A_.column(i), acceleration);
    }
    dense::fill(n, 0, x_.data());
    dense::fill(r, 0, multipliers);
    for (int i = 0; i < r; ++i) {
      if (sigma_[i] == 0) continue;
      const double* u = U.column(i);
      const double part = dense::dot(r, u, open_.data()) / (sigma_[i] * sigma_[i]);
      dense::add(n, part, W_.column(i), x_.data());  // the columns of W_ are those of W Σ
      dense::add(r, part, u, multipliers);
    }
    times_root(x_.data(), y_.data());
    dense::add(n, 1, y_.data(), acceleration);
  }

 private:
  int n() const { return model_.sizes().velocities; }
  int most_rows() const { return model_.sizes().all_rows(); }

  /// Finds M^{-1/2}. Returns false if M is not positive definite.
  bool take_root(const double* M) {
    const int n = this->n();
    dense::copy(n * n, M, M_.data());
    dense::diagonalise(M_, T_);
    dense::fill(n * n, 0, root_.data());
    for (int l = 0; l < n; ++l) {
      const double eigenvalue = M_(l, l);
      if (!(eigenvalue > 0)) return false;
      const double* t = T_.column(l);
      for (int j = 0; j < n; ++j) dense::add(n, t[j] / std::sqrt(eigenvalue), t, root_.column(j));
    }
    return true;
  }
  /// y = M^{-1/2} x
  void times_root(const double* x, double* y) const {
    for (int j = 0; j < n(); ++j) y[j] = dense::dot(n(), root_.column(j), x);
  }

  Model model_;
  int rows_ = 0;
  Columns<F::n, F::n> M_, T_, root_;
  Columns<F::n, F::all_rows> A_, W_;
  Columns<F::all_rows, F::all_rows> U_;
  Buffer<F::all_rows> sigma_, open_;
  Buffer<F::n> x_, y_;
};

}  // namespace mechfmu
