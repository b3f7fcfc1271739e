// Gives any saddle solver a system without units (linear/unit_free.hpp). D has the nominal sizes of velocities. R and S
// then divide rows of C and columns of B by their largest entries, and μ is the size of D M D. All are rounded to
// powers of two:
//
//   [ D M D/μ  −D B S ] [ z ]   [ D h/μ ]
//   [ R C D       0   ] [ y ] = [ −R γ  ],   v̇ = D z,  λ = μ S y
// Pivots and eigenvalues are then found in the same way whatever units a mechanism is written in.
#pragma once

#include "linear/powers_of_two.hpp"
#include "linear/unit_free.hpp"
#include "saddle_solver.hpp"

namespace mechfmu {

template <class Model, class Solver>
class WithoutUnits final : public SaddleSolver {
 public:
  using F = Fixed<Model>;

  template <class... Member>
  WithoutUnits(Arena& arena, const Model& model, Member... member)
      : solver_(arena, model, member...), model_(model), rows_of_C_(arena, n(), rows(), model.nominal()),
        columns_of_B_(arena, n(), rows(), model.nominal()), M_(arena, n(), n()), A_(arena, n(), rows()),
        B_(arena, n(), rows()), h_(arena, n()), gamma_(arena, rows()) {}

  bool factor(int r, const double* M_values, const double* A, const double* B) override {
    const int n = this->n();
    const ColumnsView<F::n> M(M_values, n);
    r_ = r;
    ideal_ = B == nullptr;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) M_(i, j) = M(i, j) * rows_of_C_.column(i) * rows_of_C_.column(j);
    }
    mu_ = power_of_two(dense::largest(n * n, M_.data()));
    for (int i = 0; i < n * n; ++i) M_.data()[i] /= mu_;
    dense::copy(n * r, A, A_.data());
    rows_of_C_.take(r, A_);
    if (!ideal_) {
      dense::copy(n * r, B, B_.data());
      columns_of_B_.take(r, B_);
    }
    return solver_.factor(r, M_.data(), A_.data(), ideal_ ? nullptr : B_.data());
  }

  void solve(const double* h, const double* gamma, double* acceleration, double* multipliers) override {
    const int n = this->n();
    for (int j = 0; j < n && h != nullptr; ++j) h_[j] = h[j] * rows_of_C_.column(j) / mu_;
    for (int i = 0; i < r_ && gamma != nullptr; ++i) gamma_[i] = gamma[i] * rows_of_C_.row(i);
    solver_.solve(h != nullptr ? h_.data() : nullptr, gamma != nullptr ? gamma_.data() : nullptr, acceleration,
                  multipliers);
    rows_of_C_.times_columns(acceleration);
    for (int i = 0; i < r_; ++i) multipliers[i] *= mu_ * (ideal_ ? rows_of_C_ : columns_of_B_).row(i);
  }

 private:
  int n() const { return model_.sizes().velocities; }
  int rows() const { return model_.sizes().all_rows(); }

  Solver solver_;
  Model model_;
  int r_ = 0;
  bool ideal_ = true;
  double mu_ = 1;
  UnitFree<F::n, F::all_rows> rows_of_C_, columns_of_B_;
  Columns<F::n, F::n> M_;
  Columns<F::n, F::all_rows> A_, B_;
  Buffer<F::n> h_;
  Buffer<F::all_rows> gamma_;
};

}  // namespace mechfmu
