// Tests the methods for stiff equations: their tableaus, their derivatives, and their results with stiff forces.
#include <catch2/catch.hpp>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "fmu_src/constraints/saddle_solvers/any_solver.hpp"
#include "fmu_src/constraints/saddle_solvers/without_units.hpp"
#include "fmu_src/integrators/list.hpp"
#include "fmu_src/stepping/full_motion.hpp"
#include "fmu_src/stepping/independent_motion.hpp"
#include "fmu_src/stepping/tangent_motion.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/core/methods.hpp"
#include "tests/core/plain_equations.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

/// Holds a method in its coefficients α_ij, Γ_ij, b_i (Hairer and Wanner II, (7.4) and (7.24)).
template <class Method>
struct Tableau {
  static_assert(Method::order <= 4, "violation() has the conditions up to order 4: add those of this method");
  static constexpr int last = Method::stages - 1;
  using Stages = Eigen::Matrix<double, Method::stages, 1>;
  using Square = Eigen::Matrix<double, Method::stages, Method::stages>;

  Tableau() {
    const auto rows = [](const double(*table)[Method::stages]) {
      return Square(Square::Map(&table[0][0]).transpose());
    };
    Gamma = (Square::Identity() / Method::gamma - rows(Method::c)).inverse();
    alpha = rows(Method::a) * Gamma;
    b = Gamma.transpose() * Stages::Map(Method::b);
    b_embedded = b - Gamma.transpose() * Stages::Map(Method::embedded);
    beta = alpha + Gamma;
  }
  Square alpha, Gamma, beta;
  Stages b, b_embedded;

  /// Returns the largest violation of the conditions (7.15) up to an order.
  double violation(const Stages& b, int order) const {
    const Stages one = Stages::Ones(), a = alpha * one, B = beta * one, a2 = a.cwiseProduct(a);
    std::vector<double> open = {b.sum() - 1, b.dot(B) - 1. / 2, b.dot(a2) - 1. / 3, b.dot(beta * B) - 1. / 6};
    if (order > 3) {
      open.insert(open.end(), {b.dot(a2.cwiseProduct(a)) - 1. / 4, b.dot(a.cwiseProduct(alpha * B)) - 1. / 8,
                               b.dot(beta * a2) - 1. / 12, b.dot(beta * beta * B) - 1. / 24});
    }
    return VectorXd::Map(open.data(), static_cast<int>(open.size())).cwiseAbs().maxCoeff();
  }
  /// Returns R(∞) of the stability function.
  double at_infinity(const Stages& b) const { return 1 - b.dot(beta.inverse() * Stages::Ones()); }
};

std::unique_ptr<StandaloneSimulation> run(const Loaded& loaded, const std::string& method_name, double tolerance,
                                          double end) {
  Settings settings = loaded.settings;
  settings.method = method(method_name);
  settings.tolerance = tolerance;
  auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  advance(*simulation, end);
  return simulation;
}

/// Counts evaluations for J and f_t: those of tangent velocities, of states, of positions along W_d and, unless the
/// projection keeps the constraints, along directions that only velocity constraints forbid, and of time.
template <class Motion>
double expected_evaluations(const Motion& motion, const Loaded& loaded, const Settings& settings) {
  const Sizes& s = loaded.sizes();
  if (!std::is_same_v<Motion, TangentMotion<RunTimeModel, AnyBasis>>) return motion.length() + 1;
  const bool kept = settings.drift_correction == drift("projection");
  const int directions = kept ? s.velocities - s.position_rank : s.velocities;
  return motion.length() - s.first_state() + directions + 1;
}

