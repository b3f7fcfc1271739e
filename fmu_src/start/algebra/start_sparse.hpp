// Declares how moves of the start are found by sparse factors, for mechanisms with many velocities.
#pragma once

#include "entries.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu {

class SparseSplit;

/// From so many velocities on, the start is found by sparse factors.
inline constexpr int sparse_start_from = 120;

/// Splits J without fixed columns at a level of its singular values, or of its pivots if it is sparse.
struct LevelSplit {
  MatrixXd N;           ///< null vectors of what is above the level, orthonormal
  MatrixXd Y;           ///< combinations of the rows that are not above
  VectorXd particular;  ///< the x above with J x = −f
};

namespace sparse_start {
/// Returns the smallest move. It leaves out rows without entries longer than `shortest` in the metric, and none if this
/// is 0.
VectorXd smallest_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed, double shortest);
/// Returns the Δ that minimises |J Δ + f|² + μ |Δ|², with |Δ| in the metric G. `mu` is relative to G's largest entry.
VectorXd damped_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed, double mu);
MatrixXd null_space(const Entries& J, const bool* fixed);
VectorXd multipliers(const Entries& J, const VectorXd& slope, const bool* fixed);
/// Returns the rank of the rows with entries larger than `shortest`.
int rank(const Entries& J, const bool* without, double shortest = 0, double tolerance = rank_tolerance);
/// Splits J, whose rows are at most as long as one, with at most `most` pivots above the level.
void split(const Entries& J, double level, int most, SparseSplit&);
LevelSplit split_at(const Entries& J, const VectorXd& f, const bool* fixed, double level, int most);
}  // namespace sparse_start

}  // namespace mechfmu
