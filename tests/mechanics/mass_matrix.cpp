// Tests that the two ways to the mass matrix give equal matrices, which of them takes fewer operations, and how these
// grow.
#include <catch2/catch.hpp>

#include <random>
#include <sstream>

#include "derivation/derive.hpp"
#include "generation/emit.hpp"
#include "mechanics/body_composer.hpp"
#include "modelDescription/reading/read.hpp"
#include "random.hpp"
#include "random_changing.hpp"

namespace mechfmu::testing {

namespace {

using casadi::DM;
using casadi::SX;

/// Returns the difference of the two matrices at a random state, relative to the largest entry.
double difference(const std::string& text) {
  const ReadResult read = read_mechanism_text(text, "random.toml");
  for (const auto& one : read.diagnostics) UNSCOPED_INFO(to_text(one));
  REQUIRE(read.description);
  Diagnostics diagnostics;
  BodyComposer composer(*read.description, diagnostics);
  const std::optional<Equations> equations = composer.run();
  REQUIRE(equations);
  const VirtualPower& power = composer.power();
  const Symbols& symbols = power.kinematics().symbols;
  if (symbols.v.is_empty()) return 0;  // all of its bodies are fixed
  const casadi::Function both("both", {symbols.time, symbols.q, symbols.inputs, symbols.parameters},
                              {SX::densify(mass_matrix_by_body_jacobians(power.kinematics(), power.masses())),
                               SX::densify(mass_matrix_by_composite_inertias(power.kinematics(), power.masses()))});
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-0.5, 0.5);
  std::vector<double> q(static_cast<std::size_t>(symbols.q.numel()));
  for (double& value : q) value = number(random);
  for (const Quaternion& each : equations->quaternions) {
    double square = 0;
    double* const quaternion = &q[static_cast<std::size_t>(each.position)];
    for (int i = 0; i < 4; ++i) square += quaternion[i] * quaternion[i];
    for (int i = 0; i < 4; ++i) quaternion[i] /= std::sqrt(square);
  }
  const std::vector<DM> found =
      both(std::vector<DM>{DM(0.3), DM(q), DM(equations->input_values), DM(equations->parameter_values)});
  return static_cast<double>(DM::norm_inf(found[0] - found[1]) / DM::norm_inf(found[0]));
}

/// Bodies of length 1, each hinged to the end of the one before; in space about y and z in turn.
std::string chain(int count, bool spatial) {
  std::ostringstream text;
  const auto vector = [spatial](const char* x, const char* y) {
    return "[" + std::string(x) + ", " + y + (spatial ? ", 0]" : "]");
  };
  text << "[mechanism]\nname = \"Chain\"\ndimension = \"" << (spatial ? "spatial" : "planar")
       << "\"\ngravity = " << vector("0", "-9.81") << "\n";
  for (int i = 1; i <= count; ++i) {
    text << "[bodies.b" << i << "]\nmass = 1.5\ncenter_of_mass = " << vector("0.5", "0")
         << "\ninertia = " << (spatial ? "[0.01, 0.1, 0.1]" : "0.1") << "\npoints.E = " << vector("1", "0") << "\n";
    text << "[joints.j" << i << "]\ntype = \"revolute\"\nparent = \""
         << (i == 1 ? "ground" : "b" + std::to_string(i - 1) + ".E") << "\"\nchild = \"b" << i << "\"\n";
    if (spatial) text << "axis = " << (i % 2 == 0 ? "[0, 0, 1]" : "[0, 1, 0]") << "\n";
    text << "angle = { start = 0.3 }\n";
  }
  return text.str();
}

OperationCounts operations_of_chain(int links, bool spatial) {
  const ReadResult read = read_mechanism_text(chain(links, spatial), "chain.toml");
  REQUIRE(read.description);
  Diagnostics diagnostics;
  const std::optional<Equations> equations = BodyComposer(*read.description, diagnostics).run();
  REQUIRE(equations);
  const std::optional<Derivation> derivation = derive(*equations, diagnostics);
  REQUIRE(derivation);
  return count_operations(*derivation);
}

std::string masses(const std::string& text) {
  const ReadResult read = read_mechanism_text(text, "chain.toml");
  REQUIRE(read.description);
  Diagnostics diagnostics;
  const std::optional<Equations> equations = BodyComposer(*read.description, diagnostics).run();
  REQUIRE(equations);
  const std::size_t line = equations->structure.rfind("Mass matrix");
  return equations->structure.substr(line, equations->structure.find('\n', line) + 1 - line);
}

}  // namespace

TEST_CASE("composite inertias and body Jacobians give the same mass matrix") {
  for (const bool spatial : {false, true})
    for (unsigned seed = 1; seed <= 30; ++seed) {
      CAPTURE(spatial, seed);
      CHECK(difference(text_of(with_gaps_at_start(random_mechanism(spatial, seed), seed))) < 1e-13);
    }
}

TEST_CASE("the mass matrix is made in the way of fewer operations") {
  CHECK(masses(chain(6, false)) ==
        "Mass matrix and its rate by composite inertias: 540 operations, 933 by body Jacobians\n");
  CHECK(masses(chain(6, true)) ==
        "Mass matrix and its rate by body Jacobians: 2389 operations, 2769 by composite inertias\n");
  CHECK(masses(chain(8, true)) ==
        "Mass matrix and its rate by composite inertias: 4327 operations, 6062 by body Jacobians\n");
}

TEST_CASE("along a chain M and its rate grow with the square, forces and reactions in proportion") {
  for (const bool spatial : {false, true}) {
    CAPTURE(spatial);
    const int links = 16;
    const OperationCounts once = operations_of_chain(links, spatial), twice = operations_of_chain(2 * links, spatial);
    CHECK(once.position > links * links);
    CHECK(twice.position < 4 * once.position);
    CHECK(twice.velocity < 4 * once.velocity);
    CHECK(twice.acceleration < 2.4 * once.acceleration);
    for (const int group : {reaction_outputs, energy_outputs}) {
      const auto index = static_cast<std::size_t>(group);
      CHECK(once.outputs[index] > links);
      CHECK(twice.outputs[index] < 2.4 * once.outputs[index]);
    }
  }
}

}  // namespace mechfmu::testing
