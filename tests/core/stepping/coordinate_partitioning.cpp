// Tests the motion in independent coordinates, the coordinate partitioning of Wehage and Haug (Pennestrì and Valentini
// 2007, (35)–(47)): what y decides, other assemblies, changes of the choice. Suites of all members test it, too.
#include <catch2/catch.hpp>

#include <cmath>

#include "fmu_src/stepping/independent_motion.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/core/methods.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

using Motion = IndependentMotion<RunTimeModel, CoordinatePartitioningBasis>;

Settings partitioning(const Loaded& loaded, const std::string& method_name = "dop853", double tolerance = 1e-11) {
  Settings settings = loaded.settings;
  settings.tangent_basis = basis("coordinate_partitioning");
  settings.method = method(method_name);
  settings.tolerance = tolerance;
  return settings;
}

/// Is a motion that stands at the state of an assembled simulation.
struct Standing {
  explicit Standing(const Loaded& loaded)
      : simulation(loaded.simulation(partitioning(loaded))), state(memory, loaded.sizes()),
        motion(memory, loaded.table(), RunTimeModel(loaded.table()), Drift::projection) {
    assemble(*simulation);
    std::copy_n(simulation->state(), simulation->state_size(), state.data());
    Message message;
    REQUIRE(motion.begin(state, message));
    y = VectorXd(motion.length());
    slope = VectorXd(motion.length());
    motion.pack(state, y.data());
    REQUIRE(motion.rate_at_state(*state.time, y.data(), slope.data()));
  }
  Arena memory;
  std::unique_ptr<StandaloneSimulation> simulation;
  State state;
  Motion motion;
  VectorXd y, slope;
};

/// Watches whether the coupler of a four-bar linkage stays on its side: the sign of the sine between coupler and
/// rocker.
double side(const Simulation& simulation) {
  const double* q = simulation.positions();
  return std::sin(q[1] - q[2]);
}

}  // namespace

TEST_CASE("2k numbers decide the motion: a bar on a pin follows from x and its rate", "[partitioning]") {
  // y = −√(L² − x²), y' = −x/y, y'' = −L²/y³: m (1 + y'²) ẍ + m y' y'' ẋ² + m g y' = 0
  const Loaded loaded =
      Loaded::text(replaced(bar_pendulum(), "[coordinates]", "[solver]\nindependent = [\"x\"]\n[coordinates]"));
  Standing standing(loaded);
  REQUIRE(standing.motion.length() == 2);
  const double* parameters = loaded.parameters().data();
  const double L = parameters[loaded.parameter("L")], g = parameters[loaded.parameter("g")];
  const double x0 = standing.simulation->positions()[0], sign = std::copysign(1, standing.simulation->positions()[1]);
  int found = 0;
  for (double z = -0.2; z <= 0.2; z += 0.01) {
    for (const double rate : {-2.0, 0.3}) {
      const double x = x0 + z * L, at[2] = {z * L, rate};
      if (std::fabs(x) > 0.98 * L) continue;
      double slope[2];
      REQUIRE(standing.motion.rate(0, at, slope));
      const double height = sign * std::sqrt(L * L - x * x), first = -x / height, second = -L * L / std::pow(height, 3);
      CHECK(slope[0] == Approx(rate).epsilon(1e-14));
      CHECK(slope[1] == Approx(-first * (second * rate * rate + g) / (1 + first * first)).epsilon(1e-11));
      ++found;
    }
  }
  CHECK(found > 20);
}

TEST_CASE("no evaluation finds another assembly, and where there is none it fails", "[partitioning]") {
  const Loaded loaded =
      Loaded::text(replaced(bar_pendulum(), "[coordinates]", "[solver]\nindependent = [\"x\"]\n[coordinates]"));
  Standing standing(loaded);
  const double L = loaded.parameters()[static_cast<std::size_t>(loaded.parameter("L"))];
  const double x0 = standing.simulation->positions()[0], y0 = standing.simulation->positions()[1];
  int found = 0, refused = 0;
  for (double x = -3; x <= 3; x += 0.01) {
    const double at[2] = {x * L - x0, 1};
    double slope[2];
    const bool done = standing.motion.rate(0, at, slope);
    if (std::fabs(x) > 1) CHECK_FALSE(done);
    refused += !done;
    if (!done || !standing.motion.lands(0, at, true)) continue;
    ++found;
    // The direction tells the side: ẏ = −x ẋ/y is in M v.
    CHECK(standing.motion.position()[1] * y0 > 0);
    CHECK(std::hypot(standing.motion.position()[0], standing.motion.position()[1]) == Approx(L).epsilon(1e-14));
  }
  CHECK(found > 50);
  CHECK(refused > 300);
}

TEST_CASE("the motion is that of a basis, and stays closed without any correction", "[partitioning]") {
  int switches = 0;
  for (const char* name : {"four_bar_equations", "andrews_equations", "spatial_four_bar", "driven_pendulum",
                           "stewart_platform", "four_bar_in_space", "block_on_ramp", "double_wishbone", "bricard",
                           "bennett", "cam_follower", "arm_on_path", "hanging_chain", "gyroscope"}) {
    INFO(name);
    const Loaded loaded = Loaded::model(name);
    const double end = std::min(loaded.stop_time, 1.0);
    for (const char* drift_name : {"projection", "none"}) {
      Settings settings = partitioning(loaded);
      settings.drift_correction = drift(drift_name);
      const auto simulation = loaded.simulation(settings);
      settings.tangent_basis = basis("partitioned");
      settings.drift_correction = drift("projection");
      settings.tolerance = 1e-12;
      const auto other = loaded.simulation(settings);
      assemble(*simulation);
      assemble(*other);
      advance(*simulation, end);
      advance(*other, end);
      CHECK(distance(*simulation, *other) < 1e-7);
      CHECK(simulation->closure_gap() < 1e-13);
      switches += static_cast<int>(simulation->basis_switches());
    }
  }
  CHECK(switches > 0);
}

