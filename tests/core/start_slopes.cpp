// What the start changes by with start values, parameters and inputs: exact derivatives against differences of whole
// starts, of order 6, which rounding lets agree to about 1e-11.
#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <random>

#include "core/start.hpp"
#include "evaluation.hpp"
#include "exporter/equations.hpp"
#include "mechanisms.hpp"
#include "tests/rotations.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;
using casadi::SX;

namespace {

using Answer = ConsistentStart::Derivative;

/// q, v, v̇, λ and all outputs one below the other.
VectorXd all_of(Simulation& simulation) {
  const Mechanism& m = simulation.mechanism();
  const Sizes& s = m.sizes;
  VectorXd result(s.positions + 2 * s.velocities + s.all_rows());
  result << positions(simulation), velocities(simulation), VectorXd::Map(simulation.accelerations(), s.velocities),
      VectorXd::Map(simulation.multipliers(), s.all_rows());
  for (int g = 0; g < m.group_count; ++g) {
    const auto size = result.size();
    result.conservativeResize(size + m.groups[g].count);
    result.tail(m.groups[g].count) = VectorXd::Map(simulation.outputs(g), m.groups[g].count);
  }
  return result;
}

VectorXd slopes_of(Simulation& simulation) {
  const Mechanism& m = simulation.mechanism();
  const Sizes& s = m.sizes;
  VectorXd result(s.positions + 2 * s.velocities + s.all_rows());
  result << VectorXd::Map(simulation.position_slopes(), s.positions),
      VectorXd::Map(simulation.velocity_slopes(), s.velocities),
      VectorXd::Map(simulation.acceleration_slopes(), s.velocities),
      VectorXd::Map(simulation.multiplier_slopes(), s.all_rows());
  for (int g = 0; g < m.group_count; ++g) {
    const auto size = result.size();
    result.conservativeResize(size + m.groups[g].count);
    result.tail(m.groups[g].count) = VectorXd::Map(simulation.output_slopes(g), m.groups[g].count);
  }
  return result;
}

/// Derivative of values(x) at 0.
VectorXd difference(const std::function<VectorXd(double)>& values, double h) {
  const double weights[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  VectorXd result;
  for (int i = 1; i <= 3; ++i) {
    const VectorXd term = weights[i - 1] / h * (values(i * h) - values(-i * h));
    result = result.size() == 0 ? term : VectorXd(result + term);
  }
  return result;
}

/// Of two steps the one that comes nearer: rounding limits the one, the mechanism's bends the other.
void check_slopes(const VectorXd& found, const std::function<VectorXd(double)>& values, double tolerance) {
  const VectorXd here = values(0);
  const double size = 1e-3 + here.cwiseAbs().maxCoeff() + found.cwiseAbs().maxCoeff();
  double error = 1e300;
  for (const double h : {1e-3, 2e-4}) error = std::min(error, (found - difference(values, h)).cwiseAbs().maxCoeff());
  CHECK(error <= tolerance * size);
}

/// Parameters beside those of the file, as far along a direction.
struct Case {
  const Loaded& loaded;
  VectorXd parameters;
  double time = 0.1;

  explicit Case(const Loaded& l) : loaded(l), parameters(VectorXd::Map(l.parameters().data(), l.sizes().parameters)) {}

  std::unique_ptr<Simulation> started(const VectorXd& direction, double x) const {
    auto simulation = loaded.simulation();
    for (int p = 0; p < parameters.size(); ++p) simulation->set_parameter(p, parameters[p] + x * direction[p]);
    assemble(*simulation, time);
    return simulation;
  }
  void check(const VectorXd& direction, double tolerance = 1e-9) const {
    const auto here = started(direction, 0);
    VectorXd full = direction;
    here->differentiate_calculated(full.data());
    const Answer answer = here->differentiate_start(0, full.data(), nullptr);
    INFO(here->message().text);
    REQUIRE(answer == Answer::found);
    check_slopes(slopes_of(*here), [&](double x) { return all_of(*started(direction, x)); }, tolerance);
  }
  VectorXd direction(const std::function<double(double value)>& of) const {
    VectorXd result = VectorXd::Zero(parameters.size());
    std::vector<bool> calculated(static_cast<std::size_t>(parameters.size()), false);
    const Mechanism& m = loaded.table();
    for (int i = 0; i < m.calculated_count; ++i) calculated[static_cast<std::size_t>(m.calculated[i])] = true;
    for (int p = 0; p < result.size(); ++p) {
      if (!calculated[static_cast<std::size_t>(p)]) result[p] = of(parameters[p]);
    }
    return result;
  }
  VectorXd along(const std::string& parameter, double by) const {
    return by * VectorXd::Unit(parameters.size(), loaded.parameter(parameter));
  }
};

Loaded at_rest(const std::string& toml) {
  Equations equations = equations_of(toml);
  equations.equilibrium = true;
  return Loaded::equations(equations);
}

const char* const slider_on_springs = R"toml(
[mechanism]
name = "Slider"
[parameters]
m = { value = 2, unit = "kg" }
L = { value = 0.5, unit = "m" }
g = { value = 9.81, unit = "m/s2" }
k = { value = 400, unit = "N/m" }
[inputs]
push = { unit = "N", start = 20 }
[coordinates]
s = { unit = "m", start = 0.3 }
x = { unit = "m", start = 0.5 }
y = { unit = "m", start = -0.1 }
[dynamics]
kinetic_energy = "m*der(s)^2 + m*(der(x)^2 + der(y)^2)/2"
potential_energy = "m*g*y + k*s^2/2 + k*x^4/L^2"
[dynamics.forces]
s = "push"
[constraints.rod]
position = "(x - s)^2 + y^2 - L^2"
)toml";

}  // namespace

