// Tests W. Blajer, D. Bestle, W. Schiehlen, An orthogonal complement matrix formulation for constrained multibody
// systems, 1994, equation by equation: at the paper's two examples, with both cuts and both descriptions of the
// constraint.
#include <catch2/catch.hpp>

#include <cmath>

#include "fmu_src/constraints/saddle_solvers/any_solver.hpp"
#include "fmu_src/constraints/tangent_bases/local_frames.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

/// Is a mechanism of three links in motion.
struct Chain {
  Loaded loaded;
  std::unique_ptr<StandaloneSimulation> simulation;
  double l1, l2, l3, alpha = 0;
  VectorXd q, v;
  Evaluation at;
  double s1, c1, s2, c2, s3, c3;
  static std::unique_ptr<StandaloneSimulation> moved(const Loaded& loaded) {
    auto simulation = loaded.simulation();
    assemble(*simulation);
    advance(*simulation, 0.3);
    return simulation;
  }
  explicit Chain(const Loaded& of)
      : loaded(of.long_form()), simulation(moved(loaded)), l1(value("l1")), l2(value("l2")), l3(value("l3")),
        q(positions(*simulation)), v(velocities(*simulation)), at(loaded, 0.3, q, v), s1(std::sin(q[0])),
        c1(std::cos(q[0])), s2(std::sin(q[1])), c2(std::cos(q[1])), s3(std::sin(q[2])), c3(std::cos(q[2])) {}
  double value(const char* name) const { return loaded.parameters()[loaded.parameter(name)]; }

  /// Returns (28a) and (23a) for the chain's end.
  MatrixXd end_jacobian() const {
    MatrixXd J(2, 3);
    J << -l1 * s1, -l2 * s2, -l3 * s3, l1 * c1, l2 * c2, l3 * c3;
    return J;
  }
  VectorXd multipliers() const { return VectorXd::Map(simulation->multipliers(), loaded.sizes().all_rows()); }
  VectorXd acceleration() const { return VectorXd::Map(simulation->accelerations(), 3); }
};

Chain slope(const char* model) {
  Chain chain(Loaded::model(model));
  chain.alpha = chain.value("alpha");
  return chain;
}

double largest(const MatrixXd& A) { return A.size() == 0 ? 0 : A.cwiseAbs().maxCoeff(); }

/// Steps 5 to 7 of the paper's algorithm: Ĉᵀ and D̂ᵀ extended, (15), J' with unit rows at the coordinates y, (14).
struct Extended {
  MatrixXd J, C_hat, D_hat;  ///< primed: n × n, m × n, (n - m) × n
  Extended(const MatrixXd& local_J, const MatrixXd& local_C, const MatrixXd& local_D, const std::vector<int>& y) {
    const auto n = local_J.cols(), k = local_J.rows(), m = local_C.rows();
    J = MatrixXd::Zero(n, n);
    J.topRows(k) = local_J;
    for (std::size_t i = 0; i < y.size(); ++i) J(k + static_cast<int>(i), y[i]) = 1;
    C_hat = MatrixXd::Zero(m, n);
    C_hat.leftCols(k) = local_C;
    D_hat = MatrixXd::Zero(n - m, n);
    D_hat.topLeftCorner(k - m, k) = local_D;
    D_hat.bottomRightCorner(n - k, n - k).setIdentity();
  }
  MatrixXd C() const { return C_hat * J; }                                        // (16)
  MatrixXd D() const { return (inverse_of(J) * D_hat.transpose()).transpose(); }  // (17)
};

/// J and Ĉ as the mechanism gives them to the core.
struct LocalFrame {
  MatrixXd J, C_hat;
  LocalFrame(const Loaded& loaded, double t, const VectorXd& q) {
    const Sizes& s = loaded.sizes();
    J.resize(s.local_coordinates, s.velocities);
    C_hat.resize(s.rows(), s.local_coordinates);
    const PointAt at(loaded, t, q);
    loaded.table().local_frames(*at, J.data(), C_hat.data());
  }
};

