// Checks what only an assembled mechanism shows: whether it can move, and whether its reactions are determined.
#pragma once

#include <string>
#include <vector>

#include "derivation/derive.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Is the state in which the mechanism starts.
struct Assembled {
  std::vector<double> parameters, inputs, q, v, angles, loads;
  std::vector<int> held = {};  ///< lists rows that come and go and hold there, by their places among these rows
};

/// Returns the values of Symbols::all() there: zeros for v̇, λ and slips.
std::vector<casadi::DM> symbol_values(const Equations& equations, const Assembled& at);

/// Returns the numbers of an expression there. It must not need v̇ and λ, which are zero.
std::vector<double> numbers(const casadi::SX& expression, const Equations& equations, const Assembled& at);

/// Adds an error if bodies cannot move and nothing drives them.
void check_freedom(const Description& description, const Derivation& derivation, const Assembled& at,
                   Diagnostics& diagnostics);

/// Returns the outputs that redundant constraints leave undetermined: reactions that change with multipliers which do
/// no work. The FMU shows them for the multipliers of least norm.
std::vector<std::string> undetermined_outputs(const Derivation& derivation, const Assembled& at);

/// Joins the variables of one owner: "A.reaction.force.x" and "A.reaction.force.y" become "A.reaction.force.x, .y".
std::vector<std::string> shortened(const std::vector<std::string>& variables);

}  // namespace mechfmu
