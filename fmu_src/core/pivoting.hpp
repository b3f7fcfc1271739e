// Gaussian elimination with complete pivoting inside classes of rows: which rows of C are independent, and by how much.
// Used where rank is decided, never inside a step.
#pragma once

#include "buffer.hpp"
#include "mechanism.hpp"

namespace mechfmu {

/// A pivot below this part of its row's length (rows and columns scaled) counts as zero: far above the round-off that
/// assembly leaves (1e-13), far below the pivots of mechanisms that pass close to a singular position (1e-7 were seen).
inline constexpr double rank_tolerance = 1e-9;

/// The order in which rows may be kept (docs/method.md, redundancy): position rows, velocity rows, acceleration rows,
/// and after all of them those that a control realises, since another order could make [M −B; C 0] singular.
/// Points into the mechanism: class of row i.
struct Priorities {
  const Mechanism* mechanism;
  int rows;
  static constexpr int classes = 6;
  int of(int row) const {
    if (mechanism == nullptr) return 0;  // all alike
    const Sizes& s = mechanism->sizes;
    const int level = row < s.position_rows ? 0 : row < s.rows() ? 1 : 2;
    return level + (mechanism->realised != nullptr && mechanism->realised[row] ? 3 : 0);
  }
};
inline Priorities priorities(const Mechanism& mechanism, int rows) { return {&mechanism, rows}; }

class Pivoting {
 public:
  Pivoting(int rows, int columns);
  bool ok() const { return A_.ok() && row_.ok() && column_.ok() && size_.ok(); }

  void take(const Pattern&, const double* values);
  /// Or entry by entry, after clear().
  void clear();
  void set(int row, int column, double value) { A_[row + column * rows_] = value; }
  /// Columns that may not serve as pivots (fixed start values) become zero.
  void exclude_column(int column);
  /// Columns are measured in this metric: divided by √metric.
  void scale_columns(const double* metric);
  /// Eliminates up to `limit` pivots; returns how many were found.
  int eliminate(const Priorities&, int limit);

  /// Rows and columns in pivot order; after the pivots, the others.
  int row(int i) const { return row_[i]; }
  int column(int j) const { return column_[j]; }

 private:
  int rows_, columns_;
  Buffer<dynamic> A_;
  IndexBuffer row_, column_;
  Buffer<dynamic> size_;
};

}  // namespace mechfmu
