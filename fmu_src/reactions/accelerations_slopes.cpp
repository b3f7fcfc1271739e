// What accelerations, multipliers and loads change by when what they balance does; docs/method.md, derivatives.
#include "accelerations.hpp"
#include "linear/dense.hpp"

namespace mechfmu {

void Accelerations::find_kept_multipliers(double* multipliers) const {
  if (shares_ && mechanism_.sizes.loads == 0) return dense::copy(rows_, shared_multipliers_.data(), multipliers);
  dense::copy(rows_, multipliers_.data(), multipliers);
  for (int i = 0; i < idle_; ++i) {
    dense::add(rows_, -multipliers_[idle_rows_[i]], idle_multipliers_.data() + i * rows_, multipliers);
  }
}

/// λ' = λ_b' − N' y − N y' with B_b N' y = −(B' N y)_b and Nᵀ λ' = −N'ᵀ λ = Nᵀ (Bᵀ z)'
void Accelerations::respond_to_balance(const Changes& changes, double* acceleration, double* multipliers) {
  respond(changes.force, changes.gamma, acceleration, multipliers);
  if (idle_ > 0) {
    for (int j = 0; j < n_; ++j) idle_force_[j] = changes.force[j] - changes.shared_force[j];
    kept_multipliers(idle_force_.data(), idle_part_.data());
    dense::add(rows_, 1, idle_part_.data(), multipliers);
    spread(multipliers, changes.carried);
  }
}

void Accelerations::respond_to_load(int j, const Changes& changes) {
  respond_to_balance(changes, acceleration_by_loads_.data() + j * n_, multipliers_by_loads_.data() + j * rows_);
}

void Accelerations::respond_to(const Changes& changes, double* acceleration, double* multipliers, double* loads) {
  respond_to_balance(changes, acceleration, multipliers);
  loads_.respond_to(changes.loads, *this, acceleration, multipliers, loads);
}

void Accelerations::find_carrier(double* z) {
  if (large_) {
    dense::fill(n_ + rows_, 0, right_side_.data());
    for (int i = 0; i < rank_; ++i) right_side_[n_ + kept_row(i)] = -multipliers_[kept_row(i)];
    system_.multipliers(right_side_.data(), solution_.data());
    dense::copy(n_, solution_.data(), z);
    return;
  }
  const bool ideal = mechanism_.character.ideal;
  for (int i = 0; i < rank_; ++i) x_[i] = multipliers_[pivoting_.row(i)];
  if (ideal) dense::solve(rank_, C_d_.data(), C_pivot_.data(), x_.data());
  else dense::solve_transposed(rank_, B_b_.data(), B_pivot_.data(), x_.data());
  dense::fill(n_, 0, z);
  for (int i = 0; i < rank_; ++i) z[acting_row(i)] = x_[i];
}

}  // namespace mechfmu
