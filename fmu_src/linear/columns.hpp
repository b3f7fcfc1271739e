// A matrix is columns of the same length, one behind the other. This length is the one stride there is, and nobody else
// multiplies by it; it is a constant if the compiler knows it.
#pragma once

#include "buffer.hpp"

namespace mechfmu {

/// This matrix lies in somebody else's memory.
template <class Number, int fixed_rows>
class ColumnsIn {
 public:
  ColumnsIn() = default;
  ColumnsIn(Number* data, int rows) : data_(data), rows_(rows) {}
  /// Gives the same matrix to code that may only read it, or that does not know its number of rows before.
  template <class Other, int other_rows>
  // NOLINTNEXTLINE(google-explicit-constructor): a view is the matrix that it shows.
  ColumnsIn(const ColumnsIn<Other, other_rows>& same) : data_(same.data()), rows_(same.rows()) {
    static_assert(fixed_rows == other_rows || fixed_rows < 0 || other_rows < 0);
  }
  int rows() const { return fixed_rows >= 0 ? fixed_rows : rows_; }
  Number* data() const { return data_; }
  Number* column(int j) const { return data_ + j * rows(); }
  Number& operator()(int i, int j) const { return data_[i + j * rows()]; }

 private:
  Number* data_ = nullptr;
  int rows_ = 0;
};
template <int fixed_rows = dynamic>
using ColumnsView = ColumnsIn<const double, fixed_rows>;
template <int fixed_rows = dynamic>
using WritableColumns = ColumnsIn<double, fixed_rows>;

/// This matrix has its own memory, which is a Buffer.
template <int fixed_rows, int fixed_columns>
class Columns {
 public:
  Columns(Arena& arena, int rows, int columns) : rows_(rows), values_(arena, rows * columns) {}
  int rows() const { return fixed_rows >= 0 ? fixed_rows : rows_; }
  double* data() { return values_.data(); }
  const double* data() const { return values_.data(); }
  double* column(int j) { return data() + j * rows(); }
  const double* column(int j) const { return data() + j * rows(); }
  double& operator()(int i, int j) { return values_[i + j * rows()]; }
  double operator()(int i, int j) const { return values_[i + j * rows()]; }

  /// Gives the columns another number of rows from now on. There are as many columns as there is memory for.
  void reshape(int rows) { rows_ = rows; }

  /// Returns a smaller matrix in the same memory, whose columns have this number of rows.
  WritableColumns<> packed(int rows) { return {data(), rows}; }
  ColumnsView<> packed(int rows) const { return {data(), rows}; }

  template <int other_rows>
  // NOLINTNEXTLINE(google-explicit-constructor): a view is the matrix that it shows.
  operator ColumnsIn<double, other_rows>() {
    return WritableColumns<fixed_rows>(data(), rows());
  }
  template <int other_rows>
  // NOLINTNEXTLINE(google-explicit-constructor): a view is the matrix that it shows.
  operator ColumnsIn<const double, other_rows>() const {
    return ColumnsView<fixed_rows>(data(), rows());
  }

 private:
  int rows_;
  Buffer<area(fixed_rows, fixed_columns)> values_;
};

/// Both sizes of this matrix are known at run time only.
using RunTimeColumns = Columns<dynamic, dynamic>;

}  // namespace mechfmu
