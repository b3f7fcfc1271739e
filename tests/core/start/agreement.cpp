// Tests constraints that contradict each other: from the start, on the way, and always. It also tests drift if nothing
// holds the mechanism.
#include <catch2/catch.hpp>

#include <cmath>

#include "fmu_src/start/start.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;
using Catch::Matchers::Contains;

namespace {

/// Writes a bead on a rail and one beside it, with constraints.
std::string beads(const std::string& constraints) {
  return R"toml(
[mechanism]
name = "Beads"
[parameters]
m = { value = 1, unit = "kg" }
d = { value = 1, unit = "m" }
T = { value = 1, unit = "s" }
g = { value = 9.81, unit = "m/s2" }
[coordinates]
x1 = { unit = "m", start = 0 }
x2 = { unit = "m", start = 0, rate_start = 0 }
[dynamics]
kinetic_energy = "m*(der(x1)^2 + der(x2)^2)/2"
potential_energy = "m*g*x2"
)toml" + constraints;
}

std::string constraint(const char* name, const char* level, const char* formula) {
  return "[constraints." + std::string(name) + "]\n" + level + " = \"" + formula + "\"\n";
}

/// Both move x1, one by the square, the other by the cube of time: they agree at 0 only.
std::string square_and_cube() {
  return beads(
      constraint("square", "position", "x1 - d*(time/T)^2") + constraint("cube", "position", "x1 - d*(time/T)^3"));
}

/// Writes two motions that are equal until 1 s.
std::string parting_motions() {
  return beads(constraint("first", "position", "x1 - d*(time/T)^2") +
               constraint("second", "position", "x1 - d*(time/T)^2 - d*max(0, time/T - 1)^4"));
}

std::string contradicting_rates() {
  return beads(constraint("slow", "velocity", "der(x1) - d*time/T^2") +
               constraint("fast", "velocity", "der(x1) - 2*d*time/T^2"));
}

/// At 0 they agree in positions, velocities and accelerations.
std::string crossed_cranks(const char* first, const char* second) {
  std::string text = R"toml(
[mechanism]
name = "Crossed"
dimension = "planar"
[parameters]
a = { value = 0.6, unit = "rad" }
T = { value = 1, unit = "s" }
[ground.points]
D = [0.5, 0]
[bodies.crank]
mass = 1
inertia = 0.01
points = { B = [0, 0.2] }
[bodies.coupler]
mass = 1
inertia = 0.01
points = { C = [0.5, 0] }
[bodies.rocker]
mass = 1
inertia = 0.01
points = { C = [0, 0.2] }
[joints.A]
type = "revolute"
parent = "ground"
child = "crank"
angle = { motion = "FIRST" }
[joints.B]
type = "revolute"
parent = "crank.B"
child = "coupler"
[joints.D]
type = "revolute"
parent = "ground.D"
child = "rocker"
angle = { motion = "SECOND" }
[joints.C]
type = "revolute"
parent = "coupler.C"
child = "rocker.C"
)toml";
  text.replace(text.find("FIRST"), 5, first);
  text.replace(text.find("SECOND"), 6, second);
  return text;
}

/// The message of a run that must fail, and when it did: nothing later than `by`.
std::string failure(const Loaded& loaded, const Settings& settings, double by) {
  const auto simulation = loaded.simulation(settings);
  if (!simulation->assemble(0)) return simulation->message().text;
  for (int i = 1; i <= 50; ++i) {
    const double end = by * i / 50;
    if (simulation->advance(end)) continue;
    CHECK(simulation->time() < end);  // the state before stays
    return simulation->message().text;
  }
  return "none";
}

}  // namespace

TEST_CASE("motions that contradict each other on the way are told by every solver", "[agreement]") {
  const Loaded loaded = Loaded::text(parting_motions());
  for (int b = 0; b < resolution_count; ++b) {
    for (const char* correction : drift_corrections) {
      if (!takes_drift(b, correction)) continue;
      for (const char* way : integration_methods) {
        Settings settings = loaded.settings;
        settings.tangent_basis = b;
        settings.drift_correction = drift(correction);
        settings.method = method(way);
        INFO(tangent_bases[b] << ", " << correction << ", " << way);
        const auto simulation = loaded.simulation(settings);
        assemble(*simulation);
        advance(*simulation, 1);
        CHECK_FALSE(simulation->advance(1.5));
        const std::string message = simulation->message().text;
        CHECK_THAT(message, Contains("The constraints 'second', 'first' contradict each other from t = 1"));
        CHECK(simulation->time() == 1);
      }
    }
  }
}

