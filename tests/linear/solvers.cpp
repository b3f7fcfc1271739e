// Has one suite for everything that solves A x = b: fmu_src/linear/README.md says what each promises. A new one is a
// struct here and a name in `Solvers`.
#include <catch2/catch.hpp>

#include <Eigen/Dense>

#include "fmu_src/linear/dense.hpp"
#include "fmu_src/linear/full_pivoting.hpp"
#include "fmu_src/linear/householder.hpp"
#include "fmu_src/linear/sparse_factors.hpp"
#include "fmu_src/linear/sparse_split.hpp"
#include "matrices.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

struct DenseLU {
  static constexpr const char* name = "dense::factor";
  DenseLU(Arena&, int n) : n_(n), LU_(n, n), pivot_(static_cast<std::size_t>(n) + 1) {}
  bool factor(const MatrixXd& A) {
    LU_ = A;
    return dense::factor(n_, LU_.data(), pivot_.data());
  }
  VectorXd solve(VectorXd b) const { return dense::solve(n_, LU_.data(), pivot_.data(), b.data()), b; }
  VectorXd solve_transposed(VectorXd b) const {
    return dense::solve_transposed(n_, LU_.data(), pivot_.data(), b.data()), b;
  }

 private:
  int n_;
  MatrixXd LU_;
  std::vector<int> pivot_;
};

struct ColumnByColumn {
  static constexpr const char* name = "SparseFactors";
  ColumnByColumn(Arena& arena, int n) : n_(n), factors_(arena, n) {}
  bool factor(MatrixXd A) { return factors_.factor({A.data(), n_}); }
  VectorXd solve(VectorXd b) const {
    factors_.solve<1>(1, {b.data(), n_});
    VectorXd x(n_);
    for (int j = 0; j < n_; ++j) x[j] = b[factors_.place(j)];
    return x;
  }
  VectorXd solve_transposed(const VectorXd& b) const {
    VectorXd x(n_);
    for (int j = 0; j < n_; ++j) x[factors_.place(j)] = b[j];
    return factors_.solve_transposed(x.data()), x;
  }

 private:
  int n_;
  SparseFactors<dynamic> factors_;
};

struct Split {
  static constexpr const char* name = "SparseSplit";
  Split(Arena& arena, int n) : n_(n), split_(arena, n, n, n * n) {}
  bool factor(const MatrixXd& A) {
    const Nonzeros entries(A);
    split_.clear();
    for (std::size_t e = 0; e < entries.value.size(); ++e)
      split_.set(entries.row[e], entries.column[e], entries.value[e]);
    return split_.split({}, n_, nullptr) == n_;
  }
  VectorXd solve(const VectorXd& b) const {
    VectorXd x(n_);
    return split_.particular(b.data(), x.data()), x;
  }
  VectorXd solve_transposed(const VectorXd& b) const {
    VectorXd x(n_);
    return split_.multipliers(b.data(), x.data()), x;
  }

 private:
  int n_;
  SparseSplit split_;
};

struct Complete {
  static constexpr const char* name = "FullPivoting";
  Complete(Arena& arena, int n) : n_(n), factors_(arena, n, n) {}
  bool factor(const MatrixXd& A) {
    const MatrixXd transposed = A.transpose();
    return factors_.factor(n_, {transposed.data(), n_});
  }
  VectorXd solve(const VectorXd& b) const {
    VectorXd y(n_), x(n_);
    for (int i = 0; i < n_; ++i) y[i] = b[factors_.row(i)];
    factors_.solve_L(y.data());
    factors_.solve_R_1(y.data());
    for (int j = 0; j < n_; ++j) x[factors_.column(j)] = y[j];
    return x;
  }
  VectorXd solve_transposed(const VectorXd& b) const {
    VectorXd y(n_), x(n_);
    for (int j = 0; j < n_; ++j) y[j] = b[factors_.column(j)];
    factors_.solve_R_1_transposed(y.data());
    factors_.solve_L_transposed(y.data());
    for (int i = 0; i < n_; ++i) x[factors_.row(i)] = y[i];
    return x;
  }

 private:
  int n_;
  FullPivoting<dynamic, dynamic> factors_;
};

struct Reflections {
  static constexpr const char* name = "Householder";
  Reflections(Arena& arena, int n) : factors_(arena, n, n) {}
  bool factor(const MatrixXd& A) { return factors_.factor({A.data(), static_cast<int>(A.rows())}); }
  VectorXd solve(VectorXd b) const {
    factors_.apply_Q_transposed(b.data());
    return factors_.solve_R(b.data()), b;
  }
  VectorXd solve_transposed(VectorXd b) const {
    factors_.solve_R_transposed(b.data());
    return factors_.apply_Q(b.data()), b;
  }
  /// Dependent columns leave a rounding where the norm is asked for.
  static constexpr bool finds_dependent = false;

