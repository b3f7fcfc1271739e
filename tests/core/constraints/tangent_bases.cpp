// Has the property suite that every tangent basis passes (constraints/tangent_bases/tangent_basis.hpp states the
// contract).
#include <catch2/catch.hpp>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <functional>
#include <random>

#include "fmu_src/constraints/tangent_bases/list.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

struct Case {
  std::string name;
  Loaded loaded;
};

/// Two constrained points: one with three local coordinates and two constraints, one with two and one, which depends on
/// time; and a constraint that is its own local coordinate.
const char* const with_local_coordinates = R"toml(
[mechanism]
name = "LocalCoordinates"
[coordinates]
a = { start = 0.4 }
b = { start = 0.7 }
c = { start = -0.3 }
d = { start = 1.1 }
e = { start = 0.2 }
f = { start = 0.5 }
g = { start = -0.6 }
[definitions]
u = "sin(a) + 2*cos(b + c)"
w = "b*c + d"
z = "e + a*g"
[dynamics]
kinetic_energy = "1*((2 + cos(b))*der(a)^2 + der(a)*der(b)/2 + der(b)^2 + der(c)^2*(1 + a^2) + der(d)^2 + der(e)*der(d)/3 + der(e)^2 + der(f)^2 + 2*der(g)^2 + der(f)*der(g))"
[constraints]
one = { local = { x = "u", y = "w", r = "z" }, position = "x^2 + y*r - 1.2" }
two = { local = { p = "w", q = "z" }, position = "p + sin(q) - 0.9" }
three = { local = { h = "f + g*a", k = "g - e" }, position = "h*k + k^2 + time*h/10 + 0.7" }
four = { velocity = "der(f) + b*der(g) - der(c)/2" }
)toml";

/// They have k = 1 … 3, m = 0 … 4, moving constraints, nonholonomic and redundant rows; the models are added.
const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> result;
    for (const std::string& name : models_of_equations()) {
      const Loaded model = Loaded::model(name).long_form();
      if (model.sizes().degrees_of_freedom() > 0) result.push_back({name, model});
    }
    result.push_back({"local coordinates", Loaded::text(with_local_coordinates)});
    unsigned seed = 10;
    const auto add = [&](const std::string& name, const Shape& shape) {
      result.push_back({name, Loaded::text(random_mechanism(++seed, shape)).long_form()});
    };
    for (int k = 1; k <= 3; ++k) {
      for (int m = 0; m <= 4; ++m) {
        Shape shape;
        shape.coordinates = k + m;
        shape.position_rows = m;
        add("k = " + std::to_string(k) + ", m = " + std::to_string(m), shape);
      }
    }
    Shape shape;
    shape.coordinates = 5;
    shape.position_rows = 2;
    shape.rheonomic = true;
    add("rheonomic", shape);
    shape.velocity_rows = 1;
    add("rheonomic and nonholonomic", shape);
    shape.rheonomic = false;
    add("nonholonomic", shape);
    shape.redundant = true;
    add("redundant and nonholonomic", shape);
    shape.velocity_rows = 0;
    add("redundant", shape);
    return result;
  }();
  return all;
}

/// A random state near the start: q need not close the constraints, v need not fit them.
struct RandomState {
  VectorXd q, v;
  double t = 0.37;
  RandomState(const Loaded& loaded, unsigned seed, double spread) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    q = positions(*simulation);
    v.resize(loaded.sizes().velocities);
    for (int i = 0; i < q.size(); ++i) {
      q[i] += spread * uniform(random);
      v[i] = uniform(random);
    }
  }
};

double spread_of(const Case& c) { return c.name.find("redundant") == 0 || c.name == "circling_vehicle" ? 0 : 0.1; }

/// Returns dF/ds at 0 by central differences, extrapolated in h² three times.
MatrixXd derivative(const std::function<MatrixXd(double)>& F, double h) {
  std::vector<MatrixXd> row;
  for (int i = 0; i < 4; ++i, h /= 2) row.push_back((F(h) - F(-h)) / (2 * h));
  for (int order = 1; order < 4; ++order) {
    const double factor = std::pow(4.0, order);
    for (int i = 0; i + order < 4; ++i) row[i] = (factor * row[i + 1] - row[i]) / (factor - 1);
  }
  return row[0];
}

VectorXd kept(const VectorXd& all, const Choice& choice, int rank) {
  VectorXd result(rank);
  for (int i = 0; i < rank; ++i) result[i] = all[choice.rows[i]];
  return result;
}

}  // namespace