TEST_CASE("contradictions are told at the start where accelerations show them, or as soon as something does",
          "[agreement]") {
  const auto told = [](const Loaded& loaded) { return failure(loaded, loaded.settings, 1); };
  CHECK_THAT(
      told(Loaded::text(square_and_cube())),
      Contains(
          "The constraints 'cube', 'square' contradict each other: at t = 0 s the others leave the acceleration of"));
  CHECK_THAT(told(Loaded::text(contradicting_rates())),
             Contains("The constraints 'fast', 'slow' contradict each other: at t = 0 s") &&
                 Contains("the acceleration of the constraint 'fast' open by 1 m/s2"));
  CHECK_THAT(told(Loaded::text(beads(constraint("a", "acceleration", "der(der(x2)) - g/10") +
                                     constraint("b", "acceleration", "der(der(x2)) - g/5")))),
             Contains("The constraints 'b', 'a' contradict each other: at t = 0 s") &&
                 Contains("the acceleration of the constraint 'b' open by 0.981 m/s2"));
  CHECK(told(Loaded::text(beads(constraint("a", "acceleration", "der(der(x2)) - g/10") +
                                constraint("b", "acceleration", "2*der(der(x2)) - g/5")))) == "none");
  CHECK_THAT(told(Loaded::text(
                 beads(constraint("a", "acceleration", "der(der(x2)) - g/10") +
                       constraint("b", "acceleration", "der(der(x2)) - g/10*(1 + max(0, time/T - 0.5))")))),
             Contains("The constraints 'b', 'a' contradict each other: at t = 0.5"));
}

TEST_CASE("rates that are nothing but rounding contradict nothing", "[agreement]") {
  const Loaded loaded = Loaded::text(beads(constraint("sine", "position", "x1 - d*sin(time/T + pi/2)") +
                                           constraint("cosine", "position", "2*x1 - 2*d*cos(time/T)")));
  for (int b = 0; b < resolution_count; ++b) {
    INFO(tangent_bases[b]);
    Settings settings = loaded.settings;
    settings.tangent_basis = b;
    CHECK(failure(loaded, settings, 3.141592653589793) == "none");
  }
}

TEST_CASE("two cranks of a parallelogram that are driven differently are told with the loop between them",
          "[agreement]") {
  CHECK(failure(Loaded::text(crossed_cranks("a*(time/T)^4", "a*(time/T)^4")), {}, 1) == "none");
  const Loaded crossed = Loaded::text(crossed_cranks("a*(time/T)^4", "a*(time/T)^5"));
  for (int b = 0; b < resolution_count; ++b) {
    INFO(tangent_bases[b]);
    Settings settings;
    settings.tangent_basis = b;
    const std::string message = failure(crossed, settings, 1);
    CHECK_THAT(message, Contains("the motions of '") && Contains("'A.angle'") && Contains("'D.angle'") &&
                            Contains("'C.x'") && Contains("contradict each other from t = "));
    CHECK_THAT(message, !Contains(".drive"));
  }
  CHECK_THAT(failure(Loaded::text(crossed_cranks("a*(time/T)^2", "a*(time/T)^3")), {}, 1),
             Contains("contradict each other: at t = 0 s"));
}

TEST_CASE("the motions that contradict each other are named beside a flat position, too", "[agreement]") {
  std::string flat = crossed_cranks("a*(time/T)^2", "a*(time/T)^3");
  for (auto at = flat.find("[0, 0.2]"); at != std::string::npos; at = flat.find("[0, 0.2]")) {
    flat.replace(at, 8, "[0.2, 0]");
  }
  const Loaded loaded = Loaded::text(flat);
  for (int b = 0; b < resolution_count; ++b) {
    INFO(tangent_bases[b]);
    Settings settings;
    settings.tangent_basis = b;
    const std::string message = failure(loaded, settings, 0.5);
    CHECK_THAT(message, Contains("contradict each other") && Contains("'A.angle'") && Contains("'D.angle'"));
  }
}

