// Makes a tangent basis from any null space N of C, however that is found. The basis is tied to the covectors E* of the
// last accepted step, where E* = M W_d (Blajer 1993, section 5, suggests this E*).
//
//   V = N (E*ᵀ N)⁻¹,   C V = 0,  E*ᵀ V = I
//   C V̇ = −Ċ V,  E*ᵀ V̇ = 0:   V̇ = X − N (E*ᵀ N)⁻¹ E*ᵀ X,   C X = −Ċ V
// Decompositions give an N that is no smooth function of q, and some jump. But whatever multiple of N they give, V is
// the same: W_d = V U^{-T} is differentiable during the step, and no derivative of the decomposition is needed. They
// decompose C without units, R C D (linear/unit_free.hpp): N = D N', x = D x' with R C D x' = R r, λ = R λ'.
//
// A null space keeps to this contract. It is a class template over the model, for the r kept rows of that C as the
// columns of A = Cᵀ:
//   static constexpr const char* name
//   bool factor(ColumnsView<F::n> A)             returns false if A is singular
//   ColumnsView<F::n> N() const                  n × k, C N = 0
//   void particular(const double* r, double* x)  finds some x with C x = r
//   void multipliers(const double* f, double* λ) finds Cᵀ λ = f for an f that has such a λ
#pragma once

#include "linear/unit_free.hpp"
#include "tangent_basis.hpp"

namespace mechfmu {

template <class Model, template <class> class NullSpace>
class CarriedBasis {
 public:
  static constexpr const char* name = NullSpace<Model>::name;
  static constexpr bool carried = true;
  static constexpr bool needs_regular_M = false;
  using F = Fixed<Model>;

  CarriedBasis(Arena& arena, const Model& model)
      : model_(model), null_space_(arena, model), basis_(arena, model), unit_free_(arena, n(), r(), model.nominal()),
        A_(arena, n(), r()), E_(arena, n(), k()), G_(arena, k(), k()), V_(arena, n(), k()), V_rate_(arena, n(), k()),
        row_(arena, model.sizes().rows()), kept_(arena, r()), scaled_(arena, r()), y_(arena, k()), force_(arena, n()),
        pivot_(arena, k()) {}

  bool factor(const double* M, const double* C, const Choice& choice) {
    choice_ = &choice;
    const int n = this->n(), k = this->k();
    take_rows(C);
    take_covectors();
    if (!null_space_.factor(A_)) return false;
    const ColumnsView<F::n> N = null_space_.N();
    for (int j = 0; j < k; ++j) components(N.column(j), G_.column(j));
    if (!dense::factor(k, G_.data(), pivot_.data())) return false;
    for (int j = 0; j < k; ++j) {
      dense::fill(k, 0, y_.data());
      y_[j] = 1;
      dense::solve(k, G_.data(), pivot_.data(), y_.data());
      double* V_j = V_.column(j);
      dense::fill(n, 0, V_j);
      for (int l = 0; l < k; ++l) dense::add(n, y_[l], N.column(l), V_j);
      unit_free_.times_columns(V_j);
    }
    return basis_.factor(M, V_);
  }

  ColumnsView<F::n> W() const { return basis_.W(); }

  void particular(const double* residual, double* x) const {
    particular_without_units(residual, x);
    unit_free_.times_columns(x);
  }

  void multipliers(const double* force, double* lambda) const {
    dense::copy(n(), force, force_.data());
    unit_free_.times_columns(force_.data());
    null_space_.multipliers(force_.data(), kept_.data());
    dense::fill(model_.sizes().rows(), 0, lambda);
    for (int i = 0; i < r(); ++i) lambda[choice_->rows[i]] = unit_free_.row(i) * kept_[i];
  }

  void differentiate(const double* M, const double* M_rate, const double* C_rate) {
    const int n = this->n(), k = this->k();
    for (int j = 0; j < k; ++j) {
      double* X = V_rate_.column(j);
      times(model_.C_rate(), C_rate, V_.column(j), row_.data());
      for (int i = 0; i < r(); ++i) kept_[i] = -row_[choice_->rows[i]];
      particular_without_units(kept_.data(), X);
      components(X, y_.data());
      dense::solve(k, G_.data(), pivot_.data(), y_.data());
      for (int l = 0; l < k; ++l) dense::add(n, -y_[l], null_space_.N().column(l), X);
      unit_free_.times_columns(X);
    }
    basis_.differentiate(M, M_rate, V_, V_rate_);
  }

  void rate_transposed_times(const double* x, double* y) const { basis_.rate_transposed_times(V_rate_, x, y); }

 private:
  int n() const { return model_.sizes().velocities; }
  int k() const { return model_.sizes().degrees_of_freedom(); }
  int r() const { return model_.sizes().rank; }

  /// Finds x', the x without units.
  void particular_without_units(const double* residual, double* x) const {
    for (int i = 0; i < r(); ++i) scaled_[i] = unit_free_.row(i) * residual[i];
    null_space_.particular(scaled_.data(), x);
  }

  /// Takes the kept rows of C as columns, without units.
  void take_rows(const double* C) {
    dense::fill(n() * r(), 0, A_.data());
    const Pattern& pattern = model_.C();
    for (int e = 0; e < pattern.nonzeros; ++e) {
      const int slot = choice_->row_slot[pattern.row[e]];
      if (slot >= 0) A_(pattern.column[e], slot) = C[e];
    }
    unit_free_.take(r(), A_);
  }
  /// Sets E_ = D E*.
  void take_covectors() {
    dense::copy(n() * k(), choice_->covectors, E_.data());
    for (int j = 0; j < k(); ++j) unit_free_.times_columns(E_.column(j));
  }
  /// y = E*ᵀ D x'
  void components(const double* x, double* y) const { transposed_times<F::k>(n(), k(), E_.data(), x, y); }

  Model model_;
  NullSpace<Model> null_space_;
  Orthonormalised<Model> basis_;
  UnitFree<F::n, F::r> unit_free_;
  const Choice* choice_ = nullptr;
  Columns<F::n, F::r> A_;
  Columns<F::n, F::k> E_;
  Columns<F::k, F::k> G_;
  Columns<F::n, F::k> V_, V_rate_;
  Buffer<F::rows> row_;
  mutable Buffer<F::r> kept_, scaled_;
  Buffer<F::k> y_;
  mutable Buffer<F::n> force_;
  IndexBuffer pivot_;
};

}  // namespace mechfmu
