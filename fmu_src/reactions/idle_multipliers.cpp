// This file finds multipliers that do nothing together.
#include "idle_multipliers.hpp"

#include <cmath>

#include "constraints/choice.hpp"
#include "linear/dense.hpp"
#include "linear/pivoting.hpp"

namespace mechfmu {

IdleMultipliers::IdleMultipliers(Arena& arena, const Mechanism& m, int most_dropped)
    : mechanism_(m), n_(m.sizes.velocities), rows_(m.sizes.all_rows()), null_vectors_(arena, rows_, most_dropped),
      products_(arena, most_dropped, most_dropped), part_(arena, most_dropped), force_(arena, n_), size_(arena, n_),
      metric_(arena, n_), dropped_(arena, most_dropped) {}

/// Each dropped row that repeats kept ones gives one null vector, with −B_b⁻¹ B_c in the kept rows. The products of the
/// null vectors are factored.
void IdleMultipliers::find(Response& response, const Response::Matrices& given) {
  count_ = 0;
  if (!mechanism_.character.ideal) column_metric(mechanism_.M, given.M, mechanism_.nominal, metric_.data());
  const auto each = [&](auto&& act) { for_reactions(mechanism_, given.C_a, given.B, act); };
  for (int d = response.rank(); d < rows_; ++d) {
    const int dropped = response.row(d);
    if (dropped >= mechanism_.sizes.lasting_rows()) continue;
    dense::fill(n_, 0, force_.data());
    each([&](int velocity, int row, double value) {
      if (row == dropped) force_[velocity] = -value;
    });
    double* N = null_vectors_.column(count_);
    response.multipliers(force_.data(), N);
    N[dropped] = 1;
    bool repeats = true;  // a reaction of another direction stays 0
    if (!mechanism_.character.ideal) {
      dense::fill(n_, 0, force_.data());
      dense::fill(n_, 0, size_.data());
      each([&](int velocity, int row, double value) {
        force_[velocity] += value * N[row];
        size_[velocity] += std::fabs(value * N[row]);
      });
      // They are compared as a whole: where all terms of one velocity are rounding, so is what they leave.
      double left = 0, size = 0;
      for (int j = 0; j < n_; ++j) {
        left += force_[j] * force_[j] / metric_[j];
        size += size_[j] * size_[j] / metric_[j];
      }
      repeats = left <= rank_tolerance * rank_tolerance * size;
    }
    if (repeats) dropped_[count_++] = dropped;
  }
  const auto products = products_.packed(count_);
  for (int i = 0; i < count_; ++i) {
    for (int j = 0; j <= i; ++j) {
      products(i, j) = dense::dot(rows_, null_vectors_.column(i), null_vectors_.column(j));
    }
  }
  dense::factor_downward(count_, products.data());
}

void IdleMultipliers::spread(double* multipliers, const double* target) {
  for (int i = 0; i < count_; ++i) {
    const double* N = null_vectors_.column(i);
    part_[i] = dense::dot(rows_, N, multipliers) - (target == nullptr ? 0 : dense::dot(rows_, N, target));
  }
  dense::solve_downward(count_, products_.data(), part_.data());
  for (int i = 0; i < count_; ++i) dense::add(rows_, -part_[i], null_vectors_.column(i), multipliers);
}

void IdleMultipliers::gather(double* multipliers) const {
  for (int i = 0; i < count_; ++i) {
    dense::add(rows_, -multipliers[dropped_[i]], null_vectors_.column(i), multipliers);
  }
}

}  // namespace mechfmu
