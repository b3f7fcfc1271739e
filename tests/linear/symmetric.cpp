// Tests positive definite and symmetric matrices: triangular factors, their rates, eigenvalues.
#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

#include "fmu_src/linear/dense.hpp"
#include "fmu_src/linear/jacobi.hpp"
#include "fmu_src/linear/sparse_cholesky.hpp"
#include "matrices.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

struct Downward {
  static constexpr const char* name = "dense::factor_downward";
  static bool solve(const MatrixXd& A, VectorXd& x) {
    MatrixXd L = A;
    if (!dense::factor_downward(static_cast<int>(A.rows()), L.data())) return false;
    return dense::solve_downward(static_cast<int>(A.rows()), L.data(), x.data()), true;
  }
};

struct Upward {
  static constexpr const char* name = "dense::factor_upward";
  static bool solve(const MatrixXd& A, VectorXd& x) {
    MatrixXd U = A;
    if (!dense::factor_upward(static_cast<int>(A.rows()), U.data())) return false;
    dense::solve_upper(static_cast<int>(A.rows()), U.data(), x.data());
    U.triangularView<Eigen::Upper>().transpose().solveInPlace(x);
    return true;
  }
};

struct AlongNonzeros {
  static constexpr const char* name = "SparseCholesky";
  static bool solve(const MatrixXd& A, VectorXd& x) {
    const Nonzeros lower(A, true);
    Arena memory;
    SparseCholesky factors(memory, lower.pattern(), lower.pattern());
    if (!factors.factor(lower.value.data())) return false;
    VectorXd u(x.size());
    factors.solve(x.data(), u.data());
    return factors.solve_transposed(u.data(), x.data()), true;
  }
};

#define CHOLESKY Downward, Upward, AlongNonzeros

/// A chain with branches: most entries are zeros.
MatrixXd branched(int n, Random& random) {
  MatrixXd A = MatrixXd::Identity(n, n) * 0.1;
  for (int i = 1; i < n; ++i) {
    const int j = random.below(i);
    const VectorXd link = random.number() * VectorXd::Unit(n, i) + random.number() * VectorXd::Unit(n, j);
    A += link * link.transpose();
  }
  return A;
}

}  // namespace

TEMPLATE_TEST_CASE("triangular factors solve as well as Eigen's", "[linear]", CHOLESKY) {
  Random random(TestType::name);
  for (const int n : {1, 2, 4, 8, 20, 60}) {
    for (const MatrixXd& A : {random.positive_definite(n), branched(n, random)}) {
      INFO(TestType::name << ", " << n << " rows");
      const VectorXd b = random.vector(n);
      VectorXd x = b;
      REQUIRE(TestType::solve(A, x));
      CHECK(residual(A, x, b) <= 10 * residual(A, definite_solution_of(A, b), b) + 4 * n);
      // D A D in other units, powers of two, gives equal digits, since no pivots are compared.
      VectorXd D(n), scaled(n);
      for (int i = 0; i < n; ++i) D[i] = std::ldexp(1, random.below(60) - 30);
      scaled = D.asDiagonal() * b;
      REQUIRE(TestType::solve(D.asDiagonal() * A * D.asDiagonal(), scaled));
      CHECK((D.asDiagonal() * scaled - x).cwiseAbs().maxCoeff() == 0);
    }
  }
}

TEMPLATE_TEST_CASE("what is not positive definite or no number has no triangular factors", "[linear]", CHOLESKY) {
  Random random(TestType::name);
  for (const int n : {1, 2, 4, 20}) {
    INFO(TestType::name << ", " << n << " rows");
    VectorXd x = random.vector(n);
    MatrixXd A = random.positive_definite(n);
    const int i = random.below(n);
    A(i, i) = -A(i, i);
    CHECK_FALSE(TestType::solve(A, x));
    A(i, i) = NAN;
    CHECK_FALSE(TestType::solve(A, x));
    A = MatrixXd::Ones(n, n);  // has rank one
    if (n > 1) CHECK_FALSE(TestType::solve(A, x));
  }
}

TEST_CASE("rotations find singular values and eigenvalues as Eigen does", "[linear]") {
  Random random("rotations");
  for (const int n : {1, 2, 3, 6, 12}) {
    for (const int more : {0, 2, 5}) {
      const MatrixXd A = random.dense(n + more, n);
      MatrixXd turned = A, U(n, n);
      dense::orthogonalise_columns(n, {turned.data(), n + more}, {U.data(), n});
      VectorXd values = turned.colwise().norm();
      std::sort(values.data(), values.data() + n, std::greater<>());
      CHECK((values - singular_values_of(A)).cwiseAbs().maxCoeff() < 1e-14 * n);
      CHECK((A * U - turned).cwiseAbs().maxCoeff() < 1e-14 * n);
      CHECK((U.transpose() * U - MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff() < 1e-14 * n);
    }
    const MatrixXd half = random.dense(n, n), S = half + half.transpose();
    MatrixXd H = S, T(n, n);
    dense::diagonalise({H.data(), n}, {T.data(), n});
    VectorXd values = H.diagonal();
    std::sort(values.data(), values.data() + n);
    CHECK((values - eigenvalues_of(S)).cwiseAbs().maxCoeff() < 1e-14 * n);
    CHECK((S * T - T * H.diagonal().asDiagonal()).cwiseAbs().maxCoeff() < 2e-14 * n);
  }
}
