// "local_frames" is the orthogonal complement of Blajer, Bestle and Schiehlen 1994.
//
// Each cut has its local coordinates x = g(q), constraints f̂(x) = 0 and Ĉ = ∂f̂/∂x, (2), (3), (7). If a file gives no
// local coordinates, a row is one itself: a cut's rows say what it closes in the frame of its own point, m_i = n_i.
// This is the most favourable case of the paper, its examples (19)–(21): Ĉ = I, D̂ does not exist, and J = ∂g/∂q = C.
// Unit rows G for the complementary coordinates y, (13)–(14), make J regular. They are those of E*, chosen by pivoting
// so that J' is well conditioned. With one factorisation of J':
//   J' = [J ; G],   Dᵀ = J'⁻¹ [0 ; I]                               (14), (15), (17)
//   V = Dᵀ,   V̇ = −J'⁻¹ [Ċ V ; 0],   x = J'⁻¹ [r ; 0],   [λ ; 0] = J'^{-T} f
// The last formula is (37), whose print lacks the transposition. J' is factored without units (linear/unit_free.hpp),
// with columns and rows multiplied by powers of two.
//
// With more local coordinates than constraints, constrained_points.hpp finds N = J'⁻¹ D̂'ᵀ from Ĉ and J. Its y may be
// others at every configuration, and D̂ any null space; so N is tied to E*, which makes it smooth:
//   V = N (E*ᵀ N)⁻¹,   V̇ = X − V E*ᵀ X,   C X = −Ċ V
#pragma once

#include "constrained_points.hpp"
#include "linear/unit_free.hpp"
#include "tangent_basis.hpp"

namespace mechfmu {

template <class Model>
class LocalFramesBasis {
 public:
  static constexpr const char* name = "local_frames";
  static constexpr bool carried = false;
  static constexpr bool needs_regular_M = false;
  using F = Fixed<Model>;

  LocalFramesBasis(Arena& arena, const Model& model)
      : model_(model), basis_(arena, model), unit_free_(arena, n(), r(), model.nominal()), A_(arena, n(), r()),
        J_(arena, n(), n()), V_(arena, n(), k()), V_rate_(arena, n(), k()), row_(arena, model.sizes().rows()),
        x_(arena, n()), pivot_(arena, n()), points_(arena, model), G_(arena, own_k(), own_k()), kept_(arena, r()),
        y_(arena, k()) {}

  void see(const Point& point) { points_.see(point); }

  bool factor(const double* M, const double* C, const Choice& choice) {
    choice_ = &choice;
    by_points_ = points_.factor(choice);
    if (by_points_) return tie_to_choice() && basis_.factor(M, V_);
    const int n = this->n();
    dense::fill(n * r(), 0, A_.data());
    const Pattern& pattern = model_.C();
    for (int e = 0; e < pattern.nonzeros; ++e) {
      const int slot = choice.row_slot[pattern.row[e]];
      if (slot >= 0) A_(pattern.column[e], slot) = C[e];
    }
    unit_free_.take(r(), A_);
    dense::fill(n * n, 0, J_.data());
    for (int i = 0; i < r(); ++i) {
      for (int j = 0; j < n; ++j) J_(i, j) = A_(j, i);
    }
    for (int j = 0; j < k(); ++j) J_(r() + j, choice.independent[j]) = 1;
    if (!dense::factor(n, J_.data(), pivot_.data())) return false;
    dense::fill(n * k(), 0, V_.data());
    for (int j = 0; j < k(); ++j) {
      V_(r() + j, j) = 1;
      solve(V_.column(j));
    }
    return basis_.factor(M, V_);
  }

  ColumnsView<F::n> W() const { return basis_.W(); }

  void particular(const double* residual, double* x) const {
    if (by_points_) return points_.particular(residual, x);
    dense::fill(n(), 0, x);
    dense::copy(r(), residual, x);
    solve(x);
  }

