// Tests steps that are too long, too many or too fine: messages tell them, and what would help.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "tests/core/mechanisms.hpp"
#include "tests/core/methods.hpp"
#include "tests/core/support.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

Loaded arm(double stiffness, double damping = 0) { return Loaded::text(arm_on_spring({stiffness, damping})); }

struct Run {
  bool done;
  std::string failure, warnings;
  double steps;
};
Run run(const Loaded& loaded, const Settings& settings, double end) {
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  const std::vector<double> before = copy_state(*simulation);
  const bool done = simulation->advance(end);
  if (!done) CHECK(same_state(*simulation, before));
  return {done, done ? "" : simulation->message().text, simulation->message().warnings, simulation->steps()};
}
Settings fixed_steps(const Loaded& loaded, double step) {
  Settings settings = loaded.settings;
  settings.method = method("rk4");
  settings.step = step;
  return settings;
}
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Returns the number after a phrase.
double number_after(const std::string& text, const std::string& phrase) {
  const std::size_t place = text.find(phrase);
  REQUIRE(place != std::string::npos);
  return std::strtod(text.c_str() + place + phrase.size(), nullptr);
}

}  // namespace

TEST_CASE("a fixed step that cannot follow the motion is an error that names one that can", "[steps]") {
  // h |λ| is 17 for the springs, and 1.5 and more of the stability limit for the dampers.
  for (const Loaded& loaded : {arm(1e8), arm(1e9), arm(1e3, 1500), arm(0, 5000), Loaded::model("flyball_governor")}) {
    const Run rough = run(loaded, fixed_steps(loaded, 1e-3), 1);
    CAPTURE(rough.failure);
    REQUIRE_FALSE(rough.done);
    CHECK(contains(rough.failure, "a step of 0.001 s is too long for '"));
    const double wanted = number_after(rough.failure, "A solver.step of ");
    CHECK(wanted > 1e-6);
    CHECK(wanted < 3e-4);
    const Run fine = run(loaded, fixed_steps(loaded, wanted), 0.05);
    CHECK(fine.failure == "");
    CHECK(fine.warnings == "");
  }
}

TEST_CASE("a fixed step that is rough is warned of once", "[steps]") {
  const Loaded loaded = arm(1e5);  // h |λ| = 0.54
  const auto simulation = loaded.simulation(fixed_steps(loaded, 1e-3));
  assemble(*simulation);
  const std::vector<double> start = copy_state(*simulation);
  advance(*simulation, 0.1);
  const std::string told = simulation->message().warnings;
  CHECK(contains(told, "a step of 0.001 s is rough for 'der(A.angle)'"));
  CHECK(told.find("rough") == told.rfind("rough"));
  const double wanted = number_after(told, "A solver.step of ");
  simulation->clear_warnings();
  advance(*simulation, 0.2);
  CHECK(std::string(simulation->message().warnings) == "");
  simulation->restore(start.data());  // as if it had not been told
  advance(*simulation, 0.1);
  CHECK(simulation->message().warnings == told);
  CHECK(run(loaded, fixed_steps(loaded, wanted), 0.5).warnings == "");
  // A failing step has nothing to warn of.
  const Loaded failing = arm(1e3, 980);
  CHECK(run(failing, fixed_steps(failing, 1e-3), 1).warnings == "");
}

TEST_CASE("fixed steps that follow the motion are not warned of", "[steps]") {
  for (const Loaded& loaded : {arm(0), arm(1e3), arm(1e3, 100), arm(0, 10)}) {
    const Run fine = run(loaded, fixed_steps(loaded, 1e-3), 5);
    CHECK(fine.failure == "");
    CHECK(fine.warnings == "");
  }
  for (const std::string& name : model_names()) {
    const auto fast = {"andrews_squeezer", "andrews_equations", "flyball_governor",
                       "geneva_drive",     "ratchet",           "slider_crank_clearance"};
    if (std::find(fast.begin(), fast.end(), name) != fast.end()) continue;
    INFO(name);
    const Loaded loaded = Loaded::model(name);
    const Run fine = run(loaded, fixed_steps(loaded, 1e-3), std::fmin(loaded.stop_time, 0.5));
    CHECK(fine.failure == "");
    CHECK(fine.warnings == "");
  }
}

TEST_CASE("inputs that jump between communication points make no fixed step rough", "[steps]") {
  const Loaded loaded = Loaded::text(R"toml([mechanism]
name = "Arm"
dimension = "planar"
[inputs]
torque = { unit = "N.m" }
[bodies.arm]
mass = 1
inertia = 0.1
[joints.A]
type = "revolute"
parent = "ground"
child = "arm"
[forces.drive]
type = "joint_force"
coordinate = "A.angle"
value = "torque - 0.1*der(A.angle)"
)toml");
  const auto simulation = loaded.simulation(fixed_steps(loaded, 1e-3));
  assemble(*simulation);
  for (int step = 1; step <= 200; ++step) {
    simulation->set_input(loaded.input("torque"), (step % 2 == 0 ? 100 : -100) * (step % 3));
    advance(*simulation, 0.005 * step);
    CHECK(std::string(simulation->message().warnings) == "");
  }
}

TEST_CASE("what needs more steps than allowed fails at once and says what limits them", "[steps]") {
  for (const MethodFacts& one : adaptive_methods()) {
    INFO(one.name);
    const Loaded loaded = arm(1e20);
    Settings settings = loaded.settings;
    settings.method = method(one.name);
    const Run fast = run(loaded, settings, 10);
    CAPTURE(fast.failure);
    REQUIRE_FALSE(fast.done);
    CHECK(contains(fast.failure, "A.angle"));
    CHECK(contains(fast.failure, "solver.max_steps allows 1e+07"));
    CHECK(contains(fast.failure, "a force or a torque is far too large"));
    CHECK(number_after(fast.failure, "At t = ") > 0);
    CHECK(number_after(fast.failure, "takes steps of ") < 1e-9);
    CHECK(number_after(fast.failure, "it would need ") > 1e7);

    settings.tolerance = 1e-30;
    const Loaded slow = arm(0);
    const Run fine = run(slow, settings, 10);
    CAPTURE(fine.failure);
    REQUIRE_FALSE(fine.done);
    CHECK(contains(fine.failure, "The tolerance 1e-30 is finer than rounding"));
    CHECK_FALSE(contains(fine.failure, "too large"));

    settings.tolerance = 1e-13;
    settings.max_steps = run(slow, settings, 10).steps / 2;
    const Run many = run(slow, settings, 10);
    CAPTURE(many.failure);
    REQUIRE_FALSE(many.done);
    CHECK(contains(many.failure, "The tolerance 1e-13 asks for so many"));
  }
}

TEST_CASE("as many steps as allowed are taken, and no more", "[steps]") {
  const Loaded loaded = arm(0);
  const Run free = run(loaded, loaded.settings, 10);
  REQUIRE(free.done);
  Settings settings = loaded.settings;
  settings.max_steps = free.steps;
  CHECK(run(loaded, settings, 10).done);
  settings.max_steps = free.steps / 2;
  CHECK_FALSE(run(loaded, settings, 10).done);

  settings = fixed_steps(loaded, 0.01);
  settings.max_steps = 1000;
  CHECK(run(loaded, settings, 10).done);
  settings.max_steps = 999;
  const Run many = run(loaded, settings, 10);
  CAPTURE(many.failure);
  CHECK(contains(many.failure, "1e+03 steps of solver.step = 0.01 s"));
  CHECK(contains(many.failure, "solver.max_steps allows 999"));
}
