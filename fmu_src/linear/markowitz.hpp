// This Gaussian elimination of a sparse matrix keeps few nonzeros. After Markowitz (1957), the pivot is the entry whose
// row and column are the shortest, among those that are not small in their row. Rows that have become small wait until
// nothing else is left; then complete pivoting decides, so that the rank is found as in the dense way (pivoting.hpp).
// Rows are expected to have length one. Nothing is allocated after construction.
#pragma once

#include "buffer.hpp"

namespace mechfmu {

/// Returns the room for what fills in, as a number of entries: all of a small matrix, or many times the nonzeros of a
/// large one.
constexpr int room_for_fill(int rows, int columns, int nonzeros) {
  const long all = static_cast<long>(rows) * columns, many = 24L * nonzeros + (1L << 18);
  return static_cast<int>(all < many ? all : many);
}

/// Lines say where the entries of rows, or of columns, lie one after the other. A line that grows moves to the end.
class Lines {
 public:
  Lines(Arena& arena, int lines, int capacity)
      : lines_(lines), capacity_(capacity), at_(arena, capacity), begin_(arena, lines), count_(arena, lines),
        room_(arena, lines), order_(arena, lines) {}

  void clear();
  int begin(int line) const { return begin_[line]; }
  int end(int line) const { return begin_[line] + count_[line]; }
  int count(int line) const { return count_[line]; }
  int& at(int place) { return at_[place]; }
  int at(int place) const { return at_[place]; }
  /// Lays out the next line with room for this many entries. Returns false if there is no room.
  bool lay_out(int line, int room);
  /// Makes room for so many more entries; moves their values, too, if there are any. Returns false if there is no room.
  bool reserve(int line, int more, double* values);
  void append(int line, int entry) { at_[begin_[line] + count_[line]++] = entry; }
  /// Takes out an entry: the last entry of the line takes its place. Returns the place where that one was.
  int take_out(int line, int place) {
    const int last = begin_[line] + --count_[line];
    at_[place] = at_[last];
    return last;
  }
  void empty(int line) { count_[line] = 0; }

 private:
  void compact(double* values);

  int lines_, capacity_, used_ = 0;  ///< number of lines; places in at_; places that lines have taken
  /// at_ has the columns of the entries of rows, or the rows of those of columns. The next three hold for each line its
  /// first place, its number of entries and the room for them. compact() uses order_.
  IndexBuffer at_, begin_, count_, room_, order_;
};

/// Buckets list the lines by how many entries they have.
class Buckets {
 public:
  Buckets(Arena& arena, int lines, int longest)
      : longest_(longest), first_(arena, longest + 1), next_(arena, lines), before_(arena, lines), in_(arena, lines) {}

  void clear(int lines);
  int first(int count) const { return first_[count]; }
  int next(int line) const { return next_[line]; }
  void put(int line, int count);
  void take_out(int line);

 private:
  int longest_;
  /// first_ has the first line of each bucket; the others hold for each line the next line in its bucket, the one
  /// before, and its bucket. −1 means that there is none.
  IndexBuffer first_, next_, before_, in_;
};

class Markowitz {
 public:
  /// The matrix has at most `most_nonzeros` before it fills.
  Markowitz(Arena&, int rows, int columns, int most_nonzeros);

  /// The two functions take the matrix: `clear` says how many entries each row and column will have, and `set` gives
  /// the entries in any order, none twice.
  void clear(const int* row_counts, const int* column_counts);
  void set(int row, int column, double value);

  /// Eliminates with pivots from the rows that are open, until the `limit`-th of all is found or none is larger than
  /// the tolerance. It may be called again with other rows open. Returns how many pivots there are.
  template <class Open>
  int eliminate(Open&& open, int limit, double tolerance) {
    begin_class();
    for (int i = 0; i < row_count_; ++i) {
      if (state_[i] != done && open(i)) admit(i);
    }
    return run(limit, tolerance);
  }
  /// Orders the rows and columns that are left behind the pivots.
  void finish();
  /// Is true if there was no room for what filled in: then the pivots found are not all.
  bool full() const { return full_; }

  int row(int i) const { return row_order_[i]; }
  int column(int j) const { return column_order_[j]; }
  /// Returns the size of the i-th pivot.
  double pivot(int i) const { return pivots_[i]; }

 private:
  enum State { excluded, ready, waiting, done };
  static constexpr int lines_tried = 6;

  void begin_class();
  void admit(int row);
  int run(int limit, double tolerance);
  bool find(int& row, int& column) const;
  bool find_last(int& row, int& column, double tolerance) const;
  void pivot(int row, int column);
  bool subtract(int row, int column, double pivot_value, int from);
  void file_column(int column);

  int row_count_, column_count_, found_ = 0;
  bool full_ = false;
  Lines rows_, columns_;
  Buckets row_bucket_, column_bucket_;
  Buffer<dynamic> values_, largest_, pivot_row_;  ///< entries, as rows_ has them; largest size in each row; pivot row
  IndexBuffer slot_, state_, row_order_, column_order_, done_;
  Buffer<dynamic> pivots_;  ///< sizes of the pivots
};

}  // namespace mechfmu
