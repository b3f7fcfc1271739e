// Is the basis of a mechanism without constraints and with many velocities, whichever member is asked for: all members
// are alike where nothing has to be resolved.
//
//   P M Pᵀ = L Lᵀ      W_d = Pᵀ L^{-T}      v = W_d u      u = W_dᵀ M v = Lᵀ P v
//   Ẇ_dᵀ = −L⁻¹ L̇ L⁻¹ P,   L̇ by differentiating the factorisation
// L has few more nonzeros than M: for independent bodies all this is a diagonal. W_d itself is made for those who ask
// for it, and no step does.
#pragma once

#include "constraints/choice.hpp"
#include "linear/dense.hpp"
#include "linear/sparse_cholesky.hpp"
#include "mechanism/model.hpp"

namespace mechfmu {

template <class Model>
class UnconstrainedBasis {
 public:
  static constexpr const char* name = "unconstrained";
  static constexpr bool carried = false;
  static constexpr bool needs_regular_M = true;

  UnconstrainedBasis(Arena& arena, const Model& model)
      : n_(model.sizes().velocities), factors_(arena, model.M(), model.M_rate()), x_(arena, n_), W_(arena, n_, n_) {}

  bool factor(const double* M, const double*, const Choice&) { return factors_.factor(M); }
  ColumnsView<Fixed<Model>::n> W() const {
    for (int j = 0; j < n_; ++j) {
      dense::fill(n_, 0, x_.data());
      x_[j] = 1;
      apply(x_.data(), W_.column(j));
    }
    return W_;
  }
  void apply(const double* u, double* v) const { factors_.solve_transposed(u, v); }
  void onto(const double* x, double* u) const { factors_.solve(x, u); }
  void particular(const double*, double* x) const { dense::fill(n_, 0, x); }
  void multipliers(const double*, double*) const {}
  void differentiate(const double*, const double* M_rate, const double*) { factors_.differentiate(M_rate); }
  void rate_transposed_times(const double* x, double* y) const {
    factors_.solve(x, y);
    factors_.rate_times(y, x_.data());
    factors_.solve(x_.data(), y);
    for (int j = 0; j < n_; ++j) y[j] = -y[j];
  }

 private:
  int n_;
  SparseCholesky factors_;
  mutable Buffer<dynamic> x_;
  mutable RunTimeColumns W_;
};

}  // namespace mechfmu
