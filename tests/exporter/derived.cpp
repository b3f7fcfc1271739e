// Reads, derives and evaluates for the tests.
#include "derived.hpp"

#include <catch2/catch.hpp>

#include "derivation/program/core_table.hpp"
#include "equations/compose_equations.hpp"
#include "fmu_src/mechanism/tape.hpp"
#include "modelDescription/reading/read.hpp"
#include "tests/rotations.hpp"

namespace mechfmu::test {

namespace {

Description description_of(const std::string& text) {
  const ReadResult result = read_mechanism_text(text, "test.toml");
  for (const Diagnostic& diagnostic : result.diagnostics) INFO(to_text(diagnostic));
  if (!result.description) FAIL(to_text(result.diagnostics.at(0)));
  return *result.description;
}

Numbers dense(const Pattern& pattern, const Numbers& nonzeros, bool symmetric) {
  Numbers result(static_cast<std::size_t>(pattern.rows * pattern.columns));
  for (int i = 0; i < pattern.nonzeros; ++i) {
    const auto at = [&](int row, int column) -> double& {
      return result.at(static_cast<std::size_t>(row * pattern.columns + column));
    };
    at(pattern.row[i], pattern.column[i]) = nonzeros.at(static_cast<std::size_t>(i));
    if (symmetric) at(pattern.column[i], pattern.row[i]) = nonzeros.at(static_cast<std::size_t>(i));
  }
  return result;
}

/// Calls a function of the table with the arrays that it fills.
template <class... Results>
void filled(void (*function)(const Point&, Results...), const Point& point, std::array<Numbers, 4>& arrays) {
  [&]<std::size_t... index>(std::index_sequence<index...>) {
    function(point, arrays[index].data()...);
  }(std::index_sequence_for<Results...>{});
}

}  // namespace

Equations equations_of(const std::string& text) {
  Diagnostics diagnostics;
  const std::optional<Equations> equations = compose_equations(description_of(text), diagnostics);
  if (!equations) FAIL(to_text(diagnostics.list().at(0)));
  return *equations;
}

Derivation derivation_of(const std::string& text) { return derivation_of(equations_of(text)); }

Derivation derivation_of(const Equations& equations) {
  Diagnostics diagnostics;
  const std::optional<Derivation> derivation = derive(equations, diagnostics);
  if (!derivation) FAIL(to_text(diagnostics.list().at(0)));
  return *derivation;
}

std::vector<std::string> complaints_about(const std::string& text) {
  Diagnostics diagnostics;
  if (const std::optional<Equations> equations = compose_equations(description_of(text), diagnostics))
    derive(*equations, diagnostics);
  std::vector<std::string> result;
  for (const Diagnostic& diagnostic : diagnostics.sorted())
    result.push_back(std::to_string(diagnostic.place.line) + ": " + diagnostic.problem);
  return result;
}

std::string mechanism_with(const std::string& sections) {
  return R"toml([mechanism]
name = "Test"
[parameters]
m = { value = 2, unit = "kg" }
J = { value = 0.3, unit = "kg.m2" }
l = { value = 0.7, unit = "m" }
k = 3
s = { value = 1.1, unit = "s" }
g = { value = 9.81, unit = "m/s2" }
[inputs]
push = { unit = "N", start = 0.5 }
pull = { unit = "N" }
[coordinates]
x = { unit = "m", start = 0.1 }
y = { unit = "m", start = 0.2 }
z = { unit = "rad", start = 0.3 }
)toml" + sections;
}

const std::string guided_pendulum = R"toml([mechanism]
name = "GuidedPendulum"
[parameters]
m = { value = 2.0, unit = "kg" }
J = { value = 0.2, unit = "kg.m2" }
rho = { value = 0.5, unit = "m" }
[inputs]
gravity = { unit = "m/s2", start = 9.81 }
push = { unit = "N" }
[coordinates]
x1 = { unit = "m", fixed = true, rate_start = 1 }
x2 = { unit = "m", start = "rho/5" }
x3 = { unit = "rad", start = 0.4, rate_start = 2, rate_fixed = true }
[dynamics]
kinetic_energy = "m*(der(x1)^2 + der(x2)^2)/2 + J*der(x3)^2/2"
[dynamics.forces]
x1 = "push"
x2 = "-m*gravity"
[constraints.guide]
position = "x2 - rho*sin(x3)"
[outputs]
guide_force = { value = "constraint.guide.multiplier", unit = "N" }
pivot_x = { value = "x1 - rho*cos(x3)", unit = "m" }
)toml";

