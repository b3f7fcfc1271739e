#include <algorithm>
// Tests every derived function against differences of the author's own energy, forces and constraints.
#include <catch2/catch.hpp>

#include "derived.hpp"
#include "generation/emit.hpp"

namespace mechfmu::test {
namespace {

using Values = std::map<std::string, Numbers>;

/// d/dt of a function of the state along (t, q) → (t + dt, q + v dt) at fixed v, by five points.
template <class F>
double along_motion(const State& state, F f) {
  const auto at = [&](double dt) {
    State moved = state;
    moved.time += dt;
    for (std::size_t i = 0; i < moved.q.size(); ++i) moved.q[i] += dt * state.v[i];
    return f(moved);
  };
  const double d = 1e-3;
  return (8 * (at(d) - at(-d)) - (at(2 * d) - at(-2 * d))) / (12 * d);
}

/// Returns the derivative by one element of the state, by five points.
template <class F>
double by(const State& state, Numbers State::* array, std::size_t i, F f, double d = 1e-3) {
  const auto at = [&](double step) {
    State moved = state;
    (moved.*array)[i] += step;
    return f(moved);
  };
  return (8 * (at(d) - at(-d)) - (at(2 * d) - at(-2 * d))) / (12 * d);
}

template <class F>
double by_time(const State& state, F f) {
  State still = state;
  for (double& v : still.v) v = 0;
  return along_motion(still, f);
}

/// Compares everything in the table with differences at one state.
void check(const Derivation& derivation, const State& s) {
  const Equations& e = derivation.equations;
  const InterpretedMechanism interpreted(derivation);
  const auto results = [&](const State& at) {
    return evaluate(derivation, interpreted.table(), interpreted.context(), at);
  };
  const Values r = results(s);
  const auto T = [&](const State& at) { return value_of(e.kinetic_energy, e, at); };
  const auto close = [](double expected) { return Approx(expected).epsilon(1e-8).margin(1e-8); };
  const std::size_t n = s.v.size();

  for (std::size_t i = 0; i < n; ++i) {
    INFO("coordinate " << i);
    const auto momentum = [&](const State& at) { return by(at, &State::v, i, T, 1.0); };
    double Mv_rate = 0;
    for (std::size_t j = 0; j < n; ++j) {
      CHECK(r.at("position.M")[i * n + j] == close(by(s, &State::v, j, momentum, 1.0)));
      const auto M_ij = [&](const State& at) { return results(at).at("position.M")[i * n + j]; };
      const double M_rate = along_motion(s, M_ij);
      if (!derivation.character.short_form) CHECK(r.at("velocity.M_rate")[i * n + j] == close(M_rate));
      Mv_rate += M_rate * s.v[j];
    }
    double Q = value_of(e.forces(static_cast<casadi_int>(i)), e, s);
    if (e.potential_energy)
      Q -= by(s, &State::q, i, [&](const State& at) { return value_of(*e.potential_energy, e, at); });
    const double h = Q + by(s, &State::q, i, T) - along_motion(s, momentum);
    CHECK(r.at("acceleration.h")[i] == close(h));
    if (!derivation.character.short_form) CHECK(r.at("velocity.g")[i] == close(h + Mv_rate));
  }

  std::size_t row = 0;
  for (const ConstraintEquation& constraint : e.constraints) {
    INFO("constraint " << constraint.name);
    const auto f = [&](const State& at) { return value_of(constraint.residual, e, at); };
    const bool on_positions = constraint.level == Level::position, on_velocities = constraint.level == Level::velocity;
    State still = s;
    for (double& v : still.v) v = 0;
    State unaccelerated = s;
    for (double& a : unaccelerated.acceleration) a = 0;
    if (on_positions) {
      CHECK(r.at("violation.f")[row] == close(f(s)));
      CHECK(r.at("acceleration.gamma")[row] ==
            close(along_motion(s, [&](const State& at) { return along_motion(at, f); })).epsilon(1e-6).margin(1e-6));
    } else {
      CHECK(r.at("acceleration.gamma")[row] == close(on_velocities ? along_motion(s, f) : f(unaccelerated)));
    }
    if (derivation.character.rheonomic && constraint.level != Level::acceleration)
      CHECK(r.at("position.c_t")[row] == close(on_positions ? by_time(s, f) : f(still)));
    for (std::size_t j = 0; j < n; ++j) {
      const double slope = on_positions    ? by(s, &State::q, j, f)
                           : on_velocities ? by(s, &State::v, j, f, 1.0)
                                           : by(s, &State::acceleration, j, f, 1.0);
      CHECK(r.at("acceleration.C_a")[row * n + j] == close(slope));
      if (constraint.level != Level::acceleration) {
        CHECK(r.at("position.C")[row * n + j] == close(slope));
        const auto C_ij = [&](const State& at) { return results(at).at("position.C")[row * n + j]; };
        if (!derivation.character.short_form)
          CHECK(r.at("velocity.C_rate")[row * n + j] == close(along_motion(s, C_ij)));
      }
      if (!derivation.character.ideal) {
        const double B =
            constraint.realised_by ? value_of((*constraint.realised_by)(static_cast<casadi_int>(j)), e, s) : slope;
        CHECK(r.at("acceleration.B")[j * e.constraints.size() + row] == close(B));
      }
    }
    ++row;
  }
  // The reaction on each coordinate is B λ.
  for (std::size_t i = 0; i < n; ++i) {
    double reaction = 0;
    for (std::size_t j = 0; j < e.constraints.size(); ++j)
      reaction +=
          s.multipliers[j] * (derivation.character.ideal ? r.at("acceleration.C_a")[j * n + i]
                                                         : r.at("acceleration.B")[i * e.constraints.size() + j]);
    CHECK(r.at("outputs_1")[i] == close(reaction));
  }
}

void check(const Derivation& derivation) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    INFO("point " << seed);
    check(derivation, random_state(derivation.equations, seed));
  }
}

