// Large mechanisms: sparse elimination against dense, and chains of loops in which nothing dense is left.
#include <catch2/catch.hpp>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "core/start.hpp"
#include "evaluation.hpp"
#include "mechanisms.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

std::mt19937& generator() {
  static std::mt19937 engine(7);
  return engine;
}

double random_number() { return std::uniform_real_distribution<double>(-1, 1)(generator()); }
int random_below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(generator()); }

/// A few entries in each row, at random places; the first `regular` rows also have one in a column of their own, without
/// which they would often be dependent.
MatrixXd random_sparse(int rows, int columns, int each, int regular) {
  MatrixXd A = MatrixXd::Zero(rows, columns);
  std::vector<int> own(columns);
  for (int j = 0; j < columns; ++j) own[j] = j;
  std::shuffle(own.begin(), own.end(), generator());
  for (int i = 0; i < rows; ++i) {
    for (int e = 0; e < each; ++e) A(i, random_below(columns)) = random_number();
    if (i < regular) A(i, own[i]) = 1 + random_number() / 2;
  }
  return A;
}

void take(const MatrixXd& A, SparseSplit& split) {
  split.clear();
  for (int j = 0; j < A.cols(); ++j) {
    for (int i = 0; i < A.rows(); ++i) {
      if (A(i, j) != 0) split.set(i, j, A(i, j));
    }
  }
}

int split(const MatrixXd& A, SparseSplit& split) {
  take(A, split);
  return split.split({nullptr, static_cast<int>(A.rows())}, static_cast<int>(A.rows()), nullptr);
}

int nonzeros(const MatrixXd& A) { return static_cast<int>((A.array() != 0).count()); }

/// Windows of four bars in space, where each window has three constraints too many.
std::string windows_in_space(int count) {
  return "[parameters]\nN = " + std::to_string(count) + R"toml(
[mechanism]
name = "WindowsInSpace"
dimension = "spatial"
gravity = [0, -9.81, 0]
[repeat.vertical]
with = { i = "0..N" }
[repeat.vertical.ground.points]
"A{i}" = ["{i}", 0, 0]
[repeat.vertical.bodies."vertical_{i}"]
mass = 1
center_of_mass = [0, 0.5, 0]
inertia = ["1/12", 0, "1/12"]
[repeat.vertical.bodies."vertical_{i}".points]
B = [0, 1, 0]
[repeat.vertical.joints."A{i}"]
type = "revolute"
axis = [0, 0, 1]
parent = "ground.A{i}"
child = "vertical_{i}"
[repeat.horizontal]
with = { i = "1..N", before = "0..N-1" }
[repeat.horizontal.bodies."horizontal_{i}"]
mass = 1
center_of_mass = [0.5, 0, 0]
inertia = [0, "1/12", "1/12"]
[repeat.horizontal.bodies."horizontal_{i}".points]
C = [1, 0, 0]
[repeat.horizontal.joints."B{i}"]
type = "revolute"
axis = [0, 0, 1]
parent = "vertical_{before}.B"
child = "horizontal_{i}"
[repeat.horizontal.joints."C{i}"]
type = "revolute"
axis = [0, 0, 1]
parent = "horizontal_{i}.C"
child = "vertical_{i}.B"
[joints.A0]
angle = { start = 0, fixed = true, rate_start = -1, rate_fixed = true }
[solver]
method = "dop853"
tolerance = 1e-10
)toml";
}

double angle(const Loaded& loaded, const Simulation& simulation) {
  return simulation.positions()[loaded.index("A0.angle")];
}

}  // namespace

TEST_CASE("a sparse matrix is solved with, and its transpose", "[large]") {
  for (const int n : {33, 60, 150}) {
    for (int trial = 0; trial < 10; ++trial) {
      const MatrixXd A = random_sparse(n, n, 1 + trial % 4, n);
      const double condition = A.norm() * A.inverse().norm();
      if (!(condition < 1e10)) continue;
      SparseSplit factors(n, n, nonzeros(A));
      REQUIRE(factors.ok());
      REQUIRE(split(A, factors) == n);
      const VectorXd x = VectorXd::NullaryExpr(n, [] { return random_number(); });
      VectorXd b = A * x, y(n);
      factors.particular(b.data(), y.data());
      CHECK((y - x).norm() < 1e-15 * (100 + condition) * x.norm());
      b = A.transpose() * x;
      factors.multipliers(b.data(), y.data());
      CHECK((y - x).norm() < 1e-15 * (100 + condition) * x.norm());
    }
  }
}

TEST_CASE("the rank of a sparse matrix is that of its singular values", "[large]") {
  for (int trial = 0; trial < 20; ++trial) {
    const int n = 90, rows = 60, dependent = trial % 7;
    MatrixXd A = random_sparse(rows, n, 3, rows - dependent);
    for (int d = 0; d < dependent; ++d) {  // a row that others make up
      const int i = rows - 1 - d;
      A.row(i) = random_number() * A.row(random_below(20)) + random_number() * A.row(20 + random_below(20));
    }
    SparseSplit factors(rows, n, nonzeros(A));
    REQUIRE(split(A, factors) == rows - dependent);
    for (int j = 0; j < n - factors.rank(); ++j) {
      VectorXd v(n);
      factors.null_vector(j, v.data());
      CHECK((A * v).cwiseAbs().maxCoeff() < 1e-11 * v.cwiseAbs().maxCoeff());
    }
  }
}

