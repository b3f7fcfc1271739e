// Tests E. Pennestrì, P. P. Valentini, Coordinate reduction strategies in multibody dynamics: a review, 2007: its
// formulas against the program's members and against full matrices. Here M v̇ = h + Cᵀ λ and C v̇ = -γ; there M q̈ +
// Ψ_qᵀ λ = Q and Ψ_q q̈ = γ: their λ and γ are the opposites of ours.
#include <catch2/catch.hpp>

#include <Eigen/Dense>
#include <cmath>

#include "fmu_src/constraints/saddle_solvers/any_solver.hpp"
#include "fmu_src/constraints/tangent_bases/lu.hpp"
#include "fmu_src/constraints/tangent_bases/putd.hpp"
#include "fmu_src/constraints/tangent_bases/qr.hpp"
#include "fmu_src/constraints/tangent_bases/qtz.hpp"
#include "fmu_src/constraints/tangent_bases/schur.hpp"
#include "fmu_src/constraints/tangent_bases/svd.hpp"
#include "fmu_src/constraints/tangent_bases/zero_eigenvalue.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

double largest(const MatrixXd& A) { return A.size() == 0 ? 0 : A.cwiseAbs().maxCoeff(); }

/// Is a random mechanism at its start, in the review's letters.
struct Review {
  Loaded loaded;
  std::unique_ptr<StandaloneSimulation> simulation;
  Evaluation at;
  int n, m, F;
  MatrixXd M, Psi;
  VectorXd Q, gamma, v, acceleration, lambda;

  static Loaded mechanism(unsigned seed, int rows) {
    Shape shape;
    shape.coordinates = 6;
    shape.position_rows = rows;
    return Loaded::text(random_mechanism(seed, shape)).long_form();
  }
  static std::unique_ptr<StandaloneSimulation> started(const Loaded& loaded) {
    auto simulation = loaded.simulation();
    assemble(*simulation);
    return simulation;
  }
  Review(unsigned seed, int rows)
      : loaded(mechanism(seed, rows)), simulation(started(loaded)), at(evaluate(loaded, *simulation)), n(6), m(rows),
        F(6 - rows), M(at.M), Psi(at.C), Q(at.h), gamma(-at.gamma), v(velocities(*simulation)),
        acceleration(VectorXd::Map(simulation->accelerations(), 6)),
        lambda(-VectorXd::Map(simulation->multipliers(), rows)) {}

  MatrixXd full() const {
    MatrixXd K = MatrixXd::Zero(n + m, n + m);
    K.topLeftCorner(n, n) = M;
    K.topRightCorner(n, m) = Psi.transpose();
    K.bottomLeftCorner(m, n) = Psi;
    return K;
  }
  void check(const VectorXd& other_acceleration, const VectorXd& other_lambda) const {
    CHECK(largest(other_acceleration - acceleration) < 1e-10 * (1 + largest(acceleration)));
    CHECK(largest(other_lambda - lambda) < 1e-10 * (1 + largest(lambda)));
  }
  /// Runs the program's solver without a basis.
  void check_member(const char* name) const {
    Arena memory;
    AnySolver solver(memory, RunTimeModel(loaded.table()), basis(name) - basis_count);
    const MatrixXd rows = Psi.transpose();
    REQUIRE(solver.factor(m, M.data(), rows.data(), nullptr));
    VectorXd found(n), multipliers(m);
    solver.solve(Q.data(), VectorXd(-gamma).data(), found.data(), multipliers.data());
    check(found, -multipliers);
  }
};

template <class Check>
void for_some(const Check& check) {
  for (unsigned seed = 1; seed <= 3; ++seed)
    for (const int rows : {1, 2, 4}) {
      INFO("seed " << seed << ", m = " << rows);
      check(Review(seed, rows));
    }
}

/// Returns N of a member.
template <template <class> class NullSpace>
MatrixXd null_vectors(const Review& r) {
  Arena memory;
  NullSpace<RunTimeModel> member(memory, RunTimeModel(r.loaded.table()));
  const MatrixXd rows = r.Psi.transpose();
  REQUIRE(member.factor({rows.data(), r.n}));
  return MatrixXd::Map(member.N().data(), r.n, r.F);
}

void check_orthonormal(const Review& r, const MatrixXd& V) {
  CHECK(largest(r.Psi * V) < 1e-12);
  CHECK(largest(V.transpose() * V - MatrixXd::Identity(r.F, r.F)) < 1e-12);
}

}  // namespace

