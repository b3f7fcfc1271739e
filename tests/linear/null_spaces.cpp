// Has one suite for everything that finds the rank or the null space of a matrix with more columns than rows:
// fmu_src/linear/README.md says what each promises. A new one is a struct here and a name in `NULL_SPACES`.
#include <catch2/catch.hpp>

#include "fmu_src/linear/full_pivoting.hpp"
#include "fmu_src/linear/householder.hpp"
#include "fmu_src/linear/jacobi.hpp"
#include "fmu_src/linear/sparse_split.hpp"
#include "matrices.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

struct BySplit {
  static constexpr const char* name = "SparseSplit";
  static constexpr bool finds_rank = true;
  /// Returns null vectors as columns.
  static bool find(const MatrixXd& A, MatrixXd& N) {
    const int rows = static_cast<int>(A.rows()), n = static_cast<int>(A.cols());
    Arena memory;
    SparseSplit split(memory, rows, n, rows * n);
    const Nonzeros entries(A);
    for (std::size_t e = 0; e < entries.value.size(); ++e)
      split.set(entries.row[e], entries.column[e], entries.value[e]);
    if (split.split({}, rows, nullptr) < 0) return false;
    N.resize(n, n - split.rank());
    for (int j = 0; j < N.cols(); ++j) split.null_vector(j, N.col(j).data());
    return true;
  }
};

struct ByCompletePivoting {
  static constexpr const char* name = "FullPivoting";
  static constexpr bool finds_rank = false;
  static bool find(const MatrixXd& A, MatrixXd& N) {
    const int r = static_cast<int>(A.rows()), n = static_cast<int>(A.cols());
    const MatrixXd transposed = A.transpose();
    Arena memory;
    FullPivoting<dynamic, dynamic> factors(memory, r, n);
    if (!factors.factor(r, {transposed.data(), n})) return false;
    N = MatrixXd::Zero(n, n - r);
    for (int j = 0; j < n - r; ++j) {
      VectorXd x(r);
      for (int i = 0; i < r; ++i) x[i] = -factors.R_2(i, j);
      factors.solve_R_1(x.data());
      for (int i = 0; i < r; ++i) N(factors.column(i), j) = x[i];
      N(factors.column(r + j), j) = 1;
    }
    return true;
  }
};

struct ByReflections {
  static constexpr const char* name = "Householder";
  static constexpr bool finds_rank = false;
  static bool find(const MatrixXd& A, MatrixXd& N) {
    const int r = static_cast<int>(A.rows()), n = static_cast<int>(A.cols());
    const MatrixXd transposed = A.transpose();
    Arena memory;
    Householder<dynamic, dynamic> factors(memory, n, r);
    if (!factors.factor({transposed.data(), n})) return false;
    N.resize(n, n - r);
    factors.complement({N.data(), n});
    return true;
  }
};

struct ByPivotedReflections {
  static constexpr const char* name = "Householder, pivoted";
  static constexpr bool finds_rank = true;
  static bool find(const MatrixXd& A, MatrixXd& N) {
    const int rows = static_cast<int>(A.rows()), n = static_cast<int>(A.cols());
    Arena memory;
    Householder<dynamic, dynamic> factors(memory, rows, n);
    std::vector<int> order(static_cast<std::size_t>(n));
    const int rank = factors.factor_pivoted(rows, n, {A.data(), rows}, order.data(), 1e-12);
    if (rank < 0) return false;
    N = MatrixXd::Zero(n, n - rank);
    for (int j = rank; j < n; ++j) {
      VectorXd x(n);
      for (int i = 0; i < rank; ++i) x[i] = -factors.R(i, j);
      factors.solve_R(x.data());
      for (int i = 0; i < rank; ++i) N(order[static_cast<std::size_t>(i)], j - rank) = x[i];
      N(order[static_cast<std::size_t>(j)], j - rank) = 1;
    }
    return true;
  }
};