TEST_CASE("what is no number is not factored", "[large]") {
  const int n = 40;
  MatrixXd A = random_sparse(n, n, 2, n);
  A(7, 9) = NAN;
  SparseSplit factors(n, n, nonzeros(A));
  CHECK(split(A, factors) < n);
  A.setZero();
  CHECK(split(A, factors) == 0);
}

TEST_CASE("an order whose pivots have become small is told, and a new one is as good as dense pivots", "[large]") {
  const int n = 50;
  MatrixXd A = random_sparse(n, n, 2, n);
  SparseSplit pivots(n, n, nonzeros(A));
  REQUIRE(split(A, pivots) == n);
  std::vector<int> rows(n), columns(n), row_slot(n), column_slot(n), row, column;
  std::vector<double> values;
  const auto list = [&] {
    row.clear(), column.clear(), values.clear();
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        if (A(i, j) != 0) row.push_back(i), column.push_back(j), values.push_back(A(i, j));
      }
    }
  };
  for (int i = 0; i < n; ++i) {
    rows[i] = pivots.row(i), columns[i] = pivots.column(i);
    row_slot[rows[i]] = column_slot[columns[i]] = i;
  }
  list();
  const Pattern pattern{n, n, static_cast<int>(values.size()), row.data(), column.data()};
  OrderedFactors factors(n, pattern.nonzeros);
  REQUIRE(factors.arrange(pattern, {n, rows.data(), columns.data(), row_slot.data(), column_slot.data()}));
  CHECK(factors.factor(pattern, values.data()) > 0.1);
  for (std::size_t e = 0; e < values.size(); ++e) {
    if (row[e] == rows[0] && column[e] == columns[0]) values[e] *= 1e-9, A(row[e], column[e]) *= 1e-9;
  }
  const bool alone = (A.row(rows[0]).array() != 0).count() == 1;
  if (!alone) CHECK(factors.factor(pattern, values.data()) < OrderedFactors::smallest_quality);
  REQUIRE(split(A, pivots) == n);
  const VectorXd x = VectorXd::Ones(n), b = A * x;
  VectorXd y(n);
  pivots.particular(b.data(), y.data());
  CHECK((A * y - b).norm() < 1e-12 * b.norm());
}

TEST_CASE("many windows swing as the closed form says", "[large]") {
  const Loaded loaded = Loaded::text(four_bar_windows(40));
  REQUIRE(is_large(loaded.sizes().rank));
  Settings settings = loaded.settings;
  settings.tolerance = 1e-8;
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  advance(*simulation, 10);
  CHECK(std::fabs(-std::sin(angle(loaded, *simulation)) - 0.18051222668673) < 4e-6);
  CHECK(std::fabs(std::cos(angle(loaded, *simulation)) - 0.98357274058231) < 4e-6);
  CHECK(simulation->position_violation() < 1e-12);
  CHECK(simulation->velocity_violation() < 1e-10);
}

TEST_CASE("a large mechanism's steps repeat the same bits from a saved state", "[large]") {
  const Loaded loaded = Loaded::text(four_bar_windows(25));
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  for (const double begin : {0.4, 1.3}) {  // the second steps go through the singular position
    advance(*simulation, begin);
    const std::vector<double> saved = copy_state(*simulation);
    advance(*simulation, begin + 0.5);
    const std::vector<double> first = copy_state(*simulation);
    simulation->restore(saved.data());
    advance(*simulation, begin + 0.5);
    CHECK(same_state(*simulation, first));
    const auto other = loaded.simulation();
    assemble(*other);
    other->restore(saved.data());
    advance(*other, begin + 0.5);
    CHECK(same_state(*other, first));
  }
}

TEST_CASE("large and redundant: windows in space move as in the plane", "[large]") {
  const int count = 20;
  const Loaded plane = Loaded::text(four_bar_windows(count)), space = Loaded::text(windows_in_space(count));
  REQUIRE(is_large(space.sizes().rank));
  CHECK(space.sizes().rows() == 5 * count);
  CHECK(space.sizes().rank == plane.sizes().rank);
  const auto in_plane = plane.simulation(), in_space = space.simulation();
  assemble(*in_plane);
  assemble(*in_space);
  for (const double time : {0.3, 1.0, 2.0}) {
    advance(*in_plane, time);
    advance(*in_space, time);
    CHECK(angle(space, *in_space) == Approx(angle(plane, *in_plane)).margin(1e-8));
    REQUIRE(in_space->accelerations() != nullptr);
    REQUIRE(in_plane->accelerations() != nullptr);
    CHECK(in_space->accelerations()[space.index("A0.angle")] ==
          Approx(in_plane->accelerations()[plane.index("A0.angle")]).epsilon(1e-7));
    const double* multipliers = in_space->multipliers();
    REQUIRE(multipliers != nullptr);
    for (int i = 0; i < space.sizes().rows(); ++i) CHECK(std::isfinite(multipliers[i]));
  }
}

TEST_CASE("a large start is that of the dense way", "[large]") {
  const Loaded loaded = Loaded::text(four_bar_windows(60));  // 121 velocities
  REQUIRE(loaded.sizes().velocities >= 120);
  const auto simulation = loaded.simulation();
  simulation->set_parameter(loaded.parameter("A30.angle_start"), 0.2);  // a guess off the constraints
  assemble(*simulation);
  CHECK(std::fabs(angle(loaded, *simulation)) < 1e-15);
  for (int i = 0; i < loaded.sizes().velocities; ++i) {
    CHECK(std::fabs(std::remainder(simulation->positions()[i], 2 * M_PI)) < 1e-12);
    CHECK(std::fabs(std::fabs(simulation->velocities()[i]) - 1) < 1e-12);
  }
}
