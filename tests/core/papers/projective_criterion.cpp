// Tests the choice of E* in sequence (constraints/choice.hpp) where the paper's separate sines fail, and switching
// during motion.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fmu_src/stepping/tangent_motion.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

/// Returns g_i = W_dᵀ k_i √metric_i as columns.
MatrixXd projections(const MatrixXd& W, const VectorXd& metric) {
  return (metric.cwiseSqrt().asDiagonal() * W).transpose();
}

/// Returns the smallest singular value of the chosen columns: 1 is best, 0 means dependent.
double independence(const MatrixXd& G, const std::vector<int>& columns) {
  MatrixXd chosen(G.rows(), columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) chosen.col(j) = G.col(columns[j]);
  return singular_values_of(chosen).minCoeff();
}

/// Chooses by (5.4)-(5.5) for each unit vector alone: the k largest sines.
std::vector<int> separately(const MatrixXd& G) {
  std::vector<int> order(G.cols());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return G.col(a).norm() > G.col(b).norm() + 1e-12; });
  order.resize(G.rows());
  return order;
}

std::vector<int> in_sequence(const MatrixXd& W, const VectorXd& metric) {
  const int n = static_cast<int>(W.rows()), k = static_cast<int>(W.cols());
  std::vector<int> picked(k);
  std::vector<double> scratch(n * k);
  best_columns(n, k, {W.data(), n}, metric.data(), nullptr, picked.data(), nullptr, scratch.data());
  return picked;
}

VectorXd sine_metric(const MatrixXd& M) { return inverse_of(M).diagonal().cwiseInverse(); }

MatrixXd tangent_space(const Evaluation& e) {
  const MatrixXd N = null_space(e.C);
  const MatrixXd S = N.transpose() * e.M * N;
  return N * inverse_of(upper_factor_of(S));
}

}  // namespace

TEST_CASE("the unit vectors with the largest sines may be dependent together", "[criterion]") {
  // q1 − q2 = ε q3 and q3 = q4 = q5, M = I: the first two share one direction, the last three the other.
  const double epsilon = 1e-3;
  MatrixXd C(3, 5);
  C << 1, -1, -epsilon, 0, 0,  //
      0, 0, 1, -1, 0,          //
      0, 0, 0, 1, -1;
  const MatrixXd W = null_space(C);
  const VectorXd metric = VectorXd::Ones(5);
  const MatrixXd G = projections(W, metric);
  std::vector<int> alone = separately(G), together = in_sequence(W, metric);
  std::sort(alone.begin(), alone.end());
  CHECK(alone == std::vector<int>{0, 1});
  CHECK(independence(G, alone) < epsilon);
  CHECK(independence(G, together) > 0.5);
  CHECK(std::count_if(together.begin(), together.end(), [](int i) { return i < 2; }) == 1);
}

TEST_CASE("a platform with three motors passes where the separate criterion is nearly singular", "[criterion]") {
  const Loaded robot = Loaded::text(three_motor_robot());
  REQUIRE(robot.sizes().velocities == 7);
  REQUIRE(robot.sizes().rank == 4);
  Settings settings = robot.settings;
  settings.tangent_basis = basis("qr");  // no E* to choose: the motion itself
  settings.method = method("dop853");
  settings.tolerance = 1e-9;
  const auto simulation = robot.simulation(settings);
  assemble(*simulation);
  double worst_alone = 1, worst_together = 1;
  for (int i = 0; i <= 1000; ++i) {
    if (i > 0) advance(*simulation, i * 0.005);
    const Evaluation e = evaluate(robot, *simulation);
    const MatrixXd W = tangent_space(e);
    const VectorXd metric = sine_metric(e.M);
    const MatrixXd G = projections(W, metric);
    worst_alone = std::min(worst_alone, independence(G, separately(G)));
    worst_together = std::min(worst_together, independence(G, in_sequence(W, metric)));
  }
  CHECK(worst_alone < 0.005);
  CHECK(worst_together > 0.1);
}

