// Tests W. Blajer, Orthonormalizing the configuration space, 1993, equation by equation, at the example of its section
// 6 and at random mechanisms. It names misprints, and shows that they are misprints.
#include <catch2/catch.hpp>

#include <cmath>

#include "fmu_src/constraints/projection.hpp"
#include "fmu_src/reactions/accelerations.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

/// The moving pendulum of figure 3 in motion, with gravity and a push as applied forces; E* = (e1, e3) as in (6.3).
struct MovingPendulum {
  Loaded loaded = Loaded::model("guided_pendulum").long_form();
  double m = 2, J = 0.2, rho = 0.5, x3 = 0.7, x3_rate = -1.3, x1_rate = 0.8;
  double s = std::sin(x3), c = std::cos(x3);
  double mu_1 = std::sqrt(m), mu_2 = std::sqrt(J + m * rho * rho * c * c);
  VectorXd q = (VectorXd(3) << 0.3, rho* s, x3).finished();
  VectorXd v = (VectorXd(3) << x1_rate, rho* c* x3_rate, x3_rate).finished();
  Evaluation at{loaded, 0, q, v};
  ChoiceAt choice{loaded, at};
  MovingPendulum() { choice.independent({0, 2}); }

  template <class Basis>
  void prepare(Basis& basis) const {
    REQUIRE(basis.factor(at.M_values.data(), at.C_values.data(), *choice));
    basis.differentiate(at.M_values.data(), at.M_rate_values.data(), at.C_rate_values.data());
  }
};

double largest(const MatrixXd& A) { return A.cwiseAbs().maxCoeff(); }

/// Is a consistent random mechanism in motion, with everything evaluated at its assembled start.
struct RandomMotion {
  Loaded loaded;
  std::unique_ptr<StandaloneSimulation> simulation;
  VectorXd q, v;
  Evaluation at;
  RandomMotion(unsigned seed, const Shape& shape)
      : loaded(Loaded::text(random_mechanism(seed, shape)).long_form()), simulation(start(loaded)),
        q(positions(*simulation)), v(velocities(*simulation)), at(loaded, 0, q, v) {}
  static std::unique_ptr<StandaloneSimulation> start(const Loaded& loaded) {
    auto made = loaded.simulation();
    assemble(*made);
    return made;
  }
};

Shape shape(int coordinates, int rows, bool rheonomic = false) {
  Shape result;
  result.coordinates = coordinates;
  result.position_rows = rows;
  result.rheonomic = rheonomic;
  return result;
}

}  // namespace

TEST_CASE("(6.1), (6.2): mass matrix and constraint of the moving pendulum", "[blajer]") {
  const MovingPendulum p;
  CHECK(largest(p.at.M - Eigen::Vector3d(p.m, p.m, p.J).asDiagonal().toDenseMatrix()) < 1e-15);
  CHECK(std::fabs(p.at.f[0]) < 1e-16);
  VectorXd raised = p.q;
  raised[1] += 0.25;
  CHECK(Evaluation(p.loaded, 0, raised, p.v).f[0] == Approx(0.25).epsilon(1e-14));
}

TEST_CASE("(6.3): P* = [C* E*]", "[blajer]") {
  const MovingPendulum p;
  CHECK(largest(p.at.C - Eigen::RowVector3d(0, 1, -p.rho * p.c)) < 1e-15);
  CHECK((*p.choice).independent[0] == 0);
  CHECK((*p.choice).independent[1] == 2);
  CHECK((*p.choice).dependent[0] == 1);
}

TEMPLATE_LIST_TEST_CASE("(6.4), (6.5): W_d and its derivative", "[blajer]", Bases) {
  const MovingPendulum p;
  Arena memory;
  TestType basis(memory, RunTimeModel(p.loaded.table()));
  p.prepare(basis);
  MatrixXd W(3, 2), W_rate(3, 2);
  W << 1 / p.mu_1, 0,  //
      0, p.rho * p.c / p.mu_2, 0, 1 / p.mu_2;
  const double scale = p.x3_rate * p.s / std::pow(p.mu_2, 3);
  W_rate << 0, 0,  //
      0, -p.J * p.rho * scale, 0, p.m * p.rho * p.rho * p.c * scale;
  CHECK(largest(W_d(basis, p.loaded.sizes()) - W) < 1e-15);
  CHECK(largest(W_d_rate(basis, p.loaded.sizes()) - W_rate) < 1e-14);
}

