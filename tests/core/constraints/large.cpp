// Tests large mechanisms: sparse elimination against dense, and chains of loops in which nothing dense is left.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include "derivation/derive.hpp"
#include "derivation/program/interpret.hpp"
#include "fmu_src/start/start.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

/// Windows of four bars in space, where each window has three constraints too many.
std::string windows_in_space(int count) {
  return "[parameters]\nN = " + std::to_string(count) + R"toml(
[mechanism]
name = "WindowsInSpace"
dimension = "spatial"
gravity = [0, -9.81, 0]
[repeat.vertical]
with = { i = "0..N" }
[repeat.vertical.ground.points]
"A{i}" = ["{i}", 0, 0]
[repeat.vertical.bodies."vertical_{i}"]
mass = 1
center_of_mass = [0, 0.5, 0]
inertia = ["1/12", 0, "1/12"]
[repeat.vertical.bodies."vertical_{i}".points]
B = [0, 1, 0]
[repeat.vertical.joints."A{i}"]
type = "revolute"
axis = [0, 0, 1]
parent = "ground.A{i}"
child = "vertical_{i}"
[repeat.horizontal]
with = { i = "1..N", before = "0..N-1" }
[repeat.horizontal.bodies."horizontal_{i}"]
mass = 1
center_of_mass = [0.5, 0, 0]
inertia = [0, "1/12", "1/12"]
[repeat.horizontal.bodies."horizontal_{i}".points]
C = [1, 0, 0]
[repeat.horizontal.joints."B{i}"]
type = "revolute"
axis = [0, 0, 1]
parent = "vertical_{before}.B"
child = "horizontal_{i}"
[repeat.horizontal.joints."C{i}"]
type = "revolute"
axis = [0, 0, 1]
parent = "horizontal_{i}.C"
child = "vertical_{i}.B"
[joints.A0]
angle = { start = 0, fixed = true, rate_start = -1, rate_fixed = true }
[solver]
method = "dop853"
tolerance = 1e-10
)toml";
}

double angle(const Loaded& loaded, const Simulation& simulation) {
  return simulation.positions()[loaded.index("A0.angle")];
}

}  // namespace

TEST_CASE("many windows swing as the closed form says", "[large]") {
  const Loaded loaded = Loaded::text(four_bar_windows(40));
  REQUIRE(has_sparse_pivots(loaded.sizes().rank));
  Settings settings = loaded.settings;
  settings.tolerance = 1e-8;
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  advance(*simulation, 10);
  CHECK(std::fabs(-std::sin(angle(loaded, *simulation)) - 0.18051222668673) < 4e-6);
  CHECK(std::fabs(std::cos(angle(loaded, *simulation)) - 0.98357274058231) < 4e-6);
  CHECK(simulation->position_violation() < 1e-12);
  CHECK(simulation->velocity_violation() < 1e-10);
}

TEST_CASE("a large mechanism's steps repeat the same bits from a saved state", "[large]") {
  const Loaded loaded = Loaded::text(four_bar_windows(25));
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  for (const double begin : {0.4, 1.3}) {  // the second steps go through the singular position
    advance(*simulation, begin);
    const std::vector<double> saved = copy_state(*simulation);
    advance(*simulation, begin + 0.5);
    const std::vector<double> first = copy_state(*simulation);
    simulation->restore(saved.data());
    advance(*simulation, begin + 0.5);
    CHECK(same_state(*simulation, first));
    const auto other = loaded.simulation();
    assemble(*other);
    other->restore(saved.data());
    advance(*other, begin + 0.5);
    CHECK(same_state(*other, first));
  }
}

TEST_CASE("large and redundant: windows in space move as in the plane", "[large]") {
  const int count = 20;
  const Loaded plane = Loaded::text(four_bar_windows(count)), space = Loaded::text(windows_in_space(count));
  REQUIRE(has_sparse_pivots(space.sizes().rank));
  CHECK(space.sizes().rows() == 5 * count);
  CHECK(space.sizes().rank == plane.sizes().rank);
  const auto in_plane = plane.simulation(), in_space = space.simulation();
  assemble(*in_plane);
  assemble(*in_space);
  for (const double time : {0.3, 1.0, 2.0}) {
    advance(*in_plane, time);
    advance(*in_space, time);
    CHECK(angle(space, *in_space) == Approx(angle(plane, *in_plane)).margin(1e-8));
    REQUIRE(in_space->accelerations() != nullptr);
    REQUIRE(in_plane->accelerations() != nullptr);
    CHECK(in_space->accelerations()[space.index("A0.angle")] ==
          Approx(in_plane->accelerations()[plane.index("A0.angle")]).epsilon(1e-7));
    const double* multipliers = in_space->multipliers();
    REQUIRE(multipliers != nullptr);
    for (int i = 0; i < space.sizes().rows(); ++i) CHECK(std::isfinite(multipliers[i]));
  }
}

