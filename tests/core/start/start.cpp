// Tests the consistent start: it is as near to the guesses as the constraints and the fixed values allow, and errors
// help.
#include <catch2/catch.hpp>

#include <cmath>

#include "fmu_src/start/start.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

bool contains(const Message& message, const std::string& part) {
  return std::string(message.text).find(part) != std::string::npos;
}

/// Returns rows of C and of the fixed coordinates, which may not move.
MatrixXd held(const MatrixXd& C, const bool* fixed) {
  MatrixXd result = C;
  for (int i = 0; i < C.cols(); ++i) {
    if (!fixed[i]) continue;
    result.conservativeResize(result.rows() + 1, C.cols());
    result.row(result.rows() - 1) = Eigen::RowVectorXd::Unit(C.cols(), i);
  }
  return result;
}

}  // namespace

TEST_CASE("positions and velocities are the nearest to the guesses in M, fixed values exact", "[start]") {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    for (const double roughness : {0.0, 0.1, 0.5}) {
      const Loaded loaded = rough_mechanism(seed, seed % 2 == 0);
      INFO("seed " << seed << ", guesses off by " << roughness);
      const int n = loaded.sizes().velocities;
      const auto simulation = loaded.simulation();
      for (int i = 0; i < n; ++i) {
        const int start = loaded.parameter("q" + std::to_string(i) + "_start");
        simulation->set_parameter(start, loaded.parameters()[start] + roughness * std::sin(3.0 * i + seed));
      }
      assemble(*simulation, 0.3);
      const VectorXd q = positions(*simulation), v = velocities(*simulation);
      const VectorXd q_guess = VectorXd::Map(simulation->position_guesses(), n);
      const VectorXd v_guess = VectorXd::Map(simulation->velocity_guesses(), n);
      CHECK(q[1] == q_guess[1]);
      CHECK(simulation->position_violation() < 2e-15);
      CHECK(simulation->velocity_violation() < 1e-14);
      // Stationary: M(q_g)(q − q_g) is orthogonal to every direction left free.
      const Evaluation guess(loaded, 0.3, q_guess, v), here(loaded, 0.3, q, v);
      const int rows = loaded.sizes().position_rows;
      const VectorXd slope =
          null_space(held(here.C.topRows(rows), loaded.table().position_fixed)).transpose() * (guess.M * (q - q_guess));
      CHECK(slope.cwiseAbs().maxCoeff() < 1e-10);
      // Then u represents the start's v: they are equal to round-off.
      CHECK(std::fabs(v[2] - v_guess[2]) < 1e-13);
      const VectorXd rate_slope =
          null_space(held(here.C, loaded.table().velocity_fixed)).transpose() * (here.M * (v - v_guess));
      CHECK(rate_slope.cwiseAbs().maxCoeff() < 1e-12);
    }
  }
}

TEST_CASE("the nearest point is a minimum: no consistent neighbour is nearer", "[start]") {
  // Mass point free to move on the circle; the guess is far outside: the nearest point is radial.
  std::string text = bar_pendulum();
  text.replace(text.find("fixed = true, rate_start"), 24, "rate_start");
  const Loaded free = Loaded::text(text);
  const auto simulation = free.simulation();
  for (const double angle : {0.1, 1.5, 3.0, 5.0}) {
    simulation->set_parameter(free.parameter("x_start"), 4 * std::cos(angle));
    simulation->set_parameter(free.parameter("y_start"), 4 * std::sin(angle));
    assemble(*simulation);
    CHECK(simulation->positions()[0] == Approx(0.5 * std::cos(angle)).margin(1e-13));
    CHECK(simulation->positions()[1] == Approx(0.5 * std::sin(angle)).margin(1e-13));
  }
}

TEST_CASE("a start depends on nothing that was read or done before", "[start]") {
  const Loaded loaded = rough_mechanism(3, true);
  const auto fresh = loaded.simulation(), used = loaded.simulation();
  assemble(*used, 0);
  advance(*used, 0.4);
  used->accelerations();
  used->multipliers();
  used->position_violation();
  used->set_parameter(loaded.parameter("q0_start"), 0.9);
  assemble(*used, 0.1);
  used->set_parameter(loaded.parameter("q0_start"), loaded.parameters()[loaded.parameter("q0_start")]);
  assemble(*fresh, 0.2);
  assemble(*used, 0.2);
  REQUIRE(fresh->state_size() == used->state_size());
  for (int i = 0; i < fresh->state_size(); ++i) CHECK(fresh->state()[i] == used->state()[i]);
}

