// Tests redundant constraints, and configurations whose rank changes during motion.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "fmu_src/integrators/dop853.hpp"
#include "fmu_src/start/start.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/core/methods.hpp"
#include "tests/core/plain_equations.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

std::unique_ptr<StandaloneSimulation> run(const Loaded& loaded, Settings settings, double end) {
  auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  advance(*simulation, end);
  return simulation;
}

Settings tight(const Loaded& loaded, int basis_index) {
  Settings settings = loaded.settings;
  settings.method = method("dop853");
  settings.tolerance = 1e-12;
  settings.tangent_basis = basis_index;
  return settings;
}

/// Without a basis v̇ is needed, which a flat parallelogram leaves open: 0/0 there, and rounding over a small number
/// beside it, where steps must not be short. Independent coordinates need v̇, too, of which only their part matters.
double tightest(int basis_index) {
  return basis_index >= basis_count ? 1e-7 : integrates_independent(basis_index) ? 1e-11 : 0;
}

const char* const same_again = "[constraints.again]\nposition = \"(x^2 + y^2 - L^2)/(2*L)\"\n";
const char* const scaled = "[constraints.scaled]\nposition = \"3*(x^2 + y^2 - L^2)/(2*L)\"\n";
const char* const as_velocity = "[constraints.rate]\nvelocity = \"(x*der(x) + y*der(y))/L\"\n";

}  // namespace

TEST_CASE("redundant constraints: rank, names, motion and least-norm multipliers", "[redundancy]") {
  const Loaded single = Loaded::text(bar_pendulum());
  struct Copy {
    const char* text;
    const char* name;
    double factor;  ///< factor of the copy's gradient
  };
  for (const Copy& copy : {Copy{same_again, "again", 1}, Copy{scaled, "scaled", 3}, Copy{as_velocity, "rate", 1}}) {
    const Loaded doubled = Loaded::text(bar_pendulum(copy.text));
    INFO(copy.name);
    CHECK(doubled.sizes().rows() == 2);
    CHECK(doubled.sizes().rank == 1);
    CHECK(doubled.sizes().position_rank == 1);
    Arena memory;
    ConsistentStart start(memory, doubled.table());
    double q[2], v[2];
    Message message;
    REQUIRE(start.solve(0, doubled.parameters().data(), doubled.inputs().data(), q, v, message));
    CHECK(start.ranks(0, doubled.parameters().data(), doubled.inputs().data(), q).all == 1);
    CHECK(start.redundant(0) + start.redundant(1) == 1);
    if (doubled.sizes().velocity_rows > 0) CHECK(start.redundant(1));  // velocity rows go before position rows
    for (int i = 0; i < 3; ++i) {
      INFO(tangent_bases[i]);
      const auto without = run(single, tight(single, i), 2), with = run(doubled, tight(doubled, i), 2);
      CHECK(distance(*with, *without) < 1e-10);
      CHECK(with->position_violation() < 1e-15);
      const double lambda = without->multipliers()[0];
      const double* both = with->multipliers();
      CHECK(both[0] + copy.factor * both[1] == Approx(lambda).epsilon(1e-9));
      CHECK(both[1] ==
            Approx(copy.factor * both[0]).epsilon(1e-9));  // Least norm means in proportion to the gradients.
    }
  }
}

TEST_CASE("a dependent constraint in general position changes nothing", "[redundancy]") {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Shape shape;
    shape.coordinates = 5;
    shape.position_rows = 3;
    const Loaded without = Loaded::text(random_mechanism(seed, shape));
    shape.redundant = true;
    const Loaded with = Loaded::text(random_mechanism(seed, shape));
    CHECK(with.sizes().rows() == 4);
    CHECK(with.sizes().rank == 3);
    for (int i = 0; i < 3; ++i) {
      INFO("seed " << seed << ", " << tangent_bases[i]);
      const auto a = run(without, tight(without, i), 1), b = run(with, tight(with, i), 1);
      CHECK(distance(*a, *b) < 1e-10);
      const Evaluation e = evaluate(with, *b);
      const VectorXd lambda = VectorXd::Map(b->multipliers(), 4), basic = VectorXd::Map(a->multipliers(), 3);
      const Evaluation plain = evaluate(without, *a);
      const VectorXd reaction = e.C.transpose() * lambda;
      const VectorXd difference = reaction - plain.C.transpose() * basic;
      CHECK(difference.cwiseAbs().maxCoeff() < 1e-8 * (1 + reaction.cwiseAbs().maxCoeff()));
      const MatrixXd undetermined = null_space(e.C.transpose());
      REQUIRE(undetermined.cols() == 1);
      CHECK((undetermined.transpose() * lambda).cwiseAbs().maxCoeff() < 1e-11 * (1 + lambda.cwiseAbs().maxCoeff()));
    }
  }
}