TEST_CASE("constraints that can never hold together are told as that", "[agreement]") {
  const auto told = [](const std::string& text) {
    const Loaded loaded = Loaded::text(beads(text));
    const auto simulation = loaded.simulation();
    CHECK_FALSE(simulation->assemble(0));
    return std::string(simulation->message().text);
  };
  CHECK_THAT(told(constraint("here", "velocity", "der(x1) - d/T") +
                  constraint("there", "velocity", "2*der(x1) - 3*d/T")),
             Contains("The constraints 'here', 'there' can never hold together at t = 0 s") &&
                 Contains("the rate of the constraint 'there' is open by 1 m/s"));
}

TEST_CASE("one contradiction in a large mechanism is found", "[agreement][large]") {
  std::string text =
      "[mechanism]\nname = \"Many\"\n[parameters]\nm = { value = 1, unit = \"kg\" }\nd = { value = 1, unit = \"m\" }\n"
      "T = { value = 1, unit = \"s\" }\n[coordinates]\n";
  std::string energy, rows;
  constexpr int count = 60;
  for (int i = 0; i < count; ++i) {
    const std::string x = "x" + std::to_string(i);
    text += x + " = { unit = \"m\", start = 0 }\n";
    energy += (i > 0 ? " + der(" : "der(") + x + ")^2";
    if (i == 0) continue;
    const std::string before = "x" + std::to_string(i - 1);
    rows += constraint(("link" + std::to_string(i)).c_str(), "position", (x + " - 0.9*" + before).c_str());
    if (i % 2 == 0)
      rows += constraint(("again" + std::to_string(i)).c_str(), "position", ("2*" + x + " - 1.8*" + before).c_str());
  }
  rows += constraint("end", "position", "x59 - 0.9^59*x0 - d*max(0, time/T - 0.5)^4");
  const Loaded loaded = Loaded::text(text + "[dynamics]\nkinetic_energy = \"m*(" + energy + ")/2\"\n" + rows);
  REQUIRE(has_sparse_pivots(loaded.sizes().rank));
  REQUIRE(loaded.sizes().rank == count - 1);
  for (const char* resolution : {"partitioned", "qr", "kkt"}) {
    INFO(resolution);
    Settings settings = loaded.settings;
    settings.tangent_basis = basis(resolution);
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 0.5);
    CHECK_FALSE(simulation->advance(1));
    const std::string message = simulation->message().text;
    CHECK_THAT(message, Contains("'end'") && Contains(" more contradict each other from t = "));
  }
}

TEST_CASE("what somebody else integrates is compared at every completed step", "[agreement]") {
  const Loaded loaded = Loaded::text(parting_motions());
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  REQUIRE(simulation->integrate_outside());
  const auto at = [&](double t) {
    const double q[] = {t * t, -9.81 / 2 * t * t}, v[] = {2 * t, -9.81 * t};
    simulation->move_to(t);
    simulation->place(q, v);
    return simulation->complete_step();
  };
  for (const double t : {0.3, 0.6, 1.0}) CHECK(at(t));
  CHECK_FALSE(at(1.1));
  CHECK_THAT(std::string(simulation->message().text),
             Contains("The constraints 'second', 'first' contradict each other"));
}

TEST_CASE("accelerations of constraints are shown", "[agreement]") {
  const Loaded loaded = Loaded::model("four_bar_equations");
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  CHECK(simulation->acceleration_violation() < 1e-12);
  CHECK(simulation->closure_gap() < 1e-14);
}

TEST_CASE("what has drifted far without correction is warned of, then refused", "[agreement]") {
  const Loaded loaded = Loaded::model("bricard");
  for (const char* resolution : {"partitioned", "null_space_block"}) {
    INFO(resolution);
    Settings settings = loaded.settings;
    settings.method = method("dopri5");
    settings.tolerance = 1e-2;
    settings.drift_correction = drift("none");
    settings.tangent_basis = basis(resolution);
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    bool warned = false;
    double largest = 0;
    int step = 0;
    while (step < 1000 && simulation->advance(1.0 * ++step)) {
      largest = std::fmax(largest, simulation->closure_gap());
      warned = warned || simulation->message().warns();
      CHECK(warned == (largest > 1e-3));
    }
    CHECK(step < 1000);
    CHECK(warned);
    CHECK(largest < 0.1);
    CHECK_THAT(std::string(simulation->message().text),
               Contains("has drifted open by") && Contains("drift_correction \"none\""));
  }
}
