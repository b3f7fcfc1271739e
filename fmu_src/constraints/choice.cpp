// Chooses rows and columns: once by pivoting on C, then by the projective criterion.
#include "choice.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/tolerances.hpp"
#include "priorities.hpp"

namespace mechfmu {

void Choice::take_from(const State& state) {
  for (int j = 0; j < sizes_.degrees_of_freedom(); ++j) independent[j] = static_cast<int>(state.independent[j]);
  for (int i = 0; i < sizes_.rank; ++i) {
    dependent[i] = static_cast<int>(state.dependent[i]);
    rows[i] = static_cast<int>(state.rows[i]);
  }
  covectors = state.covectors;
  fill_slots();
  ordered_ = true;
  unsaved_ = false;
}

void Choice::store(State& state) const {
  for (int j = 0; j < sizes_.degrees_of_freedom(); ++j) state.independent[j] = independent[j];
  for (int i = 0; i < sizes_.rank; ++i) {
    state.dependent[i] = dependent[i];
    state.rows[i] = rows[i];
  }
  unsaved_ = false;
}

void Choice::fill_slots() {
  for (int i = 0; i < sizes_.rows(); ++i) row_slot[i] = -1;
  for (int i = 0; i < sizes_.rank; ++i) row_slot[rows[i]] = i;
  for (int i = 0; i < sizes_.rank; ++i) column_slot[dependent[i]] = i;
  for (int j = 0; j < sizes_.degrees_of_freedom(); ++j) column_slot[independent[j]] = -1 - j;
}

bool Choice::by_pivoting(const Mechanism& mechanism, const double* C, const double* metric) {
  Pivoting& pivoting = pivoting_;
  pivoting.take(mechanism.C, C);
  pivoting.scale_columns(metric);
  const int rank = pivoting.eliminate(priorities(mechanism), sizes_.rank);
  if (rank < sizes_.rank) return false;
  for (int i = 0; i < rank; ++i) {
    rows[i] = pivoting.row(i);
    dependent[i] = pivoting.column(i);
  }
  for (int j = 0; j < sizes_.degrees_of_freedom(); ++j) independent[j] = pivoting.column(rank + j);
  fill_slots();
  ordered_ = unsaved_ = true;
  return true;
}

/// Gives the entries of the dependent columns to pivoting_, in all rows or in the kept ones only.
void Choice::take(const Pattern& pattern, const double* C, bool kept_rows_only) {
  pivoting_.clear();
  for (int e = 0; e < pattern.nonzeros; ++e) {
    if (kept_rows_only && row_slot[pattern.row[e]] < 0) continue;
    if (column_slot[pattern.column[e]] >= 0) pivoting_.set(pattern.row[e], pattern.column[e], C[e]);
  }
}

void Choice::renew_rows(const Mechanism& mechanism, const double* C, const double* metric) {
  take(mechanism.C, C, false);
  pivoting_.scale_columns(metric);
  if (pivoting_.eliminate(priorities(mechanism), sizes_.rank) < sizes_.rank) return;
  for (int i = 0; i < sizes_.rank; ++i) rows[i] = pivoting_.row(i);
  if (has_sparse_pivots(sizes_.rank)) {
    for (int i = 0; i < sizes_.rank; ++i) dependent[i] = pivoting_.column(i);
    ordered_ = true;
  }
  unsaved_ = true;
  fill_slots();
}

bool Choice::order(const Pattern& pattern, const double* C, const double* nominal) {
  take(pattern, C, true);
  pivoting_.multiply_columns(nominal);
  if (pivoting_.eliminate({}, sizes_.rank, 0) < sizes_.rank) return false;
  for (int i = 0; i < sizes_.rank; ++i) {
    rows[i] = pivoting_.row(i);
    dependent[i] = pivoting_.column(i);
  }
  ordered_ = unsaved_ = true;
  fill_slots();
  return true;
}

void Choice::take_independent(const int* columns) {
  for (int i = 0; i < sizes_.velocities; ++i) column_slot[i] = 0;
  for (int j = 0; j < sizes_.degrees_of_freedom(); ++j) {
    independent[j] = columns[j];
    column_slot[columns[j]] = -1 - j;
  }
  int used = 0;
  for (int i = 0; i < sizes_.velocities; ++i) {
    if (column_slot[i] >= 0) dependent[used++] = i;
  }
  ordered_ = false;
  unsaved_ = true;
  fill_slots();
}

bool Choice::has_independent(const int* columns) const {
  for (int j = 0; j < sizes_.degrees_of_freedom(); ++j) {
    if (column_slot[columns[j]] >= 0) return false;
  }
  return true;
}

void column_metric(const Pattern& pattern, const double* M, const double* nominal, double* metric) {
  for (int i = 0; i < pattern.rows; ++i) metric[i] = 0;
  for (int e = 0; e < pattern.nonzeros; ++e) {
    if (pattern.row[e] == pattern.column[e]) metric[pattern.row[e]] = M[e];
  }
  double smallest = 0;
  for (int i = 0; i < pattern.rows; ++i) {
    const double one = metric[i] * nominal[i] * nominal[i];
    if (one > 0 && (smallest == 0 || one < smallest)) smallest = one;
  }
  for (int i = 0; i < pattern.rows; ++i) {
    if (!(metric[i] > 0)) metric[i] = (smallest > 0 ? smallest : 1) / (nominal[i] * nominal[i]);
  }
}

namespace {

/// Runs the pivoted Gram–Schmidt process over the columns that `allowed` lists, or over all columns if it is null.
/// Returns the smallest pivot.
double smallest_pivot(int n, int k, double* G, const int* allowed, int* picked) {
  double smallest = beyond_all;
  for (int step = 0; step < k; ++step) {
    int best = -1;
    double longest = -1;
    for (int candidate = 0; candidate < (allowed ? k : n); ++candidate) {
      const int i = allowed ? allowed[candidate] : candidate;
      bool used = false;
      for (int s = 0; s < step; ++s) used = used || picked[s] == i;
      if (used) continue;
      const double square = dense::dot(k, G + i * k, G + i * k);
      if (square > longest) {
        longest = square;
        best = i;
      }
    }
    picked[step] = best;
    if (!(longest > 0)) return 0;
    longest = std::sqrt(longest);
    if (longest < smallest) smallest = longest;
    const double* direction = G + best * k;
    for (int i = 0; i < n; ++i) {
      if (i == best) continue;
      const double part = dense::dot(k, direction, G + i * k) / (longest * longest);
      dense::add(k, -part, direction, G + i * k);
    }
  }
  return smallest;
}

}  // namespace

double best_columns(int n, int k, ColumnsView<> W, const double* metric, const int* in_force, int* picked,
                    double* quality, double* scratch) {
  const auto fill = [&] {
    for (int i = 0; i < n; ++i) {
      const double scale = std::sqrt(metric[i]);
      for (int j = 0; j < k; ++j) scratch[j + i * k] = W(i, j) * scale;
    }
  };
  fill();
  if (in_force != nullptr) {
    *quality = smallest_pivot(n, k, scratch, in_force, picked);
    fill();
  }
  return smallest_pivot(n, k, scratch, nullptr, picked);
}

ChosenColumns::ChosenColumns(Arena& arena, const Mechanism& m)
    : n_(m.sizes.velocities), k_(m.sizes.degrees_of_freedom()), best_(arena, k_),
      tried_(arena, m.preferred != nullptr ? k_ : 0), preferred_(arena, m.preferred != nullptr ? n_ : 0) {
  if (m.preferred == nullptr || !arena.ok()) return;
  for (int i = 0; i < n_; ++i) {
    if (m.preferred[i]) preferred_[preferred_count_++] = i;
  }
}

bool ChosenColumns::find(ColumnsView<> W, const double* metric, const Choice* in_force, double* scratch) {
  const int* present = in_force != nullptr ? in_force->independent.data() : nullptr;
  double quality = 0;
  const double best = best_columns(n_, k_, W, metric, present, best_.data(), &quality, scratch);
  columns_ = best_.data();
  if (has_preference()) {
    const bool hold = present != nullptr && in_force->has_independent(preferred_.data());
    double own = quality;
    if (!hold) best_columns(n_, k_, W, metric, preferred_.data(), tried_.data(), &own, scratch);
    if (own >= (hold || present == nullptr ? kept_preference : taken_preference) * best) {
      columns_ = preferred_.data();
      return !hold;
    }
  }
  return present == nullptr || quality < renewed_choice * best;
}

}  // namespace mechfmu
