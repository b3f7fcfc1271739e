// Tests Dinh Van Phong, Numerical solution for consistent initial conditions of constrained mechanical systems, 2002:
// the algorithms A.1 to A.3, and both examples with every kind of start.
#include <catch2/catch.hpp>

#include <Eigen/LU>
#include <cmath>
#include <fstream>

#include "equations/equations.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

double largest(const MatrixXd& A) { return A.size() == 0 ? 0 : A.cwiseAbs().maxCoeff(); }

/// Returns a model with other coordinates: `lines` replace those of its section.
std::string with_coordinates(const std::string& model, const std::string& lines) {
  std::ifstream file(std::string(MECHFMU_SOURCE_DIR) + "/models/" + model + "/mechanism.toml");
  std::string text(std::istreambuf_iterator<char>(file), {});
  const std::size_t begin = text.find("[coordinates]"), end = text.find("\n[", begin);
  REQUIRE(end != std::string::npos);
  return text.replace(begin, end - begin, "[coordinates]\n" + lines);
}

/// Runs a start from a file's start values. Some lead nowhere: therefore ranks are found at an assembly with nothing
/// fixed.
struct Trial {
  Loaded loaded;
  std::unique_ptr<StandaloneSimulation> simulation;
  bool found;
  explicit Trial(const std::string& text)
      : loaded(with_consistent_numbers(text)), simulation(loaded.simulation()), found(start(Loaded::text(text, free))) {
  }
  static void free(Equations& equations) {
    equations.position_fixed.assign(equations.position_fixed.size(), false);
    equations.velocity_fixed.assign(equations.velocity_fixed.size(), false);
  }
  static Loaded with_consistent_numbers(const std::string& text) {
    const Loaded anything = Loaded::text(text, free);
    const auto assembled = anything.simulation();
    assemble(*assembled);
    return Loaded::text(text, [&](Equations& equations) {
      for (std::size_t i = 0; i < equations.positions.size(); ++i) {
        const auto start = static_cast<std::size_t>(anything.parameter(equations.positions[i].name + "_start"));
        equations.parameter_values[start] = assembled->positions()[i];
      }
    });
  }
  bool start(const Loaded& as_the_file_says) {
    for (std::size_t i = 0; i < as_the_file_says.parameters().size(); ++i)
      simulation->set_parameter(static_cast<int>(i), as_the_file_says.parameters()[i]);
    return simulation->assemble(0);
  }
  bool says(const std::string& part) const {
    return std::string(simulation->message().text).find(part) != std::string::npos;
  }
  VectorXd q() const { return positions(*simulation); }
  VectorXd v() const { return velocities(*simulation); }
  VectorXd acceleration() const { return VectorXd::Map(simulation->accelerations(), loaded.sizes().velocities); }
  VectorXd multipliers() const { return VectorXd::Map(simulation->multipliers(), loaded.sizes().all_rows()); }
  Evaluation evaluated() const { return evaluate(loaded.long_form(), *simulation); }
};

/// Checks definition D.1, (2.7)-(2.11), with velocity and acceleration constraints as in A.3.
void check_consistent(const Trial& start) {
  INFO(start.simulation->message().text);
  REQUIRE(start.found);
  const Evaluation e = start.evaluated();
  const VectorXd acceleration = start.acceleration(), r = e.B * start.multipliers();
  CHECK(largest(e.f) < 1e-12);                                                     // (2.8), (2.29)
  CHECK(largest(e.C * start.v() + e.c_t) < 1e-12);                                 // (2.9), (2.30), (2.31)
  CHECK(largest(e.C_a * acceleration + e.gamma) < 1e-9 * (1 + largest(e.gamma)));  // (2.10), (2.34)-(2.36)
  CHECK(largest(e.M * acceleration - e.h - r) < 1e-10 * (1 + largest(e.h)));       // (2.7)
  if (start.loaded.table().character.ideal)
    CHECK(largest(null_space(e.C_a).transpose() * r) < 1e-10 * (1 + largest(r)));  // (2.11)
}

std::string coordinate(const char* name, const char* unit, const std::string& rest) {
  return std::string(name) + " = { unit = \"" + unit + "\", " + rest + " }\n";
}