/// V = J'⁻¹ [0 ; 1] of the member: W_d with its unit rows made units again.
MatrixXd member_D(const Chain& chain, const std::vector<int>& y) {
  ChoiceAt choice(chain.loaded, chain.at);
  choice.independent(y);
  Arena memory;
  LocalFramesBasis<RunTimeModel> basis(memory, RunTimeModel(chain.loaded.table()));
  REQUIRE(factor_at(basis, chain.loaded, 0.3, chain.q, chain.at, *choice));
  const MatrixXd W = W_d(basis, chain.loaded.sizes());
  MatrixXd units(W.cols(), W.cols());
  for (std::size_t i = 0; i < y.size(); ++i) units.row(static_cast<int>(i)) = W.row(y[i]);
  return (W * inverse_of(units)).transpose();
}

}  // namespace

TEST_CASE("(1)-(6): D M v̇ = D h has no reactions, with (5) it gives the accelerations of (4)", "[1994]") {
  const Chain chain(Loaded::model("four_bar_equations"));
  const Evaluation& e = chain.at;
  const VectorXd acceleration = chain.acceleration(), lambda = chain.multipliers();
  CHECK(largest(e.M * acceleration - e.h - e.C.transpose() * lambda) < 1e-12 * (1 + largest(e.h)));  // (4)
  CHECK(largest(e.C * acceleration + e.gamma) < 1e-12);                                              // (5)
  const MatrixXd D = Extended(chain.end_jacobian(), MatrixXd::Identity(2, 2), MatrixXd(0, 2), {1}).D();
  MatrixXd K(3, 3);
  K << D * e.M, e.C;
  VectorXd right(3);
  right << D * e.h, -e.gamma;
  CHECK(largest(solution_of(K, right) - acceleration) < 1e-12 * (1 + largest(acceleration)));
  // c₀ is the derivative of ḟ along the motion; as printed after (5), of f, it would be ḟ, which is 0.
  const double step = 1e-5;
  const auto rate = [&](double t) {
    return VectorXd(Evaluation(chain.loaded, 0, chain.q + t * chain.v, chain.v).C * chain.v);
  };
  CHECK(largest((rate(step) - rate(-step)) / (2 * step) - e.gamma) < 1e-8);
  CHECK(largest(e.C * chain.v) < 1e-12);
  CHECK(largest(e.gamma) > 0.1);
}

TEST_CASE("(7)-(12): local constraints and their complement, Cᵀ = Jᵀ Ĉᵀ", "[1994]") {
  const Chain chain = slope("four_bar_on_slope");
  const double tan = std::tan(chain.alpha);
  const Eigen::RowVector2d C_hat(-tan, 1), D_hat(1, tan);
  CHECK(std::fabs(D_hat.dot(C_hat)) < 1e-16);                         // (8)
  CHECK(largest(chain.at.C - C_hat * chain.end_jacobian()) < 1e-14);  // (12)
  const LocalFrame of_file(chain.loaded, 0.3, chain.q);               // the file names x_A and y_A
  CHECK(largest(of_file.J - chain.end_jacobian()) < 1e-15);           // (10), (28a)
  CHECK(largest(of_file.C_hat - C_hat) < 1e-16);                      // (7), (27a)
  // Two constrained points, (11): Ĉᵀ is k × m and D̂ᵀ k × (k - m), as (15) has it too; n - m columns, as printed before
  // (11), it has only where k = n.
  MatrixXd C_all = MatrixXd::Zero(3, 5), D_all = MatrixXd::Zero(2, 5);
  C_all.topLeftCorner(1, 2) = C_hat;
  C_all.bottomRightCorner(2, 3) << 1, 0, 2, 0, 1, -1;
  D_all.topLeftCorner(1, 2) = D_hat;
  D_all.bottomRightCorner(1, 3) << -2, 1, 1;
  CHECK(largest(D_all * C_all.transpose()) < 1e-15);
  CHECK(D_all.rows() == C_all.cols() - C_all.rows());
  CHECK(rank_of(D_all.transpose()) == 2);
}

