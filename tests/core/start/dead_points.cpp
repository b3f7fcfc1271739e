// Tests starts at dead points: they are found to rounding, with the rates that are possible there and no others.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>
#include <random>

#include <Eigen/Geometry>

#include "derivation/derive.hpp"
#include "derivation/program/interpret.hpp"
#include "fmu_src/start/start.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/rotations.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;
using test::SpatialBody;

namespace {

constexpr double pi = std::numbers::pi;

bool contains(const Message& message, const std::string& part) {
  return std::string(message.text).find(part) != std::string::npos;
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

Loaded slider_crank(double a, double b, double d, const std::string& rates = "") {
  return Loaded::text(slider_cranks(1, "start = " + number(a) + ", rate_start = 10", "start = " + number(b),
                                    "start = " + number(d) + ", fixed = true" + rates));
}

struct Dead {
  double d, a_guess, b_guess, a, b;
};
const Dead dead_points[] = {
    {0.32, 0.4, -0.3, 0, 0}, {-0.16, 0.4, 2.8, 0, pi}, {0.16, 2.9, 2.9, pi, pi}, {-0.32, 2.8, 0.3, pi, 0}};

}  // namespace

TEST_CASE("a slider-crank's dead points are met exactly, a rate there is a contradiction", "[dead]") {
  for (const Dead& at : dead_points) {
    INFO("D = " << at.d);
    const Loaded free = slider_crank(at.a_guess, at.b_guess, at.d);
    const auto simulation = free.simulation();
    assemble(*simulation);
    CHECK(std::fabs(simulation->positions()[0] - at.a) < 1e-15);
    CHECK(std::fabs(simulation->positions()[1] - at.b) < 1e-15);
    CHECK(simulation->positions()[2] == at.d);
    CHECK(std::fabs(simulation->velocities()[2]) < 1e-14);  // The slider cannot move.
    CHECK(simulation->velocities()[0] > 4);                 // the crank can, and keeps what it can of its guess

    const Loaded resting = slider_crank(at.a_guess, at.b_guess, at.d, ", rate_start = 0, rate_fixed = true");
    const auto rest = resting.simulation();
    assemble(*rest);
    // It is nearest in M to the guess of 10 rad/s: along (1, β), β = dB/dA of r sin A + l sin(A + B) = 0.
    const double beta = -1 - 0.08 * std::cos(at.a) / (0.24 * std::cos(at.a + at.b));
    CHECK(rest->velocities()[0] == Approx(10 * 0.03 / (0.03 + 0.02 * beta * beta)).epsilon(1e-12));
    CHECK(rest->velocities()[1] == Approx(beta * rest->velocities()[0]).epsilon(1e-12));

    const Loaded moving = slider_crank(at.a_guess, at.b_guess, at.d, ", rate_start = 0.5, rate_fixed = true");
    const auto refused = moving.simulation();
    CHECK_FALSE(refused->assemble(0));
    CHECK(
        std::string(refused->message().text) ==
        "The start is a dead point. There the constraint 'x0' allows 'der(D0)' no rate but 0 m/s, whatever the others do (fixed: 0.5 m/s). Fix "
        "that rate, or start elsewhere.");
  }
}

TEST_CASE("next to a dead point rates are large, true, and warned of, within rounding of it they are refused",
          "[dead]") {
  for (const double before : {1e-16, 1e-15, 1e-14}) {
    const Loaded loaded = slider_crank(0.4, -0.3, 0.32 - before, ", rate_start = 0.5, rate_fixed = true");
    const auto simulation = loaded.simulation();
    INFO(before);
    CHECK_FALSE(simulation->assemble(0));
    CHECK(contains(simulation->message(), "dead point"));
  }
  for (const double before : {1e-12, 1e-10, 1e-6, 1e-5}) {
    const Loaded loaded = slider_crank(0.4, -0.3, 0.32 - before, ", rate_start = 0.5, rate_fixed = true");
    const auto simulation = loaded.simulation();
    INFO(before);
    assemble(*simulation);
    const double distance = 0.32 - (0.32 - before);  // This is the rounded one.
    // D = r cos A + √(l² − r² sin² A): A² = 2 distance/(r (1 + r/l)) near the dead point, Ḋ = −r (1 + r/l) A Ȧ.
    const double c = 0.08 * (1 + 0.08 / 0.24), angle = std::sqrt(2 * distance / c);
    CHECK(std::fabs(simulation->velocities()[0]) ==
          Approx(0.5 / (c * angle)).epsilon(before < 1e-11 || before > 1e-7 ? 1e-3 : 1e-5));
    const std::string warning = simulation->message().warnings;
    INFO(warning);
    CHECK((warning.find("from a dead point") != std::string::npos) == (before < 1e-7));
    if (before == 1e-10) CHECK(warning.find("The fixed start 'D0' = 0.32 m is 1e-10 m from a dead point") == 0);
  }
}

TEST_CASE("a fixed value beyond a dead point by rounding only starts at it", "[dead]") {
  const double ulp = 5.551115123125783e-17;  // last digit of 0.32
  for (const int beyond : {0, 1, 2, 3, 8}) {
    INFO(beyond << " units in the last place");
    const Loaded loaded = slider_crank(0.4, -0.3, 0.32 + beyond * ulp);
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    CHECK(std::fabs(simulation->positions()[0]) < 1e-15);
    CHECK(std::fabs(simulation->positions()[1]) < 1e-15);
    CHECK(std::fabs(simulation->velocities()[2]) < 1e-14);
  }
  const std::string name = "beyond a dead point by rounding";
  std::seed_seq seed(name.begin(), name.end());
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0.05, 0.3);
  for (const char* d : {"r + l", "-(r + l)", "0.1*(r + l) + 0.9*(r + l)"}) {
    INFO(d);
    const bool back = d[0] == '-';
    const Loaded loaded =
        Loaded::text(slider_cranks(1, back ? "start = 2.8" : "start = 0.4", back ? "start = 0.3" : "start = -0.3",
                                   std::string("start = \"") + d + "\", fixed = true"));
    for (int trial = 0; trial < 40; ++trial) {
      const auto simulation = loaded.simulation();
      const double r = uniform(random);
      simulation->set_parameter(loaded.parameter("r"), r);
      simulation->set_parameter(loaded.parameter("l"), r + uniform(random));
      assemble(*simulation);
      CHECK(std::fabs(simulation->positions()[0] - (back ? pi : 0)) < 1e-15);
      CHECK(std::fabs(simulation->positions()[1]) < 1e-15);
    }
  }
}