/// The spatial four-bar with these start values, "start = 0.2, fixed = true".
Trial four_bar(const std::string& q1, const std::string& q2) {
  return Trial(with_coordinates("spatial_four_bar", coordinate("q1", "rad", q1) + coordinate("q2", "rad", q2)));
}

Trial vehicle(const std::string& x, const std::string& y, const std::string& phi, const std::string& theta) {
  return Trial(
      with_coordinates("circling_vehicle", coordinate("x", "m", x) + coordinate("y", "m", y) +
                                               coordinate("phi", "rad", phi) + coordinate("theta", "rad", theta)));
}

const std::string fixed = ", fixed = true", rate_fixed = ", rate_fixed = true";

/// A point on a bar (position), a blade (velocity), a drive (acceleration): s_p = s_v = s_a = 1, n = 4.
const char* const all_levels = R"toml(
[mechanism]
name = "AllLevels"
[parameters]
m = { value = 2, unit = "kg" }
L = { value = 0.5, unit = "m" }
g = { value = 9.81, unit = "m/s2" }
k = { value = 3, unit = "1/s" }
[coordinates]
x = { unit = "m", start = 0.3, fixed = true }
y = { unit = "m", start = -0.3, rate_start = 0.6, rate_fixed = true }
z = { unit = "m", start = 1, fixed = true }
w = { unit = "m", start = 0.7, fixed = true, rate_start = -0.4, rate_fixed = true }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2 + 2*der(z)^2 + 3*der(w)^2)/2"
potential_energy = "m*g*y"
[constraints.bar]
position = "x^2 + y^2 - L^2"
[constraints.blade]
velocity = "L*der(z) - x*der(w)"
[constraints.drive]
acceleration = "der(der(w)) + k*der(x) + der(der(y))/2"
)toml";

}  // namespace

TEST_CASE("(2.12): step 7 as one system for accelerations and reactions, its right side is -g(0)", "[phong]") {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    INFO("seed " << seed);
    testing::Shape shape;
    shape.coordinates = 5;
    shape.position_rows = 2;
    const Trial start(random_mechanism(seed, shape));
    check_consistent(start);
    const Evaluation e = start.evaluated();
    const MatrixXd D = null_space(e.C);
    MatrixXd K = MatrixXd::Zero(10, 10);
    K.topLeftCorner(5, 5) = e.M;
    K.topRightCorner(5, 5).diagonal().setConstant(-1);
    K.block(5, 0, 2, 5) = e.C;
    K.bottomRightCorner(3, 5) = D.transpose();
    VectorXd right(10), printed(10);
    right << e.h, -e.gamma, VectorXd::Zero(3);
    printed << e.h, e.gamma, VectorXd::Zero(3);
    const VectorXd solution = solution_of(K, right);
    CHECK(largest(solution.head(5) - start.acceleration()) < 1e-10 * (1 + largest(solution)));
    CHECK(largest(solution.tail(5) - e.C.transpose() * start.multipliers()) < 1e-10 * (1 + largest(solution)));
    CHECK(largest(e.C * solution_of(K, printed).head(5) + e.gamma) > 1e-3);
  }
}

TEST_CASE("A.1, A.2: n - s_p positions and n - s_p - s_v velocities may be chosen, the rest follows", "[phong]") {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    for (const int velocity_rows : {0, 1, 2}) {
      INFO("seed " << seed << ", s_v = " << velocity_rows);
      testing::Shape shape;
      shape.coordinates = 6;
      shape.position_rows = 2;
      shape.velocity_rows = velocity_rows;
      const std::string text = random_mechanism(seed, shape);
      const Trial free(text);
      check_consistent(free);
      const Sizes& s = free.loaded.sizes();
      CHECK(s.velocities - s.position_rank == 4);          // n_p, (2.17)
      CHECK(s.degrees_of_freedom() == 4 - velocity_rows);  // n_v
      // As many are fixed as are free, those that pivoting leaves; guesses of the rest lie beside what they must be.
      const Evaluation e = free.evaluated();
      const auto independent = [](const MatrixXd& rows) {
        const Eigen::FullPivLU<MatrixXd> lu(rows);
        std::vector<bool> result(6, true);
        for (int i = 0; i < rows.rows(); ++i) result[static_cast<std::size_t>(lu.permutationQ().indices()[i])] = false;
        return result;
      };
      const std::vector<bool> chosen = independent(e.C.topRows(2)), rates_chosen = independent(e.C);
      const Loaded loaded = Loaded::text(text, [&](Equations& equations) {
        equations.position_fixed = chosen;
        equations.velocity_fixed = rates_chosen;
      });
      const auto simulation = loaded.simulation();
      for (std::size_t i = 0; i < 6; ++i) {
        const std::string name = "q" + std::to_string(i);
        const auto place = static_cast<Eigen::Index>(i);
        simulation->set_parameter(loaded.parameter(name + "_start"), free.q()[place] + (chosen[i] ? 0 : 0.01));
        const double beside = rates_chosen[i] ? 0 : 0.5;
        simulation->set_parameter(loaded.parameter(name + "_rate_start"), free.v()[place] + beside);
      }
      assemble(*simulation);
      CHECK(largest(positions(*simulation) - free.q()) < 1e-10);
      CHECK(largest(velocities(*simulation) - free.v()) < 1e-10);
    }
  }
}