namespace {

/// Writes a bead on the space curve φ₁ = y − L sin(x/L) = 0, φ₂ = z − x²/(2L) = 0.
std::string bead(const std::string& constraints) {
  return R"toml(
[mechanism]
name = "Bead"
[parameters]
m = { value = 1, unit = "kg" }
L = { value = 1, unit = "m" }
g = { value = 9.81, unit = "m/s2" }
w = { value = 1, unit = "rad/s" }
[coordinates]
x = { unit = "m", start = 0.8, fixed = true, rate_start = 0.5, rate_fixed = true }
y = { unit = "m", start = 0.7 }
z = { unit = "m", start = 0.3 }
[definitions]
phi1 = "y - L*sin(x/L)"
phi2 = "z - x^2/(2*L)"
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2 + der(z)^2)/2"
potential_energy = "m*g*z"
)toml" + constraints;
}

}  // namespace

TEST_CASE("of redundant rows, those kept are changed when they become dependent", "[redundancy]") {
  // Three combinations of φ₁ and φ₂ that turn: each pair of them is dependent at some time, all three never are.
  const Loaded plain = Loaded::text(bead(R"toml(
[constraints.one]
position = "phi1"
[constraints.two]
position = "phi2"
)toml"));
  const Loaded turning = Loaded::text(bead(R"toml(
[constraints.fixed]
position = "phi1"
[constraints.slow]
position = "phi1*cos(w*time) + phi2*sin(w*time)"
[constraints.fast]
position = "phi1*cos(2*w*time + 1) + phi2*sin(2*w*time + 1)"
)toml"));
  REQUIRE(turning.sizes().rows() == 3);
  REQUIRE(turning.sizes().rank == 2);
  const double pi = std::numbers::pi;
  for (int b = 0; b < resolution_count; ++b) {
    INFO(tangent_bases[b]);
    const auto expected = plain.simulation(tight(plain, b)), simulation = turning.simulation(tight(turning, b));
    assemble(*expected);
    assemble(*simulation);
    // fixed ∥ fast, slow ∥ fast, fixed ∥ fast, fixed ∥ slow hold exactly there.
    for (const double time : {(pi - 1) / 2, pi - 1, pi - 0.5, pi, 2 * pi - 1, 2 * pi}) {
      advance(*expected, time);
      advance(*simulation, time);
      INFO("t = " << time);
      CHECK(distance(*simulation, *expected) < 1e-9);
      CHECK(simulation->position_violation() < 1e-15);
    }
  }
}

TEST_CASE("a parallelogram passes its flat position without leaving its branch", "[redundancy]") {
  // Without gravity the coupler only translates, T = ½ I θ̇²: θ = θ₀ + ω t, through θ = 0, π, 2π, …
  for (const double angle : {0.5, -0.5, 2.5}) {
    for (const double rate : {2.0, -3.1}) {
      Parallelogram p;
      p.angle = angle;
      p.rate = rate;
      const Loaded loaded = Loaded::text(parallelogram(p));
      REQUIRE(loaded.sizes().rank == 2);
      for (int b = 0; b < resolution_count; ++b) {
        for (const MethodFacts& one : adaptive_explicit_methods()) {
          for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
            if (tolerance < tightest(b)) continue;
            INFO("start " << angle << ", rate " << rate << ", " << tangent_bases[b] << ", " << one.name << ", "
                          << tolerance);
            Settings settings = loaded.settings;
            settings.tangent_basis = b;
            settings.method = method(one.name);
            settings.tolerance = tolerance;
            const auto simulation = run(loaded, settings, 10);
            const double* q = simulation->positions();
            CHECK(std::fabs(q[0] - (angle + rate * 10)) < 100 * tolerance);
            CHECK(std::fabs(q[1]) < 1e-9);         // the coupler stays parallel,
            CHECK(std::fabs(q[2] - q[0]) < 1e-9);  // Both cranks turn together.
            CHECK(simulation->position_violation() < 1e-14);
          }
        }
      }
    }
  }
}

TEST_CASE("a parallelogram under gravity swings through its flat position", "[redundancy]") {
  Parallelogram p;
  p.angle = 0.6;
  p.rate = 0;
  p.gravity = 9.81;
  const double stop = 3;
  // This is the one-dof equation I θ̈ = −g (m + m_c) cos θ.
  const auto rate = [&](double, const double* at, double* dy) {
    dy[0] = at[1];
    dy[1] = -p.gravity * (p.m_crank + p.m_coupler) * std::cos(at[0]) / p.inertia();
    return true;
  };
  const auto reference = equal_steps<Dop853>(rate, {p.angle, 0}, stop, 3000, 1);
  int crossings = 0;
  for (std::size_t i = 1; i < reference.size(); ++i) {
    crossings += std::sin(reference[i - 1][0]) * std::sin(reference[i][0]) < 0;
  }
  const std::vector<double> y = reference.back();
  CHECK(crossings >= 4);
  const Loaded loaded = Loaded::text(parallelogram(p));
  for (int b = 0; b < resolution_count; ++b) {
    for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
      if (tolerance < tightest(b)) continue;
      INFO(tangent_bases[b] << ", " << tolerance);
      Settings settings = tight(loaded, b);
      settings.tolerance = tolerance;
      const auto simulation = run(loaded, settings, stop);
      CHECK(std::fabs(simulation->positions()[0] - y[0]) < 300 * tolerance + 1e-11);
      CHECK(std::fabs(simulation->velocities()[0] - y[1]) < 300 * tolerance + 1e-11);
      CHECK(std::fabs(simulation->positions()[1]) < 1e-9);
      CHECK(std::fabs(simulation->positions()[2] - simulation->positions()[0]) < 1e-9);
    }
  }
}

