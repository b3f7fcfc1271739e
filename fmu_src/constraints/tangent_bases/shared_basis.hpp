// Makes a basis whose rows share what is left open if data are rounded. It is the basis of C_k + P E in place of the
// kept rows C_k (constraints/shared_rows.hpp), and is made from the basis W of C_k. With G = C_d W, E = G Wᵀ M, and Z y
// the smallest x with C_k x = y,
//
//   W_d = (W − Z P G) U^{-T}, orthonormal again          C_k x = r, Wᵀ M x = 0:  (C_k + P E) x = r
//
// Data that are exact pass through. The derivative of W_d has two parts. The symmetric part of W_dᵀ M Ẇ_d follows from
// W_dᵀ M W_d = 1, so that the energy is kept. The antisymmetric part is that of W. With X = W_d − W, M X = C_kᵀ ν, to
// first order
//
//   Ẇ_dᵀ M W_d = Ẇᵀ M W − Xᵀ Ṁ (W + X/2) + νᵀ Ċ_k W − Wᵀ Ċ_kᵀ ν
//
// Across, M Ẇ_d is what Ċ_k + P (Ċ_d − T Ċ_k) makes it: only there Ṫ is left out.
#pragma once

#include "constraints/shared_rows.hpp"
#include "tangent_basis.hpp"

namespace mechfmu {

template <class Model, class Basis>
class SharedBasis : public Basis {
 public:
  using F = Fixed<Model>;

  template <class... Member>
  SharedBasis(Arena& arena, const Mechanism& mechanism, const Model& model, Member... member)
      : Basis(arena, model, member...), model_(model), shared_(arena, model),
        rows_(arena, mechanism, mechanism.C, dropped()), V_(arena, n(), k()), G_(arena, dropped(), k()),
        smallest_(arena, n(), dropped()), nu_(arena, rows(), k()), row_(arena, n()), u_(arena, k()), kept_(arena, r()),
        lambda_(arena, rows()), product_(arena, rows()), tangent_(arena, n()), change_(arena, n()), force_(arena, n()),
        rest_(arena, n()), W_(own_W()) {}
  SharedBasis(const SharedBasis&) = delete;
  SharedBasis& operator=(const SharedBasis&) = delete;

  bool shares() const { return shares_; }
  /// Sets whether rows share from now on. Factors are out of date then.
  void share_rows(bool share) {
    shares_ = share && dropped() > 0;
    W_ = shares_ ? shared_.W() : own_W();
  }

  [[gnu::always_inline]] bool factor(const double* M, const double* C, Choice& choice) {
    if (!Basis::factor(M, C, choice)) return false;
    return !shares_ || combine(M, C, choice);
  }
  ColumnsView<F::n> W() const {
    if constexpr (applies_itself<Basis>) return shares_ ? W_ : Basis::W();
    else return W_;
  }
  void apply(const double* u, double* v) const {
    if constexpr (applies_itself<Basis>) {
      if (!shares_) return Basis::apply(u, v);
    }
    dense::fill(n(), 0, v);
    for (int j = 0; j < k(); ++j) dense::add(n(), u[j], W_.column(j), v);
  }
  void onto(const double* x, double* u) const {
    if constexpr (applies_itself<Basis>) {
      if (!shares_) return Basis::onto(x, u);
    }
    for (int j = 0; j < k(); ++j) u[j] = dense::dot(n(), W_.column(j), x);
  }

  /// Finds what the kept rows have to change by where all rows are open by f.
  void close(const Choice& choice, const double* f, double* kept) const {
    if (shares_) rows_.share(f, kept);
    for (int i = 0; i < r(); ++i) kept[i] = -(shares_ ? kept[i] : f[choice.rows[i]]);
  }
  /// Finds λ of all rows from the multipliers μ of the kept ones.
  void spread(const Choice& choice, const double* mu, double* lambda) const {
    dense::fill(rows(), 0, lambda);
    if (shares_) return rows_.spread(mu, lambda);
    for (int i = 0; i < r(); ++i) lambda[choice.rows[i]] = mu[i];
  }

  void particular(const double* residual, double* x) const {
    Basis::particular(residual, x);
    if (shares_) remove_own_part(x);
  }

  void multipliers(const double* force, double* lambda) const {
    if (!shares_) return Basis::multipliers(force, lambda);
    find_kept_multipliers(force, lambda);
    for (int i = 0; i < r(); ++i) kept_[i] = lambda[choice_->rows[i]];
    rows_.spread(kept_.data(), lambda);
  }

  void differentiate(const double* M, const double* M_rate, const double* C_rate) {
    Basis::differentiate(M, M_rate, C_rate);
    if (!shares_) return;
    M_rate_ = M_rate;
    C_rate_ = C_rate;
  }

  /// Computes y = Ẇ_dᵀ x, from the part M W_d u of x and from the rest.
  void rate_transposed_times(const double* x, double* y) const {
    if (!shares_) return Basis::rate_transposed_times(x, y);
    shared_rate_transposed_times(x, y);
  }