 private:
  Householder<dynamic, dynamic> factors_;
};

#define SOLVERS DenseLU, ColumnByColumn, Split, Complete, Reflections

template <class Solver>
constexpr auto finds_dependent(int) -> decltype(Solver::finds_dependent) {
  return Solver::finds_dependent;
}
template <class>
constexpr bool finds_dependent(...) {
  return true;
}

constexpr int sizes[] = {1, 2, 3, 5, 8, 12, 19, 20, 33, 60};

/// Solves both ways, no worse than Eigen by more than a small factor.
template <class Solver>
void check_solution(const MatrixXd& A, Random& random) {
  const int n = static_cast<int>(A.rows());
  Arena memory;
  Solver solver(memory, n);
  REQUIRE(solver.factor(A));
  const VectorXd b = random.vector(n);
  const Eigen::PartialPivLU<MatrixXd> peer(A), transposed(A.transpose());
  CHECK(residual(A, solver.solve(b), b) <= 10 * residual(A, peer.solve(b), b) + 4 * n);
  CHECK(residual(A.transpose(), solver.solve_transposed(b), b) <=
        10 * residual(A.transpose(), transposed.solve(b), b) + 4 * n);
}

}  // namespace

TEMPLATE_TEST_CASE("a solver solves with A and with its transpose", "[linear]", SOLVERS) {
  Random random(TestType::name);
  for (const int n : sizes) {
    for (int trial = 0; trial < 6; ++trial) {
      INFO(TestType::name << ", " << n << " rows");
      check_solution<TestType>(random.dense(n, n), random);
      check_solution<TestType>(random.sparse(n), random);
      check_solution<TestType>(random.permuted(n), random);
    }
  }
}

TEMPLATE_TEST_CASE("a solver solves what is in mixed units", "[linear]", SOLVERS) {
  Random random(TestType::name);
  for (const int n : sizes) {
    for (int trial = 0; trial < 6; ++trial) {
      INFO(TestType::name << ", " << n << " rows");
      check_solution<TestType>(random.in_mixed_units(random.dense(n, n), 3), random);
      check_solution<TestType>(random.in_mixed_units(random.sparse(n), 3), random);
    }
  }
}

TEMPLATE_TEST_CASE("a solver gives the same digits for A times a power of two and the second time", "[linear]",
                   SOLVERS) {
  Random random(TestType::name);
  for (const int n : sizes) {
    const MatrixXd A = random.sparse(n);
    const VectorXd b = random.vector(n);
    Arena memory;
    TestType solver(memory, n);
    REQUIRE(solver.factor(A));
    const VectorXd x = solver.solve(b), y = solver.solve_transposed(b);
    for (const int exponent : {0, 40, -40}) {
      INFO(TestType::name << ", " << n << " rows, 2^" << exponent);
      REQUIRE(solver.factor(std::ldexp(1, exponent) * A));
      CHECK((std::ldexp(1, exponent) * solver.solve(b) - x).cwiseAbs().maxCoeff() == 0);
      CHECK((std::ldexp(1, exponent) * solver.solve_transposed(b) - y).cwiseAbs().maxCoeff() == 0);
    }
  }
}

TEMPLATE_TEST_CASE("a solver refuses what is singular or no number and serves again afterwards", "[linear]", SOLVERS) {
  Random random(TestType::name);
  for (const int n : sizes) {
    INFO(TestType::name << ", " << n << " rows");
    Arena memory;
    TestType solver(memory, n);
    const MatrixXd regular = random.sparse(n);
    MatrixXd A = MatrixXd::Zero(n, n);
    CHECK_FALSE(solver.factor(A));
    A = regular;
    A.col(random.below(n)).setZero();
    CHECK_FALSE(solver.factor(A));
    if (finds_dependent<TestType>(0)) {
      A = regular;
      A.row(random.below(n)).setZero();
      CHECK_FALSE(solver.factor(A));
      if (n > 1) {  // in numbers that do not round
        A = MatrixXd::NullaryExpr(n, n, [&] { return random.below(3) - 1; });
        A.row(n - 1) = A.row(0);
        CHECK_FALSE(solver.factor(A));
      }
    }
    A = regular;
    A(random.below(n), random.below(n)) = NAN;
    CHECK_FALSE(solver.factor(A));
    REQUIRE(solver.factor(regular));
    const VectorXd b = random.vector(n);
    CHECK(residual(regular, solver.solve(b), b) <= 100 * n);
  }
}