TEST_CASE("a fixed value that cannot be reached is told with its limit", "[dead]") {
  const Loaded loaded = slider_crank(0.4, -0.3, 0.3);
  const auto simulation = loaded.simulation();
  for (const double d : {0.320001, 0.33, 0.52, -0.35}) {
    simulation->set_parameter(loaded.parameter("D0_start"), d);
    INFO(d);
    CHECK_FALSE(simulation->assemble(0));
    INFO(simulation->message().text);
    CHECK(contains(simulation->message(),
                   d > 0 ? "cannot be reached: at most 0.32 m." : "cannot be reached: at least -0.32 m."));
  }
}

TEST_CASE("two mechanisms at dead points at once, or one beside another that is free", "[dead]") {
  std::string text = slider_cranks(2, "start = 0.4, rate_start = 10", "start = -0.3", "start = 0.32, fixed = true");
  const Loaded loaded = Loaded::text(text);
  const auto both = loaded.simulation();
  both->set_parameter(loaded.parameter("A1_start"), 2.9);
  both->set_parameter(loaded.parameter("B1_start"), 2.9);
  both->set_parameter(loaded.parameter("D1_start"), 0.16);
  assemble(*both);
  const double exact[] = {0, 0, 0.32, pi, pi, 0.16};
  for (int i = 0; i < 6; ++i) CHECK(std::fabs(both->positions()[i] - exact[i]) < 1e-15);
  for (const int slider : {2, 5}) CHECK(std::fabs(both->velocities()[slider]) < 1e-13);

  const auto second = text.rfind(", fixed = true");
  text.erase(second, 14);
  const Loaded beside = Loaded::text(text);
  const auto one = beside.simulation();
  one->set_parameter(beside.parameter("D1_start"), 0.3);
  assemble(*one);
  for (int i = 0; i < 3; ++i) CHECK(std::fabs(one->positions()[i] - exact[i]) < 1e-15);
  CHECK(one->position_violation() < 1e-15);
  // The other is where it is without the first.
  const Loaded alone = Loaded::text(slider_cranks(1, "start = 0.4", "start = -0.3", "start = 0.3"));
  const auto single = alone.simulation();
  assemble(*single);
  for (int i = 0; i < 3; ++i) CHECK(one->positions()[3 + i] == Approx(single->positions()[i]).margin(1e-12));
}