  void multipliers(const double* force, double* lambda) const {
    dense::copy(n(), force, x_.data());
    if (by_points_) return multipliers_by_points(lambda);
    unit_free_.times_columns(x_.data());
    dense::solve_transposed(n(), J_.data(), pivot_.data(), x_.data());
    dense::fill(model_.sizes().rows(), 0, lambda);
    for (int i = 0; i < r(); ++i) lambda[choice_->rows[i]] = unit_free_.row(i) * x_[i];
  }

  void differentiate(const double* M, const double* M_rate, const double* C_rate) {
    for (int j = 0; j < k(); ++j) {
      double* V_rate = V_rate_.column(j);
      times(model_.C_rate(), C_rate, V_.column(j), row_.data());
      if (by_points_) {
        differentiate_by_points(V_rate);
        continue;
      }
      dense::fill(n(), 0, V_rate);
      for (int i = 0; i < r(); ++i) V_rate[i] = -row_[choice_->rows[i]];
      solve(V_rate);
    }
    basis_.differentiate(M, M_rate, V_, V_rate_);
  }

  void rate_transposed_times(const double* x, double* y) const { basis_.rate_transposed_times(V_rate_, x, y); }

 private:
  int n() const { return model_.sizes().velocities; }
  int k() const { return model_.sizes().degrees_of_freedom(); }
  int r() const { return model_.sizes().rank; }
  int own_k() const { return points_.there() ? k() : 0; }

  /// V = N (E*ᵀ N)⁻¹, where E* are unit columns
  [[gnu::noinline]] bool tie_to_choice() {
    const ColumnsView<> N = points_.N();
    for (int j = 0; j < k(); ++j) {
      for (int i = 0; i < k(); ++i) {
        G_(i, j) = N(choice_->independent[i], j) / unit_free_.column(choice_->independent[i]);
      }
    }
    if (!dense::factor(k(), G_.data(), pivot_.data())) return false;
    for (int j = 0; j < k(); ++j) {
      dense::fill(k(), 0, y_.data());
      y_[j] = 1 / unit_free_.column(choice_->independent[j]);
      dense::solve(k(), G_.data(), pivot_.data(), y_.data());
      dense::fill(n(), 0, V_.column(j));
      for (int l = 0; l < k(); ++l) dense::add(n(), y_[l], N.column(l), V_.column(j));
    }
    return true;
  }
  /// Finds the multipliers of the force in x_.
  [[gnu::noinline]] void multipliers_by_points(double* lambda) const {
    points_.multipliers(x_.data(), kept_.data());
    dense::fill(model_.sizes().rows(), 0, lambda);
    for (int i = 0; i < r(); ++i) lambda[choice_->rows[i]] = kept_[i];
  }
  /// Finds a column of V̇ for the column Ċ V in row_.
  [[gnu::noinline]] void differentiate_by_points(double* V_rate) {
    for (int i = 0; i < r(); ++i) kept_[i] = -row_[choice_->rows[i]];
    points_.particular(kept_.data(), V_rate);
    for (int l = 0; l < k(); ++l) y_[l] = V_rate[choice_->independent[l]];
    for (int l = 0; l < k(); ++l) dense::add(n(), -y_[l], V_.column(l), V_rate);
  }
  /// x ← J'⁻¹ x
  void solve(double* x) const {
    for (int i = 0; i < r(); ++i) x[i] *= unit_free_.row(i);
    for (int j = 0; j < k(); ++j) x[r() + j] /= unit_free_.column(choice_->independent[j]);
    dense::solve(n(), J_.data(), pivot_.data(), x);
    unit_free_.times_columns(x);
  }

  Model model_;
  Orthonormalised<Model> basis_;
  UnitFree<F::n, F::r> unit_free_;
  const Choice* choice_ = nullptr;
  Columns<F::n, F::r> A_;
  Columns<F::n, F::n> J_;
  Columns<F::n, F::k> V_, V_rate_;
  Buffer<F::rows> row_;
  mutable Buffer<F::n> x_;
  IndexBuffer pivot_;
  ConstrainedPoints<Model> points_;
  bool by_points_ = false;  ///< is true if V was found from local coordinates
  RunTimeColumns G_;        ///< E*ᵀ N, factored
  mutable Buffer<F::r> kept_;
  Buffer<F::k> y_;
};

}  // namespace mechfmu