 private:
  // The code for rounded data stays out of the way of the other code.
  [[gnu::noinline]] void shared_rate_transposed_times(const double* x, double* y) const {
    double *u = u_.data(), *Wu = tangent_.data(), *Xu = change_.data(), *force = force_.data();
    onto(x, u);
    combined(Basis::W(), u, Wu);
    combined(shared_.W(), u, Xu);
    dense::add(n(), -1, Wu, Xu);

    times_symmetric(model_.M(), M_, Wu, force);
    Basis::rate_transposed_times(force, y);
    times(model_.C_rate(), C_rate_, Wu, product_.data());
    dense::fill(rows(), 0, lambda_.data());
    for (int j = 0; j < k(); ++j) {
      const double* nu = nu_.column(j);
      y[j] += dense::dot(rows(), nu, product_.data());
      dense::add(rows(), u[j], nu, lambda_.data());
    }
    subtract_rates(Basis::W(), y);
    dense::add(n(), 0.5, Xu, Wu);
    times_symmetric(model_.M_rate(), M_rate_, Wu, force);
    for (int j = 0; j < k(); ++j) {
      y[j] += dense::dot(n(), Basis::W().column(j), force) - dense::dot(n(), shared_.W().column(j), force);
    }

    combined(shared_.W(), u, change_.data());
    times_symmetric(model_.M(), M_, change_.data(), force);
    for (int i = 0; i < n(); ++i) force[i] = x[i] - force[i];
    multipliers(force, lambda_.data());
    subtract_rates(shared_.W(), y);
  }
  [[gnu::noinline]] void remove_own_part(double* x) const {
    remove_tangent_part(model_, Basis::W(), M_, x, rest_.data());
  }

  int n() const { return model_.sizes().velocities; }
  int k() const { return model_.sizes().degrees_of_freedom(); }
  int r() const { return model_.sizes().rank; }
  int rows() const { return model_.sizes().rows(); }
  int dropped() const { return rows() - r(); }

  [[gnu::noinline]] bool combine(const double* M, const double* C, const Choice& choice) {
    choice_ = &choice;
    const int n = this->n(), k = this->k();
    M_ = M;
    column_metric(model_.M(), M, model_.nominal(), force_.data());
    rows_.factor(rows(), r(), choice_->rows.data(), C, force_.data(), [&](int d, double* T_d) {
      rows_.take_row(C, d, row_.data());
      for (int j = 0; j < k; ++j) G_(d, j) = dense::dot(n, Basis::W().column(j), row_.data());
      find_kept_multipliers(row_.data(), T_d);
    });
    for (int d = 0; d < dropped(); ++d) {
      rows_.column(d, kept_.data());
      particular(kept_.data(), smallest_.column(d));
    }
    for (int j = 0; j < k; ++j) {
      double *V = V_.column(j), *X = change_.data();
      dense::fill(n, 0, X);
      for (int d = 0; d < dropped(); ++d) dense::add(n, -G_(d, j), smallest_.column(d), X);
      dense::copy(n, Basis::W().column(j), V);
      dense::add(n, 1, X, V);
      if (model_.character.short_form) continue;
      times_symmetric(model_.M(), M, X, force_.data());
      Basis::multipliers(force_.data(), nu_.column(j));
    }
    return shared_.factor(M, V_);
  }

  /// Finds λ with C_kᵀ λ = the part of a force that W does not feel. It is 0 for dropped rows.
  [[gnu::noinline]] void find_kept_multipliers(const double* force, double* lambda) const {
    dense::fill(n(), 0, change_.data());
    for (int j = 0; j < k(); ++j) {
      const double* w = Basis::W().column(j);
      dense::add(n(), dense::dot(n(), w, force), w, change_.data());
    }
    times_symmetric(model_.M(), M_, change_.data(), rest_.data());
    for (int i = 0; i < n(); ++i) rest_[i] = force[i] - rest_[i];
    Basis::multipliers(rest_.data(), lambda);
  }

  /// v = W u
  [[gnu::noinline]] void combined(ColumnsView<F::n> W, const double* u, double* v) const {
    dense::fill(n(), 0, v);
    for (int j = 0; j < k(); ++j) dense::add(n(), u[j], W.column(j), v);
  }
  /// Subtracts Wᵀ Ċᵀ λ from y, where λ is in lambda_.
  void subtract_rates(ColumnsView<F::n> W, double* y) const {
    const Pattern& pattern = model_.C_rate();
    dense::fill(n(), 0, rest_.data());
    for (int e = 0; e < pattern.nonzeros; ++e) rest_[pattern.column[e]] += C_rate_[e] * lambda_[pattern.row[e]];
    for (int j = 0; j < k(); ++j) y[j] -= dense::dot(n(), W.column(j), rest_.data());
  }

  Model model_;
  Orthonormalised<Model> shared_;
  mutable SharedRows rows_;
  bool shares_ = false;
  const Choice* choice_ = nullptr;
  const double *M_ = nullptr, *M_rate_ = nullptr, *C_rate_ = nullptr;
  /// Returns where W_d is, which changes with share_rows() only. A basis that makes W_d when asked is not asked before.
  ColumnsView<F::n> own_W() const {
    if constexpr (applies_itself<Basis>) return {};
    else return Basis::W();
  }

  Columns<F::n, dynamic> V_;
  RunTimeColumns G_;
  Columns<F::n, dynamic> smallest_;  ///< Z P
  RunTimeColumns nu_;
  Buffer<dynamic> row_;
  mutable Buffer<dynamic> u_, kept_, lambda_, product_, tangent_, change_, force_, rest_;
  ColumnsView<F::n> W_;
};

}  // namespace mechfmu
