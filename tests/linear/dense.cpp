// Tests dense matrices where the suites of the room do not.
#include "fmu_src/linear/dense.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

using namespace mechfmu;

TEST_CASE("LU pivots on zero diagonals and reports a singular matrix", "[linear]") {
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

TEST_CASE("LU judges each pivot by its own column", "[linear]") {
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

TEST_CASE("the largest entry is NaN if one of them is", "[linear]") {
  const double values[] = {1, -3, 2};
  CHECK(dense::largest(3, values) == 3);
  CHECK(dense::largest(0, values) == 0);
  const double bad[] = {1, NAN, 2}, bad_first[] = {NAN, 1, 2}, bad_last[] = {1, 2, NAN};
  CHECK_FALSE(dense::largest(3, bad) == dense::largest(3, bad));
  CHECK_FALSE(dense::largest(3, bad_first) == dense::largest(3, bad_first));
  CHECK_FALSE(dense::largest(3, bad_last) == dense::largest(3, bad_last));
}