TEST_CASE("the generic rank decides where the start itself is singular", "[redundancy]") {
  Parallelogram p;
  p.angle = 0;
  const Loaded flat = Loaded::text(parallelogram(p));
  CHECK(flat.sizes().rank == 2);
  const auto at = [&](double angle) {
    Arena memory;
    ConsistentStart start(memory, flat.table());
    const double q[] = {angle, 0, angle};
    return start.ranks(0, flat.parameters().data(), flat.inputs().data(), q).all;
  };
  CHECK(at(0) == 1);
  CHECK(at(1e-3) == 2);
  // In the flat position itself two branches meet, and nothing determines which one the motion takes.
  const auto simulation = flat.simulation();
  CHECK_FALSE(simulation->assemble(0));
  CHECK(std::string(simulation->message().text)
            .find("singular at t = 0 s: there the others imply the constraint 'closure_x'") != std::string::npos);
  CHECK_FALSE(simulation->assembled());
  // A hair's breadth away it is: rounding of the constraints must not pass for an open loop.
  for (const double angle : {1e-7, -1e-6}) {
    simulation->set_parameter(flat.parameter("a_start"), angle);
    simulation->set_parameter(flat.parameter("b_start"), 0);
    simulation->set_parameter(flat.parameter("c_start"), angle);
    assemble(*simulation);
    advance(*simulation, 1);
    CHECK(simulation->position_violation() < 1e-14);
  }
  // If it starts elsewhere, this instance runs.
  simulation->set_parameter(flat.parameter("a_start"), 0.1);
  simulation->set_parameter(flat.parameter("b_start"), 0.1);
  assemble(*simulation);
  advance(*simulation, 10);
  CHECK(simulation->positions()[0] == Approx(20.1).epsilon(1e-6));
}

TEST_CASE("values that change the degrees of freedom are refused by name", "[redundancy]") {
  // `hook` holds the mass at x = reach only if its strength is not zero: export it without.
  const char* hook = "[constraints.hook]\nposition = \"strength*(y + 0.4)\"\n";
  const Loaded off = Loaded::text(bar_pendulum(hook, "strength = { value = 0 }"));
  CHECK(off.sizes().degrees_of_freedom() == 1);
  const auto simulation = off.simulation();
  assemble(*simulation);
  advance(*simulation, 0.1);
  const VectorXd before = positions(*simulation);
  simulation->set_parameter(off.parameter("strength"), 1);
  simulation->set_parameter(off.parameter("x_rate_start"), 0);  // or the fixed rate is what contradicts it
  CHECK_FALSE(simulation->assemble(0));
  const std::string gained = simulation->message().text;
  CHECK(gained.find("has 0 degrees of freedom; it was exported with 1") != std::string::npos);
  CHECK(gained.find("These are independent now: the constraints 'bar', 'hook'") != std::string::npos);
  CHECK(positions(*simulation) == before);

  const char* tie = "[constraints.tie]\nposition = \"strength*(y + 0.4)\"\n";
  const Loaded on = Loaded::text(bar_pendulum(tie, "strength = { value = 1 }"));
  CHECK(on.sizes().degrees_of_freedom() == 0);
  const auto tied = on.simulation();
  tied->set_parameter(on.parameter("x_rate_start"), 0);
  assemble(*tied);
  tied->set_parameter(on.parameter("strength"), 0);
  CHECK_FALSE(tied->assemble(0));
  const std::string lost = tied->message().text;
  CHECK(lost.find("has 1 degrees of freedom; it was exported with 0") != std::string::npos);
  CHECK(lost.find("Others now imply the constraint 'tie'") != std::string::npos);
}