TEST_CASE("(6.6): resolved equations of motion", "[blajer]") {
  const MovingPendulum p;
  Arena memory;
  GramSchmidtBasis<RunTimeModel> basis(memory, RunTimeModel(p.loaded.table()));
  p.prepare(basis);
  const MatrixXd W = W_d(basis, p.loaded.sizes()), W_rate = W_d_rate(basis, p.loaded.sizes());
  const VectorXd u = W.transpose() * p.at.M * p.v;
  CHECK((W * u)[0] == Approx(u[0] / p.mu_1).epsilon(1e-14));
  CHECK((W * u)[1] == Approx(p.rho * u[1] * p.c / p.mu_2).epsilon(1e-14));
  CHECK((W * u)[2] == Approx(u[1] / p.mu_2).epsilon(1e-14));
  CHECK(largest(W * u - p.v) < 1e-14);
  const double h_1 = p.at.h[0], h_2 = p.at.h[1], h_3 = p.at.h[2];
  CHECK(h_2 == Approx(-p.m * 9.81));
  const VectorXd u_rate = W.transpose() * (p.at.h - p.at.M * W_rate * u);  // (4.4)
  CHECK(u_rate[0] == Approx(h_1 / p.mu_1).margin(1e-14));
  CHECK(u_rate[1] == Approx((p.rho * h_2 * p.c + h_3) / p.mu_2).epsilon(1e-13));
}

TEST_CASE("(6.7): initial tangent velocities, the printed u20 lacks a factor cos x3", "[blajer]") {
  const MovingPendulum p;
  Arena memory;
  PartitionedBasis<RunTimeModel> basis(memory, RunTimeModel(p.loaded.table()));
  p.prepare(basis);
  const VectorXd u = W_d(basis, p.loaded.sizes()).transpose() * p.at.M * p.v;  // (4.7)
  CHECK(u[0] == Approx(p.mu_1 * p.v[0]).epsilon(1e-14));
  const double mu_1_squared = p.mu_1 * p.mu_1;
  CHECK(u[1] == Approx(mu_1_squared / p.mu_2 * p.rho * p.c * p.v[1] + p.J / p.mu_2 * p.v[2]).epsilon(1e-14));
  const double printed = mu_1_squared / p.mu_2 * p.rho * p.v[1] + p.J / p.mu_2 * p.v[2];
  CHECK(std::fabs(u[1] - printed) > 1e-2);
  // ½|u|² is the kinetic energy only with it.
  const double T = 0.5 * p.v.dot(p.at.M * p.v);
  CHECK(0.5 * u.squaredNorm() == Approx(T).epsilon(1e-14));
}

TEST_CASE("(3.2): w* = v*/‖v‖, where the paper prints v*‖v‖", "[blajer]") {
  const MovingPendulum p;
  Arena memory;
  GramSchmidtBasis<RunTimeModel> basis(memory, RunTimeModel(p.loaded.table()));
  p.prepare(basis);
  // ‖c‖² is as in the paper's conclusions.
  const double length = std::sqrt(1 / p.m + p.rho * p.rho * p.c * p.c / p.J);
  const VectorXd v_1 = inverse_of(p.at.M) * p.at.C.transpose();
  CHECK(std::sqrt(v_1.dot(p.at.M * v_1)) == Approx(length).epsilon(1e-14));
  const VectorXd w_1 = v_1 / length, printed = v_1 * length;
  CHECK(w_1.dot(p.at.M * w_1) == Approx(1).epsilon(1e-14));
  CHECK(std::fabs(printed.dot(p.at.M * printed) - 1) > 0.1);
  VectorXd particular(3);
  const double one = 1;
  basis.particular(&one, particular.data());  // W_c R_cc^{-T}
  CHECK(largest(particular - w_1 / length) < 1e-15);
}

