// The small linear algebra against Eigen, at random matrices of every size in use.
#include "core/dense.hpp"

#include <catch2/catch.hpp>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/sparse_factors.hpp"

using namespace mechfmu;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

std::mt19937& generator() {
  static std::mt19937 random(1);
  return random;
}
MatrixXd random_matrix(int rows, int columns) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  return MatrixXd::NullaryExpr(rows, columns, [&] { return uniform(generator()); });
}
MatrixXd random_metric(int n) {
  const MatrixXd A = random_matrix(n, n);
  return A * A.transpose() + 0.1 * MatrixXd::Identity(n, n);
}
double error(const VectorXd& a, const VectorXd& b) {
  return a.size() ? (a - b).cwiseAbs().maxCoeff() / (1 + b.cwiseAbs().maxCoeff()) : 0;
}

}  // namespace

TEST_CASE("LU solves with A and with its transpose", "[dense]") {
  for (int n = 0; n <= 12; ++n) {
    for (int trial = 0; trial < 20; ++trial) {
      const MatrixXd A = random_matrix(n, n) + (trial % 2) * 2 * MatrixXd::Identity(n, n);
      const VectorXd x = random_matrix(n, 1);
      MatrixXd LU = A;
      std::vector<int> pivot(n + 1);
      REQUIRE(dense::factor(n, LU.data(), pivot.data()));
      const double condition = n ? A.norm() * A.inverse().norm() : 1;
      VectorXd y = A * x;
      dense::solve(n, LU.data(), pivot.data(), y.data());
      CHECK(error(y, x) < 1e-15 * (10 + condition));
      y = A.transpose() * x;
      dense::solve_transposed(n, LU.data(), pivot.data(), y.data());
      CHECK(error(y, x) < 1e-15 * (10 + condition));
    }
  }
}

TEST_CASE("LU without zeros solves with A for several columns, and with its transpose", "[dense]") {
  constexpr int columns = 3;
  for (const double density : {0.1, 0.4, 1.0}) {
    for (int n = 1; n <= 12; ++n) {
      for (int trial = 0; trial < 20; ++trial) {
        std::vector<int> order(n);
        for (int i = 0; i < n; ++i) order[i] = i;
        std::shuffle(order.begin(), order.end(), generator());
        MatrixXd A = random_matrix(n, n);
        const MatrixXd draw = random_matrix(n, n);
        A = (draw.array() < 2 * density - 1).select(A, MatrixXd::Zero(n, n));
        for (int i = 0; i < n; ++i) A(order[i], i) += 2;
        const MatrixXd X = random_matrix(n, columns);
        const double tolerance = 1e-15 * (10 + A.norm() * A.inverse().norm());
        MatrixXd used = A, Y = A * X;
        SparseFactors<dynamic> factors(n);
        REQUIRE(factors.factor(used.data()));
        factors.solve<columns>(columns, Y.data());
        VectorXd in_order(n), y = A.transpose() * X.col(0), z(n);
        for (int c = 0; c < columns; ++c) {
          for (int j = 0; j < n; ++j) in_order[j] = Y(factors.place(j), c);
          CHECK(error(in_order, X.col(c)) < tolerance);
        }
        for (int j = 0; j < n; ++j) z[factors.place(j)] = y[j];
        factors.solve_transposed(z.data());
        CHECK(error(z, X.col(0)) < tolerance);
      }
    }
  }
}

TEST_CASE("LU without zeros reports what is singular or no number", "[dense]") {
  SparseFactors<2> factors(2);
  double dependent[] = {1, 2, 2, 4}, empty[] = {1, 0, 0, 0}, no_number[] = {1, 0, NAN, 1}, permutation[] = {0, 1, 1, 0};
  CHECK_FALSE(factors.factor(dependent));
  CHECK_FALSE(factors.factor(empty));
  CHECK_FALSE(factors.factor(no_number));
  CHECK(factors.factor(permutation));
}

