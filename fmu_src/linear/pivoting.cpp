// This file finds pivots inside classes of rows, either the largest ones or those that keep few nonzeros.
#include "pivoting.hpp"

#include <cmath>

#include "dense.hpp"
#include "products.hpp"

namespace mechfmu {

Pivoting::Pivoting(Arena& arena, int rows, int columns, int most_nonzeros)
    : rows_(rows), columns_(columns), is_sparse_(has_sparse_pivots(rows)), A_(arena, rows, is_sparse_ ? 0 : columns),
      row_(arena, rows), column_(arena, columns), pivots_(arena, is_sparse_ ? 0 : rows), size_(arena, rows),
      longest_(arena, rows), entry_row_(arena, is_sparse_ ? most_nonzeros : 0),
      entry_column_(arena, is_sparse_ ? most_nonzeros : 0), entry_value_(arena, is_sparse_ ? most_nonzeros : 0),
      scale_(arena, columns), row_count_(arena, rows), column_count_(arena, columns),
      sparse_(arena, is_sparse_ ? rows : 0, is_sparse_ ? columns : 0, is_sparse_ ? most_nonzeros : 0) {}

void Pivoting::take(const Pattern& pattern, const double* values) {
  clear();
  for (int e = 0; e < pattern.nonzeros; ++e) set(pattern.row[e], pattern.column[e], values[e]);
}

void Pivoting::clear() {
  entries_ = 0;
  dense::fill(columns_, 1, scale_.data());
  if (!is_sparse_) dense::fill(rows_ * columns_, 0, A_.data());
}

void Pivoting::set(int row, int column, double value) {
  if (!is_sparse_) {
    A_(row, column) = value;
    return;
  }
  entry_row_[entries_] = row;
  entry_column_[entries_] = column;
  entry_value_[entries_++] = value;
}

void Pivoting::scale_columns(const double* metric) {
  for (int j = 0; j < columns_; ++j) scale_[j] = 1 / std::sqrt(metric[j]);
  multiply_columns(scale_.data());
}

void Pivoting::multiply_columns(const double* scale) {
  if (scale != scale_.data()) dense::copy(columns_, scale, scale_.data());
  for (int e = 0; e < entries_; ++e) entry_value_[e] *= scale_[entry_column_[e]];
  if (is_sparse_) return;
  for (int j = 0; j < columns_; ++j) {
    for (int i = 0; i < rows_; ++i) A_(i, j) *= scale_[j];
  }
}

int Pivoting::eliminate(const Priorities& priorities, int limit, double tolerance) {
  return is_sparse_ ? eliminate_sparsely(priorities, limit, tolerance)
                    : eliminate_completely(priorities, limit, tolerance);
}

void Pivoting::lengthen_short_rows(const Priorities& priorities) {
  if (priorities.alike() || columns_ == 0) return;
  const int* same_unit = priorities.same_unit;
  // A number or an angle changes at least by so much in a direction that it depends on: by 1 in the coordinate's
  // nominal size.
  const double* nominal = priorities.nominal;
  double narrowest = scale_[0] / nominal[0];
  for (int j = 1; j < columns_; ++j) narrowest = std::fmin(narrowest, scale_[j] / nominal[j]);
  for (int i = 0; i < rows_; ++i) longest_[i] = priorities.bare[i] ? narrowest : 0;
  for (int i = 0; i < rows_; ++i) longest_[same_unit[i]] = std::fmax(longest_[same_unit[i]], size_[i]);
  for (int i = 0; i < rows_; ++i) size_[i] = std::fmax(size_[i], short_row * longest_[same_unit[i]]);
}

int Pivoting::eliminate_sparsely(const Priorities& priorities, int limit, double tolerance) {
  dense::fill(rows_, 0, size_.data());
  for (int i = 0; i < rows_; ++i) row_count_[i] = 0;
  for (int j = 0; j < columns_; ++j) column_count_[j] = 0;
  for (int e = 0; e < entries_; ++e) {
    size_[entry_row_[e]] += entry_value_[e] * entry_value_[e];
    ++row_count_[entry_row_[e]];
    ++column_count_[entry_column_[e]];
  }
  for (int i = 0; i < rows_; ++i) size_[i] = std::sqrt(size_[i]);
  lengthen_short_rows(priorities);
  sparse_.clear(row_count_.data(), column_count_.data());
  for (int e = 0; e < entries_; ++e) {
    const double size = size_[entry_row_[e]];
    sparse_.set(entry_row_[e], entry_column_[e], size > 0 ? entry_value_[e] / size : 0);
  }
  int found = 0;
  for (int kind = 0; kind < Priorities::classes; ++kind) {
    found =
        sparse_.eliminate([&](int i) { return priorities.of(i) == kind; }, priorities.limit(kind, limit), tolerance);
  }
  sparse_.finish();
  for (int i = 0; i < rows_; ++i) row_[i] = sparse_.row(i);
  for (int j = 0; j < columns_; ++j) column_[j] = sparse_.column(j);
  return found;
}

int Pivoting::eliminate_completely(const Priorities& priorities, int limit, double tolerance) {
  const auto at = [&](int i, int j) -> double& { return A_(row_[i], column_[j]); };
  for (int i = 0; i < rows_; ++i) row_[i] = i;
  for (int j = 0; j < columns_; ++j) column_[j] = j;
  for (int i = 0; i < rows_; ++i) {
    double square = 0;
    for (int j = 0; j < columns_; ++j) square += at(i, j) * at(i, j);
    size_[i] = std::sqrt(square);
  }
  lengthen_short_rows(priorities);
  int found = 0;
  for (int kind = 0; kind < Priorities::classes && found < limit; ++kind) {
    const int most = priorities.limit(kind, limit);
    while (found < most && found < columns_) {
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
      if (!(largest > tolerance)) break;
      pivots_[found] = largest;
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
