// Finds accelerations and corrections whose rows share what is left open if data are rounded (shared_rows.hpp):
//
//   M v̇ − (C_k + P E)ᵀ μ = h,   (C_k + P E) v̇ = −(γ_k + P (γ_d − T γ_k))
//
// It uses any solver of the same equations with C_k alone, which knows nothing of P and E. The solver's answers to row
// d of C as a force, v̇ = a_d and μ = −T_d, give E_d = M a_d. Its answers to the columns of P in place of γ are v̇ =
// p_d and μ = m_d. Then
//
//   v̇ = v̇₀ + Σ a_d s_d + p_d t_d      μ = μ₀ + Σ m_d t_d        s = Pᵀ μ,  t = E v̇
//   (1 − L K) t = E v̇₀ + L Pᵀ μ₀      L = E a, K = Pᵀ m
//
// L is positive and K negative, so that this can always be solved. Constraints have to be ideal. Sizes are known at run
// time. Nothing is allocated after construction.
#pragma once

#include "linear/products.hpp"
#include "shared_rows.hpp"

namespace mechfmu {

class SharedSaddle {
 public:
  SharedSaddle(Arena& arena, const Mechanism& mechanism, const Pattern& pattern, int most_dropped)
      : n_(pattern.columns), mechanism_(mechanism), pattern_(pattern), rows_(arena, mechanism, pattern, most_dropped),
        a_(arena, n_, most_dropped), E_(arena, n_, most_dropped), p_(arena, n_, most_dropped),
        m_(arena, pattern.rows, most_dropped), L_(arena, most_dropped, most_dropped),
        K_(arena, most_dropped, most_dropped), LU_(arena, most_dropped, most_dropped), s_(arena, most_dropped),
        t_(arena, most_dropped), mu_(arena, pattern.rows), kept_(arena, pattern.rows), row_(arena, n_),
        pivot_(arena, most_dropped) {}

  /// Prepares all for these values of M and the matrix. solve(h, γ, v̇, μ) answers for the kept rows, in their order;
  /// nullptr stands for 0.
  template <class Solve>
  bool factor(int rows, int rank, const int* kept, const double* M, const double* values, const double* metric,
              Solve&& solve) {
    rank_ = rank;
    rows_.factor(rows, rank, kept, values, metric, [&](int d, double* T_d) {
      rows_.take_row(values, d, row_.data());
      solve(row_.data(), nullptr, a_.column(d), mu_.data());
      dense::fill(rows, 0, T_d);
      for (int i = 0; i < rank; ++i) T_d[kept[i]] = -mu_[i];
    });
    const int dropped = rows_.dropped();
    const auto L = L_.packed(dropped), K = K_.packed(dropped), LU = LU_.packed(dropped);
    for (int d = 0; d < dropped; ++d) {
      times_symmetric(mechanism_.M, M, a_.column(d), E_.column(d));
      rows_.column(d, kept_.data());
      solve(nullptr, kept_.data(), p_.column(d), m_.column(d));
    }
    for (int d = 0; d < dropped; ++d) {
      rows_.dropped_multipliers(m_.column(d), K.column(d));
      for (int c = 0; c < dropped; ++c) L(c, d) = dense::dot(n_, E_.column(c), a_.column(d));
    }
    for (int d = 0; d < dropped; ++d) {
      for (int c = 0; c < dropped; ++c) {
        double& sum = LU(c, d) = c == d ? 1 : 0;
        for (int i = 0; i < dropped; ++i) sum -= L(c, i) * K(i, d);
      }
    }
    return dense::factor(dropped, LU.data(), pivot_.data());
  }

  /// Solves the equations for γ of all rows, where nullptr stands for 0. λ is that of all rows, too.
  template <class Solve>
  void respond(const double* h, const double* gamma, double* acceleration, double* lambda, Solve&& solve) {
    if (gamma != nullptr) rows_.share(gamma, kept_.data());
    solve(h, gamma != nullptr ? kept_.data() : nullptr, acceleration, mu_.data());
    const int dropped = rows_.dropped();
    const auto L = L_.packed(dropped);
    rows_.dropped_multipliers(mu_.data(), s_.data());
    for (int c = 0; c < dropped; ++c) {
      t_[c] = dense::dot(n_, E_.column(c), acceleration);
      for (int d = 0; d < dropped; ++d) t_[c] += L(c, d) * s_[d];
    }
    dense::solve(dropped, LU_.data(), pivot_.data(), t_.data());
    for (int d = 0; d < dropped; ++d) dense::add(rank_, t_[d], m_.column(d), mu_.data());
    rows_.dropped_multipliers(mu_.data(), s_.data());
    for (int d = 0; d < dropped; ++d) {
      dense::add(n_, s_[d], a_.column(d), acceleration);
      dense::add(n_, t_[d], p_.column(d), acceleration);
    }
    rows_.spread(mu_.data(), lambda);
  }

 private:
  int n_, rank_ = 0;
  const Mechanism& mechanism_;
  const Pattern& pattern_;
  SharedRows rows_;
  RunTimeColumns a_, E_, p_, m_, L_, K_, LU_;
  Buffer<dynamic> s_, t_, mu_, kept_, row_;
  IndexBuffer pivot_;
};

}  // namespace mechfmu