TEST_CASE("constrained points: C = Ĉ J, and local frames give its null space unless local coordinates depend",
          "[bases][1994]") {
  const Loaded loaded = Loaded::text(with_local_coordinates);
  const Sizes& s = loaded.sizes();
  REQUIRE(s.local_coordinates == 6);  // x, y = p, r = q, h, k and the velocity constraint itself
  const Mechanism& m = loaded.table();
  CHECK(std::vector<int>(m.row_points, m.row_points + s.rows()) == std::vector<int>{0, 0, 1, 2});
  CHECK(std::vector<int>(m.local_points, m.local_points + s.local_coordinates) == std::vector<int>{0, 0, 0, 1, 1, 2});
  const double t = 0.37;
  const auto evaluated = [&](const VectorXd& q, bool independent) {
    const Evaluation e(loaded, t, q, VectorXd::Zero(s.velocities));
    const PointAt at(loaded, t, q);
    MatrixXd J(s.local_coordinates, s.velocities), C_hat(s.rows(), s.local_coordinates);
    m.local_frames(*at, J.data(), C_hat.data());
    CHECK((C_hat * J - e.C).cwiseAbs().maxCoeff() < 1e-15 * (1 + e.C.cwiseAbs().maxCoeff()));
    const ChoiceAt choice(loaded, e);
    Arena memory;
    ConstrainedPoints<RunTimeModel> points(memory, RunTimeModel(m));
    CHECK_FALSE(points.factor(*choice));  // nobody has shown the point
    points.see(*at);
    REQUIRE(points.factor(*choice) == independent);
    if (independent) {
      const MatrixXd N = MatrixXd::Map(points.N().data(), s.velocities, s.degrees_of_freedom());
      CHECK((e.C * N).cwiseAbs().maxCoeff() < 1e-13 * (1 + N.cwiseAbs().maxCoeff()));
      CHECK(rank_of(N) == s.degrees_of_freedom());
      const VectorXd r = VectorXd::LinSpaced(s.rank, -1, 2);
      VectorXd x(s.velocities), lambda(s.rank);
      points.particular(r.data(), x.data());
      for (int i = 0; i < s.rank; ++i) CHECK(std::fabs(e.C.row((*choice).rows[i]).dot(x) - r[i]) < 1e-13);
      VectorXd force = VectorXd::Zero(s.velocities);
      for (int i = 0; i < s.rank; ++i) force += e.C.row((*choice).rows[i]).transpose() * r[i];
      points.multipliers(force.data(), lambda.data());
      CHECK((lambda - r).cwiseAbs().maxCoeff() < 1e-13);
    }
    // The basis has the same directions in either case.
    LocalFramesBasis<RunTimeModel> basis(memory, RunTimeModel(m));
    PartitionedBasis<RunTimeModel> peer(memory, RunTimeModel(m));
    REQUIRE(factor_at(basis, loaded, t, q, e, *choice));
    REQUIRE(factor_at(peer, loaded, t, q, e, *choice));
    CHECK((W_d(basis, s) - W_d(peer, s)).cwiseAbs().maxCoeff() < 1e-12);
  };
  VectorXd q(7);
  q << 0.4, 0.7, -0.3, 1.1, 0.2, 0.5, -0.6;
  evaluated(q, true);
  q << M_PI / 2, 0, 0, 1.1, 0.2, 0.5, -0.6;  // u̇ is rounding
  evaluated(q, true);
  q << -1, 0.7, -0.3, 1.1, 0.2, 0.5, 0;  // ż = ė − ġ = −k̇: J has not its full rank
  evaluated(q, false);
}

