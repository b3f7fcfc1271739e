// What can be said of a mechanism only when it is assembled: free to move, its reactions determined.
#pragma once

#include <string>
#include <vector>

#include "derivation/derive.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Where the mechanism was found to start.
struct Assembled {
  std::vector<double> parameters, inputs, q, v, angles, loads;
};

/// Numbers of an expression there; v̇ and λ, which it must not need, are zero.
std::vector<double> numbers(const casadi::SX& expression, const Equations& equations, const Assembled& at);

/// An error if bodies cannot move and nothing drives them.
void check_freedom(const Description& description, const Derivation& derivation, const Assembled& at,
                   Diagnostics& diagnostics);

/// Outputs that redundant constraints leave undetermined: reactions that change with multipliers which do no work. They
/// show what the multipliers of least norm give.
std::vector<std::string> undetermined_outputs(const Derivation& derivation, const Assembled& at);

/// The variables with those of one owner together: "A.reaction.force.x" and "A.reaction.force.y" are
/// "A.reaction.force.x, .y".
std::vector<std::string> shortened(const std::vector<std::string>& variables);

}  // namespace mechfmu
