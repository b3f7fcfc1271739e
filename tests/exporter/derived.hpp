// Serves the tests of derivation and emission: mechanisms from text, random points, a Mechanism table evaluated at one.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

#include "derivation/derive.hpp"
#include "derivation/program/interpret.hpp"

namespace mechfmu::test {

/// Equations of a mechanism file's text; reading it must not fail.
Equations equations_of(const std::string& text);

/// Everything derived from a text, or from equations; no error is expected.
Derivation derivation_of(const std::string& text);
Derivation derivation_of(const Equations& equations);

/// Returns a body in space with constraints of all levels.
Derivation body_in_space();

/// Returns the errors of assembling and deriving a text, "line: problem".
std::vector<std::string> complaints_about(const std::string& text);

/// A head for texts of mechanisms: coordinates x, y, z, parameters m = 2, J = 0.3, l = 0.7, k = 3, s = 1.1 and
/// g = 9.81, inputs push and pull.
std::string mechanism_with(const std::string& sections);

/// `everything` has constraints of all levels, realised ones, choices, tables and rates; `guided_pendulum` has a closed
/// form.
extern const std::string everything, guided_pendulum;

/// Returns the results of every scalar operation of q with q₀, q₁ in (0, 1), q₂ > 1 and q₃ < 0.
std::vector<casadi::SX> all_operations(const casadi::SX& q);

using Numbers = std::vector<double>;

/// Holds values of every symbol.
struct State {
  double time = 0;
  Numbers q, v, inputs, parameters, acceleration, multipliers, angles, loads, slide;
};

/// Scattered values; parameters as the file gives them.
State random_state(const Equations& equations, unsigned seed);

/// The point that has them; `work` and `context` are left out.
Point point_at(const State& state);

/// Returns a scalar expression at a state, by CasADi.
double value_of(const casadi::SX& expression, const Equations& equations, const State& state);

/// Returns all results of a derivation's Mechanism table, by "function.array", with matrices dense row by row; for
/// tapes it returns the derivatives along the velocities. It leaves out functions that are not there.
std::map<std::string, Numbers> evaluate(const Derivation& derivation, const Mechanism& mechanism, const void* context,
                                        const State& state);

}  // namespace mechfmu::test
