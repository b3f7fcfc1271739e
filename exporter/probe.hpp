// Questions about expressions that their structure alone does not answer, decided by numbers at scattered points.
#pragma once

#include <optional>

#include "equations.hpp"

namespace mechfmu {

/// True if two columns agree to round-off wherever both have values.
bool agree(const casadi::SX& a, const casadi::SX& b, const Equations& equations);

/// The expression if it does not depend on the variables (columns of symbols), none if it does. Where they occur but
/// cancel, such as v²/|v|² does, they are replaced by numbers.
std::optional<casadi::SX> free_of(const casadi::SX& expression, const casadi::SX& variables,
                                  const Equations& equations);

}  // namespace mechfmu
