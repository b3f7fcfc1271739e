// Tests mechanisms without constraints and with many degrees of freedom: factors of their mass matrices, chains against
// another formulation, a net against its normal modes.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "equations/equations.hpp"
#include "fmu_src/constraints/tangent_bases/unconstrained.hpp"
#include "fmu_src/linear/sparse_cholesky.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

std::mt19937& generator() {
  static std::mt19937 engine(11);
  return engine;
}

double random_number() { return std::uniform_real_distribution<double>(-1, 1)(generator()); }

/// Holds a lower triangle's nonzeros, column by column.
struct Lower {
  std::vector<int> row, column;
  Pattern pattern(int n) const { return {n, n, static_cast<int>(row.size()), row.data(), column.data()}; }
  void add(int i, int j) {
    row.push_back(i);
    column.push_back(j);
  }
  std::vector<double> values_of(const MatrixXd& A) const {
    std::vector<double> values;
    for (std::size_t e = 0; e < row.size(); ++e) values.push_back(A(row[e], column[e]));
    return values;
  }
};

Lower random_lower(int n, double density) {
  Lower lower;
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      if (i == j || random_number() < 2 * density - 1) lower.add(i, j);
    }
  }
  return lower;
}

MatrixXd random_symmetric(int n, const Lower& lower, double diagonal) {
  MatrixXd A = MatrixXd::Zero(n, n);
  for (std::size_t e = 0; e < lower.row.size(); ++e) {
    A(lower.row[e], lower.column[e]) = A(lower.column[e], lower.row[e]) = random_number();
  }
  A.diagonal().array() += diagonal;
  return A;
}

/// The matrix v → what `apply` makes of it.
template <class Apply>
MatrixXd matrix_of(int n, Apply&& apply) {
  MatrixXd result(n, n);
  for (int j = 0; j < n; ++j) {
    const VectorXd unit = VectorXd::Unit(n, j);
    apply(unit.data(), result.col(j).data());
  }
  return result;
}

/// Returns the pattern of the mass matrix of a tree: bodies on the way to the ground feel those beyond them.
Lower pattern_of_tree(const std::vector<int>& parents) {
  Lower lower;
  const int n = static_cast<int>(parents.size());
  const auto carries = [&](int a, int b) {
    while (b > a) b = parents[b];
    return a == b;
  };
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      if (carries(j, i)) lower.add(i, j);
    }
  }
  return lower;
}

}  // namespace

TEST_CASE("a matrix in sparse factors is what the dense ones say, and so is their rate", "[free]") {
  for (const double density : {0.0, 0.1, 0.4, 1.0}) {
    for (const int n : {1, 2, 7, 30}) {
      CAPTURE(density, n);
      const Lower lower = random_lower(n, density), rate_lower = random_lower(n, 0);  // the rate has its diagonal only
      const MatrixXd A = random_symmetric(n, lower, 2 * n), A_rate = random_symmetric(n, rate_lower, 0);
      Arena memory;
      SparseCholesky factors(memory, lower.pattern(n), rate_lower.pattern(n));
      REQUIRE(memory.ok());
      const auto factor = [&](double s) {
        const MatrixXd at = A + s * A_rate;
        REQUIRE(factors.factor(lower.values_of(at).data()));
        return matrix_of(n, [&](const double* u, double* v) { factors.solve_transposed(u, v); });
      };
      const double h = 1e-3;
      const MatrixXd rate = (8 * (factor(h) - factor(-h)) - (factor(2 * h) - factor(-2 * h))) / (12 * h);
      const MatrixXd W = factor(0);
      CHECK((W.transpose() * A * W - MatrixXd::Identity(n, n)).norm() < 1e-13 * n);
      const MatrixXd transposed = matrix_of(n, [&](const double* x, double* u) { factors.solve(x, u); });
      CHECK((transposed - W.transpose()).norm() < 1e-13 * W.norm());
      factors.differentiate(rate_lower.values_of(A_rate).data());  // Ẇ = −W (Pᵀ L̇)ᵀ W
      const MatrixXd L_rate = matrix_of(n, [&](const double* u, double* y) { factors.rate_times(u, y); });
      CHECK((rate + W * L_rate.transpose() * W).norm() < 1e-9 * (1 + rate.norm()));
    }
  }
}