TEST_CASE("over-determined, impossible and contradictory starts are explained", "[start]") {
  SECTION("fixed values that over-determine") {
    const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Fixed"
[parameters]
m = { value = 2, unit = "kg" }
L = { value = 0.5, unit = "m" }
[coordinates]
x = { unit = "m", start = 0.3, fixed = true }
y = { unit = "m", start = -0.4, fixed = true }
z = { unit = "m", start = 1 }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2 + der(z)^2)/2"
[constraints.bar]
position = "x^2 + y^2 - L^2"
)toml");
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    advance(*simulation, 0.1);
    const VectorXd before = positions(*simulation);
    simulation->set_parameter(loaded.parameter("x_start"), 0.2);
    CHECK_FALSE(simulation->assemble(0));
    INFO(simulation->message().text);
    CHECK(contains(simulation->message(), "constraint 'bar' stays open by -0.05 m2"));
    CHECK(contains(simulation->message(), "The fixed start values over-determine it: 'x'"));
    CHECK(contains(simulation->message(), "'y' (start -0.4"));
    CHECK(contains(simulation->message(), "Remove 'fixed = true' from one of them"));
    CHECK_FALSE(contains(simulation->message(), "'z'"));
    CHECK(positions(*simulation) == before);
  }
  SECTION("impossible") {
    const Loaded loaded = Loaded::text(bar_pendulum());
    const auto simulation = loaded.simulation();
    simulation->set_parameter(loaded.parameter("x_start"), 0.8);  // This is farther than the bar reaches.
    CHECK_FALSE(simulation->assemble(0));
    INFO(simulation->message().text);
    CHECK(contains(simulation->message(),
                   "'bar' stays open by 0.39 m. The fixed start 'x' = 0.8 m cannot be reached: at "
                   "most 0.5 m."));
    CHECK_FALSE(simulation->assembled());
  }
  SECTION("contradictory velocities") {
    std::string text = bar_pendulum();
    text.replace(text.find("y = { unit = \"m\", start = -0.3 }"), 33,
                 "y = { unit = \"m\", start = -0.3, rate_start = 1.125, rate_fixed = true }\n");
    const Loaded loaded = Loaded::text(text);
    const auto simulation = loaded.simulation();
    assemble(*simulation);  // 0.3·1.5 = 0.4·1.125
    simulation->set_parameter(loaded.parameter("y_rate_start"), 1);
    CHECK_FALSE(simulation->assemble(0));
    INFO(simulation->message().text);
    CHECK(contains(simulation->message(), "the rate of the constraint 'bar' stays open by 0.1 m/s"));
    CHECK(contains(simulation->message(), "Remove 'rate_fixed = true' from one of them"));
  }
  SECTION("values that are not finite") {
    const Loaded loaded = Loaded::text(bar_pendulum());
    const auto simulation = loaded.simulation();
    simulation->set_parameter(loaded.parameter("y_start"), NAN);
    CHECK_FALSE(simulation->assemble(0));
    CHECK(contains(simulation->message(), "start value of 'y' is not finite"));
    simulation->set_parameter(loaded.parameter("y_start"), -0.4);
    simulation->set_parameter(loaded.parameter("x_rate_start"), INFINITY);
    CHECK_FALSE(simulation->assemble(0));
    CHECK(contains(simulation->message(), "start rate of 'der(x)' is not finite"));
  }
}

namespace {

/// A pendulum in absolute coordinates with its angle as a third one, which has no inertia of its own.
const char* const with_massless_angle = R"toml(
[mechanism]
name = "Massless"
[parameters]
m = { value = 2, unit = "kg" }
L = { value = 0.5, unit = "m" }
g = { value = 9.81, unit = "m/s2" }
[coordinates]
x = { unit = "m", start = 0.3 }
y = { unit = "m", start = -0.4 }
phi = { unit = "rad", start = 0.7, fixed = true, rate_start = 2, rate_fixed = true }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2"
potential_energy = "m*g*y"
[constraints.horizontal]
position = "x - L*sin(phi)"
[constraints.vertical]
position = "y + L*cos(phi)"
)toml";

}  // namespace