TEST_CASE("(3.5): (1/‖v‖)˙ = −½‖v‖⁻³ (‖v‖²)˙, where the paper prints ½‖v‖^(−3/2)", "[blajer]") {
  const MovingPendulum p;
  const auto square = [&](double t) {
    const double c = std::cos(p.x3 + t * p.x3_rate);
    return 1 / p.m + p.rho * p.rho * c * c / p.J;
  };
  const double step = 1e-5;
  const double rate = (1 / std::sqrt(square(step)) - 1 / std::sqrt(square(-step))) / (2 * step);
  const double square_rate = -2 * p.rho * p.rho * p.c * p.s * p.x3_rate / p.J;
  const double length = std::sqrt(square(0));
  CHECK(rate == Approx(-0.5 * std::pow(length, -3) * square_rate).epsilon(1e-8));
  CHECK(std::fabs(rate - 0.5 * std::pow(length, -1.5) * square_rate) > 0.1);
}

TEST_CASE("(5.2)-(5.5): the projective criterion at the start", "[blajer]") {
  const MovingPendulum p;
  Arena memory;
  GramSchmidtBasis<RunTimeModel> basis(memory, RunTimeModel(p.loaded.table()));
  p.prepare(basis);
  const MatrixXd W = W_d(basis, p.loaded.sizes()), M_inverse = inverse_of(p.at.M);
  const MatrixXd C_up = p.at.C * M_inverse, M_c = C_up * p.at.C.transpose();
  double metric[3], sine[3];
  for (int i = 0; i < 3; ++i) {
    const double along_c = (C_up.col(i).transpose() * inverse_of(M_c) * C_up.col(i))(0);  // the form for the start
    const double along_d = (W * W.transpose())(i, i);
    CHECK(along_c + along_d == Approx(M_inverse(i, i)).epsilon(1e-13));  // cos² + sin² = 1
    metric[i] = 1 / M_inverse(i, i);
    sine[i] = std::sqrt(along_d / M_inverse(i, i));
  }
  CHECK(sine[0] == Approx(1).epsilon(1e-14));
  CHECK(sine[1] == Approx(std::sqrt(p.m) * p.rho * p.c / p.mu_2).epsilon(1e-13));
  CHECK(sine[2] == Approx(std::sqrt(p.J) / p.mu_2).epsilon(1e-13));
  int picked[2];
  const int in_force[] = {0, 2};
  double quality = 0, scratch[6];
  const double best = best_columns(3, 2, {W.data(), 3}, metric, in_force, picked, &quality, scratch);
  CHECK(picked[0] == 0);
  CHECK(picked[1] == (sine[1] > sine[2] ? 1 : 2));
  // x1 is orthogonal to the others here, so the pivots are the sines themselves.
  CHECK(best == Approx(std::fmax(sine[1], sine[2])).epsilon(1e-13));
  CHECK(quality == Approx(sine[2]).epsilon(1e-13));
}

namespace {

/// (3.2) and (3.5) with matrices in full: P* = [C* E*] made orthonormal in the metric M⁻¹, and its derivative.
struct Orthonormalisation {
  MatrixXd P, W_star, W, W_star_rate, W_rate;  ///< an upper index of the paper is a star, a lower one none
  Orthonormalisation(const Evaluation& e, const Choice& choice, double exponent = -3, double factor = -0.5) {
    const auto n = e.M.rows(), m = e.C.rows();
    const MatrixXd M_inverse = inverse_of(e.M), M_inverse_rate = -M_inverse * e.M_rate * M_inverse;
    P = MatrixXd::Zero(n, n);
    P.leftCols(m) = e.C.transpose();
    for (auto j = m; j < n; ++j) P(choice.independent[static_cast<int>(j - m)], j) = 1;
    MatrixXd P_rate = MatrixXd::Zero(n, n);
    P_rate.leftCols(m) = e.C_rate.transpose();
    W_star = W = W_star_rate = W_rate = MatrixXd::Zero(n, n);
    for (int i = 0; i < n; ++i) {
      VectorXd v = P.col(i), v_rate = P_rate.col(i);
      for (int j = 0; j < i; ++j) {
        const double along = W.col(j).dot(P.col(i));
        const double along_rate = W_rate.col(j).dot(P.col(i)) + W.col(j).dot(P_rate.col(i));
        v -= along * W_star.col(j);
        v_rate -= along_rate * W_star.col(j) + along * W_star_rate.col(j);
      }
      const double square = v.dot(M_inverse * v), length = std::sqrt(square);
      const double square_rate = 2 * v.dot(M_inverse * v_rate) + v.dot(M_inverse_rate * v);
      W_star.col(i) = v / length;
      W.col(i) = M_inverse * W_star.col(i);
      W_star_rate.col(i) = v_rate / length + factor * std::pow(length, exponent) * square_rate * v;
      W_rate.col(i) = M_inverse_rate * W_star.col(i) + M_inverse * W_star_rate.col(i);
    }
  }
};

}  // namespace