TEST_CASE("a matrix that is not positive definite has no factors", "[free]") {
  const Lower lower = random_lower(5, 1);
  MatrixXd A = random_symmetric(5, lower, 10);
  Arena memory;
  SparseCholesky factors(memory, lower.pattern(5), lower.pattern(5));
  CHECK(factors.factor(lower.values_of(A).data()));
  A(3, 3) = -1;
  CHECK_FALSE(factors.factor(lower.values_of(A).data()));
  A(3, 3) = std::nan("");
  CHECK_FALSE(factors.factor(lower.values_of(A).data()));
}

TEST_CASE("nothing fills in for the mass matrix of a tree", "[free]") {
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<int> parents;
    for (int i = 0; i < 60; ++i)
      parents.push_back(std::max(-1, i - 1 - std::abs(static_cast<int>(4 * random_number()))));
    const Lower lower = pattern_of_tree(parents);
    Arena memory;
    const SparseCholesky factors(memory, lower.pattern(60), lower.pattern(60));
    CHECK(factors.nonzeros() == static_cast<int>(lower.row.size()));
  }
}

TEST_CASE("the basis of a large tree is orthonormal, and its rate is that of differences", "[free]") {
  for (const std::string& text : {hanging_chain(15), chain_in_space(14, false), spring_net(2, 3)}) {
    const Loaded loaded = Loaded::text(text);
    const int n = loaded.sizes().velocities;
    REQUIRE(is_free_and_sparse(loaded.sizes()));
    VectorXd q(n), v(n);
    for (int i = 0; i < n; ++i) q[i] = random_number(), v[i] = random_number();
    Arena memory;
    UnconstrainedBasis<RunTimeModel> basis(memory, RunTimeModel(loaded.table()));
    REQUIRE(memory.ok());
    const Evaluation e(loaded, 0, q, v);
    const ChoiceAt choice(loaded, e);
    const auto W_at = [&](double s) {
      const Evaluation at(loaded, 0, q + s * v, v);
      REQUIRE(basis.factor(at.M_values.data(), nullptr, *choice));
      return matrix_of(n, [&](const double* u, double* result) { basis.apply(u, result); });
    };
    const double h = 1e-3;
    const MatrixXd rate = (8 * (W_at(h) - W_at(-h)) - (W_at(2 * h) - W_at(-2 * h))) / (12 * h);
    const MatrixXd W = W_at(0);
    CHECK((W.transpose() * e.M * W - MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff() < 1e-12);
    basis.differentiate(e.M_values.data(), e.M_rate_values.data(), nullptr);
    CHECK((W_d_rate(basis, loaded.sizes()) - rate).norm() < 1e-8 * (1 + rate.norm()));
  }
}

TEST_CASE("a long chain's accelerations are those of the equations in its links' own angles", "[free]") {
  // With a_i the angle of link i from the horizontal, uniform links of mass m and length l, c_ij = n − max(i, j) + 1/2:
  // Σ_j m l² (c_ij cos(a_i − a_j) ä_j + c_ij sin(a_i − a_j) ȧ_j²) = −m g l (n − i + 1/2) cos a_i,  c_ii = n − i + 1/3
  const int n = 50;
  const double m = 0.1, l = 0.2, g = 9.81;
  const Loaded loaded = Loaded::text(hanging_chain(n));
  const auto simulation = loaded.simulation();
  const auto hinge = [](int i) { return "hinge_" + std::to_string(i + 1) + ".angle"; };
  for (int i = 1; i < n; ++i) {  // the first hinge has a start of its own
    simulation->set_parameter(loaded.parameter(hinge(i) + "_start"), random_number());
    simulation->set_parameter(loaded.parameter(hinge(i) + "_rate_start"), random_number());
  }
  assemble(*simulation);
  VectorXd a(n), rate(n);
  for (int i = 0; i < n; ++i) {
    const int at = loaded.index(hinge(i));
    a[i] = simulation->positions()[at] + (i > 0 ? a[i - 1] : 0);
    rate[i] = simulation->velocities()[at] + (i > 0 ? rate[i - 1] : 0);
  }
  MatrixXd M(n, n);
  VectorXd h(n);
  for (int i = 0; i < n; ++i) {
    h[i] = -m * g * l * (n - i - 0.5) * std::cos(a[i]);
    for (int j = 0; j < n; ++j) {
      const double c = m * l * l * (i == j ? n - 1 - i + 1.0 / 3 : n - 1 - std::max(i, j) + 0.5);
      M(i, j) = c * std::cos(a[i] - a[j]);
      h[i] -= c * std::sin(a[i] - a[j]) * rate[j] * rate[j];
    }
  }
  const VectorXd expected = definite_solution_of(M, h);
  const double* found = simulation->accelerations();
  REQUIRE(found != nullptr);
  for (int i = 0; i < n; ++i) {
    const int at = loaded.index(hinge(i));
    CHECK(std::fabs(found[at] - (expected[i] - (i > 0 ? expected[i - 1] : 0))) <
          1e-10 * expected.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("a chain in space moves as in absolute coordinates", "[free]") {
  const int n = 14;
  const Loaded tree = Loaded::text(chain_in_space(n, false)), absolute = Loaded::text(chain_in_space(n, true));
  REQUIRE(is_free_and_sparse(tree.sizes()));
  REQUIRE(absolute.sizes().degrees_of_freedom() == n);
  Settings settings = tree.settings;
  settings.tolerance = 1e-9;
  const auto of_tree = tree.simulation(settings), of_bodies = absolute.simulation(settings);
  assemble(*of_tree);
  assemble(*of_bodies);
  const Equations equations_of_tree = equations_of(chain_in_space(n, false)),
                  equations = equations_of(chain_in_space(n, true));
  const auto compare = [&](double tolerance) {
    int compared = 0;
    for (const OutputEquation& output : equations_of_tree.outputs) {
      for (const OutputEquation& other : equations.outputs) {
        if (output.shown.name != other.shown.name) continue;
        CAPTURE(output.shown.name);
        const double value = of_tree->outputs(output.group)[output.index],
                     same = of_bodies->outputs(other.group)[other.index];
        CHECK(std::fabs(value - same) < tolerance * (1 + std::fabs(same)));
        ++compared;
      }
    }
    CHECK(compared > 15 * n);  // Places, velocities and reactions were compared.
  };
  compare(1e-9);
  for (const double time : {0.1, 0.2}) {
    advance(*of_tree, time);
    advance(*of_bodies, time);
    compare(1e-5);
  }
}

TEST_CASE("a net of springs swings in its normal modes", "[free]") {
  const int rows = 10, columns = 10, p = 2, q = 3;
  const double spacing = 0.1, mass = 0.01, stiffness = 100, rest = 0.06, amplitude = 1e-6 * spacing;
  const auto shape = [&](int i, int j) {
    return std::sin(p * M_PI * j / (columns + 1)) * std::sin(q * M_PI * i / (rows + 1));
  };
  const auto name = [](int i, int j) { return "place_" + std::to_string(i) + "_" + std::to_string(j) + ".x"; };
  const Loaded loaded = Loaded::text(spring_net(rows, columns), [&](Equations& equations) {
    std::map<std::string, double> start;
    for (int i = 1; i <= rows; ++i) {
      for (int j = 1; j <= columns; ++j) start[name(i, j)] = j * spacing + amplitude * shape(i, j);
    }
    for (std::size_t i = 0; i < equations.positions.size(); ++i) {
      const auto found = start.find(equations.positions[i].name);
      if (found != start.end()) equations.position_guess(static_cast<casadi_int>(i)) = found->second;
    }
  });
  REQUIRE(loaded.sizes().degrees_of_freedom() == 300);
  CHECK(loaded.sizes().M_nonzeros == 300);
  Settings settings = loaded.settings;
  settings.tolerance = 1e-12;
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  const double along = std::sin(p * M_PI / (2 * columns + 2)), across = std::sin(q * M_PI / (2 * rows + 2));
  const double omega = std::sqrt(4 * stiffness / mass * (along * along + (1 - rest / spacing) * across * across));
  const double end = 2 * M_PI / omega * 1.3;
  advance(*simulation, end);
  for (int i = 1; i <= rows; ++i) {
    for (int j = 1; j <= columns; ++j) {
      const double moved = simulation->positions()[loaded.index(name(i, j))] - j * spacing;
      CHECK(std::fabs(moved - amplitude * shape(i, j) * std::cos(omega * end)) < 1e-5 * amplitude);
    }
  }
}
