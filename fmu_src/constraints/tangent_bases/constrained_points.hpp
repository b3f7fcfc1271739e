// Resolves constraints that are formulas in local coordinates, of which a point may have more than constraints: Blajer,
// Bestle and Schiehlen 1994.
//
//   f̂_i(x_i, t) = 0,  x_i = g_i(q, t):  Ĉ_i = ∂f̂_i/∂x_i,  J = ∂x/∂q,  C = Ĉ J        (2), (3), (7), (10), (12)
//   D̂_i Ĉ_iᵀ = 0,  J' = [J ; G],  N = J'⁻¹ [D̂ᵀ 0 ; 0 I]                              (8), (14), (15), (17)
//   Ĉ x̂ = r,  x = J'⁻¹ [x̂ ; 0]          [r̂ ; 0] = J'^{-T} f,  Ĉᵀ λ = r̂                (37)
//
// Complete pivoting finds D̂_i and a right inverse of Ĉ_i for each constrained point by itself. It also chooses the unit
// rows of G, so that J' is well conditioned; J' is inverted by blocks, (18). If x are not independent as functions
// of q, the paper's condition rank J = k does not hold, and the caller resolves the rows of C themselves. The other
// formulas hold for whatever rows are kept. J is without units (linear/unit_free.hpp).
#pragma once

#include "linear/full_pivoting.hpp"
#include "linear/tolerances.hpp"
#include "linear/unit_free.hpp"
#include "tangent_basis.hpp"

namespace mechfmu {

template <class Model>
class ConstrainedPoints {
 public:
  using F = Fixed<Model>;

  ConstrainedPoints(Arena& arena, const Model& model)
      : model_(model), J_(arena, all(), there() ? n() : 0), C_hat_(arena, rows(), all()), A_(arena, n(), all()),
        unit_free_(arena, n(), all(), model.nominal()), J_factors_(arena, all(), there() ? n() : 0),
        point_rows_(arena, all(), rows()), point_factors_(arena, rows(), all()), D_hat_(arena, all(), all()),
        inverse_(arena, all(), rows()), N_(arena, there() ? n() : 0, k()), local_(arena, all()), row_(arena, rows()),
        x_(arena, all()), y_(arena, all()) {}

  /// Is true if the mechanism has local coordinates of its own.
  bool there() const { return all() > 0; }

  /// Takes J and Ĉ at the point.
  void see(const Point& point) {
    if constexpr (Model::generated && F::sizes.local_coordinates == 0) return;
    else if (there()) model_.local_frames(point, J_.data(), C_hat_.data());
    seen_ = there();
  }

  /// Finds N, the inverses of J' and of each Ĉ_i, for the kept rows. Returns false if nobody has shown the point, or
  /// if the local coordinates in use depend on each other.
  bool factor(const Choice& choice) {
    if (!seen_) return false;
    used_ = free_ = 0;
    for (int point = 0; find_members(point, choice); ++point) {
      if (kept_here_ > 0) take_rows();
    }
    if (used_ > n()) return false;
    unit_free_.take(used_, A_);
    dense::fill(all() * r(), 0, inverse_.data());
    int first_here = 0;
    for (int point = 0; find_members(point, choice); ++point) {
      if (kept_here_ == 0) continue;
      if (!resolve_point(first_here, choice)) return false;
      first_here += used_here_;
    }
    const double first = J_factors_.factor(used_, A_) ? J_factors_.pivot(0) : 0;
    if (!(first > 0) || J_factors_.pivot(used_ - 1) < independent_local * first) return false;
    for (int j = 0; j < free_; ++j) from_local(D_hat_.column(j), N_.column(j));
    for (int j = used_; j < n(); ++j) {
      double* column = N_.column(free_ + j - used_);
      for (int i = 0; i < used_; ++i) y_[i] = -J_factors_.R_2(i, j - used_);
      J_factors_.solve_R_1(y_.data());
      dense::fill(n(), 0, column);
      for (int i = 0; i < used_; ++i) column[J_factors_.column(i)] = y_[i];
      column[J_factors_.column(j)] = 1;
    }
    for (int j = 0; j < k(); ++j) unit_free_.times_columns(N_.column(j));
    return true;
  }

  /// Returns n × k directions with C N = 0.
  ColumnsView<> N() const { return N_; }

  /// Finds some x with C x = r, one number a kept row.
  void particular(const double* residual, double* x) const {
    dense::fill(used_, 0, x_.data());
    for (int i = 0; i < r(); ++i) dense::add(used_, residual[i], inverse_.column(i), x_.data());
    from_local(x_.data(), x);
    unit_free_.times_columns(x);
  }

