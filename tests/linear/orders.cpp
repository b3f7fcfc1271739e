// Tests factors in an order that was found before, and solutions for many right-hand sides at once.
#include <catch2/catch.hpp>

#include "fmu_src/linear/sparse_factors.hpp"
#include "fmu_src/linear/sparse_split.hpp"
#include "matrices.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

int split(const MatrixXd& A, SparseSplit& pivots) {
  const Nonzeros entries(A);
  pivots.clear();
  for (std::size_t e = 0; e < entries.value.size(); ++e)
    pivots.set(entries.row[e], entries.column[e], entries.value[e]);
  return pivots.split({}, static_cast<int>(A.rows()), nullptr);
}

/// Holds the order of a matrix's pivots.
struct Order {
  Order(const SparseSplit& pivots, int n) : n_(n), rows(n), columns(n), row_slot(n), column_slot(n) {
    for (int i = 0; i < n; ++i) {
      rows[i] = pivots.row(i), columns[i] = pivots.column(i);
      row_slot[rows[i]] = column_slot[columns[i]] = i;
    }
  }
  OrderedFactors::Order order() const { return {n_, rows.data(), columns.data(), row_slot.data(), column_slot.data()}; }

 private:
  int n_;

 public:
  std::vector<int> rows, columns, row_slot, column_slot;
};

}  // namespace

TEST_CASE("an order whose pivots have become small is told and a new one is as good as dense pivots", "[linear]") {
  Random random("small pivots");
  const int n = 50;
  int told = 0;
  for (int trial = 0; trial < 60; ++trial) {
    MatrixXd A = random.sparse(n, n, 2, n);
    Arena memory;
    SparseSplit pivots(memory, n, n, n * n);
    REQUIRE(split(A, pivots) == n);
    const Order found(pivots, n);
    const Nonzeros before(A);
    OrderedFactors factors(memory, n, n * n);
    REQUIRE(factors.arrange(before.pattern(), found.order()));
    CHECK(factors.factor(before.pattern(), before.value.data()) > renewed_quality);
    const int pivot = random.below(n);
    A(found.rows[pivot], found.columns[pivot]) *= 1e-9;
    if (A.norm() * inverse_of(A).norm() > 1e6) continue;  // no order is good
    const Nonzeros after(A);
    const double quality = factors.factor(after.pattern(), after.value.data());
    told += quality < renewed_quality ? 1 : 0;
    if (quality >= renewed_quality) {  // The fill-in has made up for it.
      VectorXd b = random.vector(n), y(n), x(n);
      for (int i = 0; i < n; ++i) y[i] = b[found.rows[i]];
      factors.solve(y.data());
      for (int j = 0; j < n; ++j) x[found.columns[j]] = y[j];
      CHECK(residual(A, x, b) < 1000 * n);
    }
    REQUIRE(split(A, pivots) == n);
    const VectorXd b = random.vector(n);
    VectorXd x(n);
    pivots.particular(b.data(), x.data());
    CHECK(residual(A, x, b) < 100 * n);
  }
  CHECK(told >= 3);
}

TEST_CASE("an order with other numbers in it solves with them", "[linear]") {
  Random random("other numbers");
  for (const int n : {5, 20, 60}) {
    MatrixXd A = random.sparse(n);
    Arena memory;
    SparseSplit pivots(memory, n, n, n * n);
    REQUIRE(split(A, pivots) == n);
    const Order found(pivots, n);
    OrderedFactors factors(memory, n, n * n);
    REQUIRE(factors.arrange(Nonzeros(A).pattern(), found.order()));
    for (int trial = 0; trial < 5; ++trial) {
      A = A.unaryExpr([&](double entry) { return entry * (1 + 0.1 * random.number()); });
      const Nonzeros entries(A);
      REQUIRE(factors.factor(entries.pattern(), entries.value.data()) > renewed_quality);
      const VectorXd b = random.vector(n);
      VectorXd y(n), x(n);
      for (int i = 0; i < n; ++i) y[i] = b[found.rows[i]];
      factors.solve(y.data());
      for (int j = 0; j < n; ++j) x[found.columns[j]] = y[j];
      CHECK(residual(A, x, b) < 100 * n);
      for (int j = 0; j < n; ++j) y[j] = b[found.columns[j]];
      factors.solve_transposed(y.data());
      for (int i = 0; i < n; ++i) x[found.rows[i]] = y[i];
      CHECK(residual(A.transpose(), x, b) < 100 * n);
    }
  }
}

TEST_CASE("many right-hand sides are solved as one by one", "[linear]") {
  Random random("many right-hand sides");
  constexpr int columns = 3;
  for (const int n : {1, 4, 12}) {
    MatrixXd A = random.sparse(n), used = A;
    Arena memory;
    SparseFactors<dynamic> factors(memory, n);
    REQUIRE(factors.factor({used.data(), n}));
    MatrixXd all = random.dense(n, columns), each = all;
    factors.solve<columns>(columns, {all.data(), n});
    for (int c = 0; c < columns; ++c) factors.solve<1>(1, {each.col(c).data(), n});
    CHECK((all - each).cwiseAbs().maxCoeff() == 0);
  }
}
