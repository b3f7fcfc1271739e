// This file computes Cholesky's factors column by column, at nonzeros that are known beforehand.
#include "sparse_cholesky.hpp"

#include <cmath>

#include "dense.hpp"

namespace mechfmu {

EliminationOrder::EliminationOrder(Arena& arena, const Pattern& M)
    : size_(M.rows), order_(arena, M.rows), slot_(arena, M.rows), filled_(arena, M.rows * M.rows) {
  IndexBuffer neighbours(arena, size_), list(arena, size_);
  if (!arena.ok()) return;
  for (int i = 0; i < size_; ++i) slot_[i] = -1;
  for (int e = 0; e < M.nonzeros; ++e) {
    if (M.row[e] != M.column[e]) connect(M.row[e], M.column[e]);
  }
  for (int i = 0; i < size_; ++i) {
    for (int j = 0; j < size_; ++j) neighbours[i] += connected(i, j);
  }
  for (int next = 0; next < size_; ++next) {
    int best = -1;
    for (int i = size_ - 1; i >= 0; --i) {  // the last of equal ones is likely to be the outermost
      if (slot_[i] < 0 && (best < 0 || neighbours[i] < neighbours[best])) best = i;
    }
    order_[next] = best;
    slot_[best] = next;
    int count = 0;
    for (int j = 0; j < size_; ++j) {
      if (slot_[j] < 0 && connected(best, j)) list[count++] = j;
    }
    count_ += count;
    for (int a = 0; a < count; ++a) {
      --neighbours[list[a]];
      for (int b = 0; b < a; ++b) {
        if (connected(list[a], list[b])) continue;
        connect(list[a], list[b]);
        ++neighbours[list[a]];
        ++neighbours[list[b]];
      }
    }
  }
}

SparseCholesky::SparseCholesky(Arena& arena, const Pattern& M, const Pattern& M_rate)
    : size_(M.rows), M_nonzeros_(M.nonzeros), M_rate_nonzeros_(M_rate.nonzeros), order_(arena, M),
      begin_(arena, size_ + 1), at_(arena, order_.count() + size_), row_begin_(arena, size_ + 1),
      row_entry_(arena, order_.count()), row_column_(arena, order_.count()), place_(arena, M.nonzeros),
      rate_place_(arena, M_rate.nonzeros), L_(arena, order_.count() + size_), L_rate_(arena, order_.count() + size_),
      x_(arena, size_) {
  if (!arena.ok()) return;
  int entry = 0;
  for (int j = 0; j < size_; ++j) {
    begin_[j] = entry;
    at_[entry++] = j;
    for (int i = j + 1; i < size_; ++i) {
      if (order_.filled(i, j)) at_[entry++] = i;
    }
  }
  begin_[size_] = entry;
  int in_rows = 0;
  for (int i = 0; i < size_; ++i) {
    row_begin_[i] = in_rows;
    for (int j = 0; j < i; ++j) {
      if (!order_.filled(i, j)) continue;
      int e = begin_[j];
      while (at_[e] != i) ++e;
      row_entry_[in_rows] = e;
      row_column_[in_rows++] = j;
    }
  }
  row_begin_[size_] = in_rows;
  find_places(M, place_);
  find_places(M_rate, rate_place_);
}

void SparseCholesky::find_places(const Pattern& pattern, IndexBuffer& place) const {
  for (int e = 0; e < pattern.nonzeros; ++e) {
    const int a = order_.slot(pattern.row[e]), b = order_.slot(pattern.column[e]);
    const int row = a > b ? a : b, column = a > b ? b : a;
    int entry = begin_[column];
    while (at_[entry] != row) ++entry;
    place[e] = entry;
  }
}

bool SparseCholesky::factor(const double* M) {
  dense::fill(nonzeros(), 0, L_.data());
  for (int e = 0; e < M_nonzeros_; ++e) L_[place_[e]] = M[e];
  double* x = x_.data();
  for (int j = 0; j < size_; ++j) {
    const int first = begin_[j], end = begin_[j + 1];
    for (int e = first; e < end; ++e) x[at_[e]] = L_[e];
    for (int s = row_begin_[j]; s < row_begin_[j + 1]; ++s) {
      const double factor = L_[row_entry_[s]];
      for (int e = row_entry_[s]; e < begin_[row_column_[s] + 1]; ++e) x[at_[e]] -= factor * L_[e];
    }
    if (!(x[j] > 0)) return false;
    const double diagonal = L_[first] = std::sqrt(x[j]), reciprocal = 1 / diagonal;
    for (int e = first + 1; e < end; ++e) L_[e] = x[at_[e]] * reciprocal;
  }
  return true;
}

void SparseCholesky::differentiate(const double* M_rate) {
  dense::fill(nonzeros(), 0, L_rate_.data());
  for (int e = 0; e < M_rate_nonzeros_; ++e) L_rate_[rate_place_[e]] = M_rate[e];
  double* x = x_.data();
  for (int j = 0; j < size_; ++j) {
    const int first = begin_[j], end = begin_[j + 1];
    for (int e = first; e < end; ++e) x[at_[e]] = L_rate_[e];
    for (int s = row_begin_[j]; s < row_begin_[j + 1]; ++s) {
      const double factor = L_[row_entry_[s]], rate = L_rate_[row_entry_[s]];
      for (int e = row_entry_[s]; e < begin_[row_column_[s] + 1]; ++e) x[at_[e]] -= rate * L_[e] + factor * L_rate_[e];
    }
    const double reciprocal = 1 / L_[first], rate = L_rate_[first] = x[j] * reciprocal / 2;
    for (int e = first + 1; e < end; ++e) L_rate_[e] = (x[at_[e]] - L_[e] * rate) * reciprocal;
  }
}

void SparseCholesky::solve_transposed(const double* u, double* v) const {
  for (int j = size_ - 1; j >= 0; --j) {
    double sum = u[j];
    for (int e = begin_[j] + 1; e < begin_[j + 1]; ++e) sum -= L_[e] * v[order_.at(at_[e])];
    v[order_.at(j)] = sum / L_[begin_[j]];
  }
}

void SparseCholesky::solve(const double* x, double* u) const {
  for (int j = 0; j < size_; ++j) u[j] = x[order_.at(j)];
  for (int j = 0; j < size_; ++j) {
    u[j] /= L_[begin_[j]];
    for (int e = begin_[j] + 1; e < begin_[j + 1]; ++e) u[at_[e]] -= L_[e] * u[j];
  }
}

void SparseCholesky::rate_times(const double* u, double* y) const {
  dense::fill(size_, 0, y);
  for (int j = 0; j < size_; ++j) {
    for (int e = begin_[j]; e < begin_[j + 1]; ++e) y[order_.at(at_[e])] += L_rate_[e] * u[j];
  }
}

}  // namespace mechfmu
