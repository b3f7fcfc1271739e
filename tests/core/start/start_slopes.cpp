// Tests the derivatives of the start by start values, parameters and inputs: exact ones against differences of whole
// starts, of order 6, which agree to about 1e-11 up to rounding.
#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "equations/equations.hpp"
#include "fmu_src/start/start.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/rotations.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;
using casadi::SX;

namespace {

using Answer = ConsistentStart::Derivative;

/// Returns q, v, v̇, λ and all outputs one below the other.
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

/// Returns the derivative of values(x) at 0.
VectorXd difference(const std::function<VectorXd(double)>& values, double h) {
  const double weights[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  VectorXd result;
  for (int i = 1; i <= 3; ++i) {
    const VectorXd term = weights[i - 1] / h * (values(i * h) - values(-i * h));
    result = result.size() == 0 ? term : VectorXd(result + term);
  }
  return result;
}

/// Takes the better of two steps: rounding limits one of them, the mechanism's curvature the other.
void check_slopes(const VectorXd& found, const std::function<VectorXd(double)>& values, double tolerance) {
  const VectorXd here = values(0);
  const double size = 1e-3 + here.cwiseAbs().maxCoeff() + found.cwiseAbs().maxCoeff();
  double error = 1e300;
  for (const double h : {1e-3, 2e-4}) error = std::min(error, (found - difference(values, h)).cwiseAbs().maxCoeff());
  CHECK(error <= tolerance * size);
}

/// Holds parameters beside those of the file, at the distance along a direction.
struct Case {
  const Loaded& loaded;
  VectorXd parameters;
  double time = 0.1;

  explicit Case(const Loaded& l) : loaded(l), parameters(VectorXd::Map(l.parameters().data(), l.sizes().parameters)) {}

  std::unique_ptr<StandaloneSimulation> started(const VectorXd& direction, double x) const {
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
  /// Is true where contacts hold at the start or something penetrates: beside it something does or other contacts hold.
  bool touches() const {
    if (penetrates(VectorXd::Zero(parameters.size()))) return true;
    const auto here = started(VectorXd::Zero(parameters.size()), 0);
    for (int group = 0; group < loaded.sizes().contacts; ++group) {
      if (here->contact_state(group) != 0) return true;
    }
    return false;
  }
  /// Is true if a gap is negative here, or at the ends of the longest step that differences take.
  bool penetrates(const VectorXd& direction) const {
    for (const double x : {-3e-3, 0.0, 3e-3}) {
      auto simulation = loaded.simulation();
      for (int p = 0; p < parameters.size(); ++p) simulation->set_parameter(p, parameters[p] + x * direction[p]);
      if (!simulation->assemble(time) &&
          std::string(simulation->message().text).find("nothing penetrates") != std::string::npos)
        return true;
    }
    return false;
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
    std::seed_seq seed(name.begin(), name.end());  // does not depend on the other models
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const Loaded loaded = Loaded::model(name);
    const Case as_given(loaded);
    if (as_given.touches()) continue;
    for (int trial = 0; trial < 3; ++trial) {
      as_given.check(
          as_given.direction([&](double value) { return uniform(random) * (value == 0 ? 0.3 : value) / 3; }));
    }
    if (name == "bennett" || name == "bricard") continue;  // some of their starts have no neighbours that close
    Case moved = as_given;                                 // and where guesses are far from what is found
    const VectorXd move =
        as_given.direction([&](double value) { return 0.03 * uniform(random) * (value == 0 ? 1 : value); });
    moved.parameters += move;
    const VectorXd direction =
        moved.direction([&](double value) { return uniform(random) * (value == 0 ? 0.3 : value) / 3; });
    for (double part = 0.5; moved.penetrates(direction) && part > 1e-3; part /= 2)
      moved.parameters = as_given.parameters + part * move;
    moved.check(direction);
  }
}

TEST_CASE("unknowns hand changes on through masses, forces and rows", "[start][slopes][unknowns]") {
  for (const bool realised : {false, true}) {
    INFO(realised);
    const Loaded loaded = Loaded::text(unknown_everywhere(realised));
    const Case all(loaded);
    for (int trial = 0; trial < 4; ++trial) {
      all.check(
          all.direction([&, i = trial](double value) mutable { return std::cos(++i) * (value == 0 ? 0.3 : value); }));
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

TEST_CASE("a place of rest that depends on the way to it has no derivative of its own",
          "[start][slopes][equilibrium]") {
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
    check_slopes(
        slopes_of(*here),
        [&](double x) {
          const auto beside = started(x);
          assemble(*beside);
          return all_of(*beside);
        },
        1e-10);
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

namespace {

constexpr double pi = std::numbers::pi;

/// D of a slider-crank where crank and rod are in line; how it changes with their lengths; angles of both there.
struct Dead {
  double by_crank, by_rod, a, b;
  double d() const { return 0.08 * by_crank + 0.24 * by_rod; }
};
const Dead dead_points[] = {{1, 1, 0.4, -0.3}, {1, -1, 0.4, 2.8}, {-1, 1, 2.9, 2.9}, {-1, -1, 2.8, 0.3}};

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string dead_slider_crank(const Dead& at, const std::string& rate = "") {
  return slider_cranks(1, "start = " + number(at.a) + ", rate_start = 10", "start = " + number(at.b),
                       "start = " + number(at.d()) + ", fixed = true" + rate);
}

Answer answer(const Loaded& loaded, const VectorXd& direction) {
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  VectorXd full = direction;
  simulation->differentiate_calculated(full.data());
  const Answer result = simulation->differentiate_start(0, full.data(), nullptr);
  INFO(simulation->message().text);
  CHECK((result == Answer::none) ==
        (std::string(simulation->message().text).find("dead point of") != std::string::npos));
  return result;
}

}  // namespace

TEST_CASE("starts at dead points have derivatives along what keeps them there", "[start][slopes][dead]") {
  for (const Dead& at : dead_points) {
    INFO("D = " << at.d());
    const Loaded loaded = Loaded::text(dead_slider_crank(at));
    const Case all(loaded);
    for (const char* parameter :
         {"j", "k", "m", "A0_start", "B0_start", "A0_rate_start", "B0_rate_start", "D0_rate_start"}) {
      INFO(parameter);
      all.check(all.along(parameter, 0.5 * all.parameters[loaded.parameter(parameter)] + 0.01));
    }
    for (const double by_crank : {0.0, 0.05, -0.03}) {
      const double by_rod = 0.08 - by_crank;
      all.check(all.along("r", by_crank) + all.along("l", by_rod) +
                all.along("D0_start", at.by_crank * by_crank + at.by_rod * by_rod) + all.along("A0_rate_start", 3));
    }
  }
}

TEST_CASE("they have none along what does not", "[start][slopes][dead]") {
  for (const Dead& at : dead_points) {
    INFO("D = " << at.d());
    const Loaded loaded = Loaded::text(dead_slider_crank(at));
    const Case all(loaded);
    for (const char* parameter : {"r", "l", "D0_start"}) {
      INFO(parameter);
      for (const double by : {0.01, -1e-6}) CHECK(answer(loaded, all.along(parameter, by)) == Answer::none);
    }
  }
}

TEST_CASE("a value that leaves a dead point to second order has none", "[start][slopes][dead]") {
  for (const char* d : {"r + l*cos(e)", "r + l - l*e^2/2", "r + l + 5*l*e^2"}) {
    INFO(d);
    std::string text =
        slider_cranks(1, "start = 0.4", "start = -0.3", std::string("start = \"") + d + "\", fixed = true");
    text = replaced(text, "[parameters]\n", "[parameters]\ne = { value = 0, unit = \"1\" }\n");
    const Loaded loaded = Loaded::text(text);
    const Case all(loaded);
    CHECK(answer(loaded, all.along("e", 1)) == Answer::none);
    CHECK(answer(loaded, all.along("e", 1e-5)) == Answer::none);
    all.check(all.along("r", 0.1) + all.along("l", -0.05));
  }
}

TEST_CASE("what a fixed rate forbids at a dead point is told", "[start][slopes][dead]") {
  const Loaded loaded = Loaded::text(dead_slider_crank(dead_points[0], ", rate_start = 0, rate_fixed = true"));
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  VectorXd direction = Case(loaded).along("D0_rate_start", 1);
  CHECK(simulation->differentiate_start(0, direction.data(), nullptr) == Answer::none);
  CHECK(std::string(simulation->message().text).find("there are none that keep 'x0'") != std::string::npos);
  Case(loaded).check(Case(loaded).along("A0_rate_start", 1));
}

TEST_CASE("beside a dead point that is held the others have derivatives by differences", "[start][slopes][dead]") {
  std::string text = slider_cranks(2, "start = 0.4, rate_start = 10", "start = -0.3", "start = 0.32, fixed = true");
  text.erase(text.rfind(", fixed = true"), 14);
  const Loaded loaded = Loaded::text(text);
  const Case all(loaded);
  CHECK(answer(loaded, all.along("D1_start", 1)) == Answer::path_dependent);
  CHECK(answer(loaded, all.along("D0_start", 1)) == Answer::none);
  all.check(all.along("A1_rate_start", 1));
  all.check(all.along("A0_rate_start", 1));
}

TEST_CASE("two dead points at once", "[start][slopes][dead]") {
  std::string text = slider_cranks(2, "start = 0.4, rate_start = 10", "start = -0.3", "start = 0.32, fixed = true");
  const Loaded loaded = Loaded::text(text);
  const Case all(loaded);
  all.check(all.along("r", 0.05) + all.along("l", 0.03) + all.along("D0_start", 0.08) + all.along("D1_start", 0.08));
  CHECK(answer(loaded, all.along("D0_start", 1)) == Answer::none);
  CHECK(answer(loaded, all.along("r", 1) + all.along("D1_start", 1)) == Answer::none);
}

TEST_CASE("a derivative belongs to the start that is there, not to the last one sought", "[start][slopes][dead]") {
  const Loaded loaded = Loaded::text(dead_slider_crank(dead_points[0]));
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  const std::vector<double> dead = copy_state(*simulation);
  simulation->set_parameter(loaded.parameter("D0_start"), 0.3);
  assemble(*simulation);
  VectorXd direction = Case(loaded).along("D0_start", 1);
  CHECK(simulation->differentiate_start(0, direction.data(), nullptr) == Answer::found);
  simulation->restore(dead.data());
  CHECK(simulation->differentiate_start(0, direction.data(), nullptr) == Answer::none);
}

TEST_CASE("a start in equilibrium at a dead point stays there", "[start][slopes][dead][equilibrium]") {
  std::string text = dead_slider_crank(dead_points[0]);
  text = replaced(text, "[dynamics]\n", "[dynamics]\npotential_energy = \"50*m*w^2*sin(A0 + 0.3)\"\n");
  const Loaded loaded = at_rest(text);
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  CHECK(std::fabs(simulation->positions()[0]) < 1e-15);
  CHECK(std::fabs(simulation->positions()[1]) < 1e-15);
  Case(loaded).check(Case(loaded).along("m", 0.1));
  CHECK(answer(loaded, Case(loaded).along("D0_start", 1)) == Answer::none);
}

TEST_CASE("rounded loops have derivatives too", "[start][slopes][rounded]") {
  for (const char* tilt : {"1e-9", "5e-7"}) {
    INFO(tilt);
    const Loaded loaded = Loaded::text(tilted_four_bar(tilt));
    const Case all(loaded);
    for (const char* parameter : {"l1", "l3", "a", "m2", "O.angle_start", "O.angle_rate_start"}) {
      INFO(parameter);
      all.check(all.along(parameter, 0.3), 1e-9);
    }
  }
}

TEST_CASE("rounded loops start in equilibrium as exact ones do", "[start][slopes][rounded][equilibrium]") {
  const auto hanging = [](std::string text) {
    return at_rest(replaced(text, ", fixed = true, rate_start = 0.5, rate_fixed = true", ""));
  };
  const Loaded exact = hanging(text_of_model("four_bar_in_space"));
  const auto reference = exact.simulation();
  assemble(*reference);
  REQUIRE(std::fabs(reference->accelerations()[0]) < 1e-9);
  for (const char* tilt : {"1e-9", "5e-7"}) {
    INFO(tilt);
    const Loaded loaded = hanging(tilted_four_bar(tilt));
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    CHECK(distance(*simulation, *reference) < 10 * std::atof(tilt));
    CHECK(simulation->position_violation() < 3 * std::atof(tilt));
    CHECK(std::fabs(simulation->accelerations()[0]) < 1e-8 + 100 * std::atof(tilt));
    // Rows share there as where it is assembled at once.
    const Loaded held = Loaded::text(tilted_four_bar(tilt));
    const auto there = held.simulation();
    for (int i = 0; i < held.sizes().velocities; ++i)
      there->set_parameter(held.parameter(std::string(held.table().position_names[i]) + "_start"),
                           simulation->positions()[i]);
    assemble(*there);
    for (int i = 0; i < held.sizes().positions; ++i)
      CHECK(std::fabs(there->positions()[i] - simulation->positions()[i]) < 1e-12);
    const Case all(loaded);
    for (const char* parameter : {"l1", "a", "m2"}) {
      INFO(parameter);
      all.check(all.along(parameter, 0.3), 1e-9);
    }
  }
}
