// Takes all rows together by least squares.
#include "shared_rows.hpp"

namespace mechfmu {

/// Finds the sizes of rows. Rows of one unit have the length of the longest of them. Rows of numbers and angles have at
/// least the length of a row that changes by 1 when a coordinate that it depends on moves by its nominal size.
void SharedRows::find_sizes(int rows, const double* values, const double* metric) {
  rows_ = rows;
  dense::fill(rows, 0, square_.data());
  dense::fill(rows, 0, size_.data());
  for (int e = 0; e < pattern_.nonzeros; ++e) {
    if (pattern_.row[e] < rows) square_[pattern_.row[e]] += values[e] * values[e] / metric[pattern_.column[e]];
  }
  double heaviest = 0;  // largest square of a nominal size in the metric
  for (int j = 0; j < pattern_.columns; ++j) {
    const double nominal = mechanism_.nominal[j];
    heaviest = std::fmax(heaviest, metric[j] * nominal * nominal);
  }
  for (int i = 0; i < rows; ++i) {
    double& size = size_[mechanism_.same_unit[i]];
    size = std::fmax(size, std::sqrt(square_[i]));
    if (mechanism_.bare[i]) size = std::fmax(size, 1 / std::sqrt(heaviest));
  }
  for (int i = 0; i < rows; ++i) size_[i] = size_[mechanism_.same_unit[i]] > 0 ? size_[mechanism_.same_unit[i]] : 1;
}

void SharedRows::list_rows(int rows, int rank, const int* kept) {
  rank_ = rank;
  for (int i = 0; i < rows; ++i) is_kept_[i] = 0;
  for (int i = 0; i < rank; ++i) is_kept_[kept_[i] = kept[i]] = 1;
  dropped_count_ = 0;
  for (int i = 0; i < rows; ++i) {
    if (is_kept_[i] == 0) dropped_[dropped_count_++] = i;
  }
}

void SharedRows::take_row(const double* values, int d, double* row) const {
  dense::fill(pattern_.columns, 0, row);
  for (int e = 0; e < pattern_.nonzeros; ++e) {
    if (pattern_.row[e] == dropped_[d]) row[pattern_.column[e]] = values[e];
  }
}

/// Factors 1 + T Tᵀ.
void SharedRows::factor_products() {
  const int count = dropped_count_;
  const auto products = products_.packed(count);
  for (int c = 0; c < count; ++c) {
    for (int d = c; d < count; ++d) {
      double sum = c == d ? 1 : 0;
      for (int i = 0; i < rank_; ++i) sum += part(c, kept_[i]) * part(d, kept_[i]);
      products(d, c) = sum;
    }
  }
  dense::factor_downward(count, products.data());
}

/// Adds P e to y, where e is in left_.
void SharedRows::add_left(double* y) {
  for (int d = 0; d < dropped_count_; ++d) left_[d] /= size_[dropped_[d]];
  dense::solve_downward(dropped_count_, products_.data(), left_.data());
  for (int i = 0; i < rank_; ++i) {
    const int k = kept_[i];
    for (int d = 0; d < dropped_count_; ++d) y[i] += part(d, k) * size_[k] * left_[d];
  }
}

void SharedRows::share(const double* f, double* y) {
  for (int d = 0; d < dropped_count_; ++d) {
    left_[d] = f[dropped_[d]];
    for (int i = 0; i < rank_; ++i) left_[d] -= T()(kept_[i], d) * f[kept_[i]];
  }
  for (int i = 0; i < rank_; ++i) y[i] = f[kept_[i]];
  add_left(y);
}

void SharedRows::column(int d, double* p) {
  dense::fill(dropped_count_, 0, left_.data());
  left_[d] = 1;
  dense::fill(rank_, 0, p);
  add_left(p);
}

void SharedRows::dropped_multipliers(const double* mu, double* nu) {
  for (int d = 0; d < dropped_count_; ++d) {
    nu[d] = 0;
    for (int i = 0; i < rank_; ++i) nu[d] += part(d, kept_[i]) * size_[kept_[i]] * mu[i];
  }
  dense::solve_downward(dropped_count_, products_.data(), nu);
  for (int d = 0; d < dropped_count_; ++d) nu[d] /= size_[dropped_[d]];
}

void SharedRows::spread(const double* mu, double* lambda) {
  dropped_multipliers(mu, left_.data());
  for (int i = 0; i < rank_; ++i) {
    const int k = kept_[i];
    lambda[k] = mu[i];
    for (int d = 0; d < dropped_count_; ++d) lambda[k] -= T()(k, d) * left_[d];
  }
  for (int d = 0; d < dropped_count_; ++d) lambda[dropped_[d]] = left_[d];
}

}  // namespace mechfmu