TEST_CASE("(13)-(17): whatever the complementary coordinates are, D spans the same directions", "[1994]") {
  const Chain chain = slope("four_bar_on_slope");
  const double tan = std::tan(chain.alpha);
  const Eigen::RowVector2d C_hat(-tan, 1), D_hat(1, tan);
  for (int y = 0; y < 3; ++y) {
    INFO("y = theta" << y + 1);
    const Extended extended(chain.end_jacobian(), C_hat, D_hat, {y});
    CHECK(largest(extended.D_hat * extended.C_hat.transpose()) < 1e-16);  // (8) holds for (15).
    CHECK(rank_of(extended.C_hat) == 1);
    CHECK(rank_of(extended.D_hat) == 2);
    CHECK(largest(extended.C() - chain.at.C) < 1e-14);  // (16)
    const MatrixXd D = extended.D();
    CHECK(largest(D * chain.at.C.transpose()) < 1e-13);  // (6)
    CHECK(rank_of(D) == 2);
    // It spans the subspace of the member, which has D̂ and J' of its own.
    MatrixXd both(4, 3);
    both << D, member_D(chain, {1, 2});
    CHECK(rank_of(both) == 2);
  }
  // k = n: any x' that determines q will do, here the end and the sum of the angles.
  MatrixXd J(3, 3);
  J << chain.end_jacobian(), Eigen::RowVector3d(1, 1, 1);
  const MatrixXd D = (inverse_of(J) * Extended(chain.end_jacobian(), C_hat, D_hat, {0}).D_hat.transpose()).transpose();
  CHECK(largest(D * chain.at.C.transpose()) < 1e-13);
}

TEST_CASE("(18): J'⁻¹ in blocks", "[1994]") {
  const Chain chain(Loaded::model("four_bar_equations"));
  for (int y = 0; y < 3; ++y) {
    INFO("y = theta" << y + 1);
    const MatrixXd J = chain.end_jacobian();
    const Extended extended(J, MatrixXd::Identity(2, 2), MatrixXd(0, 2), {y});
    MatrixXd J_2(2, 2);
    std::vector<int> others;
    for (int i = 0; i < 3; ++i)
      if (i != y) others.push_back(i);
    for (int i = 0; i < 2; ++i) J_2.col(i) = J.col(others[static_cast<std::size_t>(i)]);
    MatrixXd inverse = MatrixXd::Zero(3, 3);
    inverse(y, 2) = 1;
    const MatrixXd left = inverse_of(J_2), right = -inverse_of(J_2) * J.col(y);
    for (int i = 0; i < 2; ++i) {
      inverse.block(others[static_cast<std::size_t>(i)], 0, 1, 2) = left.row(i);
      inverse(others[static_cast<std::size_t>(i)], 2) = right(i, 0);
    }
    CHECK(largest(inverse * extended.J - MatrixXd::Identity(3, 3)) < 1e-14);
  }
}

TEST_CASE("(19)-(25a): the loop cut at the ground", "[1994]") {
  const Chain chain(Loaded::model("four_bar_equations"));
  const auto& [loaded, simulation, l1, l2, l3, alpha, q, v, at, s1, c1, s2, c2, s3, c3] = chain;
  CHECK(std::fabs(l1 * c1 + l2 * c2 + l3 * c3 - chain.value("a")) < 1e-14);  // (22a)
  CHECK(std::fabs(l1 * s1 + l2 * s2 + l3 * s3 - chain.value("b")) < 1e-14);
  CHECK(largest(at.C - chain.end_jacobian()) < 1e-15);  // (20), (23a)
  const Eigen::RowVector3d D(-l2 * std::sin(q[2] - q[1]) / (l1 * std::sin(q[2] - q[0])), 1,
                             -l2 * std::sin(q[1] - q[0]) / (l3 * std::sin(q[2] - q[0])));
  CHECK(largest(D * at.C.transpose()) < 1e-14);
  CHECK(largest(member_D(chain, {1}) - D) < 1e-14);
  CHECK(largest(Extended(at.C, MatrixXd::Identity(2, 2), MatrixXd(0, 2), {1}).D() - D) < 1e-14);  // (21), (24)
}