const std::string plain_energy = "[dynamics]\nkinetic_energy = \"m*(der(x)^2 + der(y)^2)/2 + J*der(z)^2/2\"\n";

/// A double pendulum on a cart in a frame that turns and shakes: T has terms linear and constant in the velocities.
const std::string moving_frame = R"toml(
[definitions]
turn = "1.3*sin(2*time/s)"
x_1 = "x + l*sin(z)"
y_1 = "y - l*cos(z)"
x_g = "x_1*cos(turn) - y_1*sin(turn) + 0.1*sin(5*time/s)*l"
y_g = "x_1*sin(turn) + y_1*cos(turn)"
[dynamics]
kinetic_energy = "m*(der(x_g)^2 + der(y_g)^2)/2 + J*(der(z) + der(turn))^2/2 + m*(der(x)^2 + 2*der(y)^2)"
potential_energy = "m*g*y_g + k*g*x^2/(2*l)*m"
[dynamics.forces]
x = "push - 0.1*k*abs(der(x))*der(x)*m/l"
z = "l*pull*cos(z)"
)toml";

TEST_CASE("a moving frame: terms linear and constant in the velocities, explicit time") {
  check(derivation_of(mechanism_with(moving_frame)));
}

TEST_CASE("rheonomic, velocity and acceleration constraints in one mechanism") {
  const Derivation derivation = derivation_of(mechanism_with(moving_frame + R"toml(
[constraints.path]
position = "(x - l*sin(time/s))^2 + y^2*cos(z) - l^2"
[constraints.blade]
velocity = "-der(x)*sin(z + time/s) + der(y)*cos(z)*x/l - 0.2*l/s*cos(3*time/s)"
[constraints.pace]
acceleration = "der(der(z))*l*cos(y/l) + der(der(x)) - der(x)*der(z) - push/m"
)toml"));
  CHECK(derivation.character.ideal);
  CHECK(derivation.character.rheonomic);
  check(derivation);
}

TEST_CASE("realised_by: a servo constraint and friction that depends on time, positions, velocities and inputs") {
  const Derivation derivation = derivation_of(mechanism_with(plain_energy + R"toml(
[constraints.floor]
position = "y - 0.1*l*sin(x/l)"
realised_by = { y = 1, x = "-0.2*sign(der(x))*cos(z)*(1 + push/pull)" }
[constraints.hold]
position = "x*cos(z) - l"
[constraints.servo]
velocity = "der(z) - der(x)/l"
realised_by = { z = "l*exp(-time/s/(1 + k))" }
)toml"));
  CHECK_FALSE(derivation.character.ideal);
  CHECK(derivation.realised == std::vector<bool>{true, false, true});
  check(derivation);
}

TEST_CASE("a mass matrix, tables, choices and formulas") {
  check(derivation_of(mechanism_with(R"toml(
[functions]
cam = { table = [[-3, 0.1], [-1.5, 0.5], [0, 0.2], [0.8, 0.9], [2, 0.3], [3, 0]] }
lobe = { table = [[0, 0], [1, 0.4], [2.5, 0.1]], period = "1.3*pi" }
bump = { of = ["u"], value = "if(u > 0, u^3, 0)" }
[dynamics]
mass_matrix = [["m + m*cos(z)^2", "m*sin(z)", 0],
               ["sin(z)*m", "m*(2 + x^2/l^2)", "m*l*cos(z)"],
               [0, "m*l*cos(z)", "J + m*l^2"]]
potential_energy = "m*g*l*lobe(z + time/s)"
[dynamics.forces]
y = "m*g*(k*bump(z) + max(z, x/l, 0.1) + min(sin(z), mod(z, 0.7)))"
[constraints.follower]
position = "y - l*cam(z + 0.3)"
)toml")));
}

TEST_CASE("one degree of freedom: the short form once the ranks are known") {
  Derivation derivation = derivation_of(mechanism_with(plain_energy + R"toml(potential_energy = "m*g*y"
[dynamics.forces]
x = "push"
[constraints.rod_x]
position = "x - l*sin(z)"
[constraints.rod_y]
position = "y + l*cos(z)"
)toml"));
  CHECK(derivation.sizes.degrees_of_freedom() == 1);
  CHECK(derivation.character.short_form);
  CHECK(derivation.sizes.C_rate_nonzeros == 0);
  const State state = random_state(derivation.equations, 1);
  {
    const InterpretedMechanism interpreted(derivation);
    const Values r = evaluate(derivation, interpreted.table(), interpreted.context(), state);
    CHECK(r.at("velocity.g")[0] == Approx(state.inputs[0]));
    CHECK(r.at("velocity.g")[1] == Approx(-2 * 9.81));
  }
  check(derivation);
  derivation.fix_ranks(1, 1);  // as if the rows were dependent: two degrees of freedom need everything
  CHECK_FALSE(derivation.character.short_form);
  CHECK(derivation.sizes.C_rate_nonzeros > 0);
  check(derivation);
}

TEST_CASE("time in a constraint's coefficients rules the short form out") {
  const Derivation derivation = derivation_of(mechanism_with(plain_energy + R"toml(
[constraints.a]
velocity = "der(x) - sin(time/s)*der(y)"
[constraints.b]
position = "y - l*sin(z)"
)toml"));
  CHECK_FALSE(derivation.character.rheonomic);
  CHECK_FALSE(derivation.character.short_form);
}

TEST_CASE("a quadratic energy in disguise is recognised") {
  check(derivation_of(mechanism_with(R"toml(
[definitions]
speed = "sqrt(der(x)^2 + der(y)^2)"
[dynamics]
kinetic_energy = "(m*speed)^2/(2*m) + J*der(z)^2/2"
)toml")));
}

TEST_CASE("positions that cancel in the inertia leave it constant") {
  const Derivation derivation = derivation_of(mechanism_with(R"toml(
[dynamics]
kinetic_energy = "m*(der(x + l*sin(z))^2 + der(y + l*cos(z))^2)/2 + J*der(z)^2/2"
)toml"));
  CHECK(derivation.M.nnz() == 5);
  CHECK(derivation.M_rate.nnz() == 2);  // z, z is J + m l²
  check(derivation);
}

TEST_CASE("an inertia of several pieces keeps them, wherever their borders lie") {
  const std::string functions =
      "[functions]\nrise = { table = [[2, 1], [3, 2], [4, 4]] }\n[parameters.far]\nvalue = 2\nunit = \"m\"\n";
  const auto inertia_of_x = [&](const std::string& energy, double x) {
    const Derivation derivation = derivation_of(
        mechanism_with(functions + "[dynamics]\nkinetic_energy = \"" + energy + " + m*der(y)^2/2 + J*der(z)^2/2\"\n"));
    State state = random_state(derivation.equations, 3);
    state.q[0] = x;
    const InterpretedMechanism interpreted(derivation);
    return evaluate(derivation, interpreted.table(), interpreted.context(), state).at("position.M").front();
  };
  for (const double x : {-3.0, -0.5, 0.4, 1.9, 2.5, 3.5}) {
    INFO(x);
    CHECK(inertia_of_x("(m + m/l*max(0, x - far))*der(x)^2/2", x) == Approx(2 + 2 / 0.7 * std::fmax(0, x - 2)));
    CHECK(inertia_of_x("m*if(x < -2*l, 5, 1)*der(x)^2/2", x) == Approx(x < -1.4 ? 10 : 2));
    CHECK(inertia_of_x("m*(1 + abs(x)/l - x/l)*der(x)^2/2", x) == Approx(2 * (1 + (std::fabs(x) - x) / 0.7)));
  }
  CHECK(inertia_of_x("m*rise(x/l*0.7)*der(x)^2/2", 3) == Approx(4));
  CHECK(inertia_of_x("m*rise(x/l*0.7)*der(x)^2/2", 4) == Approx(8));
}

TEST_CASE("formulas of several pieces in the velocities are not quadratic or linear, wherever their borders lie") {
  for (const char* energy :
       {"m*der(x)*abs(der(x))/2", "m*max(der(x), 0)^2/2", "if(der(x) > 0*l/s, m, 3*m)*der(x)^2/2",
        "m*sqrt(der(x)^2)*der(x)/2", "m*sqrt(x/l - 5)*der(x)^3/(l/s)", "m*if(x > 100*l, der(x)*s/l, 1)*der(x)^2/2"}) {
    INFO(energy);
    CHECK(complaints_about(mechanism_with(
              "[dynamics]\nkinetic_energy = \"" + std::string(energy) + " + m*der(y)^2/2 + J*der(z)^2/2\"\n")) ==
          std::vector<std::string>{"18: the kinetic energy is not quadratic in the velocities"});
  }
  for (const char* constraint :
       {"velocity = \"abs(der(x)) - der(y)\"", "velocity = \"max(der(x), 0) - der(y)\"",
        "velocity = \"der(y) - sqrt(x/l - 5)*der(x)^2*s/l\"", "acceleration = \"abs(der(der(x))) - push/m\""}) {
    INFO(constraint);
    const Derivation derivation =
        derivation_of(mechanism_with(plain_energy + "[constraints.odd]\n" + std::string(constraint) + "\n"));
    CHECK(derivation.equations.constraints.front().nonlinear);
  }
}

TEST_CASE("what contradicts the form of the equations is reported at its place") {
  using Texts = std::vector<std::string>;
  const auto with_constraint = [](const std::string& formula) {
    return mechanism_with(plain_energy + "[constraints.odd]\n" + formula + "\n");
  };
  CHECK(complaints_about(mechanism_with("[dynamics]\nkinetic_energy = \"m*l*abs(der(x))^3/(2*l)*(1/der(y))\"\n")) ==
        Texts{"18: the kinetic energy is not quadratic in the velocities"});
  CHECK(complaints_about(mechanism_with(
            "[dynamics]\nmass_matrix = [[\"m\", \"m*sin(z)\", 0], [\"m*cos(z)\", \"m\", 0], [0, 0, \"J\"]]\n")) ==
        Texts{"18: the mass matrix is not symmetric in the entries of 'y' and 'x'"});
  CHECK(complaints_about(with_constraint("position = \"0*x - l\"")) ==
        Texts{"19: the constraint 'odd' does not depend on any coordinate, so nothing can fulfil it"});
  CHECK(complaints_about(with_constraint("velocity = \"0*der(x) + x/s\"")).size() == 1);
  CHECK(complaints_about(with_constraint("acceleration = \"0*der(der(x)) + push/m\"")).size() == 1);
  CHECK(complaints_about(R"toml([mechanism]
name = "Test"
[functions]
f = { table = [[0, 0], [1, 1]] }
[parameters]
m = { value = 2, unit = "kg" }
w = "3/f(0)"
[coordinates]
x = { unit = "m" }
[dynamics]
kinetic_energy = "m*der(x)^2/2"
)toml") == Texts{"7: the value of 'w' is not a finite number"});
}

TEST_CASE("inputs reach only what they are connected with") {
  const Derivation derivation = derivation_of(mechanism_with(plain_energy + R"toml(
[dynamics.forces]
x = "push"
z = "l*pull"
[constraints.tie]
position = "x - y"
[outputs]
place = { value = "x" }
pace = { value = "der(der(y))" }
load = { value = "constraint.tie.multiplier + pull" }
turning = { value = "der(der(z))*sin(x/l)" }
)toml"));
  const InputDependencies& by_input = derivation.dependencies;
  CHECK(by_input.accelerations == std::vector<std::vector<int>>{{0}, {0}, {1}});
  CHECK(by_input.multipliers == std::vector<std::vector<int>>{{0}});
  std::map<std::string, std::vector<int>> outputs;
  for (std::size_t i = 0; i < by_input.outputs.size(); ++i)
    outputs[derivation.equations.outputs[i].shown.name] = by_input.outputs[i];
  CHECK(outputs.at("place").empty());
  CHECK(outputs.at("pace") == std::vector<int>{0});
  CHECK(outputs.at("load") == std::vector<int>{0, 1});
  CHECK(outputs.at("turning") == std::vector<int>{1});
  CHECK(outputs.at("energy.kinetic").empty());
}

TEST_CASE("inputs reach through loads") {
  using casadi::SX;
  Equations e = equations_of(mechanism_with(plain_energy + R"toml(
[dynamics.forces]
x = "push"
[constraints.tie]
position = "x - y"
[outputs]
turning = { value = "der(der(z))" }
)toml"));
  const auto reached = [&e](const SX& value) {
    Equations with = e;
    with.symbols.loads = SX::sym("loads", 1);
    with.loads = {{"slide", {}, value}};
    with.forces(2) -= with.symbols.loads(0);
    return derivation_of(with).dependencies;
  };
  using Lists = std::vector<std::vector<int>>;
  CHECK(reached(SX::abs(e.symbols.multipliers(0))).accelerations == Lists{{0}, {0}, {0}});
  CHECK(reached(SX::abs(e.symbols.acceleration(2)) + SX::sq(e.symbols.inputs(1))).accelerations ==
        Lists{{0}, {0}, {1}});
  CHECK(reached(SX::sq(e.symbols.v(0))).accelerations == Lists{{0}, {0}, {}});
  const auto turning = std::find_if(e.outputs.begin(), e.outputs.end(), [](const OutputEquation& output) {
    return output.shown.name == "turning";
  });
  REQUIRE(turning != e.outputs.end());
  CHECK(reached(SX::abs(e.symbols.multipliers(0))).outputs.at(static_cast<std::size_t>(turning - e.outputs.begin())) ==
        std::vector<int>{0});
}

TEST_CASE("where loads occur decides what has to be solved again for each") {
  using casadi::SX;
  Equations e = equations_of(mechanism_with(plain_energy + R"toml(
[constraints.together]
acceleration = "der(der(x)) + der(der(y))"
)toml"));
  e.symbols.loads = SX::sym("loads", 2);
  const SX a = e.symbols.loads(0), b = e.symbols.loads(1);
  e.loads = {{"slide", {}, SX(1)}, {"pressure", {}, SX::exp(b) - 2, SX(1)}};
  e.forces(0) -= a * SX::tanh(e.symbols.v(0)) + (a + b) * 2;
  const auto character = [](const Equations& equations) { return derivation_of(equations).character; };
  CHECK(character(e).affine_loads);
  Equations force = e, row = e, mass = e, disguised = e;
  force.forces(1) -= SX::sq(b);
  CHECK_FALSE(character(force).affine_loads);
  CHECK_FALSE(character(force).loads_in_matrices);
  disguised.forces(1) -= (SX::sq(SX::sin(b)) + SX::sq(SX::cos(b))) * b;
  CHECK(character(disguised).affine_loads);
  row.constraints[0].residual += b * e.symbols.acceleration(0);
  CHECK(character(row).loads_in_matrices);
  CHECK_FALSE(character(row).loads_in_mass);
  mass.mass_matrix = SX::diag(SX::vertcat({1 + b, 2, 3}));
  mass.kinetic_energy = SX::bilin(*mass.mass_matrix, e.symbols.v, e.symbols.v) / 2;
  const Derivation heavy = derivation_of(mass);
  CHECK(heavy.character.loads_in_mass);
  CHECK_FALSE(SX::depends_on(heavy.stages.M, e.symbols.loads));  // It is a metric.
}

TEST_CASE("an unknown that nothing determines is an error") {
  using casadi::SX;
  Equations e = equations_of(mechanism_with(plain_energy));
  e.symbols.loads = SX::sym("loads", 2);
  const SX a = e.symbols.loads(0), b = e.symbols.loads(1);
  const auto complaints = [&e](const SX& first, const SX& second) {
    e.loads = {{"flow", {}, first, SX(0)}, {"pressure", {}, second, SX(0)}};
    Diagnostics diagnostics;
    derive(e, diagnostics);
    std::vector<std::string> result;
    for (const Diagnostic& diagnostic : diagnostics.sorted()) result.push_back(diagnostic.problem);
    return result;
  };
  const std::vector<std::string> none, pressure = {"no equation determines the unknown 'pressure'"};
  CHECK(complaints(a - e.symbols.q(0), b - a) == none);
  CHECK(complaints(b - 1, a * b - 2) == none);
  CHECK(complaints(a - 1, a - e.symbols.q(0)) == pressure);
  CHECK(complaints(a - b, SX(1)) == pressure);
  CHECK(complaints(a - 1, e.symbols.acceleration(0) - 3) == pressure);
  e.forces(0) += b;  // by what it does
  CHECK(complaints(a - 1, e.symbols.acceleration(0) - 3) == none);
}

TEST_CASE("calculated parameters and starts follow from the others") {
  const Derivation derivation = derivation_of(R"toml([mechanism]
name = "Test"
[parameters]
m = { value = 2, unit = "kg" }
M2 = { value = "2*m3 + m", unit = "kg" }
m3 = { value = "m/4", unit = "kg" }
l = { value = 30, unit = "mm" }
[coordinates]
x = { unit = "mm", start = "2*l", rate_start = 5 }
[dynamics]
kinetic_energy = "M2*der(x)^2/2"
)toml");
  const Equations& e = derivation.equations;
  CHECK(names_of(e.parameters) == std::vector<std::string>{"m", "M2", "m3", "l", "x_start", "x_rate_start"});
  const Numbers expected = {2, 3, 0.5, 0.03, 0.06, 0.005};
  REQUIRE(e.parameter_values.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(e.parameter_values[i] == Approx(expected[i]).epsilon(1e-15));
  State state = random_state(e, 1);
  state.parameters = {4, 0, 0, 0.1, 0, 0};
  const InterpretedMechanism interpreted(derivation);
  const Numbers calculated =
      evaluate(derivation, interpreted.table(), interpreted.context(), state).at("calculate.values");
  std::map<int, double> by_index;
  for (int i = 0; i < interpreted.table().calculated_count; ++i)
    by_index[interpreted.table().calculated[i]] = calculated[static_cast<std::size_t>(i)];
  CHECK(by_index == std::map<int, double>{{1, 6.0}, {2, 1.0}, {4, 0.2}});
}

TEST_CASE("rows that are not linear come last at their level, each with its own multiplier") {
  const Derivation derivation = derivation_of(mechanism_with(plain_energy + R"toml(
[constraints.curved]
velocity = "der(x)^2 + der(y)^2 - (l/s)^2"
[constraints.sought]
acceleration = "der(der(x))^2*s^4/l - der(der(y))*s^2"
[constraints.straight]
velocity = "der(x) - der(y)"
[constraints.plain]
acceleration = "der(der(z))"
[outputs]
first = "constraint.curved.multiplier"
second = "constraint.straight.multiplier"
)toml"));
  const Equations& e = derivation.equations;
  std::vector<std::string> names;
  for (const ConstraintEquation& row : e.constraints) names.push_back(row.name);
  CHECK(names == std::vector<std::string>{"straight", "curved", "plain", "sought"});
  CHECK(derivation.sizes.velocity_rows == 1);
  CHECK(derivation.sizes.nonlinear_rows == 1);
  CHECK(derivation.sizes.acceleration_rows == 3);
  CHECK(derivation.sizes.loads == 1);  // It is the acceleration of x.
  CHECK(e.loads.front().row == 3);
  for (const OutputEquation& output : e.outputs) {
    if (output.shown.name == "first") CHECK(casadi::SX::is_equal(output.value, e.symbols.multipliers(1)));
    if (output.shown.name == "second") CHECK(casadi::SX::is_equal(output.value, e.symbols.multipliers(0)));
  }
}

}  // namespace
}  // namespace mechfmu::test