TEST_CASE("(1): F = n - p, p the rank of the Jacobian, dependent rows or not", "[review]") {
  for (const bool redundant : {false, true}) {
    Shape shape;
    shape.coordinates = 5;
    shape.position_rows = 2;
    shape.redundant = redundant;
    const Loaded loaded = Loaded::text(random_mechanism(3, shape));
    const auto simulation = Review::started(loaded);
    const Evaluation e = evaluate(loaded.long_form(), *simulation);
    CHECK(e.C.rows() == (redundant ? 3 : 2));
    CHECK(loaded.sizes().degrees_of_freedom() == 5 - rank_of(e.C));
  }
}

TEST_CASE("(2)-(4): the full equations", "[review]") {
  for_some([](const Review& r) {
    VectorXd right(r.n + r.m);
    right << r.Q, r.gamma;
    const VectorXd solution = solution_of(r.full(), right);
    r.check(solution.head(r.n), solution.tail(r.m));
    r.check_member("kkt");
  });
}

TEST_CASE("(5)-(10): range space, λ₁ is L_1 λ, and the printed (9) leaves L_1^{-T} out", "[review]") {
  for_some([](const Review& r) {
    const auto solve_by = [&](const MatrixXd& L) {                              // L Lᵀ = M
      const MatrixXd inverse = inverse_of(L), H = inverse * r.Psi.transpose();  // (7)
      const MatrixXd L_1 = upper_factor_of(H.transpose() * H);                  // (8), upper
      MatrixXd left = MatrixXd::Zero(r.n + r.m, r.n + r.m), upper = left;
      left << L, MatrixXd::Zero(r.n, r.m), H.transpose(), -L_1.transpose();
      upper << L.transpose(), H, MatrixXd::Zero(r.m, r.n), L_1;
      CHECK(largest(left * upper - r.full()) < 1e-11 * (1 + largest(r.M)));  // (5)
      const VectorXd open = H.transpose() * inverse * r.Q - r.gamma;
      const VectorXd lambda_1 = solution_of(L_1.transpose(), open), lambda = solution_of(L_1, lambda_1);
      const VectorXd acceleration = inverse.transpose() * (inverse * r.Q - H * lambda);  // (10)
      r.check(acceleration, lambda);
      CHECK(largest(inverse_of(L_1) * open - r.lambda) > 1e-3 * largest(r.lambda));
    };
    solve_by(r.M.llt().matrixL());
    solve_by(Eigen::SelfAdjointEigenSolver<MatrixXd>(r.M).operatorSqrt());  // (6): the symmetric root serves as well
    r.check_member("range_space");
  });
}

TEST_CASE("null space method: R_2 L̃^{-T} in the second factor, where R_2 L̃ᵀ is printed", "[review]") {
  for_some([](const Review& r) {
    // Coordinates in an order in which the first m columns of Ψ are regular.
    const Eigen::FullPivLU<MatrixXd> lu(r.Psi);
    const MatrixXd P = lu.permutationQ();
    const MatrixXd M = P.transpose() * r.M * P, Psi = r.Psi * P;
    const int m = r.m, F = r.F;
    const Eigen::HouseholderQR<MatrixXd> qr(Psi.leftCols(m));
    const MatrixXd L = qr.householderQ(), R = L.transpose() * Psi;  // Ψ = L [R_1 R_2]
    const MatrixXd R_1 = R.leftCols(m), R_2 = R.rightCols(F), inverse = inverse_of(R_1);
    const MatrixXd M_11 = M.topLeftCorner(m, m), M_12 = M.topRightCorner(m, F), M_21 = M.bottomLeftCorner(F, m);
    const MatrixXd M_tilde = M_12 - M_11 * inverse * R_2;
    const MatrixXd M_22 = M.bottomRightCorner(F, F), across = inverse * R_2;
    const MatrixXd S = M_22 - M_21 * across - across.transpose() * M_tilde;
    const MatrixXd L_tilde = S.llt().matrixL();
    const auto product = [&](const MatrixXd& in_question) {
      MatrixXd first = MatrixXd::Zero(r.n + m, r.n + m), second = first, third = first;
      first.diagonal().setOnes();
      first.block(0, r.n, m, m) = M_11 * inverse;
      first.block(m, 0, F, m) = R_2.transpose() * inverse.transpose();
      first.block(m, r.n, F, m) = M_21 * inverse;
      first.bottomRightCorner(m, m) = L;
      second.block(0, m, m, F) = M_tilde * inverse_of(L_tilde.transpose());
      second.block(0, r.n, m, m) = R_1.transpose();
      second.block(m, m, F, F) = L_tilde;
      second.block(r.n, 0, m, m) = R_1;
      second.block(r.n, m, m, F) = in_question;
      third.diagonal().setOnes();
      third.block(m, m, F, F) = L_tilde.transpose();
      third.bottomRightCorner(m, m) = L.transpose();
      return MatrixXd(first * second * third);
    };
    MatrixXd K = MatrixXd::Zero(r.n + m, r.n + m);
    K.topLeftCorner(r.n, r.n) = M;
    K.topRightCorner(r.n, m) = Psi.transpose();
    K.bottomLeftCorner(m, r.n) = Psi;
    CHECK(largest(product(R_2 * inverse_of(L_tilde.transpose())) - K) < 1e-11 * (1 + largest(K)));
    CHECK(largest(product(R_2 * L_tilde.transpose()) - K) > 1e-2);
    r.check_member("null_space_block");
  });
}