TEST_CASE("switching does not change the motion", "[criterion]") {
  const Loaded robot = Loaded::text(three_motor_robot());
  const auto run = [&](const char* basis_name, double tolerance) {
    Settings settings = robot.settings;
    settings.tangent_basis = basis(basis_name);
    settings.method = method("dop853");
    settings.tolerance = tolerance;
    auto simulation = robot.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 3);
    return simulation;
  };
  const auto exact = run("qr", 1e-13);
  CHECK(exact->basis_switches() == 0);
  for (const char* basis_name : {"partitioned", "gram_schmidt"}) {
    INFO(basis_name);
    const auto fine = run(basis_name, 1e-12);
    CHECK(fine->basis_switches() >= 2);
    CHECK(fine->basis_switches() < 50);
    CHECK(distance(*fine, *exact) < 1e-9);
    CHECK(distance(*run(basis_name, 1e-8), *exact) < 1e-5);
  }
  CHECK(distance(*run("qr", 1e-8), *exact) < 1e-5);
}

TEMPLATE_TEST_CASE("v and T are the same before and after a switch", "[criterion]", PartitionedBasis<RunTimeModel>,
                   GramSchmidtBasis<RunTimeModel>) {
  const Loaded robot = Loaded::text(three_motor_robot());
  // A poor choice put into the state: accept() must replace it.
  const auto simulation = robot.simulation();
  assemble(*simulation);
  const Evaluation e = evaluate(robot, *simulation);
  const VectorXd metric = e.M.diagonal();
  const MatrixXd W = tangent_space(e), G = projections(W, metric);
  std::vector<int> worst;
  double lowest = 1;
  for (int a = 0; a < 7; ++a) {
    for (int b = a + 1; b < 7; ++b) {
      for (int c = b + 1; c < 7; ++c) {
        const double quality = independence(G, {a, b, c});
        if (quality > 1e-3 && quality < lowest) {
          lowest = quality;
          worst = {a, b, c};
        }
      }
    }
  }
  REQUIRE(lowest < 0.1);
  ChoiceAt poor(robot, e);
  poor.independent(worst);
  Arena memory;
  TestType basis(memory, RunTimeModel(robot.table()));
  REQUIRE(basis.factor(e.M_values.data(), e.C_values.data(), *poor));
  const VectorXd v = velocities(*simulation);
  const VectorXd u = W_d(basis, robot.sizes()).transpose() * e.M * v;

  State state(memory, robot.sizes());
  std::copy(simulation->state(), simulation->state() + simulation->state_size(), state.data());
  (*poor).store(state);
  std::copy(u.begin(), u.end(), state.u);
  const double T = 0.5 * u.squaredNorm();
  TangentMotion<RunTimeModel, PartitionedBasis> partitioned(memory, robot.table(), RunTimeModel(robot.table()),
                                                            Drift::none);
  TangentMotion<RunTimeModel, GramSchmidtBasis> gram_schmidt(memory, robot.table(), RunTimeModel(robot.table()),
                                                             Drift::none);
  const auto accept = [&](auto& motion) {
    Message message;
    std::vector<double> y(motion.length());
    REQUIRE(motion.begin(state, message));
    motion.pack(state, y.data());
    REQUIRE(motion.accept(*state.time, y.data(), false, state, message));
  };
  if (std::string(TestType::name) == "partitioned") accept(partitioned);
  else accept(gram_schmidt);
  CHECK(*state.basis_switches == 1);
  CHECK((VectorXd::Map(state.v, 7) - v).cwiseAbs().maxCoeff() < 1e-12);
  CHECK(0.5 * VectorXd::Map(state.u, 3).squaredNorm() == Approx(T).epsilon(1e-13));
  CHECK((VectorXd::Map(state.u, 3) - u).cwiseAbs().maxCoeff() > 1e-3);
}