TEST_CASE("(22b)-(25b): the loop cut in the middle moves alike, its mass matrix is simpler", "[1994]") {
  const Chain a(Loaded::model("four_bar_equations"));
  const Chain b(Loaded::model("four_bar_cut_in_the_middle"));
  const auto& [loaded, simulation, l1, l2, l3, alpha, q, v, at, s1, c1, s2, c2, s3, c3] = b;
  MatrixXd J(2, 3);
  J << -l1 * s1, -l2 * s2, -l3 * s3, l1 * c1, l2 * c2, -l3 * c3;  // (23b)
  CHECK(largest(at.C - J) < 1e-15);
  const Eigen::RowVector3d D(-l2 * std::sin(q[2] + q[1]) / (l1 * std::sin(q[2] + q[0])), 1,
                             -l2 * std::sin(q[1] - q[0]) / (l3 * std::sin(q[2] + q[0])));
  CHECK(largest(D * at.C.transpose()) < 1e-14);
  CHECK(largest(member_D(b, {1}) - D) < 1e-14);
  const Eigen::Vector3d turned(1, 1, -1);
  CHECK(largest(q - turned.cwiseProduct(a.q)) < 1e-8);
  CHECK(largest(v - turned.cwiseProduct(a.v)) < 1e-8);
  CHECK(largest(b.acceleration() - turned.cwiseProduct(a.acceleration())) < 1e-7);
  CHECK(a.loaded.table().M.nonzeros == 6);
  CHECK(b.loaded.table().M.nonzeros == 4);  // the rocker is coupled with nothing
}

TEST_CASE("after (25b): J' is singular where the two other links are parallel, and only there", "[1994]") {
  const Chain chain(Loaded::model("four_bar_equations"));
  const double angles[] = {0.4, 1.1, -0.7};
  for (int y = 0; y < 3; ++y) {
    const int i = y == 0 ? 1 : 0, j = y == 2 ? 1 : 2;
    for (const double turn : {0.0, M_PI}) {
      VectorXd q = VectorXd::Map(angles, 3);
      q[j] = q[i] + turn;
      const Evaluation e(chain.loaded, 0, q, chain.v);
      CHECK(std::fabs(determinant_of(Extended(e.C, MatrixXd::Identity(2, 2), MatrixXd(0, 2), {y}).J)) < 1e-14);
      CHECK(rank_of(e.C) == 2);
      for (const int other : {i, j}) {
        INFO(y << " " << other);
        CHECK(std::fabs(determinant_of(Extended(e.C, MatrixXd::Identity(2, 2), MatrixXd(0, 2), {other}).J)) > 0.1);
      }
    }
  }
}

TEST_CASE("(26a)-(33a): two local coordinates, one constraint: D̂ = [1, tan α]", "[1994]") {
  const Chain chain = slope("four_bar_on_slope");
  const auto& [loaded, simulation, l1, l2, l3, alpha, q, v, at, s1, c1, s2, c2, s3, c3] = chain;
  const double tan = std::tan(alpha), s31 = std::sin(q[2] - q[0]);
  const double x = l1 * c1 + l2 * c2 + l3 * c3, y = l1 * s1 + l2 * s2 + l3 * s3;
  CHECK(std::fabs(y - (x - chain.value("c") / std::sin(alpha)) * tan) < 1e-14);  // (26a)
  const Eigen::RowVector2d C_hat(-tan, 1), D_hat(1, tan);                        // (27a), (29a)
  const Extended extended(chain.end_jacobian(), C_hat, D_hat, {1});              // (30a), (31a), (32a)
  CHECK(largest(extended.C() - at.C) < 1e-14);
  MatrixXd printed(2, 3);
  printed << (c3 + s3 * tan) / (l1 * s31), 0, -(c1 + s1 * tan) / (l3 * s31),  //
      -l2 * std::sin(q[2] - q[1]) / (l1 * s31), 1, -l2 * std::sin(q[1] - q[0]) / (l3 * s31);
  CHECK(largest(extended.D() - printed) < 1e-13);
  CHECK(largest(printed * at.C.transpose()) < 1e-13);
  // The core makes the same directions of the file, from its own D̂ and with its own unit rows.
  const ChoiceAt choice(loaded, at);
  const PointAt point(loaded, 0.3, q);
  Arena memory;
  ConstrainedPoints<RunTimeModel> points(memory, RunTimeModel(loaded.table()));
  points.see(*point);
  REQUIRE(points.factor(*choice));
  MatrixXd both(4, 3);
  both << printed, MatrixXd::Map(points.N().data(), 3, 2).transpose();
  CHECK(rank_of(both) == 2);
  CHECK(rank_of(both.bottomRows(2)) == 2);
}