TEST_CASE("(11)-(13): Baumgarte's γ̄ is γ - 2α Ψ̇ - β² Ψ, the print swaps Ψ and Ψ̇ and lacks the square", "[review]") {
  const Review at_start(2, 2);
  const VectorXd q = positions(*at_start.simulation) + 1e-2 * VectorXd::LinSpaced(6, -1, 1);
  const VectorXd v = at_start.v + 1e-2 * VectorXd::LinSpaced(6, 2, -1);
  const Evaluation e(at_start.loaded, 0, q, v);
  const double alpha = 5, beta = 7;
  const VectorXd f = e.f, rate = e.C * v + e.c_t;
  // Returns Ψ̈ of the motion: Ψ_q q̈ - γ with γ = -e.gamma.
  const auto second_rate = [&](const VectorXd& gamma) {
    MatrixXd K = MatrixXd::Zero(8, 8);
    K.topLeftCorner(6, 6) = e.M;
    K.topRightCorner(6, 2) = e.C.transpose();
    K.bottomLeftCorner(2, 6) = e.C;
    VectorXd right(8);
    right << e.h, gamma;
    return VectorXd(e.C * solution_of(K, right).head(6) + e.gamma);
  };
  const VectorXd altered = -e.gamma - 2 * alpha * rate - beta * beta * f;
  CHECK(largest(second_rate(altered) + 2 * alpha * rate + beta * beta * f) < 1e-10);  // (11)
  const VectorXd printed = -e.gamma - 2 * alpha * f - beta * rate;                    // (12)
  CHECK(largest(second_rate(printed) + 2 * alpha * rate + beta * beta * f) > 1e-2);
}

TEST_CASE("before (11): Ψ̇ is Ψ_q q̇ + Ψ_t, as (37) has it, not - Ψ_t", "[review]") {
  Shape shape;
  shape.coordinates = 5;
  shape.position_rows = 2;
  shape.rheonomic = true;
  const Loaded loaded = Loaded::text(random_mechanism(4, shape)).long_form();
  const auto simulation = Review::started(loaded);
  const Evaluation e = evaluate(loaded, *simulation);
  const VectorXd q = positions(*simulation), v = velocities(*simulation);
  const double step = 1e-5;
  const auto f = [&](double t) { return VectorXd(Evaluation(loaded, t, q + t * v, v).f); };
  const VectorXd rate = (f(step) - f(-step)) / (2 * step);
  CHECK(largest(rate - (e.C * v + e.c_t)) < 1e-8);
  CHECK(largest(rate - (e.C * v - e.c_t)) > 1e-2);
}

TEST_CASE("(14), (15): Maggi's equations, the term of V̇ has a minus", "[review]") {
  for_some([](const Review& r) {
    // V with unit rows, whose derivative is at hand.
    const ChoiceAt choice(r.loaded, r.at);
    MatrixXd Psi_u(r.m, r.m), Psi_v(r.m, r.F);
    for (int i = 0; i < r.m; ++i) Psi_u.col(i) = r.Psi.col((*choice).dependent[i]);
    for (int i = 0; i < r.F; ++i) Psi_v.col(i) = r.Psi.col((*choice).independent[i]);
    MatrixXd V = MatrixXd::Zero(r.n, r.F), V_rate = V;
    const MatrixXd dependent = -inverse_of(Psi_u) * Psi_v;
    for (int i = 0; i < r.m; ++i) V.row((*choice).dependent[i]) = dependent.row(i);
    for (int i = 0; i < r.F; ++i) V((*choice).independent[i], i) = 1;
    const MatrixXd rate = -inverse_of(Psi_u) * r.at.C_rate * V;
    for (int i = 0; i < r.m; ++i) V_rate.row((*choice).dependent[i]) = rate.row(i);
    CHECK(largest(r.Psi * V) < 1e-12);
    VectorXd speeds(r.F);
    for (int i = 0; i < r.F; ++i) speeds[i] = r.v[(*choice).independent[i]];
    CHECK(largest(V * speeds - r.v) < 1e-11);
    const MatrixXd reduced = inverse_of(V.transpose() * r.M * V);
    const VectorXd bias = V.transpose() * r.M * V_rate * speeds, force = V.transpose() * r.Q;
    const auto with = [&](const VectorXd& right) { return VectorXd(V * reduced * right + V_rate * speeds); };
    CHECK(largest(with(force - bias) - r.acceleration) < 1e-10 * (1 + largest(r.acceleration)));
    CHECK(largest(with(force + bias) - r.acceleration) > 1e-4);
  });
}

