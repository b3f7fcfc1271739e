// This file finds accelerations by sparse factors.
#include "sparse_response.hpp"

#include <cmath>

#include "constraints/choice.hpp"
#include "constraints/priorities.hpp"
#include "linear/dense.hpp"
#include "linear/powers_of_two.hpp"

namespace mechfmu {

namespace {

/// Returns the number of entries of [M −B; C_a 0], with ones for dropped rows.
int system_nonzeros(const Mechanism& m) {
  return 2 * m.M.nonzeros + m.C_a.nonzeros + (m.character.ideal ? m.C_a : m.B).nonzeros + m.sizes.all_rows();
}

}  // namespace

SparseResponse::SparseResponse(Arena& arena, const Mechanism& m)
    : mechanism_(m), n_(m.sizes.velocities), rows_(m.sizes.all_rows()), free_rows_(count_free_rows(m)),
      constraints_(arena, rows_, n_, m.C_a.nonzeros), system_(arena, n_ + rows_, n_ + rows_, system_nonzeros(m)),
      kept_(arena, rows_), metric_(arena, n_), force_(arena, n_), right_side_(arena, n_ + rows_),
      solution_(arena, n_ + rows_), equation_scale_(arena, n_ + rows_), unknown_scale_(arena, n_ + rows_) {}

/// Unknowns and equations are measured so that M has a diagonal of about one, and rows of C_a and columns of B are
/// about as large.
bool SparseResponse::factor(const Matrices& given, double time, Message& message) {
  const Sizes& s = mechanism_.sizes;
  column_metric(mechanism_.M, given.M, mechanism_.nominal, metric_.data());
  constraints_.clear();
  const Pattern& C = mechanism_.C_a;
  for (int e = 0; e < C.nonzeros; ++e) constraints_.set(C.row[e], C.column[e], given.C_a[e]);
  rank_ = constraints_.split(priorities(mechanism_, s.rank), s.has_further_rows() ? n_ : s.rank, metric_.data());
  if (rank_ < s.rank - free_rows_) {
    return message.fail("The constraints are singular at t = %.9g s: accelerations are not determined there.", time);
  }
  for (int i = 0; i < rows_; ++i) kept_[i] = 0;
  for (int i = 0; i < rank_; ++i) kept_[row(i)] = 1;
  measure(given);
  double *equation = equation_scale_.data(), *unknown = unknown_scale_.data();
  system_.clear();
  const auto set = [&](int i, int j, double value) { system_.set(i, j, equation[i] * value * unknown[j]); };
  const Pattern& inertia = mechanism_.M;
  for (int e = 0; e < inertia.nonzeros; ++e) {
    const int i = inertia.row[e], j = inertia.column[e];
    set(i, j, given.M[e]);
    if (i != j) set(j, i, given.M[e]);
  }
  for (int i = 0; i < rows_; ++i) {
    if (!kept_[i]) system_.set(n_ + i, n_ + i, 1);
  }
  for (int e = 0; e < C.nonzeros; ++e) {
    if (kept_[C.row[e]]) set(n_ + C.row[e], C.column[e], given.C_a[e]);
  }
  for_reactions(mechanism_, given.C_a, given.B, [&](int velocity, int row, double value) {
    if (kept_[row]) set(velocity, n_ + row, -value);
  });
  return system_.split({}, n_ + rows_, nullptr, singular_inertia) == n_ + rows_ ||
         fail_inertia(mechanism_, *this, time, message);
}

/// Finds the powers of two by which equations and unknowns of that system are multiplied.
void SparseResponse::measure(const Matrices& given) {
  double *equation = equation_scale_.data(), *unknown = unknown_scale_.data();
  for (int j = 0; j < n_; ++j) equation[j] = unknown[j] = 1 / power_of_two(std::sqrt(metric_[j]));
  dense::fill(rows_, 0, equation + n_);
  dense::fill(rows_, 0, unknown + n_);
  const Pattern& C = mechanism_.C_a;
  for (int e = 0; e < C.nonzeros; ++e) {
    dense::raise(equation[n_ + C.row[e]], std::fabs(given.C_a[e]) * unknown[C.column[e]]);
  }
  for_reactions(mechanism_, given.C_a, given.B, [&](int velocity, int row, double value) {
    dense::raise(unknown[n_ + row], std::fabs(value) * equation[velocity]);
  });
  for (int i = n_; i < n_ + rows_; ++i) {
    equation[i] = 1 / power_of_two(equation[i]);
    unknown[i] = 1 / power_of_two(unknown[i]);
  }
}

/// Solves the system. v̇ is then at the beginning of the solution.
void SparseResponse::solve(const double* h, const double* gamma, double* multipliers) {
  dense::copy(n_, h, right_side_.data());
  dense::fill(rows_, 0, right_side_.data() + n_);
  for (int i = 0; i < rank_ && gamma != nullptr; ++i) right_side_[n_ + row(i)] = -gamma[row(i)];
  for (int i = 0; i < n_ + rows_; ++i) right_side_[i] *= equation_scale_[i];
  system_.particular(right_side_.data(), solution_.data());
  for (int i = 0; i < n_ + rows_; ++i) solution_[i] *= unknown_scale_[i];
  dense::copy(rows_, solution_.data() + n_, multipliers);
}

void SparseResponse::respond(const double* h, const double* gamma, double* acceleration, double* multipliers) {
  solve(h, gamma, multipliers);
  dense::copy(n_, solution_.data(), acceleration);
}

/// Solves with this force alone: v̇ = 0, because the multipliers bear it.
void SparseResponse::multipliers(const double* force, double* multipliers) {
  for (int j = 0; j < n_; ++j) force_[j] = -force[j];
  solve(force_.data(), nullptr, multipliers);
}

/// Solves the transposed system, [M C_aᵀ; −Bᵀ 0] [z; w] = [0; −λ]. Its equations are measured as the unknowns of the
/// other system.
void SparseResponse::preimage(const double* multipliers, double* z) {
  dense::fill(n_ + rows_, 0, right_side_.data());
  for (int i = 0; i < rank_; ++i) right_side_[n_ + row(i)] = -multipliers[row(i)] * unknown_scale_[n_ + row(i)];
  system_.multipliers(right_side_.data(), solution_.data());
  for (int j = 0; j < n_; ++j) z[j] = solution_[j] * equation_scale_[j];
}

}  // namespace mechfmu