TEST_CASE("A.3, (2.24), (2.25): an acceleration constraint leaves positions and velocities free", "[phong]") {
  const Trial start(all_levels);
  check_consistent(start);
  const Sizes& s = start.loaded.sizes();
  CHECK(s.velocities - s.position_rank == 3);  // n_p = 4 - 1
  CHECK(s.degrees_of_freedom() == 2);          // n_v = 4 - 1 - 1
  CHECK(s.all_rows() == 3);
  const VectorXd q = start.q(), v = start.v(), a = start.acceleration();
  CHECK(q[1] == Approx(-0.4).epsilon(1e-14));                                       // (2.29), x is 0.3
  CHECK(v[0] == Approx(0.8).epsilon(1e-13));                                        // (2.31): 0.3 ẋ = 0.4 ẏ
  CHECK(v[2] == Approx(0.3 * -0.4 / 0.5).epsilon(1e-13));                           // (2.30)
  CHECK(std::fabs(a[3] + 3 * v[0] + a[1] / 2) < 1e-12);                             // (2.34)
  CHECK(std::fabs(0.5 * a[2] - q[0] * a[3] - v[0] * v[3]) < 1e-12);                 // (2.35)
  CHECK(std::fabs(q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1]) < 1e-12);  // (2.36)
  // The drive has no part in the choice: w and its rate are what the file says.
  CHECK(q[3] == 0.7);
  CHECK(v[3] == -0.4);
}

TEST_CASE("(3.1)-(3.3): the four-bar's equations, a square is missing in print, and z points down", "[phong]") {
  const Trial start = four_bar("start = 0.2, fixed = true, rate_start = 2.5, rate_fixed = true", "start = 1.0");
  const Evaluation e = start.evaluated();
  const double m1 = 1, m2 = 1, g = 9.81, q1 = start.q()[0], q2 = start.q()[1], v1 = start.v()[0], v2 = start.v()[1];
  const double s1 = std::sin(q1), c1 = std::cos(q1), s2 = std::sin(q2), c2 = std::cos(q2);
  CHECK(std::fabs(8 - 8 * c1 * s2 - 4 * s1) < 1e-14);  // (3.1)
  CHECK(start.loaded.sizes().degrees_of_freedom() == 1);
  Eigen::Matrix2d M;
  M << 4 * m1 / 3 + m2 * (1 + 4 * s2 * s2 / 3), m2 * c2, m2 * c2, 4 * m2 / 3;
  CHECK(largest(e.M - M) < 1e-14);
  CHECK(largest(e.C - Eigen::RowVector2d(8 * s1 * s2 - 4 * c1, -8 * c1 * c2)) < 1e-14);
  CHECK(e.h[0] == Approx(m2 * s2 * (v2 * v2 - 8 * v1 * v2 * c2 / 3)).epsilon(1e-13));
  CHECK(e.h[1] == Approx(-m2 * g * s2 + 4 * m2 * v1 * v1 * c2 * s2 / 3).epsilon(1e-13));
  CHECK(std::fabs(e.h[1] - (-m2 * g * s2 + 4 * m2 * v1 * c2 * s2 / 3)) > 0.1);
  const double right = -(8 * c1 * s2 + 4 * s1) * v1 * v1 - 16 * s1 * c2 * v1 * v2 - 8 * c1 * s2 * v2 * v2;
  CHECK(-e.gamma[0] == Approx(right).epsilon(1e-13));  // (3.6)
  // (3.3) as one system; its multiplier has the other sign.
  Eigen::Matrix3d K;
  K << M, e.C.transpose(), e.C, 0;
  const Eigen::Vector3d solution = solution_of(K, Eigen::Vector3d(e.h[0], e.h[1], right));
  CHECK(largest(solution.head(2) - start.acceleration()) < 1e-12 * largest(solution));
  CHECK(solution[2] == Approx(-start.multipliers()[0]).epsilon(1e-12));
}