const std::string everything = mechanism_with(R"toml(
[definitions]
turn = "1.3*sin(2*time/s)"
x_1 = "x + l*sin(z)"
y_1 = "y - l*cos(z)"
x_g = "x_1*cos(turn) - y_1*sin(turn)"
y_g = "x_1*sin(turn) + y_1*cos(turn)"
[functions]
cam = { table = [[-3, 0.1], [-1.5, 0.5], [0, 0.2], [0.8, 0.9], [2, 0.3], [3, 0]] }
lobe = { table = [[0, 0], [1, 0.4], [2.5, 0.1]], period = "1.3*pi" }
[dynamics]
kinetic_energy = "m*(der(x_g)^2 + der(y_g)^2)/2 + J*(der(z) + der(turn))^2/2 + m*(der(x)^2 + 2*der(y)^2)"
potential_energy = "m*g*(y_g + l*lobe(z))"
[dynamics.forces]
x = "push - 0.1*k*abs(der(x))*der(x)*m/l"
y = "m*g*(max(z, x/l, 0.1) + min(sin(z), mod(z, 0.7)) + if(x > y, sqrt(abs(z)), tanh(z)) + abs(z)^1.7 + atan2(x, y))"
z = "l*pull*exp(cos(z))"
[constraints.path]
position = "(x - l*sin(time/s))^2 + y^2*cam(z) - l^2"
realised_by = { y = 1, x = "-0.2*sign(der(x))*cos(z)" }
[constraints.blade]
velocity = "-der(x)*sin(z + time/s) + der(y)*cos(z)*x/l - 0.2*l/s*cos(3*time/s)"
[constraints.pace]
acceleration = "der(der(z))*l*cos(y/l) + der(der(x)) - der(x)*der(z) - push/m"
[outputs]
a = { value = "der(der(x_1))/g", unit = "1" }
b = { value = "der(y_g)", unit = "m/s" }
)toml");

std::vector<casadi::SX> all_operations(const casadi::SX& q) {
  using casadi::SX;
  const SX a = q(0), b = q(1), c = q(2), d = q(3);
  return {
      a + b,
      a - b,
      a * b,
      a / b,
      -a,
      1 / a,
      SX::sq(a),
      2 * a,
      SX::exp(a),
      SX::log(a),
      SX::pow(a, b),
      SX::pow(a, 1.7),
      SX::sqrt(a),
      SX::sin(a),
      SX::cos(a),
      SX::tan(a),
      SX::asin(a),
      SX::acos(a),
      SX::atan(a),
      SX::atan2(d, a),
      SX::sinh(a),
      SX::cosh(a),
      SX::tanh(a),
      SX::asinh(a),
      SX::acosh(c),
      SX::atanh(a),
      SX::erf(a),
      SX::floor(d),
      SX::ceil(d),
      SX::mod(d, a),
      SX::remainder(d, a),
      SX::abs(d),
      SX::copysign(a, d),
      SX::sign(d),
      SX::sign(a - a * 1.0),
      SX::fmin(a, d),
      SX::fmax(a, d),
      a < d,
      a <= b,
      SX::eq(a, b),
      SX::ne(a, b),
      SX::logic_not(a < b),
      SX::logic_and(a < b, d < a),
      SX::logic_or(a < d, b < d),
      SX::if_else_zero(d < a, b),
      SX::if_else(a < d, b, c),
      SX::if_else(d < a, b, c),
      SX::log1p(a),
      SX::expm1(a),
      SX::hypot(a, d),
      SX(0.1) + 0 * a,
      1e300 * a,
      -1.5e-7 - a};
}

/// Returns a body with a quaternion, tied by a position and a velocity constraint, with rows of the start.
Derivation body_in_space() {
  using casadi::SX;
  SpatialBody body(2, {0.2, 0.5, 0.3}, 9.81);
  body.pin({0.1, -0.2, 0.5});
  const SX axis = SX::mtimes(body.R, SX(std::vector<double>{0.3, 0.1, -0.2}));
  const Symbols& symbols = body.further().symbols;
  body.constrain("blade", symbols.v(4) * axis(0) - symbols.v(0) * axis(1), Level::velocity);
  const SX rise = SX::jtimes(axis(2), symbols.q, symbols.q_rate);
  body.further().start_positions.push_back({"height", {}, axis(2) - body.parameter("height_start", 0.1)});
  body.further().start_positions.push_back({"side", {}, axis(0) * body.position(1)});
  body.further().start_velocities.push_back({"der(height)", {}, rise - body.parameter("rise_start", 0.2)});
  body.further().equilibrium = true;
  Diagnostics diagnostics;
  return derive(body.equations({0.1, 0.9, 0.1, -0.2, 0.3, 0.2, 0.3}, {1, 2, 3, 4, 5, 6}), diagnostics).value();
}

