// Makes matrices for tests: random ones of every kind that the core meets, with their difficulties.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "fmu_src/linear/pattern.hpp"

namespace mechfmu::testing {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class Random {
 public:
  /// Is seeded by the name of a test.
  explicit Random(const std::string& name) : engine_(seed(name)) {}
  double number() { return std::uniform_real_distribution<double>(-1, 1)(engine_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  MatrixXd dense(int rows, int columns) {
    return MatrixXd::NullaryExpr(rows, columns, [&] { return number(); });
  }
  VectorXd vector(int n) { return dense(n, 1); }
  std::vector<int> permutation(int n) {
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), engine_);
    return order;
  }
  /// A few entries in each row, at random places; the first `regular` rows also have one in a column of their own,
  /// without which they would often be dependent.
  MatrixXd sparse(int rows, int columns, int each, int regular) {
    MatrixXd A = MatrixXd::Zero(rows, columns);
    const std::vector<int> own = permutation(columns);
    for (int i = 0; i < rows; ++i) {
      for (int e = 0; e < each; ++e) A(i, below(columns)) = number();
      if (i < regular) A(i, own[static_cast<std::size_t>(i)]) = 1 + number() / 2;
    }
    return A;
  }
  MatrixXd sparse(int n) { return sparse(n, n, 1 + below(4), n); }
  MatrixXd permuted(int n) {
    MatrixXd A = MatrixXd::Zero(n, n);
    const std::vector<int> order = permutation(n);
    for (int i = 0; i < n; ++i) A(i, order[static_cast<std::size_t>(i)]) = number() < 0 ? -1 : 1;
    return A;
  }
  /// Puts each row, and each column, into units of its own.
  MatrixXd in_mixed_units(MatrixXd A, double decades) {
    for (int i = 0; i < A.rows(); ++i) A.row(i) *= std::pow(10, decades * number());
    for (int j = 0; j < A.cols(); ++j) A.col(j) *= std::pow(10, decades * number());
    return A;
  }
  /// Its last `dependent` rows are made up by others.
  void make_dependent(MatrixXd& A, int dependent) {
    const int independent = static_cast<int>(A.rows()) - dependent;
    for (int i = independent; i < A.rows(); ++i)
      A.row(i) = number() * A.row(below(independent)) + number() * A.row(below(independent));
  }
  MatrixXd positive_definite(int n) {
    const MatrixXd A = dense(n, n);
    return A * A.transpose() + 0.1 * MatrixXd::Identity(n, n);
  }

 private:
  static unsigned seed(const std::string& name) {
    std::seed_seq sequence(name.begin(), name.end());
    unsigned value = 0;
    sequence.generate(&value, &value + 1);
    return value;
  }
  std::mt19937 engine_;
};

/// The nonzeros of a matrix, or of its lower triangle, as the core has them.
struct Nonzeros {
  explicit Nonzeros(const MatrixXd& A, bool lower = false)
      : rows_(static_cast<int>(A.rows())), columns_(static_cast<int>(A.cols())) {
    for (int j = 0; j < columns_; ++j) {
      for (int i = lower ? j : 0; i < rows_; ++i) {
        if (A(i, j) == 0) continue;
        row.push_back(i), column.push_back(j), value.push_back(A(i, j));
      }
    }
  }
  Pattern pattern() const { return {rows_, columns_, static_cast<int>(value.size()), row.data(), column.data()}; }

  std::vector<int> row, column;
  std::vector<double> value;

 private:
  int rows_, columns_;
};

/// How much of A x − b is left, in roundings of what it is made of.
inline double residual(const MatrixXd& A, const VectorXd& x, const VectorXd& b) {
  const double terms = A.cwiseAbs().rowwise().sum().maxCoeff() * x.cwiseAbs().maxCoeff() + b.cwiseAbs().maxCoeff();
  return terms > 0 ? (A * x - b).cwiseAbs().maxCoeff() / (2.2e-16 * terms) : 0;
}

}  // namespace mechfmu::testing