/// Largest difference between J, f_t of a motion and central differences of what it is J of, relative to 1 + its size.
template <class Motion, class... Member>
double error_of_derivatives(const Loaded& loaded, const Settings& settings, Member... member) {
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  advance(*simulation, 0.2);
  Arena memory;
  State state(memory, loaded.sizes());
  std::copy_n(simulation->state(), simulation->state_size(), state.data());
  Motion motion(memory, loaded.table(), RunTimeModel(loaded.table()), static_cast<Drift>(settings.drift_correction),
                member...);
  Message message;
  REQUIRE(motion.begin(state, message));
  const int length = motion.length();
  VectorXd y(length), slope(length), f_t(length), above(length), below(length);
  MatrixXd J(length, length);
  motion.pack(state, y.data());
  const double t = *state.time;
  double evaluations = 0;
  typename Motion::Directions directions(memory, motion);
  REQUIRE(memory.ok());
  REQUIRE(motion.rate_at_state(t, y.data(), slope.data()));
  REQUIRE(motion.linearise(t, y.data(), slope.data(), J.data(), f_t.data(), directions, evaluations));
  CHECK(evaluations == expected_evaluations(motion, loaded, settings));
  double largest = 0;
  for (int j = 0; j <= length; ++j) {
    const VectorXd direction = j < length ? VectorXd(VectorXd::Unit(length, j)) : VectorXd(VectorXd::Zero(length));
    // Without a move, time alone leads coordinates that depend on others away from where they are expected.
    const double step = j < length ? 1e-5 : 1e-6, time_step = j < length ? 0 : step;
    REQUIRE(motion.rate_on_constraints(t + time_step, VectorXd(y + step * direction).data(), above.data()));
    REQUIRE(motion.rate_on_constraints(t - time_step, VectorXd(y - step * direction).data(), below.data()));
    const VectorXd column = (above - below) / (2 * step), found = j < length ? VectorXd(J.col(j)) : f_t;
    largest = std::fmax(largest, (found - column).cwiseAbs().maxCoeff() / (1 + column.cwiseAbs().maxCoeff()));
  }
  return largest;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("tableaus of stiff methods have their orders, are stiffly accurate and L-stable", "[stiff]",
                        StiffMethods) {
  INFO(TestType::name);
  using Method = Tableau<TestType>;
  const Method t;
  CHECK(t.violation(t.b, TestType::order) < 1e-14);
  CHECK(t.violation(t.b_embedded, TestType::order - 1) < 1e-14);
  CHECK(t.violation(t.b_embedded, TestType::order) > 1e-3);
  for (int i = 0; i < TestType::stages; ++i) {
    CHECK(t.alpha.row(i).sum() == Approx(TestType::alpha[i]).margin(1e-14));
    CHECK(t.Gamma.row(i).sum() == Approx(TestType::gammas[i]).margin(1e-14));
  }
  CHECK((t.beta.row(Method::last).transpose() - t.b).cwiseAbs().maxCoeff() < 1e-14);
  CHECK((t.beta.row(Method::last - 1).transpose() - t.b_embedded).cwiseAbs().maxCoeff() < 1e-14);
  CHECK(std::fabs(t.at_infinity(t.b)) < 1e-14);
  CHECK(std::fabs(t.at_infinity(t.b_embedded)) < 1e-14);
  CHECK(t.b.dot(t.alpha * Method::Stages::Ones()) == Approx(0.5).margin(1e-14));  // The order is 2 with any matrix.
  // The method is A-stable if |R| ≤ 1 on the imaginary axis.
  using Complex = std::complex<double>;
  for (double x = 1e-3; x < 1e6; x *= 1.2) {
    const Complex z(0, x);
    const Eigen::MatrixXcd one = Eigen::MatrixXcd::Identity(TestType::stages, TestType::stages);
    const Eigen::MatrixXcd matrix = one - z * t.beta.template cast<Complex>();
    const Eigen::VectorXcd solved = matrix.partialPivLu().solve(Eigen::VectorXcd::Ones(TestType::stages));
    CHECK(std::abs(1. + z * (t.b.template cast<Complex>().transpose() * solved)(0)) < 1 + 1e-14);
  }
}

TEMPLATE_LIST_TEST_CASE("order 2 stays with wrong derivatives", "[stiff]", StiffMethods) {
  // This is Kepler's ellipse without any Jacobian; then the method is an explicit one.
  struct Underivable {
    bool rate(double, const double* y, double* dy) const {
      const double cube = std::pow(y[0] * y[0] + y[1] * y[1], 1.5);
      dy[0] = y[2];
      dy[1] = y[3];
      dy[2] = -y[0] / cube;
      dy[3] = -y[1] / cube;
      return true;
    }
    bool linearise(double, const double*, const double*, double* J, double* f_t) const {
      dense::fill(16, 0, J);
      dense::fill(4, 0, f_t);
      return true;
    }
    const double* sizes() const { return ones; }
    const double ones[4] = {1, 1, 1, 1};
  };
  const Underivable equations;
  Arena memory;
  typename TestType::template Step<4> method(memory, 4);
  std::vector<double> log_h, log_error;
  for (const int steps : {400, 800, 1600, 3200}) {
    double y[4] = {1, 0, 0, 1}, y1[4];
    const double h = 3.0 / steps;
    for (int i = 0; i < steps; ++i) {
      equations.rate(0, y, method.first_slope());
      REQUIRE(method.linearise(equations, 0, y));
      REQUIRE(method.step(equations, 0, y, h, y1));
      dense::copy(4, y1, y);
    }
    log_h.push_back(std::log(h));
    log_error.push_back(std::log(std::hypot(y[0] - std::cos(3.0), y[1] - std::sin(3.0))));
  }
  CHECK(regression_slope(log_h, log_error) == Approx(2).margin(0.1));
}

TEMPLATE_LIST_TEST_CASE("relaxation to a moving point keeps its order however stiff it is", "[stiff]", StiffMethods) {
  // The problem of Prothero and Robinson 1974 is ẏ = λ (y − φ(t)) + φ̇(t), y = φ. If −λh is large, the error of most
  // methods falls like h² or so, slower than the h⁴ of small ones; here it always falls like h⁴.
  for (double rate_constant = -1; rate_constant > -1e9; rate_constant *= 5) {
    const auto rate = [&](double t, const double* y, double* dy) {
      dy[0] = rate_constant * (y[0] - std::sin(t)) + std::cos(t);
      return true;
    };
    for (const int steps : {20, 40, 80, 160}) {
      const auto found = equal_steps<TestType>(rate, {0}, 8, steps, 1);
      REQUIRE(found.size() == static_cast<std::size_t>(steps));
      const double h = 8.0 / steps;
      double largest = 0;
      for (int i = 0; i < steps; ++i) {
        largest = std::fmax(largest, std::fabs(found[i][0] - std::sin(h * (i + 1))));
      }
      INFO("lambda " << rate_constant << ", h " << h << ": " << largest / std::pow(h, TestType::order));
      CHECK(largest < 1.5e-3 * std::pow(h, TestType::order));
    }
  }
}

TEST_CASE("the derivatives of every motion are right", "[stiff]") {
  Shape moving, mixed;
  moving.rheonomic = true;
  mixed.coordinates = 5;
  mixed.position_rows = 2;
  mixed.velocity_rows = 1;
  mixed.redundant = true;
  const std::pair<const char*, Loaded> mechanisms[] = {
      {"moving constraint", Loaded::text(random_mechanism(3, moving))},
      {"redundant, nonholonomic", Loaded::text(random_mechanism(5, mixed))},
      {"short form", Loaded::model("four_bar_equations")},
      {"friction", Loaded::model("block_on_ramp")},
      {"governor", Loaded::text(flyball_governor())},
      {"states beside a loop", Loaded::text(driven_four_bar())},
      {"states in masses", Loaded::text(R"toml(
[mechanism]
name = "Growing"
[coordinates]
x = { start = 0.3, rate_start = 1 }
y = { start = 0.2, rate_start = -0.5 }
[states]
load = { start = 1, rate = "(sin(x) + load*y)/(1 + time)" }
hot = { start = 0.5, rate = "1*load*der(x)*der(y) - 1*hot^3 + 1*load^2" }
[dynamics]
kinetic_energy = "1*((2 + load*cos(y))*der(x)^2 + load*der(x)*der(y)/3 + (1 + hot^2)*der(y)^2)"
[dynamics.forces]
x = "-1*x*load*hot"
y = "-1*(y + hot) + 1*der(load)"
)toml")},
  };
  // A small variable is moved by 5e-10 (differences.hpp), where slopes of the size 10 are rounded to a few 1e-16 of it,
  // and joints of a loop are closed to as much.
  constexpr double rounding = 5e-6;
  for (const auto& [name, loaded] : mechanisms) {
    Settings settings = loaded.settings;
    const double of_loop = std::string(name) == "states beside a loop" ? rounding : 1e-6;
    for (const char* drift_name : {"projection", "integral"}) {
      INFO(name << ", " << drift_name);
      settings.drift_correction = drift(drift_name);
      for (int b = 0; b < basis_count; ++b) {
        if (integrates_independent(b)) continue;
        INFO(tangent_bases[b]);
        settings.tangent_basis = b;
        CHECK(error_of_derivatives<TangentMotion<RunTimeModel, AnyBasis>>(loaded, settings, b) < 1e-6);
      }
    }
    settings.drift_correction = drift("projection");
    settings.tangent_basis = basis("coordinate_partitioning");
    if (serves(settings.tangent_basis, loaded)) {
      INFO(name << ", coordinate_partitioning");
      CHECK(error_of_derivatives<IndependentMotion<RunTimeModel, CoordinatePartitioningBasis>>(loaded, settings) <
            of_loop);
    }
    INFO(name << ", baumgarte");
    settings.drift_correction = drift("baumgarte");
    settings.tangent_basis = basis("partitioned");
    CHECK(error_of_derivatives<FullMotion<RunTimeModel, WithoutUnits<RunTimeModel, AnySolver>>>(loaded, settings, -1) <
          1e-6);
    for (int b = basis_count; b < resolution_count; ++b) {
      if (!serves(b, loaded)) continue;
      settings.tangent_basis = b;
      for (const char* drift_name : {"projection", "integral"}) {
        INFO(tangent_bases[b] << ", " << drift_name);
        settings.drift_correction = drift(drift_name);
        CHECK(error_of_derivatives<FullMotion<RunTimeModel, WithoutUnits<RunTimeModel, AnySolver>>>(
                  loaded, settings, b - basis_count) < rounding);
      }
    }
  }
}

TEST_CASE("a mass led by a stiff spring and damper", "[stiff]") {
  const MethodFacts stiff = GENERATE(from_range(stiff_methods()));
  INFO(stiff.name);
  // The solution is x = sin t exactly, with relaxation rates of 1e6 and 1 per second.
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Led"
[parameters]
m = { value = 1, unit = "kg" }
K = { value = 1e6, unit = "N/m" }
C = { value = 1e6, unit = "N.s/m" }
a = { value = 1, unit = "m" }
w = { value = 1, unit = "rad/s" }
[coordinates]
x = { unit = "m", start = 0, fixed = true, rate_start = 1, rate_fixed = true }
[dynamics]
kinetic_energy = "m*der(x)^2/2"
[dynamics.forces]
x = "-K*(x - a*sin(w*time)) - C*(der(x) - a*w*cos(w*time)) - m*a*w^2*sin(w*time)"
)toml");
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    INFO(tolerance);
    const auto simulation = run(loaded, stiff.name, tolerance, 10);
    CHECK(std::fabs(simulation->positions()[0] - std::sin(10.0)) < 10 * tolerance);
    CHECK(std::fabs(simulation->velocities()[0] - std::cos(10.0)) < 10 * tolerance);
    CHECK(simulation->steps() < 35 * std::pow(tolerance / 1e-4, -0.25));
  }
}

