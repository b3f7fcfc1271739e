// Declares the start's matrices, which are lists of nonzeros, and numbers without order.
#pragma once

#include <Eigen/Core>

#include "linear/products.hpp"

namespace mechfmu {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Holds a matrix as a list of its nonzeros.
class Entries {
 public:
  Entries(int rows, int columns, int room) : rows_(rows), columns_(columns), row_(room), column_(room), value_(room) {}

  void add(int row, int column, double value) {
    if (value == 0) return;
    row_[count_] = row;
    column_[count_] = column;
    value_[count_++] = value;
  }
  /// Adds the nonzeros of a dense matrix from row `first_row` on.
  void add(const MatrixXd& block, int first_row) {
    for (int j = 0; j < block.cols(); ++j) {
      for (int i = 0; i < block.rows(); ++i) add(first_row + i, j, block(i, j));
    }
  }
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int count() const { return count_; }
  int row(int e) const { return row_[e]; }
  int column(int e) const { return column_[e]; }
  double value(int e) const { return value_[e]; }

  MatrixXd dense() const {
    MatrixXd result = MatrixXd::Zero(rows_, columns_);
    for (int e = 0; e < count_; ++e) result(row_[e], column_[e]) = value_[e];
    return result;
  }
  VectorXd times(const VectorXd& x) const {
    VectorXd result = VectorXd::Zero(rows_);
    for (int e = 0; e < count_; ++e) result[row_[e]] += value_[e] * x[column_[e]];
    return result;
  }
  VectorXd transposed_times(const VectorXd& y) const {
    VectorXd result = VectorXd::Zero(columns_);
    for (int e = 0; e < count_; ++e) result[column_[e]] += value_[e] * y[row_[e]];
    return result;
  }
  double largest() const { return dense::largest(count_, value_.data()); }
  /// Returns 1/length of each row, or 1 for a row of zeros. Residuals times these numbers are distances.
  VectorXd weights() const {
    VectorXd result = VectorXd::Zero(rows_);
    for (int e = 0; e < count_; ++e) result[row_[e]] += value_[e] * value_[e];
    for (double& one : result) one = one > 0 ? 1 / std::sqrt(one) : 1;
    return result;
  }
  Entries scaled(const VectorXd& weights) const {
    Entries result(rows_, columns_, count_);
    for (int e = 0; e < count_; ++e) result.add(row_[e], column_[e], value_[e] * weights[row_[e]]);
    return result;
  }

 private:
  int rows_, columns_, count_ = 0;
  Eigen::VectorXi row_, column_;
  VectorXd value_;
};

/// Returns what moving the coordinates by these sizes changes the rows by at most.
VectorXd row_reach(const Entries& J, const VectorXd& scales);

/// Makes numbers between −1 and 1 without order, the same every time.
class Scatter {
 public:
  VectorXd column(int count) {
    VectorXd result(count);
    for (double& number : result) {
      seed_ = seed_ * 1664525u + 1013904223u;
      number = static_cast<double>(seed_ >> 8) / 8388608.0 - 1;
    }
    return result;
  }

 private:
  unsigned seed_ = 1;
};

}  // namespace mechfmu
