// "lu" is the coordinate partitioning of Wehage and Haug 1982 (Pennestrì and Valentini 2007, (35)–(40)), with complete
// pivoting at every configuration. The coordinates u are dependent, v independent.
//   Ψ_u u̇ + Ψ_v v̇ = 0,   Ψ_u = L R_1,  Ψ_v = L R_2:   N = [−R_1⁻¹ R_2 ; I]
//   x = [R_1⁻¹ L⁻¹ r ; 0],   λ = L^{-T} R_1^{-T} f_u
// Wehage and Haug keep the coordinates v until they get worse. Here they may change within a step, since the basis is
// carried. With E* in their place the basis is "partitioned".
#pragma once

#include "carried.hpp"
#include "linear/full_pivoting.hpp"

namespace mechfmu {

template <class Model>
class LuNullSpace {
 public:
  static constexpr const char* name = "lu";
  using F = Fixed<Model>;

  LuNullSpace(Arena& arena, const Model& model)
      : n_(model.sizes().velocities), r_(model.sizes().rank), C_(arena, r_, n_), N_(arena, n_, n_ - r_), x_(arena, r_) {
  }

  bool factor(ColumnsView<F::n> A) {
    if (!C_.factor(r_, A)) return false;
    dense::fill(n_ * (n_ - r_), 0, N_.data());
    for (int j = 0; j < n_ - r_; ++j) {
      double* column = N_.column(j);
      for (int i = 0; i < r_; ++i) x_[i] = -C_.R_2(i, j);
      C_.solve_R_1(x_.data());
      for (int i = 0; i < r_; ++i) column[C_.column(i)] = x_[i];
      column[C_.column(r_ + j)] = 1;
    }
    return true;
  }
  ColumnsView<F::n> N() const { return N_; }

  void particular(const double* residual, double* x) const {
    for (int i = 0; i < r_; ++i) x_[i] = residual[C_.row(i)];
    C_.solve_L(x_.data());
    C_.solve_R_1(x_.data());
    dense::fill(n_, 0, x);
    for (int i = 0; i < r_; ++i) x[C_.column(i)] = x_[i];
  }
  void multipliers(const double* force, double* lambda) const {
    for (int i = 0; i < r_; ++i) x_[i] = force[C_.column(i)];
    C_.solve_R_1_transposed(x_.data());
    C_.solve_L_transposed(x_.data());
    for (int i = 0; i < r_; ++i) lambda[C_.row(i)] = x_[i];
  }

 private:
  int n_, r_;
  FullPivoting<F::r, F::n> C_;
  Columns<F::n, F::k> N_;
  mutable Buffer<F::r> x_;
};

template <class Model>
using LuBasis = CarriedBasis<Model, LuNullSpace>;

}  // namespace mechfmu
