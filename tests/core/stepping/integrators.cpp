// Tests the methods themselves: their tableaus, and their order of convergence on problems with exact solutions.
#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/core/methods.hpp"
#include "tests/core/plain_equations.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

using Vector = std::vector<double>;

template <class Method, class Rate>
std::vector<Vector> integrate(const Rate& rate, const Vector& y, double end, int parts, int steps_per_part) {
  const std::vector<Vector> result = equal_steps<Method>(rate, y, end, parts, steps_per_part);
  REQUIRE(!result.empty());
  return result;
}

/// Returns the largest error of the first components at the parts' ends.
double largest_error(const std::vector<Vector>& found, const std::vector<Vector>& exact) {
  double largest = 0;
  for (std::size_t p = 0; p < exact.size(); ++p) {
    for (std::size_t i = 0; i < exact[p].size(); ++i) {
      largest = std::fmax(largest, std::fabs(found[p][i] - exact[p][i]));
    }
  }
  return largest;
}

/// Order seen when the step is halved again and again, from errors above round-off.
double observed_order(const std::function<double(int)>& error, int steps, double floor) {
  std::vector<double> log_h, log_error;
  for (int i = 0; i < 6; ++i, steps = steps * 3 / 2) {
    const double e = error(steps);
    UNSCOPED_INFO(steps << " steps: " << e);
    if (e < floor) break;
    log_h.push_back(-std::log(steps));
    log_error.push_back(std::log(e));
  }
  REQUIRE(log_h.size() >= 3);
  return regression_slope(log_h, log_error);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("tableaus are consistent and integrate polynomials of their order", "[integrators]",
                        ExplicitMethods) {
  INFO(TestType::name);
  constexpr int stages = TestType::stages;
  for (int i = 0; i < stages; ++i) {
    double sum = 0;
    for (int j = 0; j < i; ++j) sum += TestType::a[i][j];
    INFO("row " << i << " of `a` sums to c");
    CHECK(sum == Approx(TestType::c[i]).margin(1e-14));
    for (int j = i; j < stages; ++j) CHECK(TestType::a[i][j] == 0);
  }
  for (int power = 0; power < TestType::order; ++power) {  // Σ b c^p = 1/(p + 1)
    double sum = 0;
    for (int i = 0; i < stages; ++i) sum += TestType::b[i] * std::pow(TestType::c[i], power);
    INFO("weights of `b` integrate the power " << power);
    CHECK(sum == Approx(1.0 / (power + 1)).epsilon(1e-14));
  }
  if constexpr (!TestType::fixed_step) {  // an estimate is the difference of two consistent methods
    INFO("weights of `embedded` are b minus those of another consistent method: they and their moments sum to 0");
    for (const auto& weights : TestType::embedded) {
      double sum = 0, moment = weights[stages];
      for (int i = 0; i <= stages; ++i) sum += weights[i];
      for (int i = 0; i < stages; ++i) moment += weights[i] * TestType::c[i];
      CHECK(std::fabs(sum) < 1e-14);
      CHECK(std::fabs(moment) < 1e-14);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("order of convergence on problems with exact solutions", "[integrators]", Methods) {
  INFO(TestType::name);
  constexpr int parts = 6, first = TestType::order == 8 ? 4 : 10;
  SECTION("ẏ = y cos t, y = exp(sin t)") {
    const auto rate = [](double t, const double* y, double* dy) {
      dy[0] = y[0] * std::cos(t);
      return true;
    };
    std::vector<Vector> exact;
    for (int p = 1; p <= parts; ++p) exact.push_back({std::exp(std::sin(8.0 * p / parts))});
    const auto error = [&](int steps) { return largest_error(integrate<TestType>(rate, {1}, 8, parts, steps), exact); };
    CHECK(observed_order(error, first, 1e-13) == Approx(TestType::order).margin(0.45));
  }
  SECTION("Kepler's ellipse, two dimensions") {
    const double e = 0.2, end = 6;
    const auto rate = [](double, const double* y, double* dy) {
      const double cube = std::pow(y[0] * y[0] + y[1] * y[1], 1.5);
      dy[0] = y[2];
      dy[1] = y[3];
      dy[2] = -y[0] / cube;
      dy[3] = -y[1] / cube;
      return true;
    };
    std::vector<Vector> exact;
    for (int p = 1; p <= parts; ++p) {
      const double mean = end * p / parts;
      double E = mean;  // Kepler's equation E − e sin E = t
      for (int i = 0; i < 30; ++i) E -= (E - e * std::sin(E) - mean) / (1 - e * std::cos(E));
      exact.push_back({std::cos(E) - e, std::sqrt(1 - e * e) * std::sin(E)});
    }
    const auto error = [&](int steps) {
      const Vector start = {1 - e, 0, 0, std::sqrt((1 + e) / (1 - e))};
      return largest_error(integrate<TestType>(rate, start, end, parts, steps), exact);
    };
    CHECK(observed_order(error, 2 * first, 1e-13) == Approx(TestType::order).margin(0.45));
  }
}

TEMPLATE_LIST_TEST_CASE("order of convergence on the guided pendulum's resolved equations", "[integrators]", Methods) {
  // y = (x1, x2, x3, u1, u2), ẏ by the core's basis: (4.3), (4.4) of Blajer 1993.
  INFO(TestType::name);
  const Loaded loaded = Loaded::model("guided_pendulum");
  Arena memory;
  PartitionedBasis<RunTimeModel> basis(memory, RunTimeModel(loaded.table()));
  const double rho = 0.5, x3 = 0.4;
  const VectorXd q0 = (VectorXd(3) << 0, rho * std::sin(x3), x3).finished();
  const VectorXd v0 = (VectorXd(3) << 1, rho * std::cos(x3) * 2, 2).finished();
  const Evaluation start(loaded, 0, q0, v0);
  ChoiceAt choice(loaded, start);
  choice.independent({0, 2});
  const auto rate = [&](double t, const double* y, double* dy) {
    const VectorXd q = VectorXd::Map(y, 3);
    const Evaluation first(loaded, t, q, v0);
    if (!basis.factor(first.M_values.data(), first.C_values.data(), *choice)) return false;
    const MatrixXd W = W_d(basis, loaded.sizes());
    const VectorXd v = W * VectorXd::Map(y + 3, 2);
    const Evaluation e(loaded, t, q, v);
    basis.differentiate(e.M_values.data(), e.M_rate_values.data(), e.C_rate_values.data());
    VectorXd::Map(dy, 3) = v;
    const VectorXd Mv = e.M * v;
    VectorXd from_basis(2);
    basis.rate_transposed_times(Mv.data(), from_basis.data());
    VectorXd::Map(dy + 3, 2) = W.transpose() * e.g + from_basis;
    return true;
  };
  REQUIRE(basis.factor(start.M_values.data(), start.C_values.data(), *choice));
  const VectorXd u0 = W_d(basis, loaded.sizes()).transpose() * start.M * v0;
  const Vector y0 = {q0[0], q0[1], q0[2], u0[0], u0[1]};
  const int parts = 6;
  const auto exact = integrate<Dop853>(rate, y0, 0.6, parts, 60);
  const auto error = [&](int steps) { return largest_error(integrate<TestType>(rate, y0, 0.6, parts, steps), exact); };
  CHECK(observed_order(error, TestType::order == 8 ? 3 : 12, 1e-13) == Approx(TestType::order).margin(0.5));
}

TEST_CASE("fixed steps converge with the method's order through whole simulations", "[integrators]") {
  const Loaded loaded = Loaded::model("guided_pendulum");
  Settings settings = loaded.settings;
  settings.method = method("dop853");
  settings.tolerance = 1e-13;
  const auto exact = loaded.simulation(settings);
  assemble(*exact);
  advance(*exact, 1);
  for (const MethodFacts& one : fixed_step_methods()) {
    settings.method = method(one.name);
    for (int b = 0; b < resolution_count; ++b) {
      for (const char* drift_name : {"projection", "none"}) {
        INFO(one.name << ", " << tangent_bases[b] << ", " << drift_name);
        settings.tangent_basis = b;
        settings.drift_correction = drift(drift_name);
        Vector log_h, log_error;
        for (const double step : {0.02, 0.01, 0.005, 0.0025}) {
          settings.step = step;
          const auto simulation = loaded.simulation(settings);
          assemble(*simulation);
          advance(*simulation, 1);
          CHECK(simulation->steps() == Approx(1 / step));
          log_h.push_back(std::log(step));
          log_error.push_back(std::log(distance(*simulation, *exact)));
        }
        // Without a basis, and beside dead points of independent coordinates, the term of the next order is some
        // hundred times larger, and dies out at smaller steps only.
        const double slope = regression_slope(log_h, log_error);
        CHECK(slope > one.order - 0.3);
        if (b < basis_count && !integrates_independent(b)) CHECK(slope < one.order + 0.3);
      }
    }
  }
}