TEST_CASE("a pendulum on an ever stiffer spring becomes one on a bar", "[stiff]") {
  const MethodFacts stiff = GENERATE(from_range(stiff_methods()));
  INFO(stiff.name);
  const double end = 2, tolerance = 1e-6;
  const Loaded bar = Loaded::text(bar_pendulum());
  const auto rigid = run(bar, "dop853", 1e-12, end);
  const double x = rigid->positions()[0], y = rigid->positions()[1];
  const double steps = run(bar, stiff.name, tolerance, end)->steps();
  SECTION("at the same cost where the spring goes along a coordinate") {
    for (const double stiffness : {1e6, 1e8, 1e10, 1e12}) {
      const Loaded loaded = Loaded::text(spring_pendulum(stiffness, stiffness / 100, true));
      const auto soft = run(loaded, stiff.name, tolerance, end);
      const double a = soft->positions()[0], l = soft->positions()[1];
      const double error = std::hypot(l * std::sin(a) - x, -l * std::cos(a) - y);
      INFO("stiffness " << stiffness << ": " << error << ", " << soft->steps() << " steps of " << steps);
      CHECK(error < 20 * tolerance + 300 / stiffness);
      CHECK(soft->steps() < 1.5 * steps);
    }
  }
  SECTION("with the fourth root of the stiffness where its direction turns: an explicit method would feel all of it") {
    for (const double stiffness : {1e6, 1e8, 1e10}) {
      const Loaded loaded = Loaded::text(spring_pendulum(stiffness, stiffness / 100, false));
      const auto soft = run(loaded, stiff.name, tolerance, end);
      const double error = std::hypot(soft->positions()[0] - x, soft->positions()[1] - y);
      INFO("stiffness " << stiffness << ": " << error << ", " << soft->steps() << " steps of " << steps);
      CHECK(error < 20 * tolerance + 300 / stiffness);
      CHECK(soft->steps() < 12 * steps * std::pow(stiffness / 1e6, 0.25));
    }
  }
}

