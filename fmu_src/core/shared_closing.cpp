// All rows closed together.
#include "shared_closing.hpp"

namespace mechfmu {

/// Of the rows of one unit: the longest.
void SharedClosing::find_sizes(int rows, const double* C, const double* metric) {
  rows_ = rows;
  const Pattern& pattern = mechanism_.C;
  dense::fill(rows, 0, square_.data());
  dense::fill(rows, 0, size_.data());
  for (int e = 0; e < pattern.nonzeros; ++e) {
    if (pattern.row[e] < rows) square_[pattern.row[e]] += C[e] * C[e] / metric[pattern.column[e]];
  }
  for (int i = 0; i < rows; ++i) {
    double& size = size_[mechanism_.same_unit[i]];
    size = std::fmax(size, std::sqrt(square_[i]));
  }
  for (int i = 0; i < rows; ++i) size_[i] = size_[mechanism_.same_unit[i]] > 0 ? size_[mechanism_.same_unit[i]] : 1;
}

void SharedClosing::list_dropped(int rows, int rank, const int* kept) {
  for (int i = 0; i < rows; ++i) is_kept_[i] = 0;
  for (int i = 0; i < rank; ++i) is_kept_[kept[i]] = 1;
  dropped_count_ = 0;
  for (int i = 0; i < rows; ++i) {
    if (is_kept_[i] == 0) dropped_[dropped_count_++] = i;
  }
}

void SharedClosing::take_row(const double* C, int row) {
  const Pattern& pattern = mechanism_.C;
  dense::fill(pattern.columns, 0, row_.data());
  for (int e = 0; e < pattern.nonzeros; ++e) {
    if (pattern.row[e] == row) row_[pattern.column[e]] = C[e];
  }
}

/// 1 + T Tᵀ
void SharedClosing::factor_products() {
  const int count = dropped_count_;
  for (int c = 0; c < count; ++c) {
    for (int d = c; d < count; ++d) {
      double sum = c == d ? 1 : 0;
      for (int k = 0; k < rows_; ++k) sum += part(c, k) * part(d, k);
      products_[d + c * count] = sum;
    }
  }
  dense::factor_downward(count, products_.data());
}

/// (1 + T Tᵀ)⁻¹ (f_d − T f_k)
void SharedClosing::leave(const double* f) {
  for (int d = 0; d < dropped_count_; ++d) {
    double left = f[dropped_[d]];
    for (int k = 0; k < rows_; ++k) left -= T_[d * rows_ + k] * f[k];
    left_[d] = left / size_[dropped_[d]];
  }
  dense::solve_downward(dropped_count_, products_.data(), left_.data());
}

}  // namespace mechfmu
