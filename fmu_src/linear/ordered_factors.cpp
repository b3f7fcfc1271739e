// This file eliminates in a given order: first it finds the places of nonzeros, then the numbers.
#include "ordered_factors.hpp"

#include <cmath>

#include "dense.hpp"

namespace mechfmu {

OrderedFactors::OrderedFactors(Arena& arena, int size, int nonzeros)
    : capacity_(size > 0 ? room_for_fill(size, size, nonzeros) : 0), at_(arena, capacity_), values_(arena, capacity_),
      begin_(arena, size + 1), diagonal_(arena, size), reciprocals_(arena, size),
      place_(arena, size > 0 ? nonzeros : 0), rows_(arena, size), columns_(arena, size), own_begin_(arena, size + 1),
      own_at_(arena, size > 0 ? nonzeros : 0), next_(arena, size + 1), x_(arena, size) {}

bool OrderedFactors::arrange(const Pattern& C, const Order& order) {
  const int n = order.count;
  bool same = arranged_ && n == size_;
  for (int i = 0; i < n && same; ++i) same = rows_[i] == order.rows[i] && columns_[i] == order.columns[i];
  if (same) return true;
  arranged_ = false;
  size_ = n;
  for (int i = 0; i < n; ++i) {
    rows_[i] = order.rows[i];
    columns_[i] = order.columns[i];
  }
  const auto row_of = [&](int e) { return order.row_slot[C.row[e]]; };
  const auto column_of = [&](int e) { return order.column_slot[C.column[e]]; };
  const auto is_within = [&](int e) { return row_of(e) >= 0 && column_of(e) >= 0; };

  for (int i = 0; i <= n; ++i) own_begin_[i] = 0;
  for (int e = 0; e < C.nonzeros; ++e) {
    if (is_within(e)) ++own_begin_[row_of(e)];
  }
  for (int i = 0, at = 0; i <= n; ++i) own_begin_[i] = at += own_begin_[i];  // each row grows downward from its end
  for (int e = 0; e < C.nonzeros; ++e) {
    if (is_within(e)) own_at_[--own_begin_[row_of(e)]] = column_of(e);
  }

  // Each row becomes an ascending list: its own nonzeros, and those of the rows of U that are subtracted from it.
  int used = 0;
  for (int i = 0; i < n; ++i) {
    int first = n;
    const auto insert = [&](int column, int after) {  // `after`: one that comes before it, or -1
      int* link = after < 0 ? &first : &next_[after];
      while (*link < column) link = &next_[*link];
      if (*link == column) return;
      next_[column] = *link;
      *link = column;
    };
    insert(i, -1);
    for (int e = own_begin_[i]; e < own_begin_[i + 1]; ++e) insert(own_at_[e], -1);
    for (int k = first; k < i; k = next_[k]) {
      int last = k;
      for (int e = diagonal_[k] + 1; e < begin_[k + 1]; ++e) {
        insert(at_[e], last);
        last = at_[e];
      }
    }
    begin_[i] = used;
    for (int k = first; k < n; k = next_[k]) {
      if (used == capacity_) return false;
      if (k == i) diagonal_[i] = used;
      at_[used++] = k;
    }
    begin_[i + 1] = used;
  }

  for (int e = 0; e < C.nonzeros; ++e) {
    place_[e] = -1;
    if (!is_within(e)) continue;
    int low = begin_[row_of(e)], high = begin_[row_of(e) + 1];
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (at_[middle] <= column_of(e) ? low : high) = middle;
    }
    place_[e] = low;
  }
  arranged_ = true;
  return true;
}

double OrderedFactors::factor(const Pattern& C, const double* from, const double* nominal) {
  const int n = size_;
  const int *at = at_.data(), *place = place_.data();
  double *values = values_.data(), *x = x_.data();
  dense::fill(begin_[n], 0, values);
  for (int e = 0; e < C.nonzeros; ++e) {
    if (place[e] >= 0) values[place[e]] = from[e];
  }
  const auto size_of = [&](int j) { return nominal != nullptr ? nominal[columns_[j]] : 1; };
  double quality = 1;
  for (int i = 0; i < n; ++i) {
    const int begin = begin_[i], diagonal = diagonal_[i], end = begin_[i + 1];
    for (int e = begin; e < end; ++e) x[at[e]] = values[e];
    for (int e = begin; e < diagonal; ++e) {
      const int k = at[e];
      const double factor = values[e] = x[k] * reciprocals_[k];
      const int U_end = begin_[k + 1];
      for (int u = diagonal_[k] + 1; u < U_end; ++u) x[at[u]] -= factor * values[u];
    }
    const double pivot = std::fabs(x[i]) * size_of(i);
    if (!(pivot > 0)) return 0;
    reciprocals_[i] = 1 / x[i];
    for (int e = diagonal + 1; e < end; ++e) {
      values[e] = x[at[e]];
      const double size = std::fabs(values[e]) * size_of(at[e]);
      if (size * quality <= pivot) continue;
      quality = pivot / size;
      if (!(quality > 0)) return 0;
    }
  }
  return quality;
}

void OrderedFactors::solve(double* x) const {
  const int* at = at_.data();
  const double* values = values_.data();
  for (int i = 0; i < size_; ++i) {
    double sum = x[i];
    for (int e = begin_[i]; e < diagonal_[i]; ++e) sum -= values[e] * x[at[e]];
    x[i] = sum;
  }
  for (int i = size_ - 1; i >= 0; --i) {
    double sum = x[i];
    for (int e = diagonal_[i] + 1; e < begin_[i + 1]; ++e) sum -= values[e] * x[at[e]];
    x[i] = sum * reciprocals_[i];
  }
}

void OrderedFactors::solve_transposed(double* x) const {
  const int* at = at_.data();
  const double* values = values_.data();
  for (int i = 0; i < size_; ++i) {
    const double part = x[i] *= reciprocals_[i];
    for (int e = diagonal_[i] + 1; e < begin_[i + 1]; ++e) x[at[e]] -= values[e] * part;
  }
  for (int i = size_ - 1; i >= 0; --i) {
    const double part = x[i];
    for (int e = begin_[i]; e < diagonal_[i]; ++e) x[at[e]] -= values[e] * part;
  }
}

}  // namespace mechfmu
