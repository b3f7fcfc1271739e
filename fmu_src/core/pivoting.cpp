// Complete pivoting inside classes of rows.
#include "pivoting.hpp"

#include <cmath>

#include "dense.hpp"
#include "products.hpp"

namespace mechfmu {

Pivoting::Pivoting(int rows, int columns)
    : rows_(rows), columns_(columns), A_(rows * columns), row_(rows), column_(columns), size_(rows) {}

void Pivoting::take(const Pattern& pattern, const double* values) { expand(pattern, values, A_.data()); }

void Pivoting::clear() { dense::fill(rows_ * columns_, 0, A_.data()); }

void Pivoting::exclude_column(int column) { dense::fill(rows_, 0, A_.data() + column * rows_); }

void Pivoting::scale_columns(const double* metric) {
  for (int j = 0; j < columns_; ++j) {
    const double scale = 1 / std::sqrt(metric[j]);
    for (int i = 0; i < rows_; ++i) A_[i + j * rows_] *= scale;
  }
}

int Pivoting::eliminate(const Priorities& priorities, int limit) {
  const auto at = [&](int i, int j) -> double& { return A_[row_[i] + column_[j] * rows_]; };
  for (int i = 0; i < rows_; ++i) row_[i] = i;
  for (int j = 0; j < columns_; ++j) column_[j] = j;
  for (int i = 0; i < rows_; ++i) {
    double square = 0;
    for (int j = 0; j < columns_; ++j) square += at(i, j) * at(i, j);
    size_[i] = std::sqrt(square);
  }
  int found = 0;
  for (int kind = 0; kind < Priorities::classes; ++kind) {
    while (found < limit && found < columns_) {
      int best_row = -1, best_column = -1;
      double largest = 0;
      for (int i = found; i < rows_; ++i) {
        if (priorities.of(row_[i]) != kind || !(size_[row_[i]] > 0)) continue;
        for (int j = found; j < columns_; ++j) {
          const double relative = std::fabs(at(i, j)) / size_[row_[i]];
          if (relative > largest) {
            largest = relative;
            best_row = i;
            best_column = j;
          }
        }
      }
      if (!(largest > rank_tolerance)) break;
      const int held_row = row_[found], held_column = column_[found];
      row_[found] = row_[best_row];
      row_[best_row] = held_row;
      column_[found] = column_[best_column];
      column_[best_column] = held_column;
      for (int i = found + 1; i < rows_; ++i) {
        const double factor = at(i, found) / at(found, found);
        if (factor == 0) continue;
        for (int j = found; j < columns_; ++j) at(i, j) -= factor * at(found, j);
      }
      ++found;
    }
  }
  return found;
}

}  // namespace mechfmu
