// "kkt" has the full matrix with the multipliers as unknowns (Pennestrì and Valentini 2007, (4)), and solves it by LU
// with row pivoting. The matrix need not be symmetric, and M need be regular only where the constraints leave it free.
#pragma once

#include "saddle_solver.hpp"

namespace mechfmu {

template <class Model>
class KktSolver final : public SaddleSolver {
 public:
  static constexpr const char* name = "kkt";
  static constexpr bool needs_regular_M = false;
  static constexpr bool needs_ideal = false;
  using F = Fixed<Model>;

  KktSolver(Arena& arena, const Model& model)
      : model_(model), K_(arena, most(), most()), x_(arena, most()), pivot_(arena, most()) {}

  bool factor(int rows, const double* M_values, const double* A_values, const double* B_values) override {
    rows_ = rows;
    const ColumnsView<F::n> M(M_values, n()), A(A_values, n()), B(B_values != nullptr ? B_values : A_values, n());
    return with_rows<Model>(rows, [&](auto r) {
      const int n = this->n(), size = n + r;
      const auto K = K_.packed(size);
      dense::fill(size * size, 0, K.data());
      for (int j = 0; j < n; ++j) {
        double* column = K.column(j);
        dense::copy(n, M.column(j), column);
        for (int i = 0; i < r; ++i) column[n + i] = A(j, i);
      }
      for (int i = 0; i < r; ++i) dense::add(n, -1, B.column(i), K.column(n + i));
      return dense::factor(size, K.data(), pivot_.data());
    });
  }

  void solve(const double* h, const double* gamma, double* acceleration, double* multipliers) override {
    with_rows<Model>(rows_, [&](auto r) {
      const int n = this->n(), size = n + r;
      for (int i = 0; i < n; ++i) x_[i] = h != nullptr ? h[i] : 0;
      for (int i = n; i < size; ++i) x_[i] = gamma != nullptr ? -gamma[i - n] : 0;
      dense::solve(size, K_.data(), pivot_.data(), x_.data());
      dense::copy(n, x_.data(), acceleration);
      dense::copy(r, x_.data() + n, multipliers);
    });
  }

 private:
  int n() const { return model_.sizes().velocities; }
  int most() const { return n() + model_.sizes().all_rows(); }
  static constexpr int fixed_most = Model::generated ? F::n + F::all_rows : dynamic;

  Model model_;
  int rows_ = 0;
  Columns<fixed_most, fixed_most> K_;
  Buffer<fixed_most> x_;
  IndexBuffer pivot_;
};

}  // namespace mechfmu