TEST_CASE("(26b)-(33b): one local coordinate, the second row of the printed D lacks a minus", "[1994]") {
  const Chain chain = slope("four_bar_on_slope_minimal");
  const auto& [loaded, simulation, l1, l2, l3, alpha, q, v, at, s1, c1, s2, c2, s3, c3] = chain;
  const double a1 = std::cos(q[0] - alpha), a2 = std::cos(q[1] - alpha), a3 = std::cos(q[2] - alpha);
  const double x = l1 * c1 + l2 * c2 + l3 * c3, y = l1 * s1 + l2 * s2 + l3 * s3;
  CHECK(std::fabs(x * std::sin(alpha) - y * std::cos(alpha) - chain.value("c")) < 1e-14);  // (26b)
  CHECK(largest(at.C - Eigen::RowVector3d(-l1 * a1, -l2 * a2, -l3 * a3)) < 1e-14);         // (27b), (28b)
  MatrixXd right(2, 3);
  right << -l2 * a2 / (l1 * a1), 1, 0, -l3 * a3 / (l1 * a1), 0, 1;
  MatrixXd printed = right;
  printed(1, 0) = -printed(1, 0);
  const MatrixXd J_hat = MatrixXd::Identity(1, 1);
  CHECK(largest(Extended(at.C, J_hat, MatrixXd(0, 1), {1, 2}).D() - right) < 1e-13);  // (30b), (31b), (32b)
  CHECK(largest(member_D(chain, {1, 2}) - right) < 1e-13);
  CHECK(largest(right * at.C.transpose()) < 1e-13);
  CHECK(largest(printed * at.C.transpose()) > 0.1);
  CHECK(largest((printed * at.C.transpose()).row(0)) < 1e-13);
}

TEST_CASE("example 2: both descriptions have the same tangent directions, motion and reaction", "[1994]") {
  const Chain two = slope("four_bar_on_slope"), one = slope("four_bar_on_slope_minimal");
  CHECK(largest(two.q - one.q) < 1e-9);
  CHECK(largest(two.acceleration() - one.acceleration()) < 1e-7);
  CHECK(largest(two.at.C + one.at.C / std::cos(two.alpha)) < 1e-9);
  CHECK(largest(two.at.C.transpose() * two.multipliers() - one.at.C.transpose() * one.multipliers()) < 1e-6);
  MatrixXd both(4, 3);
  const Eigen::RowVector2d C_hat(-std::tan(two.alpha), 1), D_hat(1, std::tan(two.alpha));
  both << Extended(two.end_jacobian(), C_hat, D_hat, {1}).D(), member_D(two, {1, 2});
  CHECK(rank_of(both) == 2);
}

TEST_CASE("(34), (35), (38), (38a): without gains and with them, the same as the full equations", "[1994]") {
  for (const char* model : {"four_bar_equations", "four_bar_on_slope", "four_bar_on_slope_minimal"}) {
    INFO(model);
    const Chain chain(Loaded::model(model));
    const Sizes& s = chain.loaded.sizes();
    // Beside the constraints too, where f and ḟ are not 0.
    for (const double off : {0.0, 1e-2}) {
      const VectorXd q = chain.q + off * Eigen::Vector3d(1, -2, 0.5), v = chain.v + off * Eigen::Vector3d(-1, 1, 3);
      const Evaluation e(chain.loaded, 0, q, v);
      const MatrixXd M_inverse = inverse_of(e.M), M_c = inverse_of(e.C * M_inverse * e.C.transpose());
      for (const double gain : {0.0, 20.0}) {
        const VectorXd c_0 = e.gamma + gain * (e.C * v) + gain * gain / 4 * e.f;
        const VectorXd lambda = -M_c * (c_0 + e.C * M_inverse * e.h);  // (35)
        const VectorXd by_38a = M_inverse * (e.h - e.C.transpose() * M_c * (c_0 + e.C * M_inverse * e.h));
        CHECK(largest(e.C * by_38a + c_0) < 1e-10 * (1 + largest(c_0)));  // (34)
        // This is (6) with (34).
        const MatrixXd D = null_space(e.C).transpose();
        MatrixXd K(3, 3);
        K << D * e.M, e.C;
        VectorXd right(3);
        right << D * e.h, -c_0;
        const VectorXd by_6 = solution_of(K, right);
        CHECK(largest(by_6 - by_38a) < 1e-11 * (1 + largest(by_38a)));
        // These are the program's solvers of the full equations.
        for (int member = 0; member < resolution_count - basis_count; ++member) {
          INFO(tangent_bases[basis_count + member]);
          Arena memory;
          AnySolver solver(memory, RunTimeModel(chain.loaded.table()), member);
          const MatrixXd rows = e.C.transpose();
          REQUIRE(solver.factor(s.rank, e.M.data(), rows.data(), nullptr));
          VectorXd acceleration(3), multipliers(s.rank);
          solver.solve(e.h.data(), c_0.data(), acceleration.data(), multipliers.data());
          CHECK(largest(acceleration - by_38a) < 1e-10 * (1 + largest(by_38a)));
          CHECK(largest(multipliers - lambda) < 1e-10 * (1 + largest(lambda)));
        }
        if (off == 0 && gain == 0) CHECK(largest(lambda - chain.multipliers()) < 1e-10 * (1 + largest(lambda)));
      }
    }
  }
}

