// Questions about expressions that their structure alone does not answer, decided by numbers at scattered points.
#pragma once

#include <optional>

#include "equations/equations.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"

namespace mechfmu {

/// True if two columns agree to round-off wherever both have values, and if they have any. `round_off`: what
/// cancellation in a formula may leave of double precision.
bool agree(const casadi::SX& a, const casadi::SX& b, const Equations& equations, double round_off = formulas_agree);

/// Returns the expression if it does not depend on the variables (columns of symbols), nothing if it does. Numbers
/// replace variables that occur but cancel, as in v²/|v|². A choice that they decide (abs, max, if, …) is a dependence,
/// wherever it lies. The expression's entries, column by column, are multiplied by `sizes` to be compared with each
/// other; if it is empty, they are alike.
std::optional<casadi::SX> free_of(const casadi::SX& expression, const casadi::SX& variables, const Equations& equations,
                                  const std::vector<double>& sizes = {});

/// A symmetric matrix of the velocities whose entries do not mention positions that cancel in them, such as those of
/// m (cos²φ + sin²φ): what such an entry is at the origin. Entries that are not finite there, or of several pieces,
/// stay as they are.
casadi::SX without_cancelling(const casadi::SX& matrix, const Equations& equations);

/// By velocity; 1 where equations have none.
std::vector<double> nominal_sizes(const Equations& equations);

}  // namespace mechfmu
