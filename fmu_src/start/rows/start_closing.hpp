// Declares the ways onto the rows: from the guess, from places around it, from a step along the rows.
#pragma once

#include "dead_points.hpp"

namespace mechfmu {

struct StartClosing : DeadPoints {
  using DeadPoints::DeadPoints;

  /// Runs damped Newton steps onto the rows, each the smallest in the metric. Returns whether they converged; q is the
  /// best reached. With `met`, for rows at_start, it finds a dead point to rounding.
  /// It gives up after most_closing_steps, or when `patience` steps have not halved what is open. (Starts that were
  /// found did so in 3 steps at most.)
  static constexpr int most_closing_steps = 200, usual_patience = 12;
  bool close(const Entries& metric, Rows, VectorXd& q, Fold* met = nullptr, int patience = usual_patience);
  /// Does this to the end of its way, even if that is not on the rows.
  bool close_or_approach(const Entries& metric, Rows rows, VectorXd& q, Fold* met = nullptr) {
    return close(metric, rows, q, met, most_closing_steps);
  }

  /// Closes the rows from places around the guess, ever further away. If none leads onto the rows, q is where they are
  /// least open.
  static constexpr int nearby_trials = 24;
  bool close_from_nearby(const Entries& metric, Rows, const VectorXd& guess, VectorXd& q, Fold* met = nullptr);

  /// Closes the rows where a step from q has led.
  bool close_in_valley(const Entries& metric, const VectorXd& q, const VectorXd& step, VectorXd& trial);
};

}  // namespace mechfmu
