// Expressions in which equal parts are one: what several results need is then computed once.
#pragma once

#include <vector>

#include <casadi/casadi.hpp>

namespace mechfmu {

/// The same expressions with equal operations on equal operands written once. What CasADi's `cse` gives, in time that
/// grows with the number of operations and is a fraction of its time, which is most of a large mechanism's export.
std::vector<casadi::SX> shared(const std::vector<casadi::SX>& expressions);

/// Operations, inputs and results of a function of these symbols, equal parts counted once.
casadi_int operations_of(const std::vector<casadi::SX>& symbols, const std::vector<casadi::SX>& results);

}  // namespace mechfmu
