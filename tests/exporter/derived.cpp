// Reads, derives, evaluates for the tests.
#include "derived.hpp"

#include <catch2/catch.hpp>

#include "exporter/assemble_equations.hpp"
#include "modelDescription/read.hpp"

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

}  // namespace

Equations equations_of(const std::string& text) {
  Diagnostics diagnostics;
  const std::optional<Equations> equations = assemble_equations(description_of(text), diagnostics);
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
  if (const std::optional<Equations> equations = assemble_equations(description_of(text), diagnostics))
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
  return {number(random), numbers(symbols.q),           numbers(symbols.v),          numbers(symbols.inputs),
          equations.parameter_values, numbers(symbols.acceleration), numbers(symbols.multipliers),
          several_turns(symbols.angles), numbers(symbols.loads)};
}

double value_of(const casadi::SX& expression, const Equations& equations, const State& s) {
  const casadi::Function function("value", equations.symbols.all(), {expression});
  const std::vector<casadi::DM> at = {s.time, s.q, s.v, s.inputs, s.parameters, s.acceleration, s.multipliers,
                                       s.angles, s.loads};
  return static_cast<double>(function(at).at(0));
}

std::map<std::string, Numbers> evaluate(const Mechanism& mechanism, const void* context, const State& state) {
  const Sizes& sizes = mechanism.sizes;
  const auto numbers = [](int count) { return Numbers(static_cast<std::size_t>(count)); };
  Numbers work = numbers(sizes.work), M = numbers(sizes.M_nonzeros), C = numbers(sizes.C_nonzeros),
          M_rate = numbers(sizes.M_rate_nonzeros), C_rate = numbers(sizes.C_rate_nonzeros),
          C_a = numbers(mechanism.C_a.nonzeros), B = numbers(mechanism.B.nonzeros);
  Numbers c_t = numbers(sizes.rows()), g = numbers(sizes.velocities), f = numbers(sizes.position_rows),
          h = numbers(sizes.velocities), gamma = numbers(sizes.all_rows()),
          calculated = numbers(mechanism.calculated_count);
  Point point{.time = state.time,
              .q = state.q.data(),
              .v = state.v.data(),
              .inputs = state.inputs.data(),
              .parameters = state.parameters.data(),
              .acceleration = state.acceleration.data(),
              .multipliers = state.multipliers.data(),
              .angles = state.angles.data(),
              .loads = state.loads.data(),
              .work = work.data(),
              .context = context};
  mechanism.prepare(point);
  mechanism.position(point, M.data(), C.data(), c_t.data());
  mechanism.velocity(point, g.data(), C_rate.data(), M_rate.data());
  mechanism.violation(point, f.data());
  mechanism.acceleration(point, h.data(), gamma.data(), C_a.data(), B.data());
  mechanism.calculate(point, calculated.data());
  const int f_rows = sizes.start_position_rows, r_rows = sizes.start_velocity_rows;
  Numbers q_guess = numbers(sizes.positions), v_guess = numbers(sizes.velocities), start_f = numbers(f_rows),
          start_r = numbers(r_rows), F = numbers(f_rows * sizes.velocities), R = numbers(r_rows * sizes.velocities);
  mechanism.guess(point, q_guess.data(), v_guess.data());
  if (f_rows > 0) mechanism.start_positions(point, start_f.data(), F.data());
  if (r_rows > 0) mechanism.start_velocities(point, start_r.data(), R.data());
  std::map<std::string, Numbers> result{{"M", dense(mechanism.M, M, true)},
                                        {"C", dense(mechanism.C, C, false)},
                                        {"c_t", c_t},
                                        {"g", g},
                                        {"C_rate", dense(mechanism.C_rate, C_rate, false)},
                                        {"M_rate", dense(mechanism.M_rate, M_rate, true)},
                                        {"f", f},
                                        {"h", h},
                                        {"gamma", gamma},
                                        {"C_a", dense(mechanism.C_a, C_a, false)},
                                        {"B", dense(mechanism.B, B, false)},
                                        {"calculated", calculated},
                                        {"q_guess", q_guess},
                                        {"v_guess", v_guess},
                                        {"start_f", start_f},
                                        {"start_r", start_r},
                                        {"F", F},
                                        {"R", R}};
  if (sizes.angles > 0) {
    Numbers raw = numbers(sizes.angles), rates = raw, guesses = raw;
    mechanism.angles(point, raw.data(), rates.data(), guesses.data());
    result["raw angles"] = raw;
    result["angles' rates"] = rates;
    result["angles' guesses"] = guesses;
  }
  if (sizes.loads > 0) {
    const int unknowns = sizes.velocities + sizes.all_rows() + sizes.loads;
    Numbers values = numbers(sizes.loads), slopes = numbers(sizes.loads * unknowns),
            forces = numbers(sizes.velocities * sizes.loads);
    mechanism.loads(point, values.data());
    mechanism.load_slopes(point, slopes.data());
    mechanism.load_forces(point, forces.data());
    result["loads"] = values;
    result["loads' slopes"] = slopes;
    result["loads' forces"] = forces;
  }
  for (int group = 0; group < mechanism.group_count; ++group) {
    Numbers values = numbers(mechanism.groups[group].count);
    mechanism.groups[group].evaluate(point, values.data());
    result["outputs_" + std::to_string(group)] = values;
  }
  return result;
}

}  // namespace mechfmu::test