TEST_CASE("(16)-(19): V from conditions appended to the constraints", "[review]") {
  for_some([](const Review& r) {
    // Φ = A q - v: the independent coordinates are any combinations that make Γ_q regular.
    const MatrixXd A = MatrixXd::Random(r.F, r.n);
    MatrixXd Gamma_q(r.n, r.n), Gamma_v = MatrixXd::Zero(r.n, r.F);
    Gamma_q << r.Psi, A;
    Gamma_v.bottomRows(r.F) = -MatrixXd::Identity(r.F, r.F);
    const MatrixXd V = -inverse_of(Gamma_q) * Gamma_v;  // (18)
    CHECK(largest(r.Psi * V) < 1e-10);
    CHECK(largest(V * (A * r.v) - r.v) < 1e-9 * (1 + largest(V)));  // (19)
  });
}

TEST_CASE("(20)-(23): zero eigenvalue", "[review]") {
  for_some([](const Review& r) {
    const MatrixXd V = null_vectors<ZeroEigenvalueNullSpace>(r);
    check_orthonormal(r, V);                                // (23)
    CHECK(largest(r.Psi.transpose() * r.Psi * V) < 1e-12);  // (21): eigenvalue 0; none is negative
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(r.Psi.transpose() * r.Psi);
    CHECK(eigen.eigenvalues().minCoeff() > -1e-12);
    CHECK((eigen.eigenvalues().array() < 1e-12).count() == r.F);  // (22)
  });
}

TEST_CASE("(24)-(27): QR, Q_2 is V", "[review]") {
  for_some([](const Review& r) {
    const MatrixXd Q_2 = null_vectors<QrNullSpace>(r);
    check_orthonormal(r, Q_2);  // (26), (27)
    const Eigen::HouseholderQR<MatrixXd> qr(r.Psi.transpose());
    const MatrixXd Q = qr.householderQ(), R = Q.transpose() * r.Psi.transpose();
    CHECK(largest(R.bottomRows(r.F)) < 1e-12);                  // (24)
    CHECK(largest(Q_2.transpose() * Q.leftCols(r.m)) < 1e-12);  // (25)
  });
}

TEST_CASE("(28), (29): SVD, V is W_i, where its transpose is printed", "[review]") {
  for_some([](const Review& r) {
    const MatrixXd W_i = null_vectors<SvdNullSpace>(r);
    check_orthonormal(r, W_i);
    const Eigen::JacobiSVD<MatrixXd> svd(r.Psi.transpose(), Eigen::ComputeFullU | Eigen::ComputeFullV);
    const MatrixXd W_d = svd.matrixU().leftCols(r.m);
    CHECK(largest(W_d * svd.singularValues().asDiagonal() * svd.matrixV().transpose() - r.Psi.transpose()) < 1e-12);
    CHECK(largest(W_i.transpose() * W_d) < 1e-12);
    CHECK(W_i.rows() == r.n);  // V is n × F
  });
}

TEST_CASE("(30), (31): PUTD, D_2 Hᵀ is Q_2ᵀ", "[review]") {
  for_some([](const Review& r) {
    const MatrixXd V = null_vectors<PutdNullSpace>(r);
    CHECK(largest(r.Psi * V) < 1e-12);
    const MatrixXd H = MatrixXd(Eigen::HouseholderQR<MatrixXd>(r.Psi.transpose()).householderQ());
    MatrixXd D_2 = MatrixXd::Zero(r.F, r.n);
    D_2.rightCols(r.F).setIdentity();
    CHECK(largest(D_2 * H.transpose() * r.Psi.transpose()) < 1e-12);  // (30)
    const MatrixXd Q_2 = H * D_2.transpose();                         // (31)
    CHECK(largest(V - Q_2 * (Q_2.transpose() * V)) < 1e-12);
    CHECK(rank_of(V) == r.F);
  });
}