TEST_CASE("every model's start has exact derivatives by all that can be set", "[start][slopes]") {
  for (const std::string& name : model_names()) {
    INFO(name);
    std::seed_seq seed(name.begin(), name.end());  // the same whatever other models there are
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const Loaded loaded = Loaded::model(name);
    const Case as_given(loaded);
    for (int trial = 0; trial < 3; ++trial) {
      as_given.check(as_given.direction([&](double value) { return uniform(random) * (value == 0 ? 0.3 : value) / 3; }));
    }
    if (name == "bennett" || name == "bricard") continue;  // some of their starts have no neighbours that close
    Case moved = as_given;  // and where guesses are far from what is found
    moved.parameters += as_given.direction([&](double value) { return 0.03 * uniform(random) * (value == 0 ? 1 : value); });
    moved.check(moved.direction([&](double value) { return uniform(random) * (value == 0 ? 0.3 : value) / 3; }));
  }
}

TEST_CASE("unknowns hand changes on through masses, forces and rows", "[start][slopes][unknowns]") {
  for (const bool realised : {false, true}) {
    INFO(realised);
    const Loaded loaded = Loaded::text(unknown_everywhere(realised));
    const Case all(loaded);
    for (int trial = 0; trial < 4; ++trial) {
      all.check(all.direction([&, i = trial](double value) mutable { return std::cos(++i) * (value == 0 ? 0.3 : value); }));
    }
  }
}

TEST_CASE("so have starts far from the guesses", "[start][slopes]") {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    INFO(seed);
    const Loaded loaded = rough_mechanism(seed, seed % 2 == 0);
    Case far(loaded);
    far.time = 0.3;
    for (int i = 0; i < loaded.sizes().velocities; ++i) {
      far.parameters[loaded.parameter("q" + std::to_string(i) + "_start")] += 0.3 * std::sin(3.0 * i + seed);
    }
    far.check(far.direction([&, i = 0](double value) mutable { return std::cos(++i) * (value == 0 ? 0.3 : value); }));
  }
}

TEST_CASE("and starts of rotations, with values fixed that are no coordinates", "[start][slopes][rotations]") {
  test::SpatialBody body(2, {0.2, 0.5, 0.3}, 9.81);
  body.pin({0, 0, 0.5});
  const SX height = (body.position + SX::mtimes(body.R, SX(std::vector<double>{0.3, 0.1, -0.2})))(2);
  const SX rise = SX::jtimes(height, body.further().symbols.q, body.further().symbols.q_rate);
  const SX wanted = body.parameter("height_start", -0.4), wanted_rise = body.parameter("rise_start", 0.25);
  const bool fixed = GENERATE(false, true), guessed = GENERATE(false, true);
  if (guessed) {
    body.further().start_guesses.push_back({"height", {}, height - wanted});
  } else if (fixed) {
    body.further().start_positions.push_back({"height", {}, height - wanted});
    body.further().start_velocities.push_back({"der(height)", {}, rise - wanted_rise});
  }
  const Loaded loaded = Loaded::equations(
      body.equations({0.4, 0.9 * 1.3, 0.1 * 1.3, -0.2 * 1.3, 0.3 * 1.3, 0.1, 0.2}, {0.1, 0.5, -0.3, 1, 0.2, 0.3}));
  const Case all(loaded);
  for (int p = 0; p < all.parameters.size(); ++p) {
    INFO(p << (fixed ? ", height fixed" : "") << (guessed ? ", height guessed" : ""));
    all.check(VectorXd::Unit(all.parameters.size(), p) * 0.5);
  }
}

TEST_CASE("a fixed orientation hands its changes on", "[start][slopes][rotations]") {
  test::SpatialBody body(2, {0.2, 0.5, 0.3}, 9.81);
  body.pin({0, 0, 0.5});
  body.further().position_fixed = {false, true, true, true, false, false};
  const Loaded loaded = Loaded::equations(body.equations({0, 2, 0.3, -0.5, 0.1, 0, 0}, {0, 0, 0, 1, 0, 0}));
  const Case all(loaded);
  for (const char* part : {"w", "x", "y", "z"}) {
    INFO(part);
    all.check(all.along(std::string("orientation.") + part + "_start", 1));
  }
}

