// Tests Dinh Van Phong, A criteria of ideality of mechanical constraints in principle of compatibility, 1994: the
// criterion on models, ideal and not, and the algorithm of section 3 step by step. B and b_0 there are C_a and γ here,
// R is the reaction.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>

#include "fmu_src/constraints/tangent_bases/successive_orthogonal.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

double largest(const MatrixXd& A) { return A.size() == 0 ? 0 : A.cwiseAbs().maxCoeff(); }

/// A model on its way; forces without those that depend on reactions.
struct Moving {
  Loaded loaded;
  std::unique_ptr<StandaloneSimulation> simulation;
  Evaluation at;
  VectorXd v, acceleration, lambda;
  MatrixXd D;  ///< n × (n - s), by singular values
  static std::unique_ptr<StandaloneSimulation> moved(const Loaded& loaded) {
    auto simulation = loaded.simulation();
    assemble(*simulation);
    advance(*simulation, loaded.stop_time / 20);
    return simulation;
  }
  explicit Moving(const Loaded& of)
      : loaded(of.long_form()), simulation(moved(loaded)), at(evaluate(loaded, *simulation)),
        v(velocities(*simulation)), acceleration(VectorXd::Map(simulation->accelerations(), v.size())),
        lambda(VectorXd::Map(simulation->multipliers(), loaded.sizes().all_rows())), D(null_space(at.C_a)) {}

  VectorXd reaction() const { return at.M * acceleration - at.h; }
  double size() const { return 1 + largest(at.h) + largest(reaction()); }
};

/// The algorithm of section 3: vectors p orthogonal to all before, each the part of some vector that Huang's algorithm
/// leaves. Returns what steps 3 to 6 find until m = n, and the length of what is left then.
struct Algorithm {
  std::vector<VectorXd> a;  ///< b_1 … b_s, then d_1, d_2, …
  int s;
  explicit Algorithm(const MatrixXd& B) : s(static_cast<int>(B.rows())) {
    for (int i = 0; i < s; ++i) a.push_back(B.row(i).transpose());
  }
  /// Step 3 with the system a_i p = c_i: Huang's x from x_1.
  VectorXd huang(VectorXd x, const VectorXd& c) const {
    const auto n = x.size();
    MatrixXd H = MatrixXd::Identity(n, n);
    for (std::size_t i = 0; i < a.size(); ++i) {
      VectorXd p = H * a[i];
      p = H * p;  // removes what rounding left of the rows before
      const double step = (a[i].dot(x) - c[static_cast<int>(i)]) / p.dot(a[i]);
      x -= step * p;
      H -= p * p.transpose() / p.squaredNorm();
    }
    return x;
  }
  VectorXd orthogonal_part(const VectorXd& x) const { return huang(huang(x, zeros()), zeros()); }
  VectorXd zeros() const { return VectorXd::Zero(static_cast<int>(a.size())); }
  /// Step 3 begins at the unit vector of which most is left.
  VectorXd find() const {
    VectorXd best = VectorXd::Zero(a.front().size());
    for (int i = 0; i < best.size(); ++i) {
      const VectorXd p = orthogonal_part(VectorXd::Unit(best.size(), i));
      if (p.norm() > best.norm() * (1 + 1e-9)) best = p;
    }
    return best;
  }
  void join(const VectorXd& p) { a.push_back(p / p.norm()); }  // steps 4 to 7
  MatrixXd D() const {
    MatrixXd result(a.front().size(), static_cast<int>(a.size()) - s);
    for (int k = 0; k < result.cols(); ++k) result.col(k) = a[static_cast<std::size_t>(s + k)];
    return result;
  }
};

std::string absolute(const std::string& model) {
  std::string path = MECHFMU_SOURCE_DIR;
  path.append("/models/").append(model).append("/mechanism.toml");
  std::ifstream file(path);
  std::string text(std::istreambuf_iterator<char>(file), {});
  const std::string head = "[mechanism]\n";
  text.insert(text.find(head) + head.size(), "coordinates = \"absolute\"\n");
  return text;
}

}  // namespace

TEST_CASE("(2.2), (2.8): Dᵀ R = 0 on every model whose constraints are ideal", "[ideality]") {
  int models = 0;
  for (const std::string& name : model_names()) {
    const Loaded loaded = Loaded::model(name);
    if (!loaded.table().character.ideal || loaded.sizes().loads > 0 || loaded.sizes().all_rows() == 0) continue;
    INFO(name);
    const Moving m(loaded);
    CHECK(largest(m.D.transpose() * m.reaction()) < 1e-9 * m.size());
    if (largest(m.reaction()) > 1e-6) ++models;
  }
  CHECK(models > 20);
}