TEST_CASE("(3.4)-(3.6): one position and one velocity of the four-bar may be chosen, whichever", "[phong]") {
  const auto closed = [](double q1) { return std::asin((8 - 4 * std::sin(q1)) / (8 * std::cos(q1))); };
  const auto rate = [](const VectorXd& q, double v1) {  // (3.5)
    return (8 * std::sin(q[0]) * std::sin(q[1]) - 4 * std::cos(q[0])) * v1 / (8 * std::cos(q[0]) * std::cos(q[1]));
  };
  SECTION("q1 and its rate, the paper's choice") {
    const Trial start = four_bar("start = 0.3, fixed = true, rate_start = 2, rate_fixed = true", "start = 1.0");
    check_consistent(start);
    CHECK(start.q()[0] == 0.3);
    CHECK(start.v()[0] == 2);
    CHECK(start.q()[1] == Approx(closed(0.3)).epsilon(1e-13));
    CHECK(start.v()[1] == Approx(rate(start.q(), 2)).epsilon(1e-12));
  }
  SECTION("the guess chooses the branch") {
    const Trial start = four_bar("start = 0.3, fixed = true", "start = 2.0");
    check_consistent(start);
    CHECK(start.q()[1] == Approx(M_PI - closed(0.3)).epsilon(1e-13));
  }
  SECTION("q2 and its rate") {
    const Trial start = four_bar("start = 0.3", "start = 1.2, fixed = true, rate_start = -1, rate_fixed = true");
    check_consistent(start);
    CHECK(start.q()[1] == 1.2);
    CHECK(closed(start.q()[0]) == Approx(1.2).epsilon(1e-12));
    CHECK(rate(start.q(), start.v()[0]) == Approx(-1).epsilon(1e-12));
  }
  SECTION("the position of one, the rate of the other") {
    const Trial start = four_bar("start = 0.3, fixed = true", "start = 1.0, rate_start = -1, rate_fixed = true");
    check_consistent(start);
    CHECK(start.q()[0] == 0.3);
    CHECK(start.v()[1] == -1);
    CHECK(rate(start.q(), start.v()[0]) == Approx(-1).epsilon(1e-12));
  }
  SECTION("none: the nearest to the guesses") {
    check_consistent(four_bar("start = 0.3, rate_start = 1", "start = 1.0"));
  }
  SECTION("both, which is one too many") {
    const Trial start = four_bar("start = 0.3, fixed = true", "start = 1.0, fixed = true");
    CHECK_FALSE(start.found);
    INFO(start.simulation->message().text);
    CHECK(start.says("constraint 'rod' stays open"));
    CHECK(start.says("over-determine"));
    CHECK(start.says("'q1'"));
    CHECK(start.says("'q2'"));
  }
  SECTION("both rates, which is one too many") {
    const Trial start = four_bar("start = 0.3, fixed = true, rate_start = 1, rate_fixed = true",
                                 "start = 1.0, rate_start = 1, rate_fixed = true");
    CHECK_FALSE(start.found);
    INFO(start.simulation->message().text);
    CHECK(start.says("the rate of the constraint 'rod' stays open"));
    CHECK(start.says("'rate_fixed = true'"));
  }
}