struct ByRotations {
  static constexpr const char* name = "orthogonalise_columns";
  static constexpr bool finds_rank = true;
  static bool find(const MatrixXd& A, MatrixXd& N) {
    const int rows = static_cast<int>(A.rows()), n = static_cast<int>(A.cols());
    MatrixXd turned = A, U(n, n);
    dense::orthogonalise_columns(n, {turned.data(), rows}, {U.data(), n});
    if (!turned.allFinite()) return false;
    const VectorXd sizes = turned.colwise().norm();
    const double largest = sizes.maxCoeff();
    std::vector<int> empty;
    for (int j = 0; j < n; ++j)
      if (sizes[j] < 1e-12 * largest) empty.push_back(j);
    N.resize(n, static_cast<int>(empty.size()));
    for (std::size_t j = 0; j < empty.size(); ++j) N.col(static_cast<int>(j)) = U.col(empty[j]);
    return true;
  }
};

#define NULL_SPACES BySplit, ByCompletePivoting, ByReflections, ByPivotedReflections, ByRotations

/// N is a null space of so many columns.
void check_null_space(const MatrixXd& A, const MatrixXd& N, int columns) {
  REQUIRE(N.cols() == columns);
  if (columns == 0) return;
  const MatrixXd unit = N * N.colwise().norm().cwiseInverse().asDiagonal();
  CHECK((A * unit).cwiseAbs().maxCoeff() < 1e-12 * A.cwiseAbs().maxCoeff());
  CHECK(singular_values_of(unit).minCoeff() > 1e-6);
}

}  // namespace

TEMPLATE_TEST_CASE("null vectors of independent rows", "[linear]", NULL_SPACES) {
  Random random(TestType::name);
  for (const int rows : {1, 2, 5, 12, 24, 40}) {
    for (const int more : {0, 1, 3, 20}) {
      INFO(TestType::name << ", " << rows << " rows, " << more << " columns more");
      for (const MatrixXd& A : {random.dense(rows, rows + more), random.sparse(rows, rows + more, 2, rows)}) {
        MatrixXd N;
        REQUIRE(TestType::find(A, N));
        check_null_space(A, N, more);
      }
    }
  }
}

TEMPLATE_TEST_CASE("the rank is that of Eigen's singular values", "[linear]", NULL_SPACES) {
  if (!TestType::finds_rank) return;
  Random random(TestType::name);
  for (int trial = 0; trial < 40; ++trial) {
    const int rows = 4 + 2 * trial, n = rows + trial % 9, dependent = trial % 4;
    MatrixXd A = random.sparse(rows, n, 3, rows - dependent);
    random.make_dependent(A, dependent);
    const VectorXd peer = singular_values_of(A);
    const int rank = static_cast<int>((peer.array() > 1e-10 * peer[0]).count());
    INFO(TestType::name << ", " << rows << " rows, rank " << rank);
    MatrixXd N;
    REQUIRE(TestType::find(A, N));
    check_null_space(A, N, n - rank);
  }
}

TEMPLATE_TEST_CASE("null spaces of what is no number are refused", "[linear]", NULL_SPACES) {
  Random random(TestType::name);
  for (const int rows : {1, 5, 24}) {
    MatrixXd A = random.sparse(rows, rows + 3, 2, rows), N;
    A(random.below(rows), random.below(rows + 3)) = NAN;
    INFO(TestType::name << ", " << rows << " rows");
    CHECK((!TestType::find(A, N) || N.cols() > 3 || !N.allFinite()));
  }
}

TEST_CASE("the same rows in other units have the same pivots", "[linear]") {
  Random random("pivots in other units");
  for (const int rows : {6, 30}) {  // They are dense and sparse.
    const int n = rows + 5;
    const MatrixXd A = random.sparse(rows, n, 3, rows);
    MatrixXd B = A;
    for (int i = 0; i < rows; ++i) B.row(i) *= std::ldexp(1, random.below(60) - 30);
    Arena memory;
    Pivoting one(memory, rows, n, rows * n), other(memory, rows, n, rows * n);
    const Nonzeros a(A), b(B);
    one.take(a.pattern(), a.value.data());
    other.take(b.pattern(), b.value.data());
    REQUIRE(one.eliminate({}, rows) == rows);
    REQUIRE(other.eliminate({}, rows) == rows);
    for (int i = 0; i < rows; ++i) CHECK(one.row(i) == other.row(i));
    for (int j = 0; j < n; ++j) CHECK(one.column(j) == other.column(j));
  }
}
