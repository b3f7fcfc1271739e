// "svd" takes the null space from the singular vectors that belong to no singular value (Mani and Haug 1985, Singh and
// Likins 1985; Pennestrì and Valentini 2007, (28)–(29)).
//   Cᵀ = [W_d W_i] [Λ ; 0] Uᵀ,   N = W_i,   x = W_d Λ⁻¹ Uᵀ r,   λ = U Λ⁻¹ W_dᵀ f
// Cᵀ has more rows than columns, so that Cᵀ = Q [R ; 0] comes first (Chan 1982), and then R U = W Λ by Jacobi's
// rotations: W_d = Q [W ; 0], W_i = Q [0 ; I].
#pragma once

#include "carried.hpp"
#include "linear/householder.hpp"
#include "linear/jacobi.hpp"

namespace mechfmu {

template <class Model>
class SvdNullSpace {
 public:
  static constexpr const char* name = "svd";
  using F = Fixed<Model>;

  SvdNullSpace(Arena& arena, const Model& model)
      : n_(model.sizes().velocities), r_(model.sizes().rank), Q_(arena, n_, r_), W_(arena, r_, r_), U_(arena, r_, r_),
        singular_values_(arena, r_), N_(arena, n_, n_ - r_), x_(arena, n_) {}

  bool factor(ColumnsView<F::n> A) {
    if (!Q_.factor(A)) return false;
    for (int j = 0; j < r_; ++j) {
      for (int i = 0; i < r_; ++i) W_(i, j) = i <= j ? Q_.R(i, j) : 0;
    }
    dense::orthogonalise_columns(r_, W_, U_);
    for (int j = 0; j < r_; ++j) {
      double* w = W_.column(j);
      singular_values_[j] = std::sqrt(dense::dot(r_, w, w));
      if (!(singular_values_[j] > 0)) return false;
      for (int i = 0; i < r_; ++i) w[i] /= singular_values_[j];
    }
    Q_.complement(N_);
    return true;
  }
  ColumnsView<F::n> N() const { return N_; }

  void particular(const double* residual, double* x) const {
    dense::fill(n_, 0, x);
    for (int j = 0; j < r_; ++j) {
      const double part = dense::dot(r_, U_.column(j), residual) / singular_values_[j];
      dense::add(r_, part, W_.column(j), x);
    }
    Q_.apply_Q(x);
  }
  void multipliers(const double* force, double* lambda) const {
    dense::copy(n_, force, x_.data());
    Q_.apply_Q_transposed(x_.data());
    dense::fill(r_, 0, lambda);
    for (int j = 0; j < r_; ++j) {
      const double part = dense::dot(r_, W_.column(j), x_.data()) / singular_values_[j];
      dense::add(r_, part, U_.column(j), lambda);
    }
  }

 private:
  int n_, r_;
  Householder<F::n, F::r> Q_;
  Columns<F::r, F::r> W_, U_;
  Buffer<F::r> singular_values_;
  Columns<F::n, F::k> N_;
  mutable Buffer<F::n> x_;
};

template <class Model>
using SvdBasis = CarriedBasis<Model, SvdNullSpace>;

}  // namespace mechfmu