TEST_CASE("(3.1): starts of the four-bar that no position or velocity can meet are told", "[phong]") {
  // sin q2 = (8 - 4 sin q1)/(8 cos q1) is beyond 1 at q1 = 1.4; at q2 = 0.5 the rod is too short for any q1.
  const Loaded loaded = Loaded::model("spatial_four_bar");
  const auto simulation = loaded.simulation();
  simulation->set_parameter(loaded.parameter("q1_start"), 1.4);
  CHECK_FALSE(simulation->assemble(0));
  INFO(simulation->message().text);
  CHECK(std::string(simulation->message().text).find("constraint 'rod' stays open") != std::string::npos);
  CHECK(std::string(simulation->message().text).find("The fixed start 'q1' = 1.4 rad cannot be reached: at ") !=
        std::string::npos);
  // q1 = 0, q2 = 90 deg: (3.5) is -4 q1' = 0. The rate of q1 cannot be chosen there, that of q2 can.
  simulation->set_parameter(loaded.parameter("q1_start"), 0);
  simulation->set_parameter(loaded.parameter("q2_start"), M_PI / 2);
  CHECK_FALSE(simulation->assemble(0));
  INFO(simulation->message().text);
  CHECK(std::string(simulation->message().text).find("'rod' allows 'der(q1)' no rate but 0 rad/s") !=
        std::string::npos);
  simulation->set_parameter(loaded.parameter("q1_rate_start"), 0);
  simulation->set_parameter(loaded.parameter("q2_rate_start"), 3);
  assemble(*simulation);
  CHECK(std::fabs(velocities(*simulation)[0]) < 1e-12);
  CHECK(velocities(*simulation)[1] == Approx(3).epsilon(1e-12));
}

namespace {

/// These are the model's numbers.
constexpr double m0 = 1200, I0 = 1800, I = 15, a = 1.1, b = 1.4, L = a + b, R = 20, k1 = 8, k2 = 200, F0 = 900;

void check_vehicle(const Trial& start) {
  check_consistent(start);
  const VectorXd q = start.q(), v = start.v(), w = start.acceleration();
  const double sp = std::sin(q[2]), cp = std::cos(q[2]), st = std::sin(q[3]), ct = std::cos(q[3]);
  const double spt = std::sin(q[2] + q[3]), cpt = std::cos(q[2] + q[3]), drive = F0 - k1 * (v[0] * v[0] + v[1] * v[1]);
  CHECK(std::fabs(-v[0] * sp + v[1] * cp - b * v[2]) < 1e-12);                           // (3.7) holds with - b.
  CHECK(std::fabs(-v[0] * spt + v[1] * cpt + a * ct * v[2]) < 1e-12);                    // (3.8)
  CHECK(std::fabs(q[0] * q[0] + (q[1] - R) * (q[1] - R) - R * R) < 1e-11);               // (3.9)
  CHECK(std::fabs(q[0] * v[0] + (q[1] - R) * v[1]) < 1e-11);                             // (3.14)
  CHECK(std::fabs(v[0] * v[0] + q[0] * w[0] + v[1] * v[1] + (q[1] - R) * w[1]) < 1e-9);  // (3.15)
  // (3.16) and (3.17), in print without a plus and without the acceleration of y, and with + b.
  CHECK(std::fabs(-sp * w[0] + cp * w[1] - (v[0] * cp + v[1] * sp) * v[2] - b * w[2]) < 1e-10);
  CHECK(std::fabs(-spt * w[0] + cpt * w[1] + a * ct * w[2] - (v[0] * cpt + v[1] * spt) * v[2] -
                  (v[0] * cpt + v[1] * spt + a * st * v[2]) * v[3]) < 1e-10);
  // This is (3.10), and (3.11) gives the steering moment.
  const double left = m0 * (L * ct * cp - b * st * sp) * w[0] + m0 * (L * ct * sp + b * st * cp) * w[1] +
                      (I0 + I) * st * w[2] + I * st * w[3];
  CHECK(std::fabs(left - (drive * L * ct - k2 * st * v[2] * std::fabs(v[2]))) < 1e-7 * (1 + std::fabs(left)));
  CHECK(start.multipliers().head(2).sum() == Approx(I * (w[2] + w[3])).epsilon(1e-9).margin(1e-9));
}

}  // namespace