TEST_CASE("(3.1)-(3.5), (4.1), (4.2): the orthonormal basis and its derivative, step by step", "[blajer]") {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    INFO("seed " << seed);
    const RandomMotion r(seed, shape(6, 3, seed % 2 == 0));
    const Evaluation& e = r.at;
    const ChoiceAt choice(r.loaded, e);
    const Orthonormalisation o(e, *choice);
    const MatrixXd I = MatrixXd::Identity(6, 6);
    CHECK(rank_of(o.P) == 6);                                                                // (3.1)
    CHECK(largest((o.W.transpose() * o.P).triangularView<Eigen::StrictlyLower>()) < 1e-12);  // P* = W* R
    const MatrixXd W_c = o.W.leftCols(3), W_d_found = o.W.rightCols(3);
    CHECK(largest(W_d_found.transpose() * e.M * W_c) < 1e-12);  // (3.4)
    CHECK(largest(W_d_found.transpose() * e.C.transpose()) < 1e-12);
    CHECK(largest(o.W.transpose() * e.M * o.W - I) < 1e-12);  // (4.1)
    CHECK(largest(o.W_star.transpose() * inverse_of(e.M) * o.W_star - I) < 1e-12);
    CHECK(largest(o.W_star.transpose() * o.W - I) < 1e-12);
    Arena memory;
    GramSchmidtBasis<RunTimeModel> basis(memory, RunTimeModel(r.loaded.table()));
    REQUIRE(basis.factor(e.M_values.data(), e.C_values.data(), *choice));
    basis.differentiate(e.M_values.data(), e.M_rate_values.data(), e.C_rate_values.data());
    CHECK(largest(W_d(basis, r.loaded.sizes()) - W_d_found) < 1e-12);  // (4.2)
    const MatrixXd rate = W_d_rate(basis, r.loaded.sizes());
    CHECK(largest(rate - o.W_rate.rightCols(3)) < 1e-11 * (1 + largest(rate)));  // (3.5)
    const Orthonormalisation printed(e, *choice, -1.5, 0.5);
    CHECK(largest(rate - printed.W_rate.rightCols(3)) > 1e-2);
    // (4.10) needs this.
    CHECK(largest(o.W_star_rate.leftCols(3).transpose() * W_d_found +
                  o.W_star.leftCols(3).transpose() * o.W_rate.rightCols(3)) < 1e-11 * (1 + largest(rate)));
  }
}