TEST_CASE("other independent coordinates take over where those in force come to a dead point", "[partitioning]") {
  // The crank goes round and round, x and y of a bar on a pin take turns.
  const Loaded loaded = Loaded::text(replaced(bar_pendulum(), "rate_start = 1.5", "rate_start = 7"));
  for (const MethodFacts& one : adaptive_explicit_methods()) {
    INFO(one.name);
    const auto simulation = loaded.simulation(partitioning(loaded, one.name, 1e-9));
    assemble(*simulation);
    double turned = 0, before = std::atan2(simulation->positions()[1], simulation->positions()[0]);
    const double energy = 0.5 * (std::pow(simulation->velocities()[0], 2) + std::pow(simulation->velocities()[1], 2)) +
                          9.81 * simulation->positions()[1];
    for (int i = 1; i <= 300; ++i) {
      advance(*simulation, 0.01 * i);
      const double angle = std::atan2(simulation->positions()[1], simulation->positions()[0]);
      turned += std::remainder(angle - before, 2 * std::acos(-1.0));
      before = angle;
    }
    CHECK(std::fabs(turned) > 6.3);
    CHECK(simulation->basis_switches() > 4);
    CHECK(0.5 * (std::pow(simulation->velocities()[0], 2) + std::pow(simulation->velocities()[1], 2)) +
              9.81 * simulation->positions()[1] ==
          Approx(energy).epsilon(1e-6));
  }
}

TEST_CASE("long steps of a linkage fail rather than go over to another assembly", "[partitioning]") {
  const Loaded loaded = Loaded::model("four_bar_equations");
  int stopped = 0, passed = 0;
  for (const double step : {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5}) {
    INFO("step " << step);
    Settings settings = partitioning(loaded, "rk4");
    settings.step = step;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    const double first = side(*simulation);
    bool going = true;
    for (int i = 1; i <= 20 && going; ++i) {
      going = simulation->advance(0.5 * i);
      if (going) CHECK(side(*simulation) * first > 0);
      if (going) CHECK(simulation->position_violation() < 1e-13);
    }
    ++(going ? passed : stopped);
  }
  CHECK(passed > 0);
  CAPTURE(stopped);
}

TEST_CASE("a parallelogram that starts anywhere passes its flat position or stops, and never turns over",
          "[partitioning]") {
  int passed = 0, stopped = 0;
  for (int i = 0; i < 40; ++i) {
    Parallelogram p;
    p.angle = -0.4 - 0.0137 * i;
    p.rate = 2;
    const Loaded loaded = Loaded::text(parallelogram(p));
    for (const char* way : {"dopri5", "dop853", "rk4", "rodas"}) {
      INFO("start " << p.angle << ", " << way);
      Settings settings = partitioning(loaded, way, 1e-7);
      settings.step = 0.013;
      const auto simulation = loaded.simulation(settings);
      assemble(*simulation);
      const bool passes = simulation->advance(2);
      INFO(simulation->message().text);
      ++(passes ? passed : stopped);
      if (!passes) continue;
      CHECK(std::fabs(simulation->positions()[1]) < 1e-8);
      CHECK(std::fabs(simulation->positions()[2] - simulation->positions()[0]) < 1e-8);
    }
  }
  CAPTURE(passed, stopped);
  CHECK(passed > 100);
}

TEST_CASE("what cannot be partitioned is refused by name", "[partitioning]") {
  const auto refusal = [](const Loaded& loaded, const char* drift_name) {
    Settings settings = partitioning(loaded);
    settings.drift_correction = drift(drift_name);
    const auto simulation = loaded.simulation(settings);
    CHECK_FALSE(simulation->assemble(0));
    return std::string(simulation->message().text);
  };
  CHECK(refusal(Loaded::model("knife_edge"), "projection").find("'blade' restricts velocities") != std::string::npos);
  CHECK(refusal(Loaded::model("constant_speed"), "projection").find("restricts velocities") != std::string::npos);
  Loaded four_bar = Loaded::model("four_bar_equations");
  for (const char* name : {"integral", "baumgarte"}) {
    CHECK(refusal(four_bar, name).find(std::string("drift_correction '") + name + "'") != std::string::npos);
  }
  for (const auto& [interval, bound] : {std::pair(4, 0.0), {0, 1e-6}, {4, 1e-6}}) {
    four_bar.settings.drift_interval = interval;
    four_bar.settings.drift_bound = bound;
    CHECK(refusal(four_bar, "projection").find("drift_interval = 1 and drift_bound = 0") != std::string::npos);
    assemble(*four_bar.simulation(four_bar.settings));
    Settings uncorrected = partitioning(four_bar);
    uncorrected.drift_correction = drift("none");
    assemble(*four_bar.simulation(uncorrected));
  }
}
