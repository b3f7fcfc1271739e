// Closing all rows together, by least squares, whichever are kept as pivots. Where data are rounded, rows that depend on
// others disagree with them a little, J_d ≈ T J_k; closing the kept ones alone would move the mechanism whenever others
// are kept. With rows divided by their sizes,
//   y = (1 + TᵀT)⁻¹ (f_k + Tᵀ f_d) = f_k + Tᵀ (1 + T Tᵀ)⁻¹ (f_d − T f_k)
// takes the place of f_k in the correction: where it is zero, what rows leave open is as small as it can be. Sizes at run
// time, no allocation after construction.
#pragma once

#include <cmath>

#include "buffer.hpp"
#include "dense.hpp"
#include "mechanism.hpp"

namespace mechfmu {

class SharedClosing {
 public:
  /// Of the rows of mechanism.C, or the first of them.
  SharedClosing(const Mechanism& mechanism, int most_dropped)
      : mechanism_(mechanism), T_(most_dropped * mechanism.sizes.rows()), products_(most_dropped * most_dropped),
        left_(most_dropped), square_(mechanism.sizes.rows()), row_(mechanism.sizes.velocities), size_(mechanism.sizes.rows()),
        dropped_(most_dropped), is_kept_(mechanism.sizes.rows()) {}
  bool ok() const {
    return T_.ok() && products_.ok() && left_.ok() && square_.ok() && row_.ok() && size_.ok() && dropped_.ok() && is_kept_.ok();
  }

  /// Where C has these values, columns measured in the metric. multipliers(force, λ): λ, 0 for dropped rows, with
  /// Cᵀ λ = force.
  template <class Multipliers>
  void factor(int rows, int rank, const int* kept, const double* C, const double* metric, Multipliers&& multipliers) {
    find_sizes(rows, C, metric);
    list_dropped(rows, rank, kept);
    for (int d = 0; d < dropped_count_; ++d) {
      take_row(C, dropped_[d]);
      multipliers(row_.data(), T_.data() + d * rows_);
    }
    factor_products();
  }

  /// y, in the order of the kept rows.
  void share(const double* f, int rank, const int* kept, double* y) {
    leave(f);
    for (int i = 0; i < rank; ++i) {
      const int k = kept[i];
      y[i] = f[k];
      for (int d = 0; d < dropped_count_; ++d) y[i] += part(d, k) * size_[k] * left_[d];
    }
  }

 private:
  /// Of T, rows divided by their sizes.
  double part(int d, int k) const { return T_[d * rows_ + k] * size_[k] / size_[dropped_[d]]; }
  void find_sizes(int rows, const double* C, const double* metric);
  void list_dropped(int rows, int rank, const int* kept);
  void take_row(const double* C, int row);
  void factor_products();
  void leave(const double* f);

  const Mechanism& mechanism_;
  int rows_ = 0, dropped_count_ = 0;
  Buffer<dynamic> T_, products_, left_, square_, row_, size_;
  IndexBuffer dropped_, is_kept_;
};

}  // namespace mechfmu
