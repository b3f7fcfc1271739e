// This file finds accelerations by a saddle solver.
#include "solver_response.hpp"

#include "linear/dense.hpp"
#include "linear/products.hpp"

namespace mechfmu {

namespace {

bool are_all_kept(const Mechanism& m) {
  return !m.sizes.has_further_rows() && m.sizes.rank == m.sizes.rows() && count_free_rows(m) == 0;
}

}  // namespace

SolverResponse::SolverResponse(Arena& arena, const Mechanism& m, SaddleSolver& solver)
    : KeptRows(arena, m), solver_(solver), all_rows_kept_(are_all_kept(m)), mass_(arena, n_, n_),
      constraints_(arena, n_, rows_), directions_(arena, n_, rows_), kept_multipliers_(arena, rows_) {}

bool SolverResponse::factor(const Matrices& given, double time, Message& message) {
  const bool ideal = mechanism_.character.ideal_without_contacts;  // contacts are left out here
  if (all_rows_kept_) {
    rank_ = rows_;
    expand_transposed(mechanism_.C_a, given.C_a, constraints_.data());
    if (!ideal) expand(mechanism_.B, given.B, directions_.data());
  } else {
    if (!keep_rows(given, message)) return false;
    hand_over_kept_rows();
  }
  expand_symmetric(mechanism_.M, given.M, mass_.data());
  return solver_.factor(rank_, mass_.data(), constraints_.data(), ideal ? nullptr : directions_.data()) ||
         message.fail(
             "The constraints or the mass matrix are singular at t = %.9g s: accelerations and reactions are "
             "not determined there.",
             time);
}

void SolverResponse::hand_over_kept_rows() {
  for (int i = 0; i < rank_; ++i) {
    for (int j = 0; j < n_; ++j) constraints_(j, i) = C_(row(i), j);
    if (mechanism_.character.ideal_without_contacts) continue;
    dense::copy(n_, B_.column(row(i)), directions_.column(i));
  }
}

void SolverResponse::respond(const double* h, const double* gamma, double* acceleration, double* multipliers) {
  double* kept = kept_multipliers_.data();
  for (int i = 0; gamma != nullptr && i < rank_; ++i) multipliers[i] = gamma[row(i)];
  solver_.solve(h, gamma != nullptr ? multipliers : nullptr, acceleration, kept);
  dense::fill(rows_, 0, multipliers);
  for (int i = 0; i < rank_; ++i) multipliers[row(i)] = kept[i];
}

}  // namespace mechfmu
