// This file finds Markowitz's pivots on lists of rows and columns.
#include "markowitz.hpp"

#include <cmath>

#include "tolerances.hpp"

namespace mechfmu {

// --- Lines ----------------------------------------------------------------------------------------------------------

void Lines::clear() {
  used_ = 0;
  for (int i = 0; i < lines_; ++i) begin_[i] = count_[i] = room_[i] = 0;
}

bool Lines::lay_out(int line, int room) {
  if (used_ + room > capacity_) return false;
  begin_[line] = used_;
  room_[line] = room;
  used_ += room;
  return true;
}

bool Lines::reserve(int line, int more, double* values) {
  const int count = count_[line], needed = count + more;
  if (needed <= room_[line]) return true;
  if (used_ + needed > capacity_) compact(values);
  if (used_ + needed > capacity_) return false;
  for (int e = 0; e < count; ++e) {
    at_[used_ + e] = at_[begin_[line] + e];
    if (values != nullptr) values[used_ + e] = values[begin_[line] + e];
  }
  const int roomy = needed + needed / 2;
  room_[line] = used_ + roomy <= capacity_ ? roomy : needed;
  begin_[line] = used_;
  used_ += room_[line];
  return true;
}

/// Packs the lines in the order in which they lie. Shell sort finds this order and needs no room.
void Lines::compact(double* values) {
  for (int i = 0; i < lines_; ++i) order_[i] = i;
  for (int gap = lines_ / 2; gap > 0; gap /= 2) {
    for (int i = gap; i < lines_; ++i) {
      const int line = order_[i];
      int j = i;
      for (; j >= gap && begin_[order_[j - gap]] > begin_[line]; j -= gap) order_[j] = order_[j - gap];
      order_[j] = line;
    }
  }
  int used = 0;
  for (int i = 0; i < lines_; ++i) {
    const int line = order_[i];
    if (count_[line] == 0) {
      begin_[line] = used;
      room_[line] = 0;
      continue;
    }
    for (int e = 0; e < count_[line]; ++e) {
      at_[used + e] = at_[begin_[line] + e];
      if (values != nullptr) values[used + e] = values[begin_[line] + e];
    }
    begin_[line] = used;
    room_[line] = count_[line];
    used += count_[line];
  }
  used_ = used;
}

// --- Buckets --------------------------------------------------------------------------------------------------------

void Buckets::clear(int lines) {
  for (int c = 0; c <= longest_; ++c) first_[c] = -1;
  for (int i = 0; i < lines; ++i) in_[i] = -1;
}

void Buckets::put(int line, int count) {
  take_out(line);
  in_[line] = count;
  before_[line] = -1;
  next_[line] = first_[count];
  if (next_[line] >= 0) before_[next_[line]] = line;
  first_[count] = line;
}

void Buckets::take_out(int line) {
  if (in_[line] < 0) return;
  if (before_[line] >= 0) next_[before_[line]] = next_[line];
  else first_[in_[line]] = next_[line];
  if (next_[line] >= 0) before_[next_[line]] = before_[line];
  in_[line] = -1;
}

// --- Markowitz ------------------------------------------------------------------------------------------------------

Markowitz::Markowitz(Arena& arena, int rows, int columns, int most_nonzeros)
    : row_count_(rows), column_count_(columns), rows_(arena, rows, 2 * room_for_fill(rows, columns, most_nonzeros)),
      columns_(arena, columns, 2 * room_for_fill(rows, columns, most_nonzeros)), row_bucket_(arena, rows, columns),
      column_bucket_(arena, columns, rows), values_(arena, 2 * room_for_fill(rows, columns, most_nonzeros)),
      largest_(arena, rows), pivot_row_(arena, columns), slot_(arena, columns), state_(arena, rows),
      row_order_(arena, rows), column_order_(arena, columns), done_(arena, columns), pivots_(arena, rows) {}

void Markowitz::clear(const int* row_counts, const int* column_counts) {
  found_ = 0;
  full_ = false;
  rows_.clear();
  columns_.clear();
  row_bucket_.clear(row_count_);
  column_bucket_.clear(column_count_);
  for (int i = 0; i < row_count_; ++i) {
    rows_.lay_out(i, row_counts[i]);
    state_[i] = excluded;
    largest_[i] = 0;
  }
  for (int j = 0; j < column_count_; ++j) {
    columns_.lay_out(j, column_counts[j]);
    slot_[j] = -1;
    done_[j] = 0;
  }
}

void Markowitz::set(int row, int column, double value) {
  values_[rows_.end(row)] = value;
  rows_.append(row, column);
  columns_.append(column, row);
  if (std::fabs(value) > largest_[row]) largest_[row] = std::fabs(value);
}

void Markowitz::begin_class() {
  row_bucket_.clear(row_count_);
  for (int i = 0; i < row_count_; ++i) {
    if (state_[i] != done) state_[i] = excluded;
  }
  for (int j = 0; j < column_count_; ++j) {
    if (!done_[j]) file_column(j);
  }
}

void Markowitz::file_column(int column) {
  if (columns_.count(column) > 0) column_bucket_.put(column, columns_.count(column));
  else column_bucket_.take_out(column);
}

/// Decides by the largest entry of a row whether the row is ready or waits.
void Markowitz::admit(int row) {
  if (largest_[row] >= row_that_waits) {
    state_[row] = ready;
    row_bucket_.put(row, rows_.count(row));
  } else {
    state_[row] = waiting;
    row_bucket_.take_out(row);
  }
}

int Markowitz::run(int limit, double tolerance) {
  int row, column;
  while (found_ < limit && !full_ && (find(row, column) || find_last(row, column, tolerance))) pivot(row, column);
  return found_;
}

/// Finds the pivot of the shortest lines that makes the fewest nonzeros.
bool Markowitz::find(int& best_row, int& best_column) const {
  long least = -1;
  int tried = 0;
  const int longest = row_count_ > column_count_ ? row_count_ : column_count_;
  const auto consider = [&](int row, int column, double value) {
    if (!(std::fabs(value) >= pivot_part * largest_[row])) return;
    const long cost = static_cast<long>(rows_.count(row) - 1) * (columns_.count(column) - 1);
    if (least >= 0 && cost >= least) return;
    least = cost;
    best_row = row;
    best_column = column;
  };
  for (int count = 1; count <= longest; ++count) {
    if (least >= 0 && least <= static_cast<long>(count - 1) * (count - 1)) return true;
    if (count <= column_count_) {
      for (int row = row_bucket_.first(count); row >= 0; row = row_bucket_.next(row)) {
        for (int e = rows_.begin(row); e < rows_.end(row); ++e) consider(row, rows_.at(e), values_[e]);
        if (++tried >= lines_tried && least >= 0) return true;
      }
    }
    if (count > row_count_) continue;
    for (int column = column_bucket_.first(count); column >= 0; column = column_bucket_.next(column)) {
      for (int c = columns_.begin(column); c < columns_.end(column); ++c) {
        const int row = columns_.at(c);
        if (state_[row] != ready) continue;
        int e = rows_.begin(row);
        while (rows_.at(e) != column) ++e;
        consider(row, column, values_[e]);
      }
      if (++tried >= lines_tried && least >= 0) return true;
    }
  }
  return least >= 0;
}

/// Finds the largest entry of the rows that wait. Returns false if none is larger than the tolerance.
bool Markowitz::find_last(int& best_row, int& best_column, double tolerance) const {
  best_row = -1;
  double largest = tolerance;
  for (int i = 0; i < row_count_; ++i) {
    if (state_[i] != waiting || !(largest_[i] > largest)) continue;
    largest = largest_[i];
    best_row = i;
  }
  if (best_row < 0) return false;
  for (int e = rows_.begin(best_row); e < rows_.end(best_row); ++e) {
    if (std::fabs(values_[e]) == largest) best_column = rows_.at(e);
  }
  return true;
}

void Markowitz::pivot(int row, int column) {
  row_order_[found_] = row;
  column_order_[found_++] = column;
  state_[row] = done;
  done_[column] = 1;
  row_bucket_.take_out(row);
  column_bucket_.take_out(column);
  double pivot_value = 0;
  for (int e = rows_.begin(row); e < rows_.end(row); ++e) {  // the pivot row leaves all columns
    const int j = rows_.at(e);
    if (j == column) pivot_value = values_[e];
    int c = columns_.begin(j);
    while (columns_.at(c) != row) ++c;
    columns_.take_out(j, c);
  }
  pivots_[found_ - 1] = std::fabs(pivot_value);
  for (int c = 0; c < columns_.count(column) && !full_; ++c) {  // places change where lines move
    const int i = columns_.at(columns_.begin(column) + c);
    full_ = !subtract(row, column, pivot_value, i);
    if (state_[i] != excluded) admit(i);
  }
  columns_.empty(column);
  for (int e = rows_.begin(row); e < rows_.end(row); ++e) {
    if (rows_.at(e) != column) file_column(rows_.at(e));
  }
  rows_.empty(row);
}

/// Subtracts a multiple of the pivot's row from row i, whose entry in the pivot's column goes. Returns false if there
/// is no room.
bool Markowitz::subtract(int row, int column, double pivot_value, int i) {
  int e = rows_.begin(i);
  while (rows_.at(e) != column) ++e;
  const double factor = values_[e] / pivot_value;
  values_[e] = values_[rows_.take_out(i, e)];
  const int others = rows_.count(row) - 1;
  if (!rows_.reserve(i, others, values_.data())) return false;
  for (e = rows_.begin(row); e < rows_.end(row); ++e) {
    pivot_row_[rows_.at(e)] = values_[e];
    slot_[rows_.at(e)] = 0;
  }
  slot_[column] = -1;
  double largest = 0;
  for (e = rows_.begin(i); e < rows_.end(i); ++e) {
    const int j = rows_.at(e);
    if (slot_[j] >= 0) {
      values_[e] -= factor * pivot_row_[j];
      slot_[j] = -1;
    }
    if (std::fabs(values_[e]) > largest) largest = std::fabs(values_[e]);
  }
  for (e = rows_.begin(row); e < rows_.end(row); ++e) {
    const int j = rows_.at(e);
    if (slot_[j] < 0) continue;
    slot_[j] = -1;
    if (!columns_.reserve(j, 1, nullptr)) return false;
    values_[rows_.end(i)] = -factor * pivot_row_[j];
    if (std::fabs(values_[rows_.end(i)]) > largest) largest = std::fabs(values_[rows_.end(i)]);
    rows_.append(i, j);
    columns_.append(j, i);
  }
  largest_[i] = largest;
  return true;
}

void Markowitz::finish() {
  int rows = found_, columns = found_;
  for (int i = 0; i < row_count_; ++i) {
    if (state_[i] != done) row_order_[rows++] = i;
  }
  for (int j = 0; j < column_count_; ++j) {
    if (!done_[j]) column_order_[columns++] = j;
  }
}

}  // namespace mechfmu
