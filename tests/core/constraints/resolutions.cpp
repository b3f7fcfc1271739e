// Tests that every resolution gives equal accelerations and reactions, on every model.
#include <catch2/catch.hpp>

#include <Eigen/Dense>
#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

#include "fmu_src/constraints/projection.hpp"
#include "fmu_src/constraints/saddle_solvers/any_solver.hpp"
#include "fmu_src/reactions/response.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

using Precise = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

/// Returns v̇ and λ of the kept rows at a state, by elimination in extended precision.
struct Solution {
  VectorXd acceleration, multipliers, reaction;
};

Solution solution_of(const MatrixXd& M, const MatrixXd& C, const MatrixXd& B, const VectorXd& h,
                     const VectorXd& gamma) {
  const auto n = M.rows(), r = C.rows();
  Precise K = Precise::Zero(n + r, n + r);
  K.topLeftCorner(n, n) = M.cast<long double>();
  K.topRightCorner(n, r) = -B.cast<long double>();
  K.bottomLeftCorner(r, n) = C.cast<long double>();
  Precise right(n + r, 1);
  right << h.cast<long double>(), -gamma.cast<long double>();
  const Precise x = K.fullPivLu().solve(right);
  const Precise reaction = B.cast<long double>() * x.bottomRows(r);
  return {x.topRows(n).cast<double>(), x.bottomRows(r).cast<double>(), reaction.cast<double>()};
}

/// A consistent state near the start; false: the random place could not be closed.
bool random_state(const Loaded& loaded, const Simulation& start, std::mt19937& random, VectorXd& q, VectorXd& v) {
  const Sizes& s = loaded.sizes();
  std::uniform_real_distribution<double> uniform(-1, 1);
  const RunTimeModel model(loaded.table());
  q = positions(start);
  VectorXd delta(s.velocities);
  for (double& part : delta) part = 0.1 * uniform(random);
  move(model, delta.data(), q.data());
  normalise(model, q.data());
  std::vector<double> work(s.work + 1), angles(s.angles + 1), loads(s.loads + 1);
  Point p;
  p.q = q.data();
  p.parameters = loaded.parameters().data();
  p.inputs = loaded.inputs().data();
  p.angles = angles.data();
  p.loads = loads.data();
  p.work = work.data();
  p.context = loaded.table().context;
  loaded.table().prepare(p);
  Message message;
  Arena memory;
  Projection projection(memory, loaded.table());
  if (!projection.correct(p, q.data(), message)) return false;
  v.resize(s.velocities);
  for (double& part : v) part = uniform(random);
  const Evaluation e(loaded, 0, q, v);
  if (s.rows() > 0) v -= least_squares_of(e.C, e.C * v + e.c_t);
  return v.allFinite();
}

double relative_error(const VectorXd& found, const VectorXd& expected) {
  if (expected.size() == 0) return 0;
  return (found - expected).cwiseAbs().maxCoeff() / (1e-3 + expected.cwiseAbs().maxCoeff());
}

}  // namespace

TEST_CASE("all resolutions give the same accelerations and reactions", "[resolutions]") {
  for (const std::string& name : model_names()) {
    const Loaded loaded = Loaded::model(name);
    const Mechanism& m = loaded.table();
    const Sizes& s = loaded.sizes();
    const int n = s.velocities, k = s.degrees_of_freedom();
    if (count_free_rows(m) > 0) continue;  // Other rows than those of C hold the accelerations: servo_rows.cpp.
    const auto start = loaded.simulation();
    assemble(*start);
    std::mt19937 random(1);
    int states = 0;
    for (int trial = 0; trial < 400 && states < 100; ++trial) {
      VectorXd q, v;
      if (!random_state(loaded, *start, random, q, v)) continue;
      ++states;
      const Evaluation e(loaded, 0, q, v);
      const ChoiceAt choice(loaded, e);
      MatrixXd C(s.rank, n), B(n, s.rank);
      VectorXd gamma(s.rank);
      for (int i = 0; i < s.rank; ++i) {
        C.row(i) = e.C.row((*choice).rows[i]);
        B.col(i) = e.B.col((*choice).rows[i]);
        gamma[i] = e.gamma[(*choice).rows[i]];
      }
      const auto compare = [&](const char* member, const Solution& exact, const VectorXd& acceleration,
                               const VectorXd& multipliers, const MatrixXd& B) {
        const double error =
            std::max({relative_error(acceleration, exact.acceleration), relative_error(multipliers, exact.multipliers),
                      (B * multipliers - exact.reaction).cwiseAbs().maxCoeff() /
                          (1 + e.h.cwiseAbs().maxCoeff() + exact.reaction.cwiseAbs().maxCoeff())});
        INFO(name << ", " << member << ", state " << states);
        CHECK(error < 1e-10);
      };
      // A basis knows ideal reactions: v̇ = a_p + W_d W_dᵀ (h − M a_p), Cᵀ λ = M v̇ − h.
      const Solution ideal = solution_of(e.M, C, C.transpose(), e.h, gamma);
      for (int b = 0; b < basis_count; ++b) {
        if (!serves(b, e)) continue;
        Arena memory;
        AnyBasis<RunTimeModel> basis(memory, RunTimeModel(m), b);
        INFO(name << ", " << tangent_bases[b] << ", state " << states);
        REQUIRE(factor_at(basis, loaded, 0, q, e, *choice));
        const MatrixXd W = MatrixXd::Map(basis.W().data(), n, k);
        VectorXd particular(n), lambda(s.rows());
        basis.particular(VectorXd(-gamma).data(), particular.data());
        const VectorXd acceleration = particular + W * (W.transpose() * (e.h - e.M * particular));
        basis.multipliers(VectorXd(e.M * acceleration - e.h).data(), lambda.data());
        VectorXd kept(s.rank);
        for (int i = 0; i < s.rank; ++i) kept[i] = lambda[(*choice).rows[i]];
        compare(tangent_bases[b], ideal, acceleration, kept, C.transpose());
      }
      const Solution any = m.character.ideal ? ideal : solution_of(e.M, C, B, e.h, gamma);
      for (int b = basis_count; b < resolution_count; ++b) {
        if (!serves(b, loaded) || !serves(b, e)) continue;
        Arena memory;
        AnySolver solver(memory, RunTimeModel(m), b - basis_count);
        INFO(name << ", " << tangent_bases[b] << ", state " << states);
        const MatrixXd rows = C.transpose();
        REQUIRE(solver.factor(s.rank, e.M.data(), rows.data(), m.character.ideal ? nullptr : B.data()));
        VectorXd acceleration(n), lambda(s.rank);
        solver.solve(e.h.data(), gamma.data(), acceleration.data(), lambda.data());
        compare(tangent_bases[b], any, acceleration, lambda, m.character.ideal ? rows : B);
      }
    }
    INFO(name);
    CHECK(states == 100);
  }
}

