// Declares how dead points are found, and what rows and moves are measured by there.
#pragma once

#include "start_moves.hpp"

namespace mechfmu {

struct StartTape;

/// Is the length of a row that nothing moves: so the dimensionless row is zero.
inline constexpr double slopeless = beyond_all;

/// Returns the squared lengths of rows whose columns are divided by `widths`.
VectorXd squared_lengths(const Entries& J, const VectorXd& widths);

/// Is true if eigenvalues have one sign only, beside zeros.
bool is_semidefinite(const MatrixXd& H);

struct DeadPoints : StartMoves {
  DeadPoints(Arena&, const Mechanism&);

  /// Is a place where rows that are independent elsewhere become dependent in the columns that may move. Rows and
  /// columns are dimensionless().
  struct Fold {
    bool found = false;  ///< is true if it is the solution
    bool near = false;   ///< is true if the solution is near it
    VectorXd q;
    MatrixXd Y;           ///< combinations of the rows whose slopes vanish, normalised
    MatrixXd H;           ///< their second derivatives along N, one after the other
    MatrixXd directions;  ///< moves that stay on such places
    VectorXd gap;         ///< Yᵀf there
  };

  /// Begins the search from a guess: finds what rows at_start and moves are measured by.
  void measure_from(const VectorXd& guess);
  /// Raises the sizes of rows by those of their derivatives J at q.
  void measure(const Entries& J, const VectorXd& q);
  /// Returns rows divided by their largest length seen, with columns divided by the roots of the metric's diagonal.
  Entries dimensionless(const Entries& J) const;
  VectorXd dimensionless(const VectorXd& f) const { return f.cwiseQuotient(longest.head(f.size())); }
  /// Returns the derivatives of position_slopes(q, at_start) along a move.
  Entries bent_slopes(const VectorXd& q, const VectorXd& move);
  /// Returns such derivatives from what the start's tape found.
  Entries slope_changes(const StartTape&) const;
  /// Moves q onto the dead point next to it, where singular values at and below `level` vanish. Returns true if the
  /// rows hold there.
  bool deflate(double level, VectorXd& q, Fold& met);
  /// Returns a level between the singular values that shrink from one Newton step to the next, and those that do not.
  double level_between(const Entries& J_before, const Entries& J, double step) const;
  /// Looks for a dead point where the search has ended.
  void settle(VectorXd& q, Fold& met);

  HeldVector row_lengths;  ///< lengths of rows of C in the metric, the largest at any start
  VectorXd longest;        ///< largest lengths seen of rows at_start, in the metric: at a dead point a row has none
  VectorXd reach;          ///< most that moves by the coordinates' scales changed these rows by
  VectorXd widths;         ///< roots of the metric's diagonal
  Fold fold;               ///< dead point that the last start has met
};

}  // namespace mechfmu