TEMPLATE_LIST_TEST_CASE("a tangent basis spans the null space of C and is orthonormal in M", "[bases]", Bases) {
  for (const Case& c : cases()) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      INFO(TestType::name << ", " << c.name << ", seed " << seed);
      const Sizes& s = c.loaded.sizes();
      const RandomState state(c.loaded, seed, spread_of(c));
      const Evaluation e(c.loaded, state.t * (spread_of(c) > 0), state.q, state.v);
      if (!serves(member(tangent_bases, TestType::name), e)) continue;
      const ChoiceAt choice(c.loaded, e);
      Arena memory;
      TestType basis(memory, RunTimeModel(c.loaded.table()));
      REQUIRE(memory.ok());
      REQUIRE(factor_at(basis, c.loaded, state.t * (spread_of(c) > 0), state.q, e, *choice));
      const MatrixXd W = W_d(basis, s);
      const double scale = 1 + W.cwiseAbs().maxCoeff() * (e.C.size() ? e.C.cwiseAbs().maxCoeff() : 0);
      if (s.rows() > 0) CHECK((e.C * W).cwiseAbs().maxCoeff() < 1e-13 * scale);
      CHECK((W.transpose() * e.M * W - MatrixXd::Identity(W.cols(), W.cols())).cwiseAbs().maxCoeff() < 1e-13);

      std::mt19937 random(seed);
      std::uniform_real_distribution<double> uniform(-1, 1);
      VectorXd lambda(s.rows()), x(s.velocities);
      for (double& value : lambda) value = uniform(random);
      for (double& value : x) value = uniform(random);
      const VectorXd residual = kept(e.C * x, *choice, s.rank);
      VectorXd particular(s.velocities);
      basis.particular(residual.data(), particular.data());
      const VectorXd back = kept(e.C * particular, *choice, s.rank);
      if (s.rank > 0) CHECK((back - residual).cwiseAbs().maxCoeff() < 1e-12 * scale);
      // If rows are redundant, λ is not unique, but Cᵀλ is.
      const VectorXd force = e.C.transpose() * lambda;
      VectorXd found(s.rows());
      basis.multipliers(force.data(), found.data());
      if (s.rank > 0) CHECK((e.C.transpose() * found - force).cwiseAbs().maxCoeff() < 1e-12 * scale);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("Ẇ_d is the derivative of W_d along any motion", "[bases]", Bases) {
  for (const Case& c : cases()) {
    INFO(TestType::name << ", " << c.name);
    const Sizes& s = c.loaded.sizes();
    const RandomState state(c.loaded, 7, spread_of(c));
    Arena memory;
    TestType basis(memory, RunTimeModel(c.loaded.table()));
    const Evaluation here(c.loaded, state.t, state.q, state.v);
    if (!serves(member(tangent_bases, TestType::name), here)) continue;
    const ChoiceAt choice(c.loaded, here);
    const auto W_at = [&](double step) -> MatrixXd {
      const Evaluation e(c.loaded, state.t + step, state.q + step * state.v, state.v);
      REQUIRE(factor_at(basis, c.loaded, state.t + step, state.q + step * state.v, e, *choice));
      return W_d(basis, s);
    };
    const MatrixXd differenced = derivative(W_at, 0.01);
    REQUIRE(factor_at(basis, c.loaded, state.t, state.q, here, *choice));
    basis.differentiate(here.M_values.data(), here.M_rate_values.data(), here.C_rate_values.data());
    const MatrixXd exact = W_d_rate(basis, s);
    CHECK((exact - differenced).cwiseAbs().maxCoeff() < 1e-8 * (1 + exact.cwiseAbs().maxCoeff()));
    // For any motion, d/dt (W_dᵀ M W_d) = 0.
    const MatrixXd W = W_d(basis, s);
    const MatrixXd half = W.transpose() * here.M * exact;
    const MatrixXd sum = half + half.transpose() + W.transpose() * here.M_rate * W;
    CHECK(sum.cwiseAbs().maxCoeff() < 1e-11 * (1 + exact.cwiseAbs().maxCoeff()));
  }
}

TEST_CASE("with unit vectors for E* all bases are Gram-Schmidt's or span the same space", "[bases]") {
  for (const Case& c : cases()) {
    const Sizes& s = c.loaded.sizes();
    const RandomState state(c.loaded, 3, spread_of(c));
    const Evaluation e(c.loaded, state.t, state.q, state.v);
    if (!e.has_regular_M()) continue;
    const ChoiceAt choice(c.loaded, e);
    const RunTimeModel model(c.loaded.table());
    const auto prepare = [&](auto& basis) {
      REQUIRE(factor_at(basis, c.loaded, state.t, state.q, e, *choice));
      basis.differentiate(e.M_values.data(), e.M_rate_values.data(), e.C_rate_values.data());
    };
    Arena memory;
    GramSchmidtBasis<RunTimeModel> gram_schmidt(memory, model);
    prepare(gram_schmidt);
    const MatrixXd W = W_d(gram_schmidt, s), W_rate = W_d_rate(gram_schmidt, s);
    const double scale = 1 + W.cwiseAbs().maxCoeff();
    for (int b = 0; b < basis_count; ++b) {
      INFO(c.name << ", " << tangent_bases[b]);
      Arena memory;
      AnyBasis<RunTimeModel> basis(memory, model, b);
      prepare(basis);
      CHECK((W_d(basis, s) - W).cwiseAbs().maxCoeff() < 1e-12 * scale);
      CHECK((W_d_rate(basis, s) - W_rate).cwiseAbs().maxCoeff() < 1e-11 * (scale + W_rate.cwiseAbs().maxCoeff()));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("nearly dependent constraints leave W_d as accurate as their pivot", "[bases]", Bases) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    Shape shape;
    shape.coordinates = 5;
    shape.position_rows = 3;
    shape.nearly_dependent = 1e-6;
    const Loaded loaded = Loaded::text(random_mechanism(seed, shape));
    INFO(TestType::name << ", seed " << seed);
    REQUIRE(loaded.sizes().rank == 3);
    const RandomState state(loaded, seed, 0);
    const Evaluation e(loaded, 0, state.q, state.v);
    const ChoiceAt choice(loaded, e);
    Arena memory;
    TestType basis(memory, RunTimeModel(loaded.table()));
    REQUIRE(factor_at(basis, loaded, 0, state.q, e, *choice));
    const MatrixXd W = W_d(basis, loaded.sizes());
    // The residual stays at round-off; the direction itself is known to 1e-16 over the pivot of 1e-6.
    CHECK((e.C * W).cwiseAbs().maxCoeff() < 1e-14 * (1 + W.cwiseAbs().maxCoeff()));
    CHECK((W.transpose() * e.M * W - MatrixXd::Identity(2, 2)).cwiseAbs().maxCoeff() < 1e-13);
    const MatrixXd N = null_space(e.C);
    const MatrixXd outside = W - N * (N.transpose() * W);
    CHECK(outside.cwiseAbs().maxCoeff() < 1e-8);
  }
}
