// Tests which method the exporter chooses if the file does not name one, and what --explain says of stiff motions.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "explanation/explain.hpp"
#include "fmu_src/mechanism/families.hpp"
#include "tests/reading/folder.hpp"

using namespace mechfmu;

namespace {

Prepared prepared_from(const std::string& text) {
  const Folder folder;
  return prepare(folder.write("mechanism.toml", text), [](const char*) {});
}

/// A slider with friction, which rests or slides at the start; `solver` follows.
Prepared slider(const std::string& stick_speed, double rate, const std::string& solver = "") {
  return prepared_from(R"toml([mechanism]
name = "Slider"
dimension = "planar"
gravity = [0, -9.81]
[bodies.block]
mass = 2.5
inertia = 1
[joints.rail]
type = "prismatic"
parent = "ground"
child = "block"
position = { rate_start = )toml" +
                       std::to_string(rate) + ", rate_fixed = true }\n[forces.rub]\ntype = \"friction\"\n" +
                       "coordinate = \"rail.position\"\ncoulomb = 0.3\nstick_speed = " + stick_speed + "\n" + solver);
}

/// Two equal cranks move a bar; a damper acts on the first crank.
Prepared parallelogram(double damping) {
  return prepared_from(R"toml([mechanism]
name = "Parallelogram"
dimension = "planar"
[bodies.first]
mass = 1
center_of_mass = [0.25, 0]
inertia = 0.02
[bodies.second]
mass = 1
center_of_mass = [0.25, 0]
inertia = 0.02
[bodies.bar]
mass = 3
center_of_mass = [0.5, 0]
inertia = 0.1
[joints.A]
type = "revolute"
parent = "ground"
child = "first"
angle = { start = 1, fixed = true, rate_start = 2, rate_fixed = true }
[joints.B]
type = "revolute"
parent = "ground.right"
child = "second"
angle = { start = 1 }
[joints.C]
type = "revolute"
parent = "first.tip"
child = "bar"
angle = { start = -1 }
[joints.D]
type = "revolute"
parent = "second.tip"
child = "bar.end"
angle = { start = -1 }
[ground.points]
right = [1, 0]
[bodies.first.points]
tip = [0.5, 0]
[bodies.second.points]
tip = [0.5, 0]
[bodies.bar.points]
end = [1, 0]
[forces.damper]
type = "joint_spring_damper"
coordinate = "A.angle"
stiffness = 0
damping = )toml" + std::to_string(damping) +
                       "\n");
}

}  // namespace

TEST_CASE("a small stick_speed makes a motion stiff, however fast it begins", "[suited]") {
  for (const double rate : {0., 1.}) {
    const Prepared steep = slider("1e-5", rate);
    CHECK(steep.start.decay.rate == Approx(0.3 * 9.81 / 1e-5).epsilon(1e-3));
    CHECK(steep.start.decay.velocity == "der(rail.position)");
    CHECK(steep.description.solver.method == "rodas");
    CHECK(integration_methods[steep.settings.method] == std::string("rodas"));
    const std::string text = explain(steep);
    CHECK(text.find("rodas, chosen as the stick_speed of the friction 'rub' slows 'der(rail.position)' down within "
                    "3.4e-06 s at rest: explicit methods need some 8.9e+02 steps in a communication step there") !=
          std::string::npos);
    CHECK(text.find("\n  stiffness") == std::string::npos);
  }
}

TEST_CASE("another method stays if it is named or if damping is mild", "[suited]") {
  const Prepared named = slider("1e-5", 0, "[solver]\nmethod = \"dop853\"\n");
  CHECK(named.description.solver.method == "dop853");
  const std::string text = explain(named);
  CHECK(text.find("\n  stiffness") != std::string::npos);
  CHECK(text.find("communication step there; rodas needs few") != std::string::npos);
  const Prepared mild = slider("0.05", 0);
  CHECK(mild.start.decay.rate == Approx(0.3 * 9.81 / 0.05).epsilon(1e-3));
  CHECK(mild.description.solver.method == "dopri5");
  CHECK(explain(mild).find("\n  stiffness") == std::string::npos);
}

TEST_CASE("constraints carry the inertia that a damper slows down", "[suited]") {
  // The cranks turn and the bar moves with their tips, 0.5 m from the axles.
  const double inertia = 2 * (0.02 + 0.25 * 0.25) + 3 * 0.25;
  CHECK(parallelogram(4).start.decay.rate == Approx(4 / inertia).epsilon(1e-6));
  CHECK(parallelogram(4).description.solver.method == "dopri5");
  CHECK(parallelogram(4e4).description.solver.method == "rodas");
  CHECK(std::fabs(parallelogram(0).start.decay.rate) < 1e-6);
}