  /// Finds λ of the kept rows with Cᵀ λ = f. `force` loses its units.
  void multipliers(double* force, double* lambda) const {
    unit_free_.times_columns(force);
    for (int i = 0; i < used_; ++i) y_[i] = force[J_factors_.column(i)];
    J_factors_.solve_R_1_transposed(y_.data());
    J_factors_.solve_L_transposed(y_.data());
    for (int i = 0; i < used_; ++i) x_[J_factors_.row(i)] = y_[i];
    for (int i = 0; i < r(); ++i) lambda[i] = dense::dot(used_, inverse_.column(i), x_.data());
  }

 private:
  int n() const { return model_.sizes().velocities; }
  int k() const { return there() ? model_.sizes().degrees_of_freedom() : 0; }
  int r() const { return model_.sizes().rank; }
  int rows() const { return there() ? model_.sizes().rows() : 0; }
  int all() const { return model_.sizes().local_coordinates; }

  /// Finds the local coordinates of a point and its kept rows. Returns false if there is no such point.
  bool find_members(int point, const Choice& choice) {
    used_here_ = kept_here_ = 0;
    for (int l = 0; l < all(); ++l) {
      if (model_.local_points()[l] == point) local_[used_here_++] = l;
    }
    for (int row = 0; row < rows(); ++row) {
      if (model_.row_points()[row] == point && choice.row_slot[row] >= 0) row_[kept_here_++] = row;
    }
    return used_here_ > 0;
  }

  /// Enters the rows of J of the point's local coordinates behind those of the points before.
  void take_rows() {
    for (int l = 0; l < used_here_; ++l, ++used_) {
      for (int j = 0; j < n(); ++j) A_(j, used_) = J_(local_[l], j);
    }
  }

  /// Finds D̂ and the right inverse of Ĉ at the point, whose local coordinates come behind so many of other points.
  bool resolve_point(int before, const Choice& choice) {
    const int m = kept_here_, l_count = used_here_;
    if (m > l_count) return false;
    const WritableColumns<> A = point_rows_.packed(l_count);
    for (int i = 0; i < m; ++i) {
      double largest = 0;
      for (int l = 0; l < l_count; ++l) {
        A(l, i) = C_hat_(row_[i], local_[l]) / unit_free_.row(before + l);
        dense::raise(largest, std::fabs(A(l, i)));
      }
      x_[i] = 1 / power_of_two(largest);  // rows are compared without their units
      for (int l = 0; l < l_count; ++l) A(l, i) *= x_[i];
    }
    FullPivoting<dynamic, dynamic>& C = point_factors_;
    if (!C.factor(m, l_count, A)) return false;
    for (int i = 0; i < m; ++i) {
      dense::fill(m, 0, y_.data());
      y_[i] = x_[C.row(i)];
      C.solve_L(y_.data());
      C.solve_R_1(y_.data());
      double* column = inverse_.column(choice.row_slot[row_[C.row(i)]]);
      for (int l = 0; l < m; ++l) column[before + C.column(l)] = y_[l];
    }
    for (int j = m; j < l_count; ++j) {
      for (int i = 0; i < m; ++i) y_[i] = -C.R_2(i, j - m);
      C.solve_R_1(y_.data());
      double* direction = D_hat_.column(free_++);
      dense::fill(all(), 0, direction);
      for (int i = 0; i < m; ++i) direction[before + C.column(i)] = y_[i];
      direction[before + C.column(j)] = 1;
    }
    return true;
  }

  /// x = J'⁻¹ [x̂ ; 0]
  void from_local(const double* x_hat, double* x) const {
    for (int i = 0; i < used_; ++i) y_[i] = x_hat[J_factors_.row(i)];
    J_factors_.solve_L(y_.data());
    J_factors_.solve_R_1(y_.data());
    dense::fill(n(), 0, x);
    for (int i = 0; i < used_; ++i) x[J_factors_.column(i)] = y_[i];
  }

  Model model_;
  bool seen_ = false;
  int used_ = 0, free_ = 0;            ///< local coordinates in use; columns of D̂ᵀ
  int used_here_ = 0, kept_here_ = 0;  ///< local coordinates and kept rows of the point at hand
  RunTimeColumns J_, C_hat_;  ///< as the mechanism gives them: all local coordinates × n, rows × all local coordinates
  RunTimeColumns A_;          ///< Jᵀ without units, a column for each local coordinate in use
  UnitFree<dynamic, dynamic> unit_free_;
  FullPivoting<dynamic, dynamic> J_factors_;
  RunTimeColumns point_rows_;  ///< Ĉ_iᵀ without units
  FullPivoting<dynamic, dynamic> point_factors_;
  RunTimeColumns D_hat_, inverse_;  ///< D̂ᵀ and the right inverse of Ĉ, by the local coordinates in use
  RunTimeColumns N_;
  IndexBuffer local_, row_;  ///< members of the point at hand
  mutable Buffer<dynamic> x_, y_;
};

}  // namespace mechfmu