TEST_CASE("large and redundant: shared reactions change as their derivatives say", "[large]") {
  const Loaded loaded = Loaded::text(windows_in_space(12));
  const Sizes& s = loaded.sizes();
  REQUIRE(s.velocities + s.all_rows() > 64);  // Accelerations are found by sparse factors.
  REQUIRE(s.rank < s.rows());
  Settings settings = loaded.settings;
  settings.tolerance = 1e-12;
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  const auto multipliers = [&] {
    const double* values = simulation->multipliers();
    REQUIRE(values != nullptr);
    return VectorXd(VectorXd::Map(values, s.all_rows()));
  };
  constexpr double t = 0.3, h = 1e-4;
  advance(*simulation, t - h);
  const VectorXd before = multipliers();
  advance(*simulation, t);
  REQUIRE(simulation->differentiate_by_time());
  const VectorXd slopes = VectorXd::Map(simulation->multiplier_slopes(), s.all_rows());
  advance(*simulation, t + h);
  const VectorXd differences = (multipliers() - before) / (2 * h);
  CHECK((slopes - differences).cwiseAbs().maxCoeff() < 1e-6 * differences.cwiseAbs().maxCoeff());
}

TEST_CASE("a large start is that of the dense way", "[large]") {
  const Loaded loaded = Loaded::text(four_bar_windows(60));  // 121 velocities
  REQUIRE(loaded.sizes().velocities >= 120);
  const auto simulation = loaded.simulation();
  simulation->set_parameter(loaded.parameter("A30.angle_start"), 0.2);  // The guess is off the constraints.
  assemble(*simulation);
  CHECK(std::fabs(angle(loaded, *simulation)) < 1e-15);
  for (int i = 0; i < loaded.sizes().velocities; ++i) {
    CHECK(std::fabs(std::remainder(simulation->positions()[i], 2 * M_PI)) < 1e-12);
    CHECK(std::fabs(std::fabs(simulation->velocities()[i]) - 1) < 1e-12);
  }
}

namespace {

/// Crossed bars of 2 m in so many stages; the foot on a slider is fixed at this place.
std::string scissors(int stages, double place) {
  const auto joint = [](const std::string& name, const std::string& parent, const std::string& child, double angle) {
    return "[joints." + name + "]\ntype = \"revolute\"\nparent = \"" + parent + "\"\nchild = \"" + child +
           "\"\nangle = { start = " + std::to_string(angle) + " }\n";
  };
  const double slope = 0.3;
  std::string text =
      "[mechanism]\nname = \"Scissors\"\ndimension = \"planar\"\ngravity = [0, -9.81]\n" +
      joint("A", "ground", "rising1", slope) +
      "[joints.B]\ntype = \"point_on_line\"\nparent = \"ground\"\nchild = \"falling1\"\naxis = [1, 0]\n"
      "position = { start = " +
      std::to_string(place) + ", fixed = true }\nangle = { start = " + std::to_string(M_PI - slope) + " }\n";
  for (int i = 1; i <= stages; ++i) {
    const std::string here = std::to_string(i), above = std::to_string(i + 1);
    for (const char* bar : {"rising", "falling"})
      text += "[bodies." + (bar + here) + "]\nmass = 6\ninertia = 2\ncenter_of_mass = [1, 0]\n[bodies." + (bar + here) +
              ".points]\nM = [1, 0]\nT = [2, 0]\n";
    text += joint("C" + here, "rising" + here + ".M", "falling" + here + ".M", M_PI - 2 * slope);
    if (i == stages) break;
    text += joint("D" + here, "falling" + here + ".T", "rising" + above, 2 * slope - M_PI) +
            joint("E" + here, "rising" + here + ".T", "falling" + above, M_PI - 2 * slope);
  }
  return text;
}

int positions_tried = 0;
void (*position_of_mechanism)(const Point&, double*, double*, double*) = nullptr;

/// The start's message, empty if it is found.
std::string told_of_start(const std::string& text) {
  const Equations equations = equations_of(text);
  Diagnostics diagnostics;
  const InterpretedMechanism interpreted(*derive(equations, diagnostics));
  Mechanism counted = interpreted.table();
  position_of_mechanism = counted.position;
  counted.position = [](const Point& p, double* M, double* C, double* c_t) {
    ++positions_tried;
    position_of_mechanism(p, M, C, c_t);
  };
  positions_tried = 0;
  std::vector<double> q(counted.sizes.positions);
  Message message;
  Arena memory;
  const bool found =
      ConsistentStart(memory, counted)
          .solve_positions(0, equations.parameter_values.data(), equations.input_values.data(), q.data(), message);
  return found ? "" : message.text;
}

}  // namespace

TEST_CASE("a start that is impossible is given up soon", "[large][start]") {
  for (const int stages : {5, 14}) {  // The first uses singular values, the second eigenvalues.
    CHECK(told_of_start(scissors(stages, 1.8)) == "");
    const std::string told = told_of_start(scissors(stages, 2.3));
    INFO(told);
    CHECK(told.find("The fixed start 'B.position' = 2.3 m cannot be reached: at most 2 m.") != std::string::npos);
    CAPTURE(stages, positions_tried);
    CHECK(positions_tried < 3000);
  }
}
