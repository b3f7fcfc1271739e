// Leads onto the constraints: by Newton steps that are smallest in the metric, with a line search on the residual, from
// the guess or from places around it.
#include "start_closing.hpp"

#include <algorithm>

namespace mechfmu {

namespace {

/// Finds steps that shrink by a constant part, (p − 1)/p where rows vanish in order p. Newton's steps do so at dead
/// points only.
class LinearConvergence {
 public:
  bool seen(double size, double small) {
    const double ratio = size / last_;
    last_ = size;
    in_a_row_ = 0.35 < ratio && ratio < 0.8 ? in_a_row_ + 1 : 0;
    return in_a_row_ >= 3 && size < small;
  }

 private:
  double last_ = beyond_all;
  int in_a_row_ = 0;
};

/// Finds residuals that so many steps have not halved.
class Standstill {
 public:
  bool seen(double square, int patience) {
    if (square <= mark_ / 4) {
      mark_ = square;
      since_ = 0;
    }
    return since_++ >= patience;
  }

 private:
  double mark_ = beyond_all;
  int since_ = 0;
};

}  // namespace

bool StartClosing::close(const Entries& metric, Rows rows, VectorXd& q, Fold* met, int patience) {
  const bool* fixed = rows == always ? nullptr : mechanism.position_fixed;
  VectorXd f = violation(q, rows);
  if (f.size() == 0) return true;
  NewtonSteps steps(newton_rules::onto_rows);
  LinearConvergence linear;
  Standstill standstill;
  bool looks_for_folds = met != nullptr && mechanism.start.step_count > 0;
  Entries J_before(0, 0, 0);
  for (int iteration = 0; iteration < most_closing_steps; ++iteration) {
    matrices(q);
    const Entries J = position_slopes(q, rows);
    VectorXd step = smallest_move(J, f, metric, fixed);
    const double size = size_of(step, q);
    if (!is_finite(size)) return false;
    steps.take(size);
    if (looks_for_folds) {
      measure(J, q);
      if (linear.seen(size, is_sparse() ? near_dead_point_sparse : near_dead_point)) {
        looks_for_folds = false;  // it does not look again, whatever is found
        const double level = level_between(dimensionless(J_before), dimensionless(J), size);
        if (level > 0 && deflate(level, q, *met)) return true;
        matrices(q);
      }
      J_before = J;
    }
    if (steps.ended()) return open_row(J, f, scales(q)) < 0;
    const VectorXd weights = J.weights();  // make distances of residuals
    const double before = f.cwiseProduct(weights).squaredNorm();
    if (standstill.seen(before, patience)) return false;
    const bool at_rounding = f.cwiseQuotient(row_reach(J, scales(q)).cwiseMax(tiny)).norm() < rounding_of_closing;
    if (size > largest_move) step = damped_move(J.scaled(weights), weights.cwiseProduct(f), metric, fixed, q);
    double part = 1;
    bool better = false;
    for (int halving = 0; halving < 40; ++halving, part /= 2) {
      const VectorXd trial = moved(q, part * step);
      const VectorXd f_trial = violation(trial, rows);
      const double after = f_trial.cwiseProduct(weights).squaredNorm();
      if (after <= (1 - enough_descent * part) * before || (at_rounding && after <= before * 4)) {
        q = trial;
        f = f_trial;
        better = true;
        break;
      }
    }
    if (!better) return open_row(J, f, scales(q)) < 0;
  }
  return false;
}

/// Tries other places, since Newton's way can end where the rows stay open although they can be closed from elsewhere.
/// It takes the nearest of the positions that it finds. If it finds none, the way that leaves the least open goes on to
/// its end.
bool StartClosing::close_from_nearby(const Entries& metric, Rows rows, const VectorXd& guess, VectorXd& q, Fold* met) {
  const auto openness = [&](const VectorXd& x) {  // has residuals as distances
    matrices(x);
    return violation(x, rows).cwiseProduct(position_slopes(x, rows).weights()).norm();
  };
  const bool* fixed = rows == always ? nullptr : mechanism.position_fixed;
  matrices(q);
  const Entries rows_here = position_slopes(q, rows);
  VectorXd weights = rows_here.weights();  // by the longest row of each unit: a row that says little does not lead far
  for (int i = 0; i < s.position_rows; ++i) {
    double& of_unit = weights[mechanism.same_unit[i]];
    of_unit = std::min(of_unit, weights[i]);
  }
  for (int i = 0; i < s.position_rows; ++i) weights[i] = weights[mechanism.same_unit[i]];
  const Entries J = rows_here.scaled(weights);
  const VectorXd f = violation(q, rows).cwiseProduct(weights);
  // `swing` has moves that change the rows by what they are open. If the guess is so symmetric that no move changes
  // an open row, slopes tell nothing: then the other coordinates swing by their own sizes.
  VectorXd slopes = VectorXd::Zero(s.velocities), lengths = VectorXd::Zero(J.rows()), swing = scales(q);
  for (int e = 0; e < J.count(); ++e) {
    const double square = J.value(e) * J.value(e);
    slopes[J.column(e)] += square;
    if (!(fixed && fixed[J.column(e)])) lengths[J.row(e)] += square;
  }
  bool stuck = false;
  for (int i = 0; i < f.size(); ++i) {
    stuck = stuck || (std::sqrt(lengths[i]) < vanishing && std::fabs(f[i]) > open_tolerance * f.norm());
  }
  for (int j = 0; j < swing.size(); ++j) {
    const double slope = std::sqrt(slopes[j]);
    if (fixed && fixed[j]) swing[j] = 0;
    else if (!(stuck && slope < vanishing)) swing[j] = slope > 0 ? f.norm() / slope : 0;
  }
  Scatter scatter;
  double nearest = beyond_all, least = openness(q);
  bool closed = false, goes_on = false;
  for (int trial = 0; trial < nearby_trials; ++trial) {
    VectorXd candidate =
        moved(guess, scatter.column(s.velocities).cwiseProduct(swing) * (4.0 * (trial + 1) / nearby_trials));
    Fold met_here;
    if (!close(metric, rows, candidate, met != nullptr ? &met_here : nullptr)) {
      const double open = closed ? beyond_all : openness(candidate);
      if (open < least) q = candidate, least = open, goes_on = true;
      continue;
    }
    closed = true;
    const VectorXd d = difference_from(guess, candidate);
    const double distance = d.dot(metric.times(d));
    if (!(distance < nearest)) continue;
    q = candidate;
    nearest = distance;
    if (met != nullptr) *met = met_here;
  }
  return closed || (goes_on && close_or_approach(metric, rows, q, met));
}

/// Closes the rows where a step from q has led. The distance's slopes are steep across the valley in which guesses are
/// met (guess_weights). So guesses shall be missed by what the step was to leave of that, not by what it bends. Too
/// many guesses may contradict each other a little, so a step that hardly bends had better stay as it is.
bool StartClosing::close_in_valley(const Entries& metric, const VectorXd& q, const VectorXd& step, VectorXd& trial) {
  if (s.start_guess_rows > 0 && size_of(step, q) > straight_step) {
    const Missed here = missed(q);
    wanted = here.by + here.slopes * step;
    VectorXd met = trial;
    if (close(metric, with_guesses, met)) trial = met;
  }
  return close(metric, at_start, trial);
}

}  // namespace mechfmu