TEST_CASE("(2.1), (2.3)-(2.5): accelerations from pseudo-accelerations, D and d_0 from B and E", "[ideality]") {
  for (const char* name : {"four_bar_equations", "guided_pendulum", "andrews_squeezer", "knife_edge"}) {
    INFO(name);
    const Moving m(Loaded::model(name));
    const MatrixXd B = m.at.C_a, E = m.D.transpose();  // (2.3): any E that makes [B; E] regular
    CHECK(largest(B * m.acceleration + m.at.gamma) < 1e-9 * (1 + largest(m.at.gamma)));  // (2.1)
    const auto n = B.cols(), s = B.rows();
    MatrixXd both(n, n);
    both << B, E;
    const MatrixXd inverse = inverse_of(both), D = inverse.rightCols(n - s);
    const VectorXd d_0 = -inverse.leftCols(s) * m.at.gamma;
    const double size = 1 + largest(m.acceleration);
    CHECK(largest(D * (E * m.acceleration) + d_0 - m.acceleration) < 1e-9 * size);  // (2.4)
    CHECK(largest(B * d_0 + m.at.gamma) < 1e-9 * (1 + largest(m.at.gamma)));        // (3.2)
    CHECK(largest(B * D) < 1e-10 * (1 + largest(B)));                               // (3.3)
    // n × (n - s), as (2.4) has it; the print after (2.8) has it the other way round.
    CHECK(D.rows() == n);
    CHECK(D.cols() == n - s);
    CHECK(largest(D.transpose() * m.reaction()) < 1e-9 * m.size());  // (2.8) holds with this D.
  }
}

TEST_CASE("friction is no ideal constraint: Dᵀ R is the friction, and takes energy", "[ideality]") {
  SECTION("a block on a ramp: the friction is part of the constraint") {
    const Moving m(Loaded::model("block_on_ramp"));
    const VectorXd R = m.reaction();
    CHECK(largest(R - m.at.B * m.lambda) < 1e-11 * m.size());
    const double normal = 2 * 9.81 * std::cos(M_PI / 6);
    CHECK(m.lambda[0] == Approx(normal).epsilon(1e-12));
    CHECK(std::fabs((m.D.transpose() * R)(0)) == Approx(0.2 * normal).epsilon(1e-12));
    CHECK(R.dot(m.v) == Approx(-0.2 * normal * m.v[0]).epsilon(1e-12));
    // Without friction the same constraint is ideal.
    Moving smooth(Loaded::model("block_on_ramp"));
    smooth.simulation->set_parameter(smooth.loaded.parameter("mu"), 0);
    assemble(*smooth.simulation);
    const Evaluation e = evaluate(smooth.loaded, *smooth.simulation);
    const VectorXd without = e.M * VectorXd::Map(smooth.simulation->accelerations(), 2) - e.h;
    CHECK(largest(smooth.D.transpose() * without) < 1e-12 * smooth.size());
  }
  SECTION("a cart on a rail: the friction depends on the reaction") {
    // In the tree's coordinates nothing is a constraint and R is the friction alone; in absolute coordinates it is a
    // part of the joint's reaction, the one that D sees.
    const Moving tree(Loaded::model("cart_pole"));
    Moving bodies(Loaded::text(absolute("cart_pole")));
    REQUIRE(tree.loaded.sizes().loads == 1);
    REQUIRE(bodies.loaded.sizes().all_rows() > 0);
    const VectorXd q = positions(*tree.simulation), R = tree.reaction();
    const double w = tree.v[1], l = 0.6, s = std::sin(q[1]), c = std::cos(q[1]);
    const double normal = 1.3 * 9.81 - 0.3 * l / 2 * (c * w * w + s * tree.acceleration[1]);
    CHECK(R[0] == Approx(-0.08 * normal * std::tanh(tree.v[0] / 0.05)).epsilon(1e-9));
    CHECK(std::fabs(R[1]) < 1e-11);
    CHECK(R.dot(tree.v) < -1e-4);
    CHECK(largest(bodies.D.transpose() * bodies.reaction()) > 0.1);
    CHECK(bodies.reaction().dot(bodies.v) == Approx(R.dot(tree.v)).epsilon(1e-5));
    // Without the friction the rest is ideal.
    CHECK(largest(bodies.D.transpose() * (bodies.at.C_a.transpose() * bodies.lambda)) < 1e-10 * bodies.size());
  }
}