TEST_CASE("a large mechanism's start has them, too", "[start][slopes][large]") {
  const Loaded loaded = Loaded::text(four_bar_windows(60));
  REQUIRE(loaded.sizes().velocities > 120);
  const Case all(loaded);
  all.check(all.direction([&, i = 0](double value) mutable { return 0.1 * std::cos(++i) * value; }), 1e-8);
}

TEST_CASE("an equilibrium moves with weights, springs and what is fixed", "[start][slopes][equilibrium]") {
  const Loaded loaded = at_rest(slider_on_springs);
  const Case all(loaded);
  for (const char* parameter : {"m", "L", "g", "k"}) {
    INFO(parameter);
    all.check(all.along(parameter, all.parameters[loaded.parameter(parameter)] / 3), 1e-8);
  }
  Equations held = equations_of(slider_on_springs);
  held.equilibrium = true;
  held.position_fixed = {true, false, false};
  const Loaded fixed = Loaded::equations(held);
  Case(fixed).check(Case(fixed).along("s_start", 0.3), 1e-8);
}

TEST_CASE("without a potential, too", "[start][slopes][equilibrium]") {
  std::string text = slider_on_springs;
  text.replace(text.find("s = \"push\""), 10, "s = \"push - k*y/10\"\ny = \"k*s/8\"");
  const Loaded loaded = at_rest(text);
  for (const char* parameter : {"m", "L", "k"}) Case(loaded).check(Case(loaded).along(parameter, 0.1), 1e-8);
}

TEST_CASE("a place of rest that depends on the way to it has no derivative of its own", "[start][slopes][equilibrium]") {
  std::string text = slider_on_springs;
  text.replace(text.find(" + k*s^2/2 + k*x^4/L^2"), 22, "");
  text.replace(text.find("s = \"push\""), 10, "s = \"0\"");
  const Loaded loaded = at_rest(text);  // hangs, wherever it stands
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  VectorXd direction = Case(loaded).along("L", 1);
  CHECK(simulation->differentiate_start(0, direction.data(), nullptr) == Answer::path_dependent);
}

TEST_CASE("a start without neighbours is told by its constraint", "[start][slopes]") {
  std::string text = bar_pendulum();
  text.replace(text.find("start = -0.3"), 12, "start = -0.4, fixed = true");
  const Loaded loaded = Loaded::text(text);
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  VectorXd direction = Case(loaded).along("x_start", 1);
  CHECK(simulation->differentiate_start(0, direction.data(), nullptr) == Answer::none);
  CHECK(std::string(simulation->message().text).find("there are none that keep 'bar'") != std::string::npos);
}

TEST_CASE("inputs that drive motions move the start, and the motion where they jump", "[start][slopes][inputs]") {
  std::string text = slider_on_springs;
  text.replace(text.find("[coordinates]"), 0, "set_at = { unit = \"s\" }\n");
  const Loaded loaded = Loaded::text(text + "[constraints.track]\nposition = \"s - 0.3\"\n", [](Equations& e) {
    const SX u = e.symbols.inputs(0);
    for (ConstraintEquation& row : e.constraints) {
      if (row.name == "track") row.residual -= u / 100 + (e.symbols.q(1) - e.symbols.q(0)) * u * u / 5000;
    }
    e.input_time = 1;
  });
  const auto started = [&](double x) {
    auto simulation = loaded.simulation();
    simulation->set_input(0, 20 + x);
    return simulation;
  };
  const double turn[] = {1, 0};
  SECTION("the start") {
    const auto here = started(0);
    assemble(*here);
    VectorXd none = VectorXd::Zero(loaded.sizes().parameters);
    REQUIRE(here->differentiate_start(0, none.data(), turn) == Answer::found);
    check_slopes(slopes_of(*here), [&](double x) {
      const auto beside = started(x);
      assemble(*beside);
      return all_of(*beside);
    }, 1e-10);
  }
  SECTION("a jump") {
    const auto jumped = [&](double x) {
      auto simulation = started(0);
      assemble(*simulation);
      advance(*simulation, 0.3);
      simulation->set_input(0, 20 + x);
      REQUIRE(simulation->adopt_inputs());
      return simulation;
    };
    const auto here = jumped(0);
    const VectorXd none = VectorXd::Zero(loaded.sizes().parameters), q = VectorXd::Zero(loaded.sizes().positions),
                   v = VectorXd::Zero(loaded.sizes().velocities);
    REQUIRE(here->differentiate_jump({0, q.data(), v.data(), turn, none.data()}, false));
    check_slopes(slopes_of(*here), [&](double x) { return all_of(*jumped(x)); }, 1e-9);
  }
}