TEST_CASE("(5.2)-(5.5) during the motion: the choice in force keeps half of the largest sine", "[criterion]") {
  // With one degree of freedom the paper's criterion and the one in sequence are the same.
  for (const std::string model : {"four_bar_equations", "spatial_four_bar"}) {
    INFO(model);
    const Loaded loaded = Loaded::model(model);
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    double lowest = 1;
    for (int i = 0; i <= 400; ++i) {
      if (i > 0) advance(*simulation, i * 0.02);
      const Evaluation e = evaluate(loaded, *simulation);
      const MatrixXd M_inverse = inverse_of(e.M), W = tangent_space(e);
      const MatrixXd R = upper_factor_of(e.C * M_inverse * e.C.transpose());
      const MatrixXd W_c = M_inverse * e.C.transpose() * inverse_of(R);
      const VectorXd along_c = W_c.rowwise().squaredNorm(), along_d = W.rowwise().squaredNorm();  // (5.3), (5.4)
      CHECK((along_c + along_d - M_inverse.diagonal()).cwiseAbs().maxCoeff() < 1e-11 * M_inverse.diagonal().maxCoeff());
      // This is the form for the start, at any instant.
      const MatrixXd C_up = e.C * M_inverse;
      const VectorXd at_start = (C_up.transpose() * inverse_of(C_up * e.C.transpose()) * C_up).diagonal();
      CHECK((at_start - along_c).cwiseAbs().maxCoeff() < 1e-9 * M_inverse.diagonal().maxCoeff());
      Arena memory;
      State state(memory, loaded.sizes());
      std::copy(simulation->state(), simulation->state() + simulation->state_size(), state.data());
      Choice choice(memory, loaded.sizes());
      choice.take_from(state);
      const VectorXd sines = projections(W, e.M.diagonal()).colwise().norm();
      CHECK(sines[choice.independent[0]] >= 0.5 * sines.maxCoeff() * (1 - 1e-9));
      lowest = std::min(lowest, sines.minCoeff());
    }
    CHECK(lowest < 0.05);  // some unit vector was nearly sunk in the constrained directions
    CHECK((simulation->basis_switches() > 0) == (model == "spatial_four_bar"));
  }
}

TEST_CASE("(5.5): a unit vector that is totally sunk in the constrained directions is not chosen", "[criterion]") {
  const Loaded loaded = Loaded::model("guided_pendulum");
  VectorXd q(3), v = VectorXd::Zero(3);
  q << 0.1, 0.5, M_PI / 2;  // the guide holds x2 alone
  const Evaluation e(loaded, 0, q, v);
  const MatrixXd W = tangent_space(e), M_inverse = inverse_of(e.M);
  CHECK(W.row(1).norm() < 1e-15);
  std::vector<int> picked = in_sequence(W, sine_metric(e.M));
  std::sort(picked.begin(), picked.end());
  CHECK(picked == std::vector<int>{0, 2});
}

TEST_CASE("after (5.5): W_d* taken for E* gives the best conditioned P*", "[criterion]") {
  const Loaded robot = Loaded::text(three_motor_robot());
  const auto simulation = robot.simulation();
  assemble(*simulation);
  const Evaluation e = evaluate(robot, *simulation);
  const MatrixXd W = tangent_space(e), M_inverse = inverse_of(e.M);
  const MatrixXd R = upper_factor_of(e.C * M_inverse * e.C.transpose());
  MatrixXd frame(7, 7);
  frame << M_inverse * e.C.transpose() * inverse_of(R), W;
  // P* in an orthonormal frame, its vectors of unit length: 1 if they are orthonormal, 0 if dependent.
  const auto condition = [&](const MatrixXd& E) {
    MatrixXd P(7, 7);
    P << e.M * frame.leftCols(4), E;
    MatrixXd in_frame = frame.transpose() * P;
    in_frame.colwise().normalize();
    return singular_values_of(in_frame).minCoeff();
  };
  CHECK(condition(e.M * W) == Approx(1).epsilon(1e-11));
  double best = 0;
  for (int a = 0; a < 7; ++a)
    for (int b = a + 1; b < 7; ++b)
      for (int c = b + 1; c < 7; ++c) {
        MatrixXd E = MatrixXd::Zero(7, 3);
        E(a, 0) = E(b, 1) = E(c, 2) = 1;
        best = std::max(best, condition(E));
      }
  CHECK(best < 0.9);
}

