// This file finds the rows that are kept by pivoting.
#include "kept_rows.hpp"

#include <cmath>

#include "constraints/choice.hpp"
#include "constraints/priorities.hpp"
#include "linear/dense.hpp"
#include "linear/products.hpp"

namespace mechfmu {

KeptRows::KeptRows(Arena& arena, const Mechanism& m)
    : mechanism_(m), n_(m.sizes.velocities), rows_(m.sizes.all_rows()), pivoting_(arena, rows_, n_, m.C_a.nonzeros),
      C_(arena, rows_, n_), B_(arena, n_, m.character.ideal ? 0 : rows_), C_d_(arena, n_, n_), V_(arena, n_, n_),
      L_(arena, n_, m.character.ideal ? 0 : n_), x_(arena, n_), C_pivot_(arena, n_),
      left_pivoting_(arena, m.character.ideal ? 0 : rows_, m.character.ideal ? 0 : n_, rows_ * n_),
      B_b_(arena, n_, m.character.ideal ? 0 : n_), metric_(arena, n_), weights_(arena, rows_), B_pivot_(arena, n_) {}

bool KeptRows::keep_rows(const Matrices& given, Message& message) {
  null_basis(given);
  return mechanism_.character.ideal || left_basis(given.B, message);
}

/// Finds the kept rows, the factors of C_d = C_a(rows, columns), and V.
void KeptRows::null_basis(const Matrices& given) {
  column_metric(mechanism_.M, given.M, mechanism_.nominal, metric_.data());
  pivoting_.take(mechanism_.C_a, given.C_a);
  pivoting_.scale_columns(metric_.data());
  const Sizes& s = mechanism_.sizes;
  const int limit = s.has_further_rows() ? n_ : s.rank;
  rank_ = pivoting_.eliminate(priorities(mechanism_, s.rank), limit);
  expand(mechanism_.C_a, given.C_a, C_.data());
  const auto C_d = C_d_.packed(rank_);
  for (int i = 0; i < rank_; ++i) {
    for (int j = 0; j < rank_; ++j) C_d(i, j) = C_(pivoting_.row(i), pivoting_.column(j));
    weights_[i] = 1 / pivoting_.size(pivoting_.row(i));
  }
  dense::factor(rank_, C_d.data(), C_pivot_.data(), weights_.data());
  for (int j = 0; j < n_ - rank_; ++j) {
    const int column = pivoting_.column(rank_ + j);
    double* V = V_.column(j);
    dense::fill(n_, 0, V);
    for (int i = 0; i < rank_; ++i) x_[i] = -C_(pivoting_.row(i), column);
    dense::solve(rank_, C_d.data(), C_pivot_.data(), x_.data());
    for (int i = 0; i < rank_; ++i) V[pivoting_.column(i)] = x_[i];
    V[column] = 1;
  }
}

/// Computes L = [−B_b^{-T} B_eᵀ ; I] for the kept columns of B. Pivoting finds the rows b.
bool KeptRows::left_basis(const double* B, Message& message) {
  expand(mechanism_.B, B, B_.data());  // this is n × rows
  // Pivots are chosen on Bᵀ (kept constraints are its rows). Coordinates are measured in the inverse metric, as forces
  // are.
  left_pivoting_.clear();
  for (int i = 0; i < rank_; ++i) {
    for (int j = 0; j < n_; ++j) left_pivoting_.set(i, j, B_(j, pivoting_.row(i)) / std::sqrt(metric_[j]));
  }
  if (left_pivoting_.eliminate({}, rank_) < rank_) {
    return message.fail("The reactions' directions are dependent: two constraints are realised by the same control.");
  }
  const auto B_b = B_b_.packed(rank_);
  for (int i = 0; i < rank_; ++i) {
    for (int j = 0; j < rank_; ++j) B_b(i, j) = B_(left_pivoting_.column(i), pivoting_.row(j));
    weights_[i] = 1 / std::sqrt(metric_[left_pivoting_.column(i)]);
  }
  dense::factor(rank_, B_b.data(), B_pivot_.data(), weights_.data());
  for (int j = 0; j < n_ - rank_; ++j) {
    const int free_row = left_pivoting_.column(rank_ + j);
    double* L = L_.column(j);
    dense::fill(n_, 0, L);
    for (int i = 0; i < rank_; ++i) x_[i] = -B_(free_row, pivoting_.row(i));
    dense::solve_transposed(rank_, B_b_.data(), B_pivot_.data(), x_.data());
    for (int i = 0; i < rank_; ++i) L[left_pivoting_.column(i)] = x_[i];
    L[free_row] = 1;
  }
  return true;
}

void KeptRows::multipliers(const double* force, double* multipliers) {
  for (int i = 0; i < rank_; ++i) x_[i] = force[acting_row(i)];
  if (mechanism_.character.ideal) dense::solve_transposed(rank_, C_d_.data(), C_pivot_.data(), x_.data());
  else dense::solve(rank_, B_b_.data(), B_pivot_.data(), x_.data());
  dense::fill(rows_, 0, multipliers);
  for (int i = 0; i < rank_; ++i) multipliers[pivoting_.row(i)] = x_[i];
}

void KeptRows::preimage(const double* multipliers, double* z) {
  for (int i = 0; i < rank_; ++i) x_[i] = multipliers[pivoting_.row(i)];
  if (mechanism_.character.ideal) dense::solve(rank_, C_d_.data(), C_pivot_.data(), x_.data());
  else dense::solve_transposed(rank_, B_b_.data(), B_pivot_.data(), x_.data());
  dense::fill(n_, 0, z);
  for (int i = 0; i < rank_; ++i) z[acting_row(i)] = x_[i];
}

}  // namespace mechfmu