TEST_CASE("the flyball governor", "[stiff]") {
  const MethodFacts stiff = GENERATE(from_range(stiff_methods()));
  INFO(stiff.name);
  const Loaded loaded = Loaded::text(flyball_governor());
  const double s = 0.619622917061, beta = 0.3900737018;  // have been found at 10 s by another program
  const auto coarse = run(loaded, stiff.name, 1e-6, 10), fine = run(loaded, stiff.name, 1e-8, 10);
  CHECK(std::fabs(coarse->positions()[loaded.index("s")] - s) < 1e-6);
  CHECK(std::fabs(coarse->positions()[loaded.index("beta")] - beta) < 1e-6);
  CHECK(std::fabs(fine->positions()[loaded.index("s")] - s) < 1e-8);
  CHECK(std::fabs(fine->positions()[loaded.index("beta")] - beta) < 1e-8);
  CHECK(coarse->steps() < 1000);
  const auto explicit_one = run(loaded, "dop853", 1e-6, 10);
  CHECK(explicit_one->evaluations() > 8 * coarse->evaluations());
}

TEST_CASE("stiff methods keep the branch at flat positions", "[stiff]") {
  const MethodFacts stiff = GENERATE(from_range(stiff_methods()));
  INFO(stiff.name);
  // Parallelograms are flat every half turn. If W_d and J were taken across the constraints, steps would leave the
  // branch there.
  for (const int windows : {1, 2, 3}) {
    const Loaded loaded = Loaded::text(four_bar_windows(windows));
    const auto exact = run(loaded, "dop853", 1e-12, 10);
    for (double digits = 4; digits <= 9; digits += 0.25) {
      const double tolerance = std::pow(10.0, -digits);
      const auto found = run(loaded, stiff.name, tolerance, 10);
      INFO(windows << " windows, tolerance " << tolerance << ", " << found->evaluations() << " evaluations");
      CHECK(distance(*found, *exact) < 100 * tolerance);
      CHECK(found->evaluations() < 9.6 * found->steps());  // A step takes 2 k + 7, and few are rejected.
    }
  }
}