namespace {

/// Returns multipliers from the equations (4.9) of these rows.
VectorXd from_rows(const MatrixXd& B, const VectorXd& reaction, const std::vector<int>& rows) {
  MatrixXd chosen(rows.size(), B.cols());
  VectorXd right(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    chosen.row(static_cast<int>(i)) = B.row(rows[i]);
    right[static_cast<int>(i)] = reaction[rows[i]];
  }
  return solution_of(chosen, right);
}

}  // namespace

TEST_CASE("(4.9): m of n equations by the largest cosines, for λ and for physical components", "[criterion]") {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    testing::Shape shape;
    shape.coordinates = 6;
    shape.position_rows = 1 + static_cast<int>(seed % 3);
    const int m = shape.position_rows;
    INFO("seed " << seed << ", m = " << m);
    const Loaded loaded = Loaded::text(random_mechanism(seed, shape)).long_form();
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    const Evaluation e = evaluate(loaded, *simulation);
    const VectorXd lambda = VectorXd::Map(simulation->multipliers(), m);
    const MatrixXd M_inverse = inverse_of(e.M);
    const MatrixXd R = upper_factor_of(e.C * M_inverse * e.C.transpose());
    const MatrixXd W_c = M_inverse * e.C.transpose() * inverse_of(R);
    const VectorXd reaction = e.M * W_c * (R * lambda);  // W_c* λ_w
    CHECK((reaction - e.C.transpose() * lambda).cwiseAbs().maxCoeff() < 1e-11 * (1 + lambda.cwiseAbs().maxCoeff()));
    // It chooses cosines in sequence like the sines.
    const std::vector<int> rows = in_sequence(W_c, sine_metric(e.M));
    CHECK(independence(projections(W_c, sine_metric(e.M)), rows) > 0.05);
    CHECK((from_rows(e.C.transpose(), reaction, rows) - lambda).cwiseAbs().maxCoeff() <
          1e-10 * (1 + lambda.cwiseAbs().maxCoeff()));
    // Physical components are another distribution B* of these directions.
    MatrixXd mix = MatrixXd::Identity(m, m) * 0.3;
    for (int i = 0; i + 1 < m; ++i) mix(i, i + 1) = 1.5;
    const VectorXd physical = from_rows(e.C.transpose() * mix, reaction, rows);
    CHECK((mix * physical - lambda).cwiseAbs().maxCoeff() < 1e-10 * (1 + lambda.cwiseAbs().maxCoeff()));
  }
}

TEST_CASE("(4.9): the largest cosines, each for itself, may choose dependent equations", "[criterion]") {
  // The constrained directions of this mechanism are the tangent ones of the first test of this file.
  const double epsilon = 1e-3;
  MatrixXd tangent(3, 5);
  tangent << 1, -1, -epsilon, 0, 0,  //
      0, 0, 1, -1, 0,                //
      0, 0, 0, 1, -1;
  const MatrixXd W_c = null_space(tangent);
  const MatrixXd G = projections(W_c, VectorXd::Ones(5));
  std::vector<int> alone = separately(G);
  std::sort(alone.begin(), alone.end());
  CHECK(alone == std::vector<int>{0, 1});
  CHECK(independence(G, alone) < epsilon);
  CHECK(independence(G, in_sequence(W_c, VectorXd::Ones(5))) > 0.5);
}