TEST_CASE("a coordinate without inertia may be held by constraints", "[start]") {
  const Loaded massless = Loaded::text(with_massless_angle), plain = Loaded::text(bar_pendulum());
  Settings settings = massless.settings;
  settings.tolerance = 1e-12;
  settings.method = method("dop853");
  const auto reference = plain.simulation(settings);
  reference->set_parameter(plain.parameter("x_start"), 0.5 * std::sin(0.7));
  reference->set_parameter(plain.parameter("y_start"), -0.5 * std::cos(0.7));
  reference->set_parameter(plain.parameter("x_rate_start"), 2 * 0.5 * std::cos(0.7));
  assemble(*reference);
  advance(*reference, 2);
  for (int b = 0; b < resolution_count; ++b) {
    if (needs_regular_M(b)) continue;
    const char* name = tangent_bases[b];
    INFO(name);
    settings.tangent_basis = basis(name);
    const auto simulation = massless.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 2);
    for (int i = 0; i < 2; ++i) {
      CHECK(simulation->positions()[i] == Approx(reference->positions()[i]).margin(1e-9));
      CHECK(simulation->velocities()[i] == Approx(reference->velocities()[i]).margin(1e-9));
    }
  }
  int refusing = 0;
  for (int b = 0; b < resolution_count; ++b) {
    if (!needs_regular_M(b)) continue;
    const char* name = tangent_bases[b];
    INFO(name);
    ++refusing;
    settings.tangent_basis = b;
    const auto refused = massless.simulation(settings);
    CHECK_FALSE(refused->assemble(0));
    CHECK(contains(refused->message(), std::string("tangent basis '") + name + "' needs it"));
    CHECK(contains(refused->message(), "'der(phi)'"));
    CHECK(contains(refused->message(), "tangent_basis = \"partitioned\""));
  }
  CHECK(refusing > 0);
}

TEST_CASE("a mass matrix that is singular on the tangent space names the coordinate", "[start]") {
  std::string text = with_massless_angle;
  text.resize(text.find("[constraints.horizontal]"));  // Nothing holds phi any more.
  text += "[constraints.level]\nposition = \"y + 0.4*L/L*L*2\"\n";
  const Loaded loaded = Loaded::text(text);
  const auto simulation = loaded.simulation();
  CHECK_FALSE(simulation->assemble(0));
  INFO(simulation->message().text);
  CHECK(contains(simulation->message(), "nothing resists an acceleration of 'der(phi)'"));
  CHECK(contains(simulation->message(), "in the directions that the constraints leave free"));
}

TEST_CASE("new parameters while running: q is projected, v carried", "[start]") {
  const Loaded loaded = Loaded::text(bar_pendulum());
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  advance(*simulation, 0.2);
  const VectorXd q = positions(*simulation), v = velocities(*simulation);
  simulation->set_parameter(loaded.parameter("L"), 0.6);
  REQUIRE(simulation->adopt_parameters());
  CHECK(simulation->time() == 0.2);
  const VectorXd longer = positions(*simulation);
  CHECK(longer.norm() == Approx(0.6).epsilon(1e-14));
  CHECK((longer / 0.6 - q / 0.5).norm() < 1e-13);  // The direction stays.
  CHECK((velocities(*simulation) - v).norm() < 1e-13);
  CHECK(simulation->velocity_violation() < 1e-15);
  simulation->set_parameter(loaded.parameter("L"), NAN);
  CHECK_FALSE(simulation->adopt_parameters());
  CHECK(contains(simulation->message(), "'bar'"));
  CHECK(positions(*simulation) == longer);
}

TEST_CASE("angles start within half a turn of their guesses", "[start]") {
  // The parallelogram is 1 m high and 10 km long: a coupler that turns a little moves its end by much.
  for (const double length : {10.0, 1e4}) {
    std::string text = parallelogram({});
    const std::string two = "d = { value = 2,", given = "d = { value = " + std::to_string(length) + ",";
    text.replace(text.find(two), two.size(), given);
    const Loaded loaded = Loaded::text(text);
    const auto simulation = loaded.simulation();
    for (const double angle : {0.5, 1.0, 2.0, -2.5}) {
      for (const double guess : {0.0, 0.4, -1.0}) {
        simulation->set_parameter(loaded.parameter("a_start"), angle);
        simulation->set_parameter(loaded.parameter("b_start"), guess);
        simulation->set_parameter(loaded.parameter("c_start"), guess);
        INFO(length << " m, " << angle << ", guess " << guess);
        assemble(*simulation);
        for (const char* name : {"b", "c"}) {
          CHECK(std::fabs(simulation->positions()[loaded.index(name)] - guess) <= 3.1415926535897936);
        }
        CHECK(simulation->position_violation() < 1e-14 * length);
      }
    }
  }
}
