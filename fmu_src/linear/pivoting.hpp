// Gaussian elimination inside classes of rows tells which rows of C are independent, and by how much. Small matrices
// are dense and pivoted completely. Sparse ones keep their zeros (markowitz.hpp); the order of their pivots is the
// order in which they are factored from then on (ordered_factors.hpp). It is used where rank is decided, or where the
// order of a sparse matrix has to be renewed.
#pragma once

#include "columns.hpp"
#include "markowitz.hpp"
#include "pattern.hpp"
#include "tolerances.hpp"

namespace mechfmu {

/// Matrices with at least as many rows have sparse pivots: their zeros are left out, in the order that was found when
/// their pivots were chosen (docs/method.md, large mechanisms).
inline constexpr int sparse_pivots_from = 20;
constexpr bool has_sparse_pivots(int rows) { return rows >= sparse_pivots_from; }

/// Priorities are the order in which rows may be taken: by level, and after all levels those that come last. By default
/// all rows are alike.
struct Priorities {
  static constexpr int levels = 3, classes = 2 * levels;
  int ends[levels - 1] = {};   ///< row indices at which the first level ends, and the second
  int most_of_two = -1;        ///< so many rows of the first two levels are taken at most; -1: as many as there are
  const bool* last = nullptr;  ///< rows that come after all others, if there are any
  // A row that says little is measured by these members, see lengthen_short_rows().
  const int* same_unit = nullptr;   ///< row → the first one in the same unit; nullptr: all rows are alike
  const bool* bare = nullptr;       ///< rows that are numbers or angles
  const double* nominal = nullptr;  ///< nominal sizes of what columns belong to

  bool alike() const { return same_unit == nullptr; }
  int of(int row) const {
    if (alike()) return 0;
    const int level = row < ends[0] ? 0 : row < ends[1] ? 1 : 2;
    return level + (last != nullptr && last[row] ? levels : 0);
  }
  int limit(int kind, int all) const { return kind < 2 && most_of_two >= 0 && most_of_two < all ? most_of_two : all; }
};

class Pivoting {
 public:
  Pivoting(Arena&, int rows, int columns, int most_nonzeros);

  void take(const Pattern&, const double* values);
  /// The matrix can also be given entry by entry, after clear(), none twice.
  void clear();
  void set(int row, int column, double value);
  /// Measures columns in this metric: divides them by √metric.
  void scale_columns(const double* metric);
  /// Multiplies columns by `scale` instead.
  void multiply_columns(const double* scale);
  /// Eliminates up to `limit` pivots; returns how many were found.
  int eliminate(const Priorities&, int limit, double tolerance = rank_tolerance);
  /// Is true if a sparse matrix filled so much that there was no room: pivots were not found for this reason.
  bool full() const { return sparse_.full(); }

  /// The two functions return rows and columns in the order of the pivots; the others follow after the pivots.
  int row(int i) const { return row_[i]; }
  int column(int j) const { return column_[j]; }
  /// Returns the size of the i-th pivot, relative to size() of its row.
  double pivot(int i) const { return is_sparse_ ? sparse_.pivot(i) : pivots_[i]; }
  /// Returns the size that the entries of a row were compared with: its length, with columns scaled.
  double size(int row) const { return size_[row]; }

 private:
  void lengthen_short_rows(const Priorities&);
  int eliminate_completely(const Priorities&, int limit, double tolerance);
  int eliminate_sparsely(const Priorities&, int limit, double tolerance);

  int rows_, columns_;
  bool is_sparse_;
  RunTimeColumns A_;                ///< a small matrix
  IndexBuffer row_, column_;        ///< rows and columns in the order of the pivots; then the others
  Buffer<dynamic> pivots_;          ///< pivots of a small matrix, relative to the sizes of their rows
  Buffer<dynamic> size_, longest_;  ///< sizes of rows; the longest row of each row's unit
  int entries_ = 0;                 ///< number of entries of a sparse matrix, which the next three members list
  IndexBuffer entry_row_, entry_column_;
  Buffer<dynamic> entry_value_, scale_;
  IndexBuffer row_count_, column_count_;
  Markowitz sparse_;
};

}  // namespace mechfmu
