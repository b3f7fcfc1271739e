// Tests when Newton's iterations end: on roots whose steps are known, and on steps whose parts have rules of their own.
#include "fmu_src/linear/newton.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>

namespace mechfmu::testing {
namespace {

constexpr NewtonRule rule{1e-15, 1e-8};

struct Iteration {
  double x;
  int steps;
};

/// Goes Newton's way from x until the rule ends it.
Iteration newton(const std::function<double(double)>& f, const std::function<double(double)>& slope, double x) {
  NewtonSteps steps(rule);
  int count = 0;
  for (; count < 100; ++count) {
    const double step = -f(x) / slope(x);
    steps.take(std::fabs(step));
    if (steps.ended()) break;
    x += step;
  }
  return {x, count};
}

}  // namespace

TEST_CASE("a quadratic iteration ends at rounding", "[newton]") {
  for (const double a : {2.0, 3.0, 7.5, 1e4, 1e-4}) {
    const auto [x, count] =
        newton([a](double y) { return (y * y - a) / a; }, [a](double y) { return 2 * y / a; }, 2 * a);
    CHECK(x == Approx(std::sqrt(a)).epsilon(4e-16));
    CHECK(count < 20);
  }
}

TEST_CASE("an iteration onto a double root ends where residuals are rounding", "[newton]") {
  // Steps halve there: (x − 1)² has rounding of 1e-16 at x − 1 = 1e-8.
  const auto [x, count] = newton([](double y) { return y * y - 2 * y + 1; }, [](double y) { return 2 * y - 2; }, 2);
  CHECK(x == Approx(1).epsilon(1e-7));
  CHECK(count < 40);
}

TEST_CASE("a step whose parts have rules of their own is exact or rounding if every part is", "[newton]") {
  constexpr NewtonRule fine{1e-15, 1e-12}, coarse{1e-15, 1e-8};
  const auto step = [&](double a, double b) {
    NewtonStep result;
    result.add(a, fine);
    result.add(b, coarse);
    return result;
  };
  CHECK(step(1e-16, 1e-16).exact());
  CHECK_FALSE(step(1e-16, 1e-14).exact());
  CHECK(step(1e-13, 1e-9).at_rounding());
  CHECK_FALSE(step(1e-9, 1e-13).at_rounding());
  CHECK(step(1e-13, 1e-9).size() == 1e-9);

  NewtonSteps steps;
  steps.take(step(1e-3, 1e-3));
  CHECK_FALSE(steps.ended());
  steps.take(step(1e-13, 1e-9));
  CHECK_FALSE(steps.ended());  // It is less than half of the step before.
  steps.take(step(1e-13, 0.9e-9));
  CHECK(steps.ended());
  CHECK_FALSE(steps.exact());
  steps.forget();
  steps.take(step(1e-13, 0.9e-9));
  CHECK_FALSE(steps.ended());  // There is no step before it.
}

TEST_CASE("a step that is not a number ends nothing", "[newton]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool first : {true, false}) {
    NewtonStep step;
    step.add(first ? nan : 0, rule);
    step.add(first ? 0 : nan, rule);
    NewtonSteps steps;
    steps.take(step);
    CHECK_FALSE(steps.ended());
    CHECK_FALSE(steps.at_rounding());
    CHECK_FALSE(steps.shrinks());
  }
}

}  // namespace mechfmu::testing
