// Tests angles that go on turning: they keep their digits, and all readers see their turns.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "tests/core/mechanisms.hpp"
#include "tests/core/methods.hpp"
#include "tests/core/support.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

constexpr double two_pi = 6.283185307179586477;

std::string arm(double turns, double rate, double stiffness) {
  return arm_on_spring({stiffness, 0, 0.3, rate, turns}) +
         "[outputs]\ntwice = { value = \"2*A.angle\", unit = \"rad\" }\n";
}

std::string spinning_windows(int count, double turns, double rate) {
  std::string text = four_bar_windows(count);
  const std::string start = "angle = { start = 0, fixed = true, rate_start = -1,";
  const std::size_t place = text.find(start);
  REQUIRE(place != std::string::npos);
  return text.replace(place, start.size(),
                      "angle = { start = \"" + std::to_string(turns) +
                          "*2*pi\", fixed = true, rate_start = " + std::to_string(rate) + ",");
}

std::unique_ptr<StandaloneSimulation> run(const Loaded& loaded, const std::string& method_name, double end) {
  Settings settings = loaded.settings;
  settings.method = method(method_name);
  auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  advance(*simulation, end);
  return simulation;
}

}  // namespace

TEST_CASE("loops stay closed to rounding however far they have turned", "[turns]") {
  const int count = 10;
  const Loaded far = Loaded::text(spinning_windows(count, -1e3, -20)),
               near = Loaded::text(spinning_windows(count, 0, -20));
  REQUIRE(far.sizes().turning == far.sizes().positions);
  for (const MethodFacts& one : all_methods()) {
    INFO(one.name);
    const auto a = run(far, one.name, 1), b = run(near, one.name, 1);
    CHECK(a->position_violation() < 1e-14 * count);  // Its size is counted in m.
    CHECK(b->position_violation() < 1e-14 * count);
    for (int i = 0; i < far.sizes().positions; ++i) {
      const double turned = a->positions()[i] - b->positions()[i], turns = std::round(turned / two_pi);
      CHECK(std::fabs(turned - turns * two_pi) < 1e-8);  // the digits that the start has
    }
    CHECK(std::round((a->positions()[0] - b->positions()[0]) / two_pi) == -1e3);
    CHECK(b->positions()[0] < -10);  // and it has turned on
  }
}

TEST_CASE("a long run adds no more than rounding", "[turns]") {
  const MethodFacts fixed = GENERATE(from_range(fixed_step_methods()));
  INFO(fixed.name);
  const Loaded loaded = Loaded::text(spinning_windows(1, 0, -200));
  Settings settings = loaded.settings;
  settings.method = method(fixed.name);
  auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  double largest = 0;
  for (int i = 1; i <= 20; ++i) {
    advance(*simulation, i);
    largest = std::fmax(largest, simulation->position_violation());
  }
  CHECK(simulation->steps() == 20000);
  CHECK(simulation->positions()[0] < -3900);
  CHECK(largest < 5e-15);
}

TEST_CASE("a start many turns away is as exact as the value that is given", "[turns]") {
  // A four-bar that starts at a crank's angle with many turns, held exactly; the others with as many, or with none.
  const std::string text = R"toml([mechanism]
name = "FourBar"
dimension = "planar"
gravity = [0, -9.81]
[parameters]
first = { value = 0, unit = "rad" }
guess = { value = 0, unit = "rad" }
[ground.points]
D = [1.5, 0]
[bodies.crank]
mass = 1
inertia = 0.1
points.B = [1, 0]
[bodies.coupler]
mass = 2
inertia = 0.5
points.C = [2, 0]
[bodies.rocker]
mass = 1
inertia = 0.1
points.C = [1.8, 0]
[joints.A]
type = "revolute"
parent = "ground"
child = "crank"
angle = { start = "first", fixed = true, rate_start = -3, rate_fixed = true }
[joints.B]
type = "revolute"
parent = "crank.B"
child = "coupler"
angle = { start = "guess" }
[joints.C]
type = "revolute"
parent = "coupler.C"
child = "rocker.C"
[joints.D]
type = "revolute"
parent = "ground.D"
child = "rocker"
angle = { start = "1.3 + guess" }
)toml";
  const Loaded loaded = Loaded::text(text);
  const int crank = loaded.index("A.angle"), rocker = loaded.index("D.angle");
  REQUIRE(loaded.sizes().turning == loaded.sizes().positions);
  for (const double start : {6283185.307, -6283186.0, 4000.7, 62831853.1, 5.0, -3.9}) {
    for (const double guess : {0.0, std::round(start / two_pi) * two_pi}) {
      INFO(start << ", guess " << guess);
      const auto simulation = loaded.simulation();
      simulation->set_parameter(loaded.parameter("first"), start);
      simulation->set_parameter(loaded.parameter("guess"), guess);
      assemble(*simulation);
      CHECK(simulation->positions()[crank] == Approx(start).epsilon(1e-15));
      CHECK(simulation->position_violation() < 1e-14);
      // The coupler's length, from the value as it is given: libm reduces it exactly. A rocker far away shows fewer
      // digits.
      const double angle = simulation->positions()[rocker];
      const double length =
          std::hypot(1.5 + 1.8 * std::cos(angle) - std::cos(start), 1.8 * std::sin(angle) - std::sin(start));
      CHECK(std::fabs(length - 2) < 4e-15 + 4e-16 * std::fabs(angle));
      advance(*simulation, 0.5);
      CHECK(simulation->position_violation() < 1e-14);
      // The motion is that from the angle that the value stands for.
      const auto near = loaded.simulation();
      near->set_parameter(loaded.parameter("first"), std::atan2(std::sin(start), std::cos(start)));
      near->set_parameter(loaded.parameter("guess"), 0);
      assemble(*near);
      advance(*near, 0.5);
      for (const int i : {crank, rocker})
        CHECK(std::fabs(std::remainder(simulation->positions()[i] - near->positions()[i], two_pi)) < 1e-7);
    }
  }
}

