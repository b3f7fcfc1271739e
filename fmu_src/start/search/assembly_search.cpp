// Positions first go onto the constraints by Newton steps that are smallest in the metric M(q_g), with a line search on
// the residual. They begin where guesses of joints that close loops lead. Then they go along the constraints to the
// point nearest to all guesses, by reduced Newton steps whose Hessian is differenced from C. Velocities are a problem
// of the same kind (start_velocities.cpp). docs/method.md explains both.
#include "assembly_search.hpp"

#include <algorithm>

#include "start/algebra/decompositions.hpp"
#include "start/messages/dead_point_messages.hpp"
#include "start/messages/rounded_loop_messages.hpp"
#include "start/messages/start_messages.hpp"

namespace mechfmu {

double AssemblySearch::distance(const VectorXd& guess, const Entries& metric, const VectorXd& weights,
                                const VectorXd& q) {
  const VectorXd d = w_.difference_from(guess, q);
  return 0.5 * d.dot(metric.times(d)) + 0.5 * w_.missed(q).by.cwiseAbs2().dot(weights);
}

/// Meets the guesses of coordinates that are not among the positions by the smallest change of those that are, then
/// meets them together with the constraints as nearly as possible.
void AssemblySearch::follow_guesses(VectorXd& q) {
  constexpr double firmness = 10;  // an open loop shall turn as a whole rather than give a guess up
  const int rows = w_.s.start_guess_rows;
  const auto approach_rows = [&](bool with_constraints) {
    const int further = with_constraints ? w_.position_rows(StartEquations::at_start) : 0;
    VectorXd weights(rows + further);
    const auto missed_at = [&](const VectorXd& x) {
      VectorXd f(rows + further);
      f.head(rows) = w_.missed(x).by;
      if (further > 0) f.tail(further) = w_.violation(x, StartEquations::at_start);
      return f;
    };
    NewtonSteps steps(newton_rules::towards_guesses);
    for (int iteration = 0; iteration < 100; ++iteration) {
      w_.matrices(q);
      Entries J(rows + further, w_.s.velocities, (rows + w_.s.start_position_rows) * w_.s.velocities + w_.s.C_nonzeros);
      J.add(w_.missed(q).slopes, 0);
      if (further > 0) {
        const Entries of_constraints = w_.position_slopes(q, StartEquations::at_start);
        for (int e = 0; e < of_constraints.count(); ++e)
          J.add(rows + of_constraints.row(e), of_constraints.column(e), of_constraints.value(e));
      }
      weights = J.weights();
      weights.head(rows) *= firmness;
      const VectorXd open = missed_at(q).cwiseProduct(weights);
      const VectorXd step = w_.damped_move(J.scaled(weights), open, w_.metric(), w_.mechanism.position_fixed, q);
      const double size = w_.size_of(step, q);
      steps.take(size);
      if (steps.at_rounding()) {  // A residual that stays says nothing then: steps go on while they shrink.
        if (steps.exact() || !steps.shrinks(0.95)) return;
        q = w_.moved(q, step);
        continue;
      }
      bool better = false;
      for (double part = 1; part > shortest_part && !better; part /= 2) {
        const VectorXd trial = w_.moved(q, part * step);
        better = missed_at(trial).cwiseProduct(weights).squaredNorm() < open.squaredNorm();
        if (better) q = trial;
      }
      if (!better) return;
    }
  };
  approach_rows(false);
  approach_rows(true);
}

/// Checks axes, since equations of rotation also hold with an axis reversed.
bool AssemblySearch::check_branches(const VectorXd& q, Message& message) {
  if (w_.s.branches == 0) return true;
  VectorXd values(w_.s.branches);
  w_.point.q = q.data();
  w_.mechanism.branches(w_.point, values.data());
  for (int i = 0; i < w_.s.branches; ++i) {
    if (values[i] > 0) continue;
    return message.fail(
        "The joint '%s' is assembled the wrong way round: its axes point against each other. Give start "
        "values nearer to the configuration that is meant.",
        w_.mechanism.branch_names[i]);
  }
  return true;
}

/// Takes back whole turns of an angle that the search has passed, if they make no difference to what holds.
void AssemblySearch::unwind(const VectorXd& guess, VectorXd& q) {
  constexpr double turn = 2 * 3.14159265358979323846;
  const VectorXd d = w_.in_SI(w_.difference_from(guess, q));
  bool unwinds = false;
  for (int j = 0; j < w_.s.velocities; ++j) {
    const double turns = std::round(d[j] / turn);
    if (turns == 0 || is_turned(w_.model, j)) continue;
    const VectorXd unwound = w_.moved(q, -turns * turn / w_.unit[j] * VectorXd::Unit(w_.s.velocities, j));
    w_.matrices(unwound);
    const Entries J = w_.position_slopes(unwound, StartEquations::at_start);
    const VectorXd known_to =
        row_reach(J, w_.scales(q)) * (rounding_of_turns / open_tolerance);  // far away q has fewer digits
    if (w_.open_row(J, w_.violation(unwound, StartEquations::at_start), w_.scales(unwound), known_to) >= 0) continue;
    q = unwound;
    unwinds = true;
  }
  if (!unwinds || w_.fold.found) return;
  w_.matrices(guess);
  VectorXd closed = q;
  if (w_.close(w_.metric(), StartEquations::at_start, closed)) q = closed;
}

/// Moves onto the constraints, then along them to the point nearest to the guesses.
bool AssemblySearch::approach(const VectorXd& guess, VectorXd& q, Message& message) {
  const bool* fixed = w_.mechanism.position_fixed;
  w_.matrices(guess);
  const Entries G = w_.metric();
  const VectorXd diagonal = w_.metric_diagonal();
  w_.sharing.resize(0, 0);
  w_.measure_from(guess);
  w_.fold = {};
  const VectorXd first = q;
  bool closed = w_.close_or_approach(G, StartEquations::at_start, q, &w_.fold) ||
                w_.close_from_nearby(G, StartEquations::at_start, guess, q, &w_.fold);
  if (closed) w_.settle(q, w_.fold);
  if (closed && !DeadPointMessages(w_).check_slopes(q, message)) return false;
  const bool shared = closed ? w_.has_weak_rows(q) && w_.fit(G, q, q)
                             : w_.closure_tolerance > 0 && (w_.fit(G, first, q) || w_.fit(G, q, q));
  if (shared) {
    w_.fold = {};
    w_.settle(q, w_.fold);
  }
  if (!closed && !shared)
    return !RoundedLoopMessages(w_).tell_tolerance(G, q, message) &&
           !RoundedLoopMessages(w_).tell_tolerance(G, first, message) &&
           StartMessages(w_).fail_assembly(guess, q, message);
  const VectorXd weights = w_.guess_weights(w_.missed(guess).slopes, diagonal);
  const auto distance = [&](const VectorXd& x) { return this->distance(guess, G, weights, x); };
  const auto slope_at = [&](const VectorXd& x) {  // is the slope of the distance
    const VectorXd force = G.times(w_.difference_from(guess, x));
    VectorXd slope(w_.s.velocities);
    pull_back(w_.model, x.data(), guess.data(), force.data(), slope.data());
    const StartEquations::Missed guesses = w_.missed(x);
    return VectorXd(slope + guesses.slopes.transpose() * weights.cwiseProduct(guesses.by));
  };
  const bool quadratic = w_.s.quaternions == 0 && w_.s.start_guess_rows == 0;  // the distance is quadratic
  NewtonSteps steps(newton_rules::to_nearest);
  for (int iteration = 0; iteration < 100; ++iteration) {
    if (w_.shares()) w_.share_rows(q, w_.s.position_rank);
    w_.matrices(q);
    const Entries J = w_.position_slopes(q, StartEquations::at_start);
    const MatrixXd N = w_.fold.found ? w_.fold.directions : w_.null_space(J, fixed);
    if (N.cols() == 0) break;
    const VectorXd slope = slope_at(q);
    const VectorXd reduced = N.transpose() * slope;
    MatrixXd flat(N.cols(), N.cols());
    const MatrixXd bent = w_.missed(q).slopes * N;
    for (int j = 0; j < N.cols(); ++j) flat.col(j) = N.transpose() * G.times(N.col(j));
    flat += bent.transpose() * weights.asDiagonal() * bent;
    if ((reduced.cwiseAbs().array() <= rounding_of_slope * (N.cwiseAbs().transpose() * slope.cwiseAbs()).array()).all())
      break;
    const VectorXd mu = w_.multipliers(J, slope, fixed);
    const auto pull = [&](const VectorXd& x) {  // Jᵀμ, and the part of the slope that is not in `flat`
      w_.matrices(x);
      VectorXd result = w_.position_slopes(x, StartEquations::at_start).transposed_times(mu);
      if (!quadratic) result -= slope_at(x);
      return result;
    };
    MatrixXd curvature = MatrixXd::Zero(N.cols(), N.cols());
    for (int j = 0; j < N.cols(); ++j) {
      const double epsilon = central_difference / w_.size_of(N.col(j), q);
      const VectorXd there = pull(w_.moved(q, epsilon * N.col(j))) - pull(w_.moved(q, -epsilon * N.col(j)));
      curvature.col(j) = -N.transpose() * there / (2 * epsilon);
    }
    MatrixXd hessian = 0.5 * (curvature + curvature.transpose());
    if (quadratic) hessian += flat;
    if (!Cholesky(hessian).is_definite()) hessian = flat;
    const VectorXd step = -(N * solve_symmetric(hessian, reduced));
    const double size = w_.size_of(step, q);
    steps.take(size);
    if (!is_finite(size) || steps.ended()) break;
    double part = size > largest_move ? largest_move / size : 1;
    bool better = false;
    for (int halving = 0; halving < 30 && !better; ++halving, part /= 2) {
      VectorXd trial = w_.moved(q, part * step);
      DeadPoints::Fold there;
      const bool back = w_.fold.found ? w_.deflate(vanishing, trial, there)
                        : w_.shares() ? w_.close_shared(G, StartEquations::at_start, w_.s.position_rank, trial)
                                      : w_.close_in_valley(G, q, part * step, trial);
      if (!back) continue;
      if (steps.at_rounding() || distance(trial) < distance(q)) {
        q = trial;
        if (w_.fold.found) w_.fold = there;
        better = true;
      }
    }
    if (!better) break;
  }
  return true;
}

}  // namespace mechfmu
