// "partitioned" is Blajer's basis from one factorisation of C_d, the columns of C that E* leaves.
//
//   V = [ −C_d⁻¹ C_e ; I ]      V̇ = [ −C_d⁻¹ Ċ V ; 0 ]      W_d = V U^{-T}
// This is the Gram–Schmidt W_d of (3.2) with the same E*, without M⁻¹. For r ≤ 2 C_d⁻¹ is written out. A general C_d is
// factored with row pivoting, and zeros are left out; rows of several units are then compared by their entries times
// nominal sizes. A sparse C_d is factored in the order that the Choice has for it, which is renewed where pivots become
// small. With k = 1 and m ≤ 2 the null vector itself is written out: it is the cross product of the constraints' rows.
// M need be regular on the tangent space only.
#pragma once

#include "linear/ordered_factors.hpp"
#include "linear/sparse_factors.hpp"
#include "linear/tolerances.hpp"
#include "tangent_basis.hpp"

namespace mechfmu {

template <class Model>
class PartitionedBasis {
 public:
  static constexpr const char* name = "partitioned";
  static constexpr bool carried = false;
  static constexpr bool needs_regular_M = false;
  using F = Fixed<Model>;

  PartitionedBasis(Arena& arena, const Model& model)
      : model_(model), basis_(arena, model), factors_(arena, has_sparse_pivots(r()) ? 0 : r()),
        ordered_(arena, has_sparse_pivots(r()) ? r() : 0, model.sizes().C_nonzeros), V_(arena, n(), k()),
        V_rate_(arena, n(), k()), C_d_(arena, has_sparse_pivots(r()) ? 0 : r(), has_sparse_pivots(r()) ? 0 : r()),
        weights_(arena, has_sparse_pivots(r()) ? 0 : r()), rows_(arena, model.sizes().rows(), k()),
        X_(arena, r(), k() + 1) {}

  /// Factors C_d. The order of the choice may change if C_d is sparse.
  bool factor(const double* M, const double* C, Choice& choice) {
    choice_ = &choice;
    C_ = C;
    if constexpr (written_out) return write_out(M, C);
    if (has_sparse_pivots(r()) ? !factor_in_order(C, choice) : !partition(C)) return false;
    apply_inverse<F::k>(k(), X_);
    scatter(k(), V_);
    for (int j = 0; j < k(); ++j) V_(choice_->independent[j], j) = 1;
    return basis_.factor(M, V_);
  }

  ColumnsView<F::n> W() const { return basis_.W(); }

  void particular(const double* residual, double* x) const {
    if constexpr (written_out) partition(C_);
    dense::copy(r(), residual, X_.data());
    apply_inverse<1>(1, X_);
    scatter(1, {x, n()});
  }

  void multipliers(const double* force, double* lambda) const {
    if constexpr (written_out) partition(C_);
    for (int i = 0; i < r(); ++i) X_(place(i), 0) = force[choice_->dependent[i]];
    apply_inverse_transposed(X_.data());
    dense::fill(model_.sizes().rows(), 0, lambda);
    for (int i = 0; i < r(); ++i) lambda[choice_->rows[i]] = X_(i, 0);
  }

  void differentiate(const double* M, const double* M_rate, const double* C_rate) {
    times_columns<F::C_rate, F::k>(model_.C_rate(), C_rate, k(), V_.data(), rows_.data());
    for (int j = 0; j < k(); ++j) {
      for (int i = 0; i < r(); ++i) X_(i, j) = -rows_(choice_->rows[i], j);
    }
    apply_inverse<F::k>(k(), X_);
    scatter(k(), V_rate_);
    basis_.differentiate(M, M_rate, V_, V_rate_);
  }

  void rate_transposed_times(const double* x, double* y) const { basis_.rate_transposed_times(V_rate_, x, y); }

 private:
  int n() const { return model_.sizes().velocities; }
  int k() const { return model_.sizes().degrees_of_freedom(); }
  int r() const { return model_.sizes().rank; }

  /// Returns the place of component i in what apply_inverse leaves.
  int place(int i) const { return written_inverse() || has_sparse_pivots(r()) ? i : factors_.place(i); }

  /// Writes columns of n numbers. They are 0 but for the dependent rows, which are those that apply_inverse has left.
  void scatter(int columns, WritableColumns<F::n> to) const {
    dense::fill(n() * columns, 0, to.data());
    for (int i = 0; i < r(); ++i) {
      const int from = place(i), row = choice_->dependent[i];
      for (int j = 0; j < columns; ++j) to(row, j) = X_(from, j);
    }
  }

  /// Is true if the null vector is a cross product: there is one degree of freedom in two or three coordinates, in
  /// short form (V̇ would need V_e = 1). C_d is then inverted only for those who ask for more than W_d.
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

