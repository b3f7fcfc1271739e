// "putd" is the pseudo-upper-triangular decomposition (Amirouche, Jia and Ider 1988; Pennestrì and Valentini 2007,
// (30)–(31)).
//
// Householder's H takes Cᵀ to the pseudo-upper-triangular [R ; 0] = Hᵀ Cᵀ. Gram and Schmidt's process then runs over
// the columns of [R ; 0], which give D_1, and over the unit vectors: those that are left give D_2,
//   D_2 [R ; 0] = 0,   N = H D_2ᵀ
// D_2 is [0 I] but for rounding: the basis is that of "qr", by a longer way. x and λ are found as there.
#pragma once

#include "carried.hpp"
#include "linear/householder.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu {

template <class Model>
class PutdNullSpace {
 public:
  static constexpr const char* name = "putd";
  using F = Fixed<Model>;

  PutdNullSpace(Arena& arena, const Model& model)
      : n_(model.sizes().velocities), r_(model.sizes().rank), H_(arena, n_, r_), D_(arena, n_, n_), x_(arena, n_) {}

  bool factor(ColumnsView<F::n> A) {
    if (!H_.factor(A)) return false;
    int found = 0;
    for (int j = 0; j < r_; ++j) {
      double* d = D_.column(found);
      dense::fill(n_, 0, d);
      for (int i = 0; i <= j; ++i) d[i] = H_.R(i, j);
      found += orthonormalise(found);
    }
    if (found < r_) return false;
    for (int i = n_ - 1; i >= 0 && found < n_; --i) {
      double* d = D_.column(found);
      dense::fill(n_, 0, d);
      d[i] = 1;
      found += orthonormalise(found);
    }
    for (int j = r_; j < n_; ++j) H_.apply_Q(D_.column(j));
    return found == n_;
  }
  ColumnsView<F::n> N() const { return {D_.column(r_), n_}; }

  void particular(const double* residual, double* x) const {
    dense::fill(n_, 0, x);
    dense::copy(r_, residual, x);
    H_.solve_R_transposed(x);
    H_.apply_Q(x);
  }
  void multipliers(const double* force, double* lambda) const {
    dense::copy(n_, force, x_.data());
    H_.apply_Q_transposed(x_.data());
    H_.solve_R(x_.data());
    dense::copy(r_, x_.data(), lambda);
  }

 private:
  /// Makes column `at` orthogonal to those before it, twice, and of length one. Returns false if it depends on them.
  bool orthonormalise(int at) {
    double* d = D_.column(at);
    const double before = std::sqrt(dense::dot(n_, d, d));
    for (int pass = 0; pass < 2; ++pass) {
      for (int l = 0; l < at; ++l) {
        const double* other = D_.column(l);
        dense::add(n_, -dense::dot(n_, other, d), other, d);
      }
    }
    const double after = std::sqrt(dense::dot(n_, d, d));
    if (!(after > dependent_length * before)) return false;
    for (int i = 0; i < n_; ++i) d[i] /= after;
    return true;
  }

  int n_, r_;
  Householder<F::n, F::r> H_;
  Columns<F::n, F::n> D_;  ///< D_1ᵀ, beside it D_2ᵀ, which N then replaces
  mutable Buffer<F::n> x_;
};

template <class Model>
using PutdBasis = CarriedBasis<Model, PutdNullSpace>;

}  // namespace mechfmu
