// Declares what finding dead points and telling of them share.
#pragma once

#include "start_work.hpp"

namespace mechfmu {

/// Is the length of a row that nothing moves: so the dimensionless row is zero.
inline constexpr double slopeless = beyond_all;

/// Returns the squared lengths of rows whose columns are divided by `widths`.
VectorXd squared_lengths(const Entries& J, const VectorXd& widths);

/// Is true if eigenvalues have one sign only, beside zeros.
bool is_semidefinite(const MatrixXd& H);

}  // namespace mechfmu