TEST_CASE("several loops held together by stiff springs and dampers", "[stiff]") {
  const MethodFacts stiff = GENERATE(from_range(stiff_methods()));
  INFO(stiff.name);
  // They swing as one, through flat positions, like a pendulum of all their inertia and weight.
  const double end = 5;
  const Loaded rigid = Loaded::text(R"toml(
[mechanism]
name = "Rigid"
[parameters]
I = { value = 8.1, unit = "kg.m2" }  # 3 (2 (0.1 + 0.25) + 0) + 1 + 2 + 3 coupler masses at 1 m
W = { value = 88.29, unit = "N.m" }  # 9.81 (3 + 1 + 2 + 3)
[coordinates]
a = { unit = "rad", start = 0, fixed = true, rate_start = -1, rate_fixed = true }
[dynamics]
kinetic_energy = "I*der(a)^2/2"
potential_energy = "W*cos(a)"
)toml");
  const double exact = run(rigid, "dop853", 1e-12, end)->positions()[0];
  for (const double stiffness : {1e6, 1e8}) {
    const Loaded loaded = Loaded::text(coupled_parallelograms(3, stiffness, stiffness / 10));
    REQUIRE(loaded.sizes().degrees_of_freedom() == 3);
    for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7}) {
      const auto found = run(loaded, stiff.name, tolerance, end);
      const double error = std::fabs(found->positions()[loaded.index("A0.angle")] - exact);
      INFO("stiffness " << stiffness << ", tolerance " << tolerance << ": " << error << ", " << found->steps()
                        << " steps");
      CHECK(error < 100 * tolerance + 1000 / stiffness);
      CHECK(found->steps() < 90 * std::pow(tolerance / 1e-4, -0.25));
      CHECK(found->evaluations() < 14 * (found->steps() + found->rejected_steps()));  // A step takes 2 k + 7.
    }
  }
}