TEST_CASE("short steps may land a hundred thousandth of a radian beside flat positions", "[turns][redundancy]") {
  // The nearer, the more rounding of the constraints is enlarged in the position. All links keep to their
  // parallelograms.
  const int count = 10;
  std::string text = four_bar_windows(count);
  const std::string start = "angle = { start = 0, fixed = true, rate_start = -1,";
  text.replace(text.find(start), start.size(), "angle = { start = \"first\", fixed = true, rate_start = -5,");
  const std::string parameters = "[parameters]\n";
  text.insert(text.find(parameters) + parameters.size(), "first = { value = 0, unit = \"rad\" }\n");
  const Loaded loaded = Loaded::text(text);
  const int crank = loaded.index("A0.angle");
  Settings settings = loaded.settings;
  settings.method = method("rk4");
  settings.step = 1e-3;
  const double flat = -two_pi / 4;
  for (double beside = 1e-3; beside > 1e-5; beside /= 1.7) {
    for (const double side : {beside, -beside}) {
      INFO("lands " << side << " rad beside");
      double first = flat + 5e-3 + side;
      for (int trial = 0; trial < 3; ++trial) {
        const auto simulation = loaded.simulation(settings);
        simulation->set_parameter(loaded.parameter("first"), first);
        assemble(*simulation);
        advance(*simulation, 1e-3);
        const double landed = simulation->positions()[crank] - flat;
        if (trial < 2) {
          first -= landed - side;
          continue;
        }
        CHECK(landed == Approx(side).epsilon(1e-3));
        advance(*simulation, 0.02);
        CHECK(simulation->position_violation() < 1e-14 * count);
        for (int i = 1; i <= count; ++i) {
          const int other = loaded.index("A" + std::to_string(i) + ".angle");
          CHECK(std::fabs(simulation->positions()[other] - simulation->positions()[crank]) < 1e-9);
        }
      }
    }
  }
}

TEST_CASE("springs, outputs and readers see the turns", "[turns]") {
  for (const char* name : integration_methods) {
    INFO(name);
    const Loaded near = Loaded::text(arm(0, 30, 2)), far = Loaded::text(arm(50, 30, 2));
    double last = near.table().sizes.positions;
    const auto a = near.simulation(near.settings), b = far.simulation(far.settings);
    assemble(*a);
    assemble(*b);
    last = a->positions()[0];
    double farthest = 0;
    for (int i = 1; i <= 300; ++i) {
      advance(*a, i * 0.01);
      advance(*b, i * 0.01);
      CHECK(b->positions()[0] - a->positions()[0] == Approx(50 * two_pi).epsilon(1e-9));
      CHECK(std::fabs(a->positions()[0] - last) < 0.5);  // It is continuous.
      CHECK(a->outputs(0)[0] == Approx(2 * a->positions()[0]).epsilon(1e-13));
      last = a->positions()[0];
      farthest = std::fmax(farthest, last);
    }
    CHECK(farthest > 10);  // The spring winds up over turns, and goes back.
    CHECK(last < farthest);
  }
}

TEST_CASE("turns are part of the state, and of what a failing step puts back", "[turns]") {
  const Loaded loaded = Loaded::text(spinning_windows(2, 0, -30));
  for (const int resolution : {basis("partitioned"), basis("kkt")}) {
    INFO(tangent_bases[resolution]);
    Settings settings = loaded.settings;
    settings.tangent_basis = resolution;
    settings.tolerance = 1e-6;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 0.7);
    const std::vector<double> middle = copy_state(*simulation);
    advance(*simulation, 1.5);
    const std::vector<double> end = copy_state(*simulation);
    const double angle = simulation->positions()[0];
    simulation->restore(middle.data());
    CHECK(same_state(*simulation, middle));
    advance(*simulation, 1.5);
    CHECK(same_state(*simulation, end));
    CHECK(simulation->positions()[0] == angle);
    // Fails after many turns.
    settings.max_steps = 200;
    const auto failing = loaded.simulation(settings);
    assemble(*failing);
    const std::vector<double> before = copy_state(*failing);
    CHECK_FALSE(failing->advance(1000));
    CHECK(same_state(*failing, before));
  }
}