TEST_CASE("the spatial four-bar's dead points", "[dead]") {
  const Loaded loaded = Loaded::model("spatial_four_bar");
  const auto simulation = loaded.simulation();
  for (const double q1 : {0.0, 0.9272952180016122}) {
    INFO("q1 = " << q1);
    simulation->set_parameter(loaded.parameter("q1_start"), q1);
    simulation->set_parameter(loaded.parameter("q1_rate_start"), 2.5);
    CHECK_FALSE(simulation->assemble(0));
    CHECK(
        std::string(simulation->message().text) ==
        "The start is a dead point. There the constraint 'rod' allows 'der(q1)' no rate but 0 rad/s, whatever the others do (fixed: 2.5 rad/s). Fix "
        "that rate, or start elsewhere.");
    simulation->set_parameter(loaded.parameter("q1_rate_start"), 0);
    simulation->set_parameter(loaded.parameter("q2_rate_start"), 3);
    assemble(*simulation);
    CHECK(simulation->positions()[0] == q1);
    CHECK(std::fabs(simulation->positions()[1] - pi / 2) < 1e-15);
    CHECK(std::fabs(simulation->velocities()[0]) < 1e-15);
    CHECK(simulation->velocities()[1] == Approx(3).epsilon(1e-12));
    // Newton's method has little or nothing to do there.
    for (const double guess : {pi / 2, pi / 2 + 1e-8, pi / 2 - 1e-5}) {
      simulation->set_parameter(loaded.parameter("q2_start"), guess);
      assemble(*simulation);
      CHECK(std::fabs(simulation->positions()[1] - pi / 2) < 1e-15);
      simulation->set_parameter(loaded.parameter("q1_rate_start"), 2.5);
      CHECK_FALSE(simulation->assemble(0));
      simulation->set_parameter(loaded.parameter("q1_rate_start"), 0);
    }
    simulation->set_parameter(loaded.parameter("q2_start"), 1);
  }
}

TEST_CASE("a flat parallelogram is found flat", "[dead]") {
  Parallelogram p;
  const Loaded loaded = Loaded::text(parallelogram(p));
  const auto simulation = loaded.simulation();
  simulation->set_parameter(loaded.parameter("a_start"), 0);
  simulation->set_parameter(loaded.parameter("b_start"), 0.3);
  simulation->set_parameter(loaded.parameter("c_start"), 0.4);
  CHECK_FALSE(simulation->assemble(0));
  INFO(simulation->message().text);
  CHECK(contains(simulation->message(), "The position is singular at t = 0 s"));
}

TEST_CASE("a constraint whose slope vanishes where it holds is told", "[dead]") {
  const auto text = [](const std::string& sq, double x1) {
    return "[mechanism]\nname = \"Squared\"\n[parameters]\nm = { value = 2, unit = \"kg\" }\n"
           "d = { value = 0.7, unit = \"m\" }\n[coordinates]\nx1 = { unit = \"m\", start = " +
           number(x1) +
           " }\n"
           "x2 = { unit = \"m\", start = 0.2 }\nx3 = { unit = \"rad\", start = 0.3, rate_start = 2 }\n[dynamics]\n"
           "kinetic_energy = \"m*(der(x1)^2 + der(x2)^2 + 0.1*d^2*der(x3)^2)/2\"\n[constraints.guide]\n"
           "position = \"x2 - x1*sin(x3)\"\n[constraints.sq]\nposition = \"" +
           sq + "\"\n";
  };
  const auto refused = [](const std::string& file) {
    const Equations equations = equations_of(file);
    Diagnostics diagnostics;
    const InterpretedMechanism interpreted(*derive(equations, diagnostics));
    Arena memory;
    ConsistentStart start(memory, interpreted.table());
    std::vector<double> q(3);
    Message message;
    CHECK_FALSE(start.solve_positions(0, equations.parameter_values.data(), nullptr, q.data(), message));
    return std::string(message.text);
  };
  for (const char* sq : {"(x1 - d)^2", "(x1 - d)^3", "(x1 - d)^4/d^2", "(x1 - d)^2 + (x2 - d/4)^2"}) {
    for (const double x1 : {1.0, 0.7}) {
      INFO(sq << ", start " << x1);
      CHECK(refused(text(sq, x1)).find("The slope of the constraint 'sq' vanishes wherever it holds") == 0);
    }
  }
}

