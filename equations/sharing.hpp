// Makes equal parts of expressions one: what several results need is then computed once.
#pragma once

#include <vector>

#include <casadi/casadi.hpp>

namespace mechfmu {

/// Returns the same expressions with equal operations on equal operands written once. The result is that of CasADi's
/// `cse`, whose time is most of a large mechanism's export; the time here is a fraction of it and grows with the number
/// of operations.
std::vector<casadi::SX> shared(const std::vector<casadi::SX>& expressions);

/// Counts operations, inputs and results of a function of these symbols; equal parts count once.
casadi_int operations_of(const std::vector<casadi::SX>& symbols, const std::vector<casadi::SX>& results);

}  // namespace mechfmu