TEST_CASE("program constraints: the control's effort is no ideal reaction", "[ideality]") {
  SECTION("a vehicle steered round a circle: Dᵀ R is the power of the steering") {
    const Moving m(Loaded::model("circling_vehicle"));
    const VectorXd R = m.reaction();
    const double moment = m.lambda[0] + m.lambda[1];
    CHECK(largest(R - m.at.B * m.lambda) < 1e-9 * m.size());
    REQUIRE(m.D.cols() == 1);
    CHECK(std::fabs(m.v.normalized().dot(m.D.col(0))) == Approx(1).epsilon(1e-9));  // There is no other direction.
    CHECK(R.dot(m.v) == Approx(moment * m.v[3]).epsilon(1e-8));
    CHECK(std::fabs((m.D.transpose() * R)(0)) == Approx(std::fabs(moment * m.v[3]) / m.v.norm()).epsilon(1e-8));
    CHECK(std::fabs((m.D.transpose() * R)(0)) > 1e-3);
    // The axles are ideal: their reactions do no work on any motion that they allow.
    const MatrixXd axles = m.at.C_a.bottomRows(2);
    CHECK(largest(null_space(axles).transpose() * (m.at.B.rightCols(2) * m.lambda.tail(2))) < 1e-9 * m.size());
    // This takes the criterion's place: R has no part along directions that ideal reactions and the control leave out.
    CHECK(largest(null_space(m.at.B.transpose()).transpose() * R) < 1e-9 * m.size());
  }
  SECTION("an arm led along a path: nothing is left free, the criterion says nothing") {
    const Moving m(Loaded::model("arm_on_path"));
    CHECK(m.D.cols() == 0);
    CHECK(largest(m.reaction() - m.lambda) < 1e-9 * m.size());  // each motor acts on its joint
    // Ideal reactions on the tip would be others; the motion, and R with it, is the same.
    const VectorXd ideal = solution_of(m.at.C_a.transpose(), m.reaction());
    CHECK(largest(m.at.C_a.transpose() * ideal - m.reaction()) < 1e-9 * m.size());
    CHECK(largest(ideal - m.lambda) > 1);
  }
}

TEST_CASE("section 3: the algorithm for D, and the member that follows it", "[ideality]") {
  const char* const models[] = {"four_bar_equations", "guided_pendulum", "three_motor_robot", "andrews_squeezer",
                                "four_bar"};
  for (const char* name : models) {
    INFO(name);
    const Moving m(Loaded::model(name));
    const Sizes& s = m.loaded.sizes();
    const MatrixXd B = m.at.C;
    const int n = s.velocities;
    REQUIRE(s.rank == s.rows());
    Algorithm algorithm(B);
    for (int k = 0; k < n - s.rank; ++k) {
      const VectorXd p = algorithm.find();
      CHECK(p.norm() > 0.1);
      for (const VectorXd& before : algorithm.a) CHECK(std::fabs(before.dot(p)) < 1e-12 * (1 + before.norm()));
      algorithm.join(p);
    }
    // m is n now. Step 7 stops at m > n in print, which asks for one vector more; there is none.
    CHECK(static_cast<int>(algorithm.a.size()) == n);
    CHECK(algorithm.find().norm() < 1e-12);
    const MatrixXd D = algorithm.D();
    CHECK(largest(B * D) < 1e-12 * (1 + largest(B)));
    CHECK(largest(D.transpose() * D - MatrixXd::Identity(D.cols(), D.cols())) < 1e-12);
    CHECK(largest(D.transpose() * m.reaction()) < 1e-9 * m.size());  // (2.8)
    // Runs the member, vector by vector.
    Arena memory;
    SuccessiveOrthogonalNullSpace<RunTimeModel> member(memory, RunTimeModel(m.loaded.table()));
    const MatrixXd rows = B.transpose();
    REQUIRE(member.factor({rows.data(), static_cast<int>(rows.rows())}));
    const MatrixXd N = MatrixXd::Map(member.N().data(), n, n - s.rank);
    CHECK(largest(N - D) < 1e-9);
  }
}

TEST_CASE("section 3: Huang's algorithm, the smallest solution, and 0 for 0 as the paper notes", "[ideality]") {
  const Moving m(Loaded::model("andrews_squeezer"));
  const MatrixXd B = m.at.C;
  const Algorithm algorithm(B);
  const VectorXd none = VectorXd::Zero(B.cols());
  CHECK(largest(algorithm.huang(none, algorithm.zeros())) == 0);
  const VectorXd c = -m.at.gamma, x = algorithm.huang(none, c);  // (3.4) from 0
  CHECK(largest(B * x - c) < 1e-9 * (1 + largest(c)));
  CHECK(largest(x - least_squares_of(B, c)) < 1e-9 * (1 + largest(x)));
  Arena memory;
  SuccessiveOrthogonalNullSpace<RunTimeModel> member(memory, RunTimeModel(m.loaded.table()));
  const MatrixXd rows = B.transpose();
  REQUIRE(member.factor({rows.data(), static_cast<int>(rows.rows())}));
  VectorXd d_0(B.cols());
  member.particular(c.data(), d_0.data());
  CHECK(largest(d_0 - x) < 1e-9 * (1 + largest(x)));
}