TEST_CASE("(4.5), (4.6), (4.6a): T = [M⁻¹C* W_d], which the paper prints transposed", "[blajer]") {
  const RandomMotion r(2, shape(5, 2));
  const Evaluation e(r.loaded, 0, r.q + 1e-2 * VectorXd::LinSpaced(5, -1, 1), r.v);
  const ChoiceAt choice(r.loaded, e);
  const Orthonormalisation o(e, *choice);
  const MatrixXd M_inverse = inverse_of(e.M), W = o.W.rightCols(3), M_c = e.C * M_inverse * e.C.transpose();
  MatrixXd T(5, 5), M_t = MatrixXd::Identity(5, 5);
  T << M_inverse * e.C.transpose(), W;
  M_t.topLeftCorner(2, 2) = M_c;
  CHECK(largest(T.transpose() * e.M * T - M_t) < 1e-12);
  CHECK(largest(inverse_of(T.transpose() * e.M) - T * inverse_of(M_t)) < 1e-11);
  CHECK(largest(T * e.M * T.transpose() - M_t) > 1e-2);
  // (4.6) solved for the velocities is (4.6a); on the right of it stand a rate and the feedback.
  const VectorXd u = W.transpose() * e.M * r.v, feedback = 20 * e.f + 100 * Eigen::Vector2d(0.1, -0.2);
  VectorXd right(5), padded = VectorXd::Zero(5);
  right << Eigen::Vector2d::Zero(), u;
  padded.head(2) = feedback;
  const VectorXd by_46 = solution_of(T.transpose() * e.M, M_t * right - padded);
  const VectorXd by_46a = W * u - M_inverse * e.C.transpose() * inverse_of(M_c) * feedback;
  CHECK(largest(by_46 - by_46a) < 1e-11 * (1 + largest(by_46a)));
}

TEST_CASE("(4.7a): with any D the tangent velocities need M_u⁻¹, with W_d they do not", "[blajer]") {
  const RandomMotion r(5, shape(5, 2));
  const MatrixXd D = null_space(r.at.C), M_u = D.transpose() * r.at.M * D;
  const VectorXd u = inverse_of(M_u) * D.transpose() * r.at.M * r.v;
  CHECK(largest(D * u - r.v) < 1e-12);
  CHECK(largest(M_u - MatrixXd::Identity(3, 3)) > 0.1);
  CHECK(largest(D * (D.transpose() * r.at.M * r.v) - r.v) > 0.1);
}

TEST_CASE("(4.4) and its extension to moving constraints give W_dᵀ M v̇ + (Ẇ_dᵀ M + W_dᵀ Ṁ) v", "[blajer]") {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const bool rheonomic = seed % 2 == 0;
    INFO("seed " << seed);
    const RandomMotion r(seed, shape(5, 2, rheonomic));
    const Evaluation& e = r.at;
    Arena memory;
    GramSchmidtBasis<RunTimeModel> basis(memory, RunTimeModel(r.loaded.table()));
    const ChoiceAt choice(r.loaded, e);
    REQUIRE(basis.factor(e.M_values.data(), e.C_values.data(), *choice));
    basis.differentiate(e.M_values.data(), e.M_rate_values.data(), e.C_rate_values.data());
    const MatrixXd W = W_d(basis, r.loaded.sizes()), W_rate = W_d_rate(basis, r.loaded.sizes());
    const MatrixXd M_inverse = inverse_of(e.M);
    const MatrixXd M_c = e.C * M_inverse * e.C.transpose();
    const VectorXd xi = -M_inverse * e.C.transpose() * inverse_of(M_c) * e.c_t;
    const VectorXd u = W.transpose() * e.M * r.v;
    CHECK(largest(W * u + xi - r.v) < 1e-12);
    CHECK((largest(xi) > 1e-3) == rheonomic);
    const VectorXd resolved =
        W.transpose() * (e.h - e.M * W_rate * u) + (W_rate.transpose() * e.M + W.transpose() * e.M_rate) * xi;
    const VectorXd as_computed = W.transpose() * e.g + W_rate.transpose() * e.M * r.v;
    const VectorXd acceleration = VectorXd::Map(r.simulation->accelerations(), 5);
    const VectorXd from_v_rate =
        W.transpose() * e.M * acceleration + (W_rate.transpose() * e.M + W.transpose() * e.M_rate) * r.v;
    CHECK(largest(resolved - as_computed) < 1e-11 * (1 + largest(resolved)));
    CHECK(largest(from_v_rate - as_computed) < 1e-11 * (1 + largest(resolved)));
  }
}