TEST_CASE("(3.7)-(3.17): starts of the vehicle, two positions and one velocity, whichever are independent", "[phong]") {
  const Loaded loaded = Loaded::model("circling_vehicle");
  CHECK(loaded.sizes().velocities - loaded.sizes().position_rank == 2);  // The axles and the circle hide one of three.
  CHECK(loaded.sizes().degrees_of_freedom() == 1);                       // (3.12): n_v = 1
  SECTION("x, heading and speed along x") {
    const Trial start = vehicle("start = 8" + fixed + ", rate_start = 4.5" + rate_fixed, "start = 1",
                                "start = 0.1" + fixed, "start = 0.2");
    check_vehicle(start);
    CHECK(start.q()[1] == Approx(R - std::sqrt(R * R - 64)).epsilon(1e-13));
    CHECK(start.v()[0] == Approx(4.5).epsilon(1e-13));
  }
  SECTION("the upper half of the circle") {
    const Trial start = vehicle("start = 8" + fixed + ", rate_start = -4.5" + rate_fixed, "start = 39",
                                "start = 2.8" + fixed, "start = 0.1");
    check_vehicle(start);
    CHECK(start.q()[1] == Approx(R + std::sqrt(R * R - 64)).epsilon(1e-13));
  }
  SECTION("y, steering angle and turning speed") {
    const Trial start =
        vehicle("start = 8", "start = 2" + fixed, "start = 0.3, rate_start = 0.2" + rate_fixed, "start = 0.25" + fixed);
    check_vehicle(start);
    CHECK(start.q()[1] == 2);
    CHECK(start.q()[3] == 0.25);
    CHECK(start.v()[2] == Approx(0.2).epsilon(1e-13));
  }
  SECTION("heading and steering angle, speed along y") {
    const Trial start =
        vehicle("start = 8", "start = 2, rate_start = 1.5" + rate_fixed, "start = 0.3" + fixed, "start = 0.2" + fixed);
    check_vehicle(start);
    CHECK(start.v()[1] == Approx(1.5).epsilon(1e-13));
  }
  SECTION("nothing: all guesses") {
    check_vehicle(vehicle("start = 8, rate_start = 4", "start = 2, rate_start = 2", "start = 0.3", "start = 0.2"));
  }
}

TEST_CASE("after (3.13): starts of the vehicle that cannot be chosen are told", "[phong]") {
  SECTION("both x and y: the circle ties them") {
    const Trial start = vehicle("start = 8" + fixed, "start = 1" + fixed, "start = 0.1", "start = 0.2");
    CHECK_FALSE(start.found);
    INFO(start.simulation->message().text);
    CHECK(start.says("'circle' stays open"));
    CHECK(start.says("over-determine"));
    CHECK(start.says("'x'"));
    CHECK(start.says("'y'"));
    CHECK_FALSE(start.says("'phi'"));
  }
  SECTION("x, heading and steering angle, the paper's (3.13): one too many, tangency ties them") {
    const Trial start = vehicle("start = 8" + fixed, "start = 1", "start = 0.1" + fixed, "start = 0.2" + fixed);
    CHECK_FALSE(start.found);
    INFO(start.simulation->message().text);
    CHECK(start.says("'tangency' stays open"));
  }
  SECTION("no place on the circle") {
    const Trial start = vehicle("start = 21" + fixed, "start = 20", "start = 1.5", "start = 0.2");
    CHECK_FALSE(start.found);
    INFO(start.simulation->message().text);
    CHECK(start.says("'circle' stays open"));
    CHECK(start.says("The fixed start 'x' = 21 m cannot be reached: at most 20 m."));
  }
  SECTION("two speeds") {
    const Trial start = vehicle("start = 8" + fixed + ", rate_start = 4.5" + rate_fixed,
                                "start = 1, rate_start = 4" + rate_fixed, "start = 0.1" + fixed, "start = 0.2");
    CHECK_FALSE(start.found);
    INFO(start.simulation->message().text);
    CHECK(start.says("'rate_fixed = true'"));
    CHECK(start.says("'der(x)'"));
    CHECK(start.says("'der(y)'"));
  }
  SECTION("speed along x where the circle runs along y; along y it may be chosen") {
    const std::string x = "start = 20" + fixed, y = "start = 20", phi = "start = 1.4" + fixed, theta = "start = 0.2";
    const Trial start = vehicle(x + ", rate_start = 4.5" + rate_fixed, y, phi, theta);
    CHECK_FALSE(start.found);
    INFO(start.simulation->message().text);
    CHECK(start.says("no rate but 0 m/s"));
    check_vehicle(vehicle(x, y + ", rate_start = 4.5" + rate_fixed, phi, theta));
  }
}