TEST_CASE("LU pivots on zero diagonals and reports a singular matrix", "[dense]") {
  double permutation[] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
  int pivot[3];
  CHECK(dense::factor(3, permutation, pivot));
  double x[] = {1, 2, 3};  // columns e3, e1, e2: A x = (x2, x3, x1)
  dense::solve(3, permutation, pivot, x);
  CHECK(x[0] == 3);
  CHECK(x[1] == 1);
  CHECK(x[2] == 2);
  double singular[] = {1, 2, 2, 4};
  CHECK_FALSE(dense::factor(2, singular, pivot));
  double not_a_number[] = {NAN, 1, 1, 1};
  CHECK_FALSE(dense::factor(2, not_a_number, pivot));
}

TEST_CASE("LU judges each pivot by its own column", "[dense]") {
  const auto quality = [](std::vector<double> A) {
    const int n = A.size() == 1 ? 1 : 2;
    int pivot[2];
    double sizes[2];
    dense::column_sizes(n, A.data(), sizes);
    return dense::factor_judged(n, A.data(), pivot, sizes);
  };
  CHECK(quality({1e12}) == 1);
  CHECK(quality({1e-12}) == 1);
  CHECK(quality({1e9, 0, 0, 1e-9}) == 1);
  CHECK(quality({4, 2, 2, 1.25}) == 0.125);
  CHECK(quality({4e9, 2, 2, 1.25e-9}) == Approx(0.125e-9));
  CHECK(quality({1, 2, 2, 4}) == 0);
  CHECK_FALSE(quality({NAN, 1, 1, 1}) > 0);
  CHECK_FALSE(quality({1, 1, NAN, 1}) > 0);
}

TEST_CASE("Cholesky from below: S = U Uᵀ with U upper triangular", "[dense]") {
  for (int k = 1; k <= 8; ++k) {
    const MatrixXd S = random_metric(k);
    MatrixXd U = S;
    REQUIRE(dense::factor_upward(k, U.data()));
    const MatrixXd upper = U.triangularView<Eigen::Upper>();
    CHECK((upper * upper.transpose() - S).cwiseAbs().maxCoeff() < 1e-13);
    CHECK(upper.diagonal().minCoeff() > 0);
    const VectorXd x = random_matrix(k, 1);
    VectorXd y = upper * x;
    dense::solve_upper(k, U.data(), y.data());
    CHECK(error(y, x) < 1e-12);
  }
  double indefinite[] = {1, 0, 2, 1};  // upper triangle of [1 2; 2 1]
  CHECK_FALSE(dense::factor_upward(2, indefinite));
}

TEST_CASE("Cholesky from above: A = L Lᵀ, and its solves", "[dense]") {
  for (int n = 1; n <= 8; ++n) {
    const MatrixXd A = random_metric(n);
    MatrixXd L = A;
    REQUIRE(dense::factor_downward(n, L.data()));
    const MatrixXd lower = L.triangularView<Eigen::Lower>();
    CHECK((lower * lower.transpose() - A).cwiseAbs().maxCoeff() < 1e-13);
    const VectorXd x = random_matrix(n, 1);
    VectorXd y = A * x;
    dense::solve_downward(n, L.data(), y.data());
    CHECK(error(y, x) < 1e-12);
  }
  double indefinite[] = {1, 2, 0, 1};
  CHECK_FALSE(dense::factor_downward(2, indefinite));
}

TEST_CASE("the largest entry is NaN if one of them is", "[dense]") {
  const double values[] = {1, -3, 2};
  CHECK(dense::largest(3, values) == 3);
  CHECK(dense::largest(0, values) == 0);
  const double bad[] = {1, NAN, 2}, bad_first[] = {NAN, 1, 2}, bad_last[] = {1, 2, NAN};
  CHECK_FALSE(dense::largest(3, bad) == dense::largest(3, bad));
  CHECK_FALSE(dense::largest(3, bad_first) == dense::largest(3, bad_first));
  CHECK_FALSE(dense::largest(3, bad_last) == dense::largest(3, bad_last));
}
