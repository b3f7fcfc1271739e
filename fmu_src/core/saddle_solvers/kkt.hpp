// "kkt": the full matrix with the multipliers as unknowns (Pennestrì and Valentini 2007, (4)), by LU with row pivoting.
// It need not be symmetric, and M regular only where the constraints leave it free.
#pragma once

#include "saddle_solver.hpp"

namespace mechfmu {

class KktSolver final : public SaddleSolver {
 public:
  static constexpr const char* name = "kkt";
  static constexpr bool needs_regular_M = false;
  static constexpr bool needs_ideal = false;

  KktSolver(int n, int rows) : n_(n), K_((n + rows) * (n + rows)), x_(n + rows), pivot_(n + rows) {}
  bool ok() const override { return K_.ok() && x_.ok() && pivot_.ok(); }

  bool factor(int r, const double* M, const double* A, const double* B) override {
    if (B == nullptr) B = A;
    const int size = size_ = n_ + r;
    dense::fill(size * size, 0, K_.data());
    for (int j = 0; j < n_; ++j) {
      double* column = K_.data() + j * size;
      dense::copy(n_, M + j * n_, column);
      for (int i = 0; i < r; ++i) column[n_ + i] = A[j + i * n_];
    }
    for (int i = 0; i < r; ++i) dense::add(n_, -1, B + i * n_, K_.data() + (n_ + i) * size);
    return dense::factor(size, K_.data(), pivot_.data()) > 0;
  }

  void solve(const double* h, const double* gamma, double* acceleration, double* multipliers) override {
    for (int i = 0; i < n_; ++i) x_[i] = h != nullptr ? h[i] : 0;
    for (int i = n_; i < size_; ++i) x_[i] = gamma != nullptr ? -gamma[i - n_] : 0;
    dense::solve(size_, K_.data(), pivot_.data(), x_.data());
    dense::copy(n_, x_.data(), acceleration);
    dense::copy(size_ - n_, x_.data() + n_, multipliers);
  }

 private:
  int n_, size_ = 0;
  Buffer<dynamic> K_, x_;
  IndexBuffer pivot_;
};

}  // namespace mechfmu