State random_state(const Equations& equations, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1.2, 1.2);
  const auto numbers = [&](const casadi::SX& symbols) {
    Numbers result(static_cast<std::size_t>(symbols.numel()));
    for (double& value : result) value = number(random);
    return result;
  };
  const Symbols& symbols = equations.symbols;
  const auto several_turns = [&](const casadi::SX& angles) {
    Numbers result = numbers(angles);
    for (double& value : result) value *= 20;
    return result;
  };
  const auto inputs = [&] {
    Numbers result = numbers(symbols.inputs);
    // Numbers of conditions decide by themselves.
    for (int side = equations.given_inputs(); side < equations.first_turns(); ++side)
      result[static_cast<std::size_t>(side)] = 0;
    return result;
  };
  return {number(random),
          numbers(symbols.positions()),
          numbers(symbols.v),
          inputs(),
          equations.parameter_values,
          numbers(symbols.acceleration),
          numbers(symbols.multipliers),
          several_turns(symbols.angles),
          numbers(symbols.loads),
          numbers(symbols.slide)};
}

Point point_at(const State& state) {
  return {.time = state.time,
          .q = state.q.data(),
          .v = state.v.data(),
          .inputs = state.inputs.data(),
          .parameters = state.parameters.data(),
          .acceleration = state.acceleration.data(),
          .multipliers = state.multipliers.data(),
          .angles = state.angles.data(),
          .loads = state.loads.data(),
          .slide = state.slide.data()};
}

double value_of(const casadi::SX& expression, const Equations& equations, const State& s) {
  const casadi::Function function("value", equations.symbols.all(), {expression});
  const std::vector<casadi::DM> at = {s.time,         s.q,           s.v,      s.inputs, s.parameters,
                                      s.acceleration, s.multipliers, s.angles, s.loads,  s.slide};
  return static_cast<double>(function(at).at(0));
}

std::map<std::string, Numbers> evaluate(const Derivation& derivation, const Mechanism& mechanism, const void* context,
                                        const State& state) {
  Numbers work(static_cast<std::size_t>(mechanism.sizes.work));
  Point point = point_at(state);
  point.work = work.data();
  point.context = context;
  const auto slopes_of = [&](const Tape& tape) {
    const auto numbers = [](int count) { return Numbers(static_cast<std::size_t>(count)); };
    Numbers values = numbers(tape.step_count), slopes = values, found = numbers(tape.result_count);
    Point along;  // the velocities, and whatever has their length
    along.time = 1;
    along.v = along.acceleration = point.v;
    point.preimage = point.v;
    differentiate(tape, point, along, values.data(), slopes.data(), found.data());
    return found;
  };
  std::map<std::string, Numbers> found;
  mechanism.prepare(point);
  for_each_entry(core_functions, [&](const auto& function, auto) {
    const auto call = mechanism.*function.member;
    if (call == nullptr) return;
    std::array<Numbers, 4> arrays;
    for (std::size_t i = 0; i < function.result_count(); ++i) {
      const CoreResult& result = function.results[i];
      const std::size_t rows = names_along(result.rows, derivation).size();
      arrays[i].resize(result.shape == CoreResult::column ? rows
                       : result.shape == CoreResult::dense
                           ? rows * names_along(result.columns, derivation).size()
                           : static_cast<std::size_t>((mechanism.*core_patterns[result.pattern].member).nonzeros));
    }
    filled(call, point, arrays);
    for (std::size_t i = 0; i < function.result_count(); ++i) {
      const CoreResult& result = function.results[i];
      if (result.shape == CoreResult::nonzeros) {
        const CorePattern& pattern = core_patterns[result.pattern];
        arrays[i] = dense(mechanism.*pattern.member, arrays[i], pattern.symmetric);
      }
      found[std::string(function.name) + "." + result.name] = arrays[i];
    }
  });
  for (int group = 0; group < mechanism.group_count; ++group) {
    Numbers values(static_cast<std::size_t>(mechanism.groups[group].count));
    mechanism.groups[group].evaluate(point, values.data());
    found["outputs_" + std::to_string(group)] = values;
    found["slopes of outputs_" + std::to_string(group)] = slopes_of(mechanism.groups[group].tape);
  }
  for (const CoreTape& tape : core_tapes)
    found[std::string("slopes of ") + tape.name] = slopes_of(mechanism.*tape.member);
  return found;
}

}  // namespace mechfmu::test
