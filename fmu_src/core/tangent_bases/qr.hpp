// "qr": the null space from the last columns of Q of Cᵀ (Kim and Vanderploeg 1986), made orthonormal in M and carried
// along the motion.
//
// Cᵀ = Q R by Householder reflections, Q = [Q_1 N]. N is no smooth function of q by itself, so the basis is tied to the
// E* of the last accepted step (there E* = M W_d, see tangent_basis.hpp; Blajer 1993, section 5, suggests this E*):
//   V = N (E*ᵀ N)⁻¹,   C V = 0,  E*ᵀ V = I
//   C V̇ = −Ċ V,  E*ᵀ V̇ = 0:   V̇ = X − N (E*ᵀ N)⁻¹ E*ᵀ X,   X = −Q_1 R^{-T} Ċ V
// Whatever multiple of N the reflections give, V is the same, and W_d = V U^{-T} is differentiable along the step.
#pragma once

#include "tangent_basis.hpp"

namespace mechfmu {

template <class Model>
class QrBasis {
 public:
  static constexpr const char* name = "qr";
  static constexpr bool carried = true;
  static constexpr bool needs_regular_M = false;
  using F = Fixed<Model>;

  explicit QrBasis(const Model& model)
      : model_(model), basis_(model), A_(n() * r()), beta_(r()), N_(n() * k()), G_(k() * k()), V_(n() * k()),
        V_rate_(n() * k()), row_(model.sizes().rows()), x_(n()), y_(k()), pivot_(k()) {}
  bool ok() const {
    return basis_.ok() && A_.ok() && beta_.ok() && N_.ok() && G_.ok() && V_.ok() && V_rate_.ok() && row_.ok() &&
           x_.ok() && y_.ok() && pivot_.ok();
  }

  bool factor(const double* M, const double* C, const Choice& choice) {
    choice_ = &choice;
    if (!reflect(C)) return false;
    const int n = this->n(), k = this->k();
    for (int j = 0; j < k; ++j) {  // N = Q [0; I]
      double* column = N_.data() + j * n;
      dense::fill(n, 0, column);
      column[r() + j] = 1;
      apply_Q(column);
    }
    for (int i = 0; i < k; ++i) {
      for (int j = 0; j < k; ++j) G_[i + j * k] = along(i, N_.data() + j * n);
    }
    if (k > 0 && !(dense::factor(k, G_.data(), pivot_.data()) > 0)) return false;
    for (int j = 0; j < k; ++j) {
      dense::fill(k, 0, y_.data());
      y_[j] = 1;
      dense::solve(k, G_.data(), pivot_.data(), y_.data());
      double* V_j = V_.data() + j * n;
      dense::fill(n, 0, V_j);
      for (int l = 0; l < k; ++l) dense::add(n, y_[l], N_.data() + l * n, V_j);
    }
    return basis_.factor(M, V_.data());
  }

  const double* W() const { return basis_.W(); }

  void particular(const double* residual, double* x) const {
    dense::fill(n(), 0, x);
    for (int i = 0; i < r(); ++i) {  // Rᵀ y = r, x = Q [y; 0]
      double y = residual[i];
      for (int j = 0; j < i; ++j) y -= A_[j + i * n()] * x[j];
      x[i] = y / A_[i + i * n()];
    }
    apply_Q(x);
  }

  void multipliers(const double* force, double* lambda) const {
    dense::fill(model_.sizes().rows(), 0, lambda);
    dense::copy(n(), force, x_.data());
    for (int j = 0; j < r(); ++j) apply_reflection(j, x_.data());  // Qᵀ f
    for (int i = r() - 1; i >= 0; --i) {
      for (int j = i + 1; j < r(); ++j) x_[i] -= A_[i + j * n()] * x_[j];
      x_[i] /= A_[i + i * n()];
      lambda[choice_->rows[i]] = x_[i];
    }
  }

  void differentiate(const double* M, const double* M_rate, const double* C_rate) {
    const int n = this->n(), k = this->k();
    for (int j = 0; j < k; ++j) {
      double* X = V_rate_.data() + j * n;
      times(model_.C_rate(), C_rate, V_.data() + j * n, row_.data());
      for (int i = 0; i < r(); ++i) kept_[i] = -row_[choice_->rows[i]];
      particular(kept_.data(), X);
      for (int i = 0; i < k; ++i) y_[i] = along(i, X);
      dense::solve(k, G_.data(), pivot_.data(), y_.data());
      for (int l = 0; l < k; ++l) dense::add(n, -y_[l], N_.data() + l * n, X);
    }
    basis_.differentiate(M, M_rate, V_.data(), V_rate_.data());
  }

  void rate_transposed_times(const double* x, double* y) const {
    basis_.rate_transposed_times(V_rate_.data(), x, y);
  }

 private:
  int n() const { return model_.sizes().velocities; }
  int k() const { return model_.sizes().degrees_of_freedom(); }
  int r() const { return model_.sizes().rank; }

  /// e_iᵀ x
  double along(int i, const double* x) const { return dense::dot(n(), choice_->covectors + i * n(), x); }

  /// Householder QR of the kept rows as columns: R in the upper triangle of A_, the reflections' vectors
  /// (1, a_{j+1,j}, …) below it, I − beta v vᵀ.
  bool reflect(const double* C) {
    const int n = this->n(), r = this->r();
    dense::fill(n * r, 0, A_.data());
    const Pattern& pattern = model_.C();
    for (int e = 0; e < pattern.nonzeros; ++e) {
      const int slot = choice_->row_slot[pattern.row[e]];
      if (slot >= 0) A_[pattern.column[e] + slot * n] = C[e];
    }
    for (int j = 0; j < r; ++j) {
      double* a = A_.data() + j * n;
      double square = 0;
      for (int i = j; i < n; ++i) square += a[i] * a[i];
      const double norm = std::sqrt(square);
      if (!(norm > 0)) return false;
      const double head = a[j] > 0 ? -norm : norm;  // away from cancellation
      const double first = a[j] - head;
      beta_[j] = -first / head;  // 2/(vᵀv) for v scaled to v_j = 1
      for (int i = j + 1; i < n; ++i) a[i] /= first;
      a[j] = head;
      for (int c = j + 1; c < r; ++c) apply_reflection(j, A_.data() + c * n);
    }
    return true;
  }
  void apply_reflection(int j, double* x) const {
    const double* v = A_.data() + j * n();
    double sum = x[j];
    for (int i = j + 1; i < n(); ++i) sum += v[i] * x[i];
    sum *= beta_[j];
    x[j] -= sum;
    for (int i = j + 1; i < n(); ++i) x[i] -= sum * v[i];
  }
  void apply_Q(double* x) const {
    for (int j = r() - 1; j >= 0; --j) apply_reflection(j, x);
  }

  Model model_;
  Orthonormalised<Model> basis_;
  const Choice* choice_ = nullptr;
  Buffer<area(F::n, F::r)> A_;
  Buffer<F::r> beta_;
  Buffer<area(F::n, F::k)> N_;
  Buffer<area(F::k, F::k)> G_;
  Buffer<area(F::n, F::k)> V_, V_rate_;
  mutable Buffer<F::rows> row_;
  mutable Buffer<F::n> x_;
  Buffer<F::k> y_;
  IndexBuffer pivot_;
  Buffer<F::r> kept_{r()};
};

}  // namespace mechfmu