TEST_CASE("two bars in line between ground points hold their position but no rate", "[dead]") {
  const Equations equations = equations_of(R"toml(
[mechanism]
name = "Dyad"
[parameters]
m = { value = 2, unit = "kg" }
l = { value = 1, unit = "m" }
[coordinates]
a = { unit = "rad", start = 0.3 }
b = { unit = "rad", start = -0.2 }
[dynamics]
kinetic_energy = "m*l^2*(der(a)^2 + der(b)^2)/6"
[constraints.x]
position = "l*cos(a) + 2*l*cos(b) - 3*l*cos(0.5)"
[constraints.y]
position = "l*sin(a) + 2*l*sin(b) - 3*l*sin(0.5)"
)toml");
  Diagnostics diagnostics;
  const InterpretedMechanism interpreted(*derive(equations, diagnostics));
  Arena memory;
  ConsistentStart start(memory, interpreted.table());
  std::vector<double> q(2);
  Message message;
  CHECK_FALSE(start.solve_positions(0, equations.parameter_values.data(), nullptr, q.data(), message));
  INFO(message.text);
  CHECK(contains(message, "The constraints 'x', 'y' hold in this position only"));
}

TEST_CASE("rows that are dependent everywhere make no dead point, and hide none", "[dead]") {
  // This writes the loop twice, the second time with other factors.
  std::string text = slider_cranks(1, "start = 0.4, rate_start = 10", "start = -0.3",
                                   "start = 0.32, fixed = true, rate_start = 0, rate_fixed = true");
  text += "[constraints.again]\nposition = \"2*(r*cos(A0) + l*cos(A0 + B0) - D0) + r*sin(A0) + l*sin(A0 + B0)\"\n";
  const Loaded loaded = Loaded::text(text);
  CHECK(loaded.sizes().rank == 2);
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  CHECK(std::fabs(simulation->positions()[0]) < 1e-15);
  CHECK(std::fabs(simulation->positions()[1]) < 1e-15);
  CHECK(simulation->velocities()[0] == Approx(4.5762711864).epsilon(1e-9));
  simulation->set_parameter(loaded.parameter("D0_rate_start"), 0.5);
  CHECK_FALSE(simulation->assemble(0));
  CHECK(contains(simulation->message(), "dead point"));
  simulation->set_parameter(loaded.parameter("D0_start"), 0.3);
  assemble(*simulation);
  CHECK(simulation->position_violation() < 1e-15);
}

TEST_CASE("a large mechanism's dead point is met exactly", "[dead][large]") {
  constexpr int count = 50;  // 150 velocities
  std::string text = slider_cranks(count, "start = 0.5, rate_start = 10", "start = -0.6", "start = 0.3, fixed = true");
  const Loaded loaded = Loaded::text(text);
  REQUIRE(loaded.sizes().velocities >= 120);
  const auto simulation = loaded.simulation();
  for (const int i : {0, 7, 49}) simulation->set_parameter(loaded.parameter("D" + std::to_string(i) + "_start"), 0.32);
  assemble(*simulation);
  for (const int i : {0, 7, 49}) {
    CHECK(std::fabs(simulation->positions()[loaded.index("A" + std::to_string(i))]) < 1e-15);
    CHECK(std::fabs(simulation->positions()[loaded.index("B" + std::to_string(i))]) < 1e-15);
    CHECK(std::fabs(simulation->velocities()[loaded.index("D" + std::to_string(i))]) < 1e-12);
  }
  CHECK(simulation->position_violation() < 1e-15);
}

