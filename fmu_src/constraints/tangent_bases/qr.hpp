// "qr" takes the null space from the last columns of Q of Cᵀ (Kim and Vanderploeg 1986; Pennestrì and Valentini 2007,
// (24)–(27)).
//   Cᵀ = [Q_1 Q_2] [R ; 0],   N = Q_2,   x = Q_1 R^{-T} r,   λ = R⁻¹ Q_1ᵀ f
#pragma once

#include "carried.hpp"
#include "linear/householder.hpp"

namespace mechfmu {

template <class Model>
class QrNullSpace {
 public:
  static constexpr const char* name = "qr";
  using F = Fixed<Model>;

  QrNullSpace(Arena& arena, const Model& model)
      : n_(model.sizes().velocities), r_(model.sizes().rank), Q_(arena, n_, r_), N_(arena, n_, n_ - r_), x_(arena, n_) {
  }

  bool factor(ColumnsView<F::n> A) {
    if (!Q_.factor(A)) return false;
    Q_.complement(N_);
    return true;
  }
  ColumnsView<F::n> N() const { return N_; }

  void particular(const double* residual, double* x) const {
    dense::fill(n_, 0, x);
    dense::copy(r_, residual, x);
    Q_.solve_R_transposed(x);
    Q_.apply_Q(x);
  }
  void multipliers(const double* force, double* lambda) const {
    dense::copy(n_, force, x_.data());
    Q_.apply_Q_transposed(x_.data());
    Q_.solve_R(x_.data());
    dense::copy(r_, x_.data(), lambda);
  }

 private:
  int n_, r_;
  Householder<F::n, F::r> Q_;
  Columns<F::n, F::k> N_;
  mutable Buffer<F::n> x_;
};

template <class Model>
using QrBasis = CarriedBasis<Model, QrNullSpace>;

}  // namespace mechfmu
