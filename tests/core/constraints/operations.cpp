// Counts arithmetic operations of the solvers without a basis: it compiles their own code with numbers that count. The
// review (Pennestrì and Valentini 2007) has the rule: range space if m < n/2, else null space.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <new>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace counting {

/// A double whose sums, products, quotients and roots are counted.
class Number {
 public:
  Number() = default;
  constexpr Number(double value) : value_(value) {}
  static inline long operations = 0;

  friend Number operator+(Number a, Number b) { return counted(a.value_ + b.value_); }
  friend Number operator-(Number a, Number b) { return counted(a.value_ - b.value_); }
  friend Number operator*(Number a, Number b) { return counted(a.value_ * b.value_); }
  friend Number operator/(Number a, Number b) { return counted(a.value_ / b.value_); }
  Number operator-() const { return -value_; }
  Number& operator+=(Number b) { return *this = *this + b; }
  Number& operator-=(Number b) { return *this = *this - b; }
  Number& operator*=(Number b) { return *this = *this * b; }
  Number& operator/=(Number b) { return *this = *this / b; }
  friend bool operator<(Number a, Number b) { return a.value_ < b.value_; }
  friend bool operator>(Number a, Number b) { return a.value_ > b.value_; }
  friend bool operator>=(Number a, Number b) { return a.value_ >= b.value_; }
  friend bool operator==(Number a, Number b) { return a.value_ == b.value_; }
  friend bool operator!=(Number a, Number b) { return a.value_ != b.value_; }
  friend Number root(Number a) { return counted(std::sqrt(a.value_)); }
  friend Number size(Number a) { return std::fabs(a.value_); }

 private:
  static Number counted(double value) {
    ++operations;
    return value;
  }
  double value_;
};

}  // namespace counting

namespace std {
inline counting::Number sqrt(counting::Number a) { return root(a); }
inline counting::Number fabs(counting::Number a) { return size(a); }
}  // namespace std

// From here on the core's headers are those of another core, made of numbers that count.
#define mechfmu counting_mechfmu
#define double counting::Number
#include "fmu_src/constraints/saddle_solvers/null_space_block.hpp"
#include "fmu_src/constraints/saddle_solvers/range_space.hpp"
#undef double
#undef mechfmu

namespace {

/// Counts operations of the factorisation and of one solution, for dense matrices.
template <template <class> class Solver>
double operations(int n, int m) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<counting::Number> M(n * n), A(n * m + 1), h(n), gamma(m + 1), acceleration(n), multipliers(m + 1);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) M[i + j * n] = M[j + i * n] = uniform(random) + (i == j ? n : 0);
  }
  for (counting::Number& a : A) a = uniform(random);
  counting_mechfmu::Mechanism mechanism;
  mechanism.sizes.velocities = n;
  mechanism.sizes.position_rows = mechanism.sizes.rank = m;
  counting_mechfmu::Arena memory;
  Solver<counting_mechfmu::RunTimeModel> solver(memory, counting_mechfmu::RunTimeModel(mechanism));
  REQUIRE(memory.ok());
  counting::Number::operations = 0;
  REQUIRE(solver.factor(m, M.data(), A.data(), nullptr));
  solver.solve(h.data(), gamma.data(), acceleration.data(), multipliers.data());
  return static_cast<double>(counting::Number::operations);
}

double range_space(int n, int m) { return operations<counting_mechfmu::RangeSpaceSolver>(n, m); }
double null_space(int n, int m) { return operations<counting_mechfmu::NullSpaceBlockSolver>(n, m); }

}  // namespace

TEST_CASE("operations of range space and null space are those of their formulas", "[operations]") {
  // With x = m/n, in n³, there are: Cholesky of M, H, the half of HᵀH that is needed, its Cholesky; and LU of C, S,
  // M̃_12, M̃_22 in full, its Cholesky. The rest is of order n².
  for (const int n : {48, 192}) {
    for (int eighth = 0; eighth < 8; ++eighth) {
      const double x = eighth / 8.0, k = 1 - x, cube = std::pow(n, 3.0);
      const int m = n / 8 * eighth;
      INFO("n = " << n << ", m = " << m);
      CHECK(range_space(n, m) / cube == Approx(1.0 / 3 + x + x * x + x * x * x / 3).margin(12.0 / n));
      CHECK(null_space(n, m) / cube ==
            Approx(x * x - x * x * x / 3 + x * x * k + 2 * x * k + 2 * x * k * k + k * k * k / 3).margin(12.0 / n));
    }
  }
}

TEST_CASE("the range space takes fewer operations while m < n/2, the null space above", "[operations]") {
  for (const int n : {8, 16, 32, 64}) {
    // The formulas agree at x = 0 and at x = 1/2 exactly, and the terms of order n² move that a little.
    int crossing = n;
    while (crossing > 0 && null_space(n, crossing - 1) < range_space(n, crossing - 1)) --crossing;
    INFO("n = " << n);
    CHECK(std::abs(crossing - n / 2.0) <= 0.05 * n + 1);
    for (int m = n / 8; m < crossing; ++m) {
      INFO("m = " << m);
      CHECK(range_space(n, m) < null_space(n, m));
    }
  }
}