TEST_CASE("(32)-(34): Schur", "[review]") {
  for_some([](const Review& r) {
    const MatrixXd V = null_vectors<SchurNullSpace>(r);
    check_orthonormal(r, V);                                            // (34)
    const Eigen::RealSchur<MatrixXd> schur(r.Psi.transpose() * r.Psi);  // (32)
    CHECK(largest(schur.matrixT().triangularView<Eigen::StrictlyLower>()) < 1e-12);
    MatrixXd K_1(r.n, 0);
    for (int i = 0; i < r.n; ++i) {
      if (std::fabs(schur.matrixT()(i, i)) > 1e-10) continue;
      K_1.conservativeResize(r.n, K_1.cols() + 1);
      K_1.rightCols(1) = schur.matrixU().col(i);
    }
    REQUIRE(K_1.cols() == r.F);  // (33)
    CHECK(largest(V - K_1 * (K_1.transpose() * V)) < 1e-7);
  });
}

TEST_CASE("QTZ: complete orthogonal decomposition", "[review]") {
  for_some([](const Review& r) {
    const MatrixXd V = null_vectors<QtzNullSpace>(r), other = null_space(r.Psi);
    CHECK(largest(r.Psi * V) < 1e-12);
    CHECK(largest(V - other * (other.transpose() * V)) < 1e-12);
  });
}

TEST_CASE("(35)-(47): coordinate partitioning", "[review]") {
  for_some([](const Review& r) {
    const ChoiceAt choice(r.loaded, r.at);
    const auto part = [&](int i) { return i < r.F ? (*choice).independent[i] : (*choice).dependent[i - r.F]; };
    MatrixXd P = MatrixXd::Zero(r.n, r.n);  // q = P (v, u), (35)
    for (int i = 0; i < r.n; ++i) P(part(i), i) = 1;
    const int F = r.F, m = r.m;
    const MatrixXd M = P.transpose() * r.M * P, Psi = r.Psi * P;
    const VectorXd Q = P.transpose() * r.Q;
    const MatrixXd Psi_v = Psi.leftCols(F), inverse = inverse_of(Psi.rightCols(m)), S = inverse * Psi_v;
    CHECK(largest(Psi * (P.transpose() * r.v) + r.at.c_t) < 1e-11);                                     // (39)
    CHECK(largest(Psi * (P.transpose() * r.acceleration) - r.gamma) < 1e-10 * (1 + largest(r.gamma)));  // (40)
    const MatrixXd vu = M.topRightCorner(F, m), uv = M.bottomLeftCorner(m, F), uu = M.bottomRightCorner(m, m);
    const MatrixXd M_hat = M.topLeftCorner(F, F) - vu * S - S.transpose() * (uv - uu * S);  // (46)
    const VectorXd Q_hat = Q.head(F) - vu * inverse * r.gamma - S.transpose() * (Q.tail(m) - uu * inverse * r.gamma);
    VectorXd acceleration(r.n);
    acceleration.head(F) = M_hat.llt().solve(Q_hat);                               // (45), (47)
    acceleration.tail(m) = inverse * (r.gamma - Psi_v * acceleration.head(F));     // This is step 4.
    const VectorXd lambda = inverse.transpose() * (Q - M * acceleration).tail(m);  // (43)
    CHECK(largest((M * acceleration - Q).head(F) + Psi_v.transpose() * lambda) < 1e-10 * (1 + largest(Q)));  // (42)
    r.check(P * acceleration, lambda);
    // M̂ is V'MV of the member that partitions, at every configuration anew.
    const MatrixXd V = null_vectors<LuNullSpace>(r);
    CHECK(largest(r.Psi * V) < 1e-12);
  });
}

TEST_CASE("after (47): Udwadia and Kalaba", "[review]") {
  for_some([](const Review& r) {
    const MatrixXd root = Eigen::SelfAdjointEigenSolver<MatrixXd>(r.M).operatorInverseSqrt();
    CHECK(largest(root * root * r.M - MatrixXd::Identity(r.n, r.n)) < 1e-11);
    const MatrixXd D = r.Psi * root;
    const VectorXd free = inverse_of(r.M) * r.Q;
    const VectorXd acceleration = free + root * least_squares_of(D, r.gamma - r.Psi * free);
    CHECK(largest(acceleration - r.acceleration) < 1e-10 * (1 + largest(r.acceleration)));
    r.check_member("udwadia_kalaba");
  });
}