  /// Finds C_d⁻¹ or its factors, and writes −C_e to X_.
  bool partition(const double* C) const {
    const int r = this->r();
    const Pattern& pattern = model_.C();
    dense::fill(r * k(), 0, X_.data());
    dense::fill(r * r, 0, C_d_.data());
    if (!written_inverse() && model_.character.several_units) weigh_rows(C);
    repeat<F::C>(pattern.nonzeros, [&](int e) {
      const int row = choice_->row_slot[pattern.row[e]];
      if (row < 0) return;
      const int column = choice_->column_slot[pattern.column[e]];
      if (column >= 0) C_d_(row, column) = C[e];
      else X_(row, -1 - column) = -C[e];
    });
    return invert();
  }

  /// Finds a weight for each kept row: it is 1/(the most that a coordinate changes the row by in its nominal size).
  void weigh_rows(const double* C) const {
    const Pattern& pattern = model_.C();
    const double* nominal = model_.nominal();
    dense::fill(r(), 0, weights_.data());
    repeat<F::C>(pattern.nonzeros, [&](int e) {
      const int row = choice_->row_slot[pattern.row[e]];
      if (row >= 0) dense::raise(weights_[row], std::fabs(C[e]) * nominal[pattern.column[e]]);
    });
    for (int i = 0; i < r(); ++i) weights_[i] = 1 / weights_[i];
  }

  /// Finds the factors of a sparse C_d, and writes −C_e to X_.
  bool factor_in_order(const double* C, Choice& choice) {
    const Pattern& pattern = model_.C();
    const OrderedFactors::Order order{this->r(), choice.rows.data(), choice.dependent.data(), choice.row_slot.data(),
                                      choice.column_slot.data()};
    const auto factor_as_it_is = [&] {
      return ordered_.arrange(pattern, order) ? ordered_.factor(pattern, C, model_.nominal()) : 0;
    };
    const double quality = choice.ordered() ? factor_as_it_is() : 0;
    if (quality < renewed_quality && !(choice.order(pattern, C, model_.nominal()) && factor_as_it_is() > 0))
      return false;
    const int r = this->r();
    dense::fill(r * k(), 0, X_.data());
    for (int e = 0; e < pattern.nonzeros; ++e) {
      const int column = choice.column_slot[pattern.column[e]], row = choice.row_slot[pattern.row[e]];
      if (column < 0 && row >= 0) X_(row, -1 - column) = -C[e];
    }
    return true;
  }

  bool written_inverse() const { return r() <= 2; }

  /// Writes out C_d⁻¹ for r ≤ 2, else finds its factors.
  bool invert() const {
    double* A = C_d_.data();
    if (!written_inverse()) return factors_.factor(C_d_, model_.character.several_units ? weights_.data() : nullptr);
    if (r() == 1) {
      if (A[0] == 0) return false;
      A[0] = 1 / A[0];
    } else if (r() == 2) {
      const double determinant = A[0] * A[3] - A[1] * A[2];
      if (determinant == 0) return false;
      const double scale = 1 / determinant, first = A[0];
      A[0] = A[3] * scale;
      A[1] = -A[1] * scale;
      A[2] = -A[2] * scale;
      A[3] = first * scale;
    }
    return true;
  }

  /// Replaces X by C_d⁻¹ X. Each component is then at its place().
  template <int fixed_columns>
  void apply_inverse(int columns, WritableColumns<F::r> X) const {
    if (has_sparse_pivots(r())) {
      for (int j = 0; j < columns; ++j) ordered_.solve(X.column(j));
      return;
    }
    if constexpr (!has_sparse_pivots(F::r)) {
      if (!written_inverse()) return factors_.template solve<fixed_columns>(columns, X);
    }
    const double* A = C_d_.data();
    for (int j = 0; j < columns; ++j) {
      if (r() == 1) X(0, j) *= A[0];
      if (r() == 2) multiply(A[0], A[2], A[1], A[3], X.column(j));
    }
  }
  /// Replaces x by C_d^{-T} x. Each component has to be at its place() before.
  void apply_inverse_transposed(double* x) const {
    if (has_sparse_pivots(r())) return ordered_.solve_transposed(x);
    if (!written_inverse()) return factors_.solve_transposed(x);
    const double* A = C_d_.data();
    if (r() == 1) x[0] *= A[0];
    if (r() == 2) multiply(A[0], A[1], A[2], A[3], x);
  }
  /// x ← [a b; c d] x
  static void multiply(double a, double b, double c, double d, double* x) {
    const double first = x[0];
    x[0] = a * first + b * x[1];
    x[1] = c * first + d * x[1];
  }

  Model model_;
  Orthonormalised<Model> basis_;
  const Choice* choice_ = nullptr;
  const double* C_ = nullptr;
  static constexpr int small_r = has_sparse_pivots(F::r) ? 0 : F::r;
  mutable SparseFactors<small_r> factors_;  ///< factors of a C_d that is not sparse
  OrderedFactors ordered_;                  ///< factors of a sparse C_d
  Columns<F::n, F::k> V_, V_rate_;
  mutable Columns<small_r, small_r> C_d_;
  mutable Buffer<small_r> weights_;
  Columns<F::rows, F::k> rows_;
  mutable Columns<F::r, (F::k < 0 ? dynamic : F::k + 1)> X_;  ///< right-hand sides and solutions, one column at least
};

}  // namespace mechfmu
