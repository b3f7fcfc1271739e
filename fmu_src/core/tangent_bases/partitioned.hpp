// "partitioned": Blajer's basis from one factorisation of C_d, the columns of C that E* leaves.
//
//   V = [ −C_d⁻¹ C_e ; I ]      V̇ = [ −C_d⁻¹ Ċ V ; 0 ]      W_d = V U^{-T}  — the Gram–Schmidt W_d of (3.2) with the
//   same E*, without M⁻¹. For m ≤ 2 C_d⁻¹ is written out; a general C_d is factored with row pivoting. With k = 1 and
//   m ≤ 2 the null vector itself is written out, the cross product of the constraints' rows.
// M need be regular on the tangent space only.
#pragma once

#include "tangent_basis.hpp"

namespace mechfmu {

template <class Model>
class PartitionedBasis {
 public:
  static constexpr const char* name = "partitioned";
  static constexpr bool carried = false;
  static constexpr bool needs_regular_M = false;
  using F = Fixed<Model>;

  explicit PartitionedBasis(const Model& model)
      : model_(model), basis_(model), V_(n() * k()), V_rate_(n() * k()), C_d_(r() * r()), row_(model.sizes().rows()),
        x_(r()), pivot_(r()) {}
  bool ok() const {
    return basis_.ok() && V_.ok() && V_rate_.ok() && C_d_.ok() && row_.ok() && x_.ok() && pivot_.ok();
  }

  bool factor(const double* M, const double* C, const Choice& choice) {
    choice_ = &choice;
    C_ = C;
    if constexpr (written_out) return write_out(M, C);
    if (!partition(C)) return false;
    const int n = this->n(), k = this->k();
    double* V = V_.data();
    for (int j = 0; j < k; ++j) {
      double* V_j = V + j * n;
      gather(V_j);
      apply_inverse(x_.data());
      scatter(V_j);
      V_j[choice.independent[j]] = 1;
    }
    return basis_.factor(M, V);
  }

  const double* W() const { return basis_.W(); }

  void particular(const double* residual, double* x) const {
    if constexpr (written_out) partition(C_);
    dense::copy(r(), residual, x_.data());
    apply_inverse(x_.data());
    dense::fill(n(), 0, x);
    scatter(x);
  }

  void multipliers(const double* force, double* lambda) const {
    if constexpr (written_out) partition(C_);
    gather(force);
    apply_inverse_transposed(x_.data());
    dense::fill(model_.sizes().rows(), 0, lambda);
    for (int i = 0; i < r(); ++i) lambda[choice_->rows[i]] = x_[i];
  }

  void differentiate(const double* M, const double* M_rate, const double* C_rate) {
    const int n = this->n();
    for (int j = 0; j < k(); ++j) {
      times(model_.C_rate(), C_rate, V_.data() + j * n, row_.data());
      for (int i = 0; i < r(); ++i) x_[i] = -row_[choice_->rows[i]];
      apply_inverse(x_.data());
      dense::fill(n, 0, V_rate_.data() + j * n);
      scatter(V_rate_.data() + j * n);
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

  void gather(const double* from) const {
    for (int i = 0; i < r(); ++i) x_[i] = from[choice_->dependent[i]];
  }
  void scatter(double* to) const {
    for (int i = 0; i < r(); ++i) to[choice_->dependent[i]] = x_[i];
  }

  /// The null vector is a cross product: one degree of freedom in two or three coordinates, in short form (V̇ would need
  /// V_e = 1). C_d is then inverted only for those who ask for more than W_d.
  static constexpr bool is_written_out() {
    if constexpr (Model::generated) return Model::character.short_form && F::r >= 1 && F::r <= 2 && F::rows == F::r;
    else return false;
  }
  static constexpr bool written_out = is_written_out();

  bool write_out(const double* M, const double* C) {
    double c[F::r * F::n > 0 ? F::r * F::n : 1];  // rows of C, side by side in each column
    expand<F::C>(model_.C(), C, c);
    double* V = V_.data();
    if constexpr (F::r == 1) {
      V[0] = -c[1];
      V[1] = c[0];
    } else {
      V[0] = c[2] * c[5] - c[4] * c[3];
      V[1] = c[4] * c[1] - c[0] * c[5];
      V[2] = c[0] * c[3] - c[2] * c[1];
    }
    return basis_.factor_vector(M, V, V[choice_->independent[0]] < 0);
  }

  /// C_d⁻¹, and −C_e in the dependent rows of V for the moment.
  bool partition(const double* C) const {
    const int n = this->n(), r = this->r();
    const Pattern& pattern = model_.C();
    dense::fill(n * k(), 0, V_.data());
    dense::fill(r * r, 0, C_d_.data());
    repeat<F::C>(pattern.nonzeros, [&](int e) {
      const int row = choice_->row_slot[pattern.row[e]];
      if (row < 0) return;
      const int column = choice_->column_slot[pattern.column[e]];
      if (column >= 0) C_d_[row + column * r] = C[e];
      else V_[choice_->dependent[row] + (-1 - column) * n] = -C[e];
    });
    return invert();
  }

  /// C_d⁻¹ written out for r ≤ 2, else LU in place.
  bool invert() const {
    double* A = C_d_.data();
    if (r() == 0) return true;
    if (r() == 1) {
      if (A[0] == 0) return false;
      A[0] = 1 / A[0];
      return true;
    }
    if (r() == 2) {
      const double determinant = A[0] * A[3] - A[1] * A[2];
      if (determinant == 0) return false;
      const double scale = 1 / determinant, first = A[0];
      A[0] = A[3] * scale;
      A[1] = -A[1] * scale;
      A[2] = -A[2] * scale;
      A[3] = first * scale;
      return true;
    }
    return dense::factor(r(), A, pivot_.data()) > 0;
  }
  void apply_inverse(double* x) const {
    const double* A = C_d_.data();
    if (r() == 0) return;
    if (r() == 1) {
      x[0] *= A[0];
    } else if (r() == 2) {
      const double first = x[0];
      x[0] = A[0] * first + A[2] * x[1];
      x[1] = A[1] * first + A[3] * x[1];
    } else {
      dense::solve(r(), A, pivot_.data(), x);
    }
  }
  void apply_inverse_transposed(double* x) const {
    const double* A = C_d_.data();
    if (r() == 0) return;
    if (r() == 1) {
      x[0] *= A[0];
    } else if (r() == 2) {
      const double first = x[0];
      x[0] = A[0] * first + A[1] * x[1];
      x[1] = A[2] * first + A[3] * x[1];
    } else {
      dense::solve_transposed(r(), A, pivot_.data(), x);
    }
  }

  Model model_;
  Orthonormalised<Model> basis_;
  const Choice* choice_ = nullptr;
  const double* C_ = nullptr;
  mutable Buffer<area(F::n, F::k)> V_;
  Buffer<area(F::n, F::k)> V_rate_;
  mutable Buffer<area(F::r, F::r)> C_d_;
  mutable Buffer<F::rows> row_;
  mutable Buffer<F::r> x_;
  mutable IndexBuffer pivot_;
};

}  // namespace mechfmu