TEST_CASE("(4.5), (4.5a): a correction is M-orthogonal and leaves u alone, several close the constraints", "[blajer]") {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    INFO("seed " << seed);
    const RandomMotion r(seed, shape(5, 3));
    const VectorXd off = r.q + 1e-2 * VectorXd::LinSpaced(5, -1, 1);
    const Evaluation e(r.loaded, 0, off, r.v);
    Arena memory;
    Projection projection(memory, r.loaded.table());
    VectorXd delta(5);
    REQUIRE(projection.step(e.M_values.data(), e.C_values.data(), e.f.data(), delta.data()));
    const MatrixXd M_inverse = inverse_of(e.M), M_c = e.C * M_inverse * e.C.transpose();
    CHECK(largest(delta + M_inverse * e.C.transpose() * inverse_of(M_c) * e.f) < 1e-14);
    CHECK(largest(e.C * delta + e.f) < 1e-15);                          // These are the first rows of (4.5).
    CHECK(largest(null_space(e.C).transpose() * e.M * delta) < 1e-15);  // These are the second rows of (4.5).
    VectorXd closed = off;
    std::vector<double> work(r.loaded.sizes().work + 1);
    Point p;
    p.parameters = r.loaded.parameters().data();
    p.work = work.data();
    p.context = r.loaded.table().context;
    r.loaded.table().prepare(p);
    Message message;
    REQUIRE(projection.correct(p, closed.data(), message));
    CHECK(largest(Evaluation(r.loaded, 0, closed, r.v).f) < 1e-15);
    CHECK(largest(closed - off) > 1e-5);
  }
}

TEST_CASE("(4.7): u₀ = W_dᵀ M v₀ is the M-orthogonal projection of any v₀", "[blajer]") {
  const RandomMotion r(3, shape(5, 2));
  const ChoiceAt choice(r.loaded, r.at);
  Arena memory;
  PartitionedBasis<RunTimeModel> basis(memory, RunTimeModel(r.loaded.table()));
  REQUIRE(basis.factor(r.at.M_values.data(), r.at.C_values.data(), *choice));
  const MatrixXd W = W_d(basis, r.loaded.sizes());
  const VectorXd wanted = r.v + VectorXd::LinSpaced(5, 1, -2);
  const VectorXd v = W * (W.transpose() * r.at.M * wanted);
  CHECK(largest(r.at.C * v) < 1e-13);
  CHECK(largest(null_space(r.at.C).transpose() * r.at.M * (v - wanted)) < 1e-13);
  CHECK(largest(W * (W.transpose() * r.at.M * r.v) - r.v) < 1e-13);
}

TEST_CASE("(4.8)-(4.10): reactions, the printed (4.9) and (4.10) take the wrong components", "[blajer]") {
  const RandomMotion r(4, shape(5, 2));
  const Evaluation& e = r.at;
  const ChoiceAt choice(r.loaded, e);
  Arena memory;
  GramSchmidtBasis<RunTimeModel> basis(memory, RunTimeModel(r.loaded.table()));
  REQUIRE(basis.factor(e.M_values.data(), e.C_values.data(), *choice));
  basis.differentiate(e.M_values.data(), e.M_rate_values.data(), e.C_rate_values.data());
  const MatrixXd W = W_d(basis, r.loaded.sizes()), W_rate = W_d_rate(basis, r.loaded.sizes());
  const VectorXd u = W.transpose() * e.M * r.v, lambda = VectorXd::Map(r.simulation->multipliers(), 2);
  const MatrixXd M_inverse = inverse_of(e.M), M_c = e.C * M_inverse * e.C.transpose();
  const VectorXd classical = -inverse_of(M_c) * (e.C_rate * W * u + e.C * M_inverse * e.h);  // (4.8)
  CHECK(largest(lambda - classical) < 1e-11 * (1 + largest(lambda)));
  // W_c from P* = W* R: M_c = R_ccᵀ R_cc.
  const MatrixXd R = upper_factor_of(M_c);
  const MatrixXd W_c = M_inverse * e.C.transpose() * inverse_of(R);
  const VectorXd lambda_w = (e.M * W_c).transpose() * W_rate * u - W_c.transpose() * e.h;
  CHECK(largest(e.C.transpose() * lambda - e.M * W_c * lambda_w) < 1e-11 * (1 + largest(lambda)));
  const VectorXd printed = (e.M * W_c).transpose() * (W_rate * u - e.h);
  CHECK(largest(printed - lambda_w) > 1e-2);
}
