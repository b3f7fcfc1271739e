// "successive_orthogonal" follows Phong 1994, section 3. It finds one vector after the other that is orthogonal to the
// rows b_i of C and to those already found, and normalises it:
//   a_i p = 0 for all a_i so far,   d = p/|p|,   d joins the a_i
// Each p comes from Huang's algorithm (the ABS class of Abaffy, Broyden and Spedicato 1984), which the paper names:
//   H_1 = I,   p_i = H_i a_i,   H_{i+1} = H_i − p_i p_iᵀ/(p_iᵀ p_i),   x_{i+1} = x_i − (a_i x_i − c_i)/(p_iᵀ a_i) p_i
// With c = 0 it ends at x = H x_1, the part of the first x that is orthogonal to all a_i. This part is 0 if it began at
// 0, as the paper notes. So it begins at the unit vector of which most is left. With c = r and x_1 = 0 it gives the
// smallest x with C x = r. The rows follow from the p_i, a_i = Σ_{j≤i} (a_i p_j)/(p_jᵀ p_j) p_j, and this gives λ from
// the last one up.
#pragma once

#include "carried.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu {

template <class Model>
class SuccessiveOrthogonalNullSpace {
 public:
  static constexpr const char* name = "successive_orthogonal";
  using F = Fixed<Model>;

  SuccessiveOrthogonalNullSpace(Arena& arena, const Model& model)
      : n_(model.sizes().velocities), r_(model.sizes().rank), A_(arena, n_, r_), P_(arena, n_, r_), H_(arena, n_, n_),
        N_(arena, n_, n_ - r_), once_(arena, n_) {}

  bool factor(ColumnsView<F::n> A) {
    dense::copy(n_ * r_, A.data(), A_.data());
    dense::fill(n_ * n_, 0, H_.data());
    for (int j = 0; j < n_; ++j) H_(j, j) = 1;
    for (int i = 0; i < r_; ++i) {
      if (!join(a(i), P_.column(i), false)) return false;
    }
    for (int j = 0; j < n_ - r_; ++j) {
      int most = 0;
      for (int i = 1; i < n_; ++i) {
        if (H_(i, i) > H_(most, most)) most = i;
      }
      double* d = N_.column(j);
      if (!join(H_.column(most), d, true)) return false;
    }
    return true;
  }
  ColumnsView<F::n> N() const { return N_; }

  void particular(const double* residual, double* x) const {
    dense::fill(n_, 0, x);
    for (int i = 0; i < r_; ++i) {
      const double open = dense::dot(n_, a(i), x) - residual[i];
      dense::add(n_, -open / dense::dot(n_, p(i), a(i)), p(i), x);
    }
  }
  void multipliers(const double* force, double* lambda) const {
    for (int i = r_ - 1; i >= 0; --i) {
      double part = dense::dot(n_, p(i), force);
      for (int j = i + 1; j < r_; ++j) part -= lambda[j] * dense::dot(n_, a(j), p(i));
      lambda[i] = part / dense::dot(n_, p(i), a(i));
    }
  }

 private:
  const double* a(int i) const { return A_.column(i); }
  const double* p(int i) const { return P_.column(i); }

  /// Computes p = H a, by H twice since the first result still has what rounding left, and takes p out of H. Returns
  /// false if a is dependent.
  bool join(const double* a, double* p, bool normalise) {
    const double before = dense::dot(n_, a, a);
    project(a, once_.data());
    project(once_.data(), p);
    double square = dense::dot(n_, p, p);
    if (!(square > dependent_square * before)) return false;
    if (normalise) {
      const double length = std::sqrt(square);
      for (int i = 0; i < n_; ++i) p[i] /= length;
      square = 1;
    }
    for (int j = 0; j < n_; ++j) dense::add(n_, -p[j] / square, p, H_.column(j));
    return true;
  }
  /// y = H x, where H is symmetric.
  void project(const double* x, double* y) const {
    for (int j = 0; j < n_; ++j) y[j] = dense::dot(n_, H_.column(j), x);
  }

  int n_, r_;
  Columns<F::n, F::r> A_, P_;
  Columns<F::n, F::n> H_;
  Columns<F::n, F::k> N_;
  Buffer<F::n> once_;
};

template <class Model>
using SuccessiveOrthogonalBasis = CarriedBasis<Model, SuccessiveOrthogonalNullSpace>;

}  // namespace mechfmu