TEST_CASE("a solver that knows ideal constraints only refuses others, by name", "[resolutions]") {
  const Loaded loaded = Loaded::model("circling_vehicle");
  for (int b = 0; b < resolution_count; ++b) {
    INFO(tangent_bases[b]);
    Settings settings = loaded.settings;
    settings.tangent_basis = b;
    const auto simulation = loaded.simulation(settings);
    CHECK(simulation->assemble(0) == serves(b, loaded));
    if (!needs_ideal_constraints(b)) continue;
    const std::string text = simulation->message().text;
    INFO(text);
    CHECK(text.find(std::string("'") + tangent_bases[b] + "' needs ideal constraints") != std::string::npos);
    CHECK(text.find("\"kkt\"") != std::string::npos);
  }
}

TEST_CASE("the members are those of the documentation", "[resolutions]") {
  const auto text_of = [](const char* name) {
    std::ifstream file(std::string(MECHFMU_SOURCE_DIR) + "/docs/" + name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  // Returns the first cells of the first table below a heading.
  const auto first_table = [&](const char* document, const std::string& heading) {
    std::istringstream section(text_of(document));
    std::vector<std::string> documented;
    std::string line;
    while (std::getline(section, line) && line != heading) {}
    while (std::getline(section, line) && line.rfind("#", 0) != 0 && !(line.empty() && !documented.empty())) {
      if (line.rfind("| `", 0) == 0) documented.push_back(line.substr(3, line.find('`', 3) - 3));
    }
    return documented;
  };
  const std::vector<std::string> members(std::begin(tangent_bases), std::end(tangent_bases));
  CHECK(first_table("method.md", "### Ways to resolve the constraints") == members);
  CHECK(first_table("methods-compared.md", "## Time of an evaluation") == members);
  std::string line;
  std::istringstream keys(text_of("mechanism-file.md"));
  while (std::getline(keys, line) && line.rfind("| `tangent_basis` |", 0) != 0) {}
  for (const char* name : tangent_bases) {
    INFO(name);
    CHECK(line.find(std::string("`\"") + name + "\"`") != std::string::npos);
  }
}

TEST_CASE("the comparison of methods knows every way to resolve the constraints", "[resolutions]") {
  const auto text_of = [](const char* name) {
    std::ifstream file(std::string(MECHFMU_SOURCE_DIR) + "/" + name);
    REQUIRE(file);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const char *tables = "benchmarks/methods_tables.py", *measured = "benchmarks/methods_measured.py",
             *corrections = "benchmarks/methods.py";
  std::string without_basis;
  for (std::size_t i = 0; i < tangent_bases.size(); ++i) {
    const std::string name = std::string("\"") + tangent_bases[i] + "\"";
    INFO(tables << ": say in FACTORED which matrix " << name << " factors");
    CHECK(text_of(tables).find(name + ": \"") != std::string::npos);
    if (static_cast<int>(i) >= basis_count) without_basis += (without_basis.empty() ? "" : ", ") + name;
  }
  INFO(measured << ": those without a basis are " << without_basis);
  CHECK(text_of(measured).find("WITHOUT_BASIS = (" + without_basis + ")\n") != std::string::npos);
  for (const char* name : drift_corrections) {
    INFO(corrections << ": CORRECTIONS has no run of the drift correction " << name << " with gains; add one");
    CHECK(text_of(corrections).find(std::string("(\"") + name + "\", ") != std::string::npos);
  }
}