TEST_CASE("a body in space stretched to its reach", "[dead][rotations]") {
  // Its point s is pinned; the height of another point is fixed at the top of the sphere that it may be on.
  SpatialBody body(2, {0.2, 0.5, 0.3}, 9.81);
  body.pin({0, 0, 0.5});
  const casadi::SX arm(std::vector<double>{0.3, 0.1, -0.2});
  const casadi::SX height = (body.position + casadi::SX::mtimes(body.R, arm))(2);
  const casadi::SX rise = casadi::SX::jtimes(height, body.further().symbols.q, body.further().symbols.q_rate);
  const double top = Eigen::Vector3d(0.3, 0.1, -0.7).norm();
  body.further().start_positions.push_back({"height", {}, height - body.parameter("height_start", -0.6)});
  body.further().start_velocities.push_back({"der(height)", {}, rise - body.parameter("rise_start", 0)});
  const Loaded loaded =
      Loaded::equations(body.equations({0, 0.93937271284737889, 0.1, -0.2, 0.25, 0, 0}, {0, 0.3, 0.2, 0.1, 0, 0}));
  const auto simulation = loaded.simulation();
  simulation->set_parameter(loaded.parameter("height_start"), -top);
  assemble(*simulation);
  const double* q = simulation->positions();
  const Eigen::Vector3d reached =
      Eigen::Quaterniond(q[1], q[2], q[3], q[4]) * Eigen::Vector3d(0.3, 0.1, -0.2) + Eigen::Vector3d(q[0], q[5], q[6]);
  CHECK(std::fabs(reached[2] + top) < 1e-15);
  CHECK(reached.head<2>().norm() < 1e-15);
  const Eigen::Vector3d omega = Eigen::Vector3d::Map(simulation->velocities() + 1);
  CHECK(omega.norm() > 0.1);
  simulation->set_parameter(loaded.parameter("rise_start"), 0.25);
  CHECK_FALSE(simulation->assemble(0));
  INFO(simulation->message().text);
  CHECK(contains(simulation->message(), "allows 'der(height)' no rate but 0"));
  simulation->set_parameter(loaded.parameter("height_start"), -top - 0.01);
  CHECK_FALSE(simulation->assemble(0));
  CHECK(contains(simulation->message(), "The fixed start of 'height' cannot be reached: the nearest is 0.01 more"));
}

TEST_CASE("a large mechanism tells the limit of the value that cannot be reached", "[dead][large]") {
  constexpr int count = 40;  // 120 velocities
  const Loaded loaded = Loaded::text(slider_cranks(count, "start = 0.5", "start = -0.6", "start = 0.3, fixed = true"));
  REQUIRE(loaded.sizes().velocities >= 120);
  const auto simulation = loaded.simulation();
  simulation->set_parameter(loaded.parameter("D37_start"), 0.33);
  CHECK_FALSE(simulation->assemble(0));
  INFO(simulation->message().text);
  CHECK(contains(simulation->message(), "The fixed start 'D37' = 0.33 m cannot be reached: at most 0.32 m."));
}

TEST_CASE("a limit is told where rows depend on others too", "[dead]") {
  std::string text = slider_cranks(1, "start = 0.4", "start = -0.3", "start = 0.33, fixed = true");
  text += "[constraints.again]\nposition = \"2*(r*cos(A0) + l*cos(A0 + B0) - D0) + r*sin(A0) + l*sin(A0 + B0)\"\n";
  Equations equations = equations_of(text);
  Diagnostics diagnostics;
  const InterpretedMechanism interpreted(*derive(equations, diagnostics));
  Arena memory;
  ConsistentStart start(memory, interpreted.table());
  std::vector<double> q(3);
  Message message;
  CHECK_FALSE(start.solve_positions(0, equations.parameter_values.data(), nullptr, q.data(), message));
  INFO(message.text);
  CHECK(contains(message, "cannot be reached: at most 0.32 m."));
}