TEST_CASE("(36), (37): a reaction in its local frame is J'^{-T} r, where the paper prints J'⁻¹ r", "[1994]") {
  SECTION("as many local coordinates as constraints") {
    const Chain chain(Loaded::model("four_bar_equations"));
    const VectorXd lambda = chain.multipliers();
    for (const int y : {0, 1, 2}) {
      const Extended extended(chain.at.C, MatrixXd::Identity(2, 2), MatrixXd(0, 2), {y});
      for (int j = 0; j < 2; ++j) {
        const VectorXd r = chain.at.C.transpose().col(j) * lambda[j];  // (36)
        const VectorXd expected = VectorXd::Unit(3, j) * lambda[j];    // [ĉ_j λ_j ; 0]
        CHECK(largest(inverse_of(extended.J.transpose()) * r - expected) < 1e-11 * (1 + largest(lambda)));
        CHECK(largest(inverse_of(extended.J) * r - expected) > 0.1);
      }
    }
    // The member's multipliers are found just so.
    const ChoiceAt choice(chain.loaded, chain.at);
    Arena memory;
    LocalFramesBasis<RunTimeModel> basis(memory, RunTimeModel(chain.loaded.table()));
    REQUIRE(basis.factor(chain.at.M_values.data(), chain.at.C_values.data(), *choice));
    VectorXd found(2);
    basis.multipliers(VectorXd(chain.at.M * chain.acceleration() - chain.at.h).data(), found.data());
    CHECK(largest(found - lambda) < 1e-11 * (1 + largest(lambda)));
  }
  SECTION("two local coordinates, one constraint: the force of the slope in x and y") {
    const Chain chain = slope("four_bar_on_slope");
    const double lambda = chain.multipliers()[0], tan = std::tan(chain.alpha);
    const Eigen::RowVector2d C_hat(-tan, 1), D_hat(1, tan);
    const Extended extended(chain.end_jacobian(), C_hat, D_hat, {1});
    const VectorXd r = chain.at.C.transpose() * lambda;
    const VectorXd local = inverse_of(extended.J.transpose()) * r;
    CHECK(local[0] == Approx(-tan * lambda).epsilon(1e-10));
    CHECK(local[1] == Approx(lambda).epsilon(1e-10));
    CHECK(std::fabs(local[2]) < 1e-10 * std::fabs(lambda));
    CHECK(std::fabs((inverse_of(extended.J) * r)[0] + tan * lambda) > 0.1);
    // Its length is the normal force, whatever description gives it; λ and |r| are not.
    const double normal = local.head(2).norm();
    CHECK(normal == Approx(std::fabs(slope("four_bar_on_slope_minimal").multipliers()[0])).epsilon(1e-6));
    CHECK(std::fabs(std::fabs(lambda) - normal) > 0.1);
    CHECK(std::fabs(r.norm() - normal) > 0.1);
  }
}
