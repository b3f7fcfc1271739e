// Finds the consistent start; docs/method.md.
//
// Positions first go onto the constraints by Newton steps that are smallest in the metric M(q_g), with a line search on
// the residual. They begin where guesses of joints that close loops lead. Then they go along the constraints to the
// point nearest to all guesses, by reduced Newton steps whose Hessian is differenced from C. Velocities are a problem
// of the same kind (start_velocities.cpp).
#include <algorithm>

#include "decompositions.hpp"
#include "start_work.hpp"

namespace mechfmu {

ConsistentStart::ConsistentStart(Arena& arena, const Mechanism& mechanism)
    : work_(arena.make<Work, Arena::Destroyed::by_caller>(arena, mechanism)) {}
ConsistentStart::~ConsistentStart() {
  if (work_ != nullptr) work_->~Work();
}
bool ConsistentStart::solve(double time, const double* parameters, const double* inputs, double* q, double* v,
                            Message& message) {
  return solve_positions(time, parameters, inputs, q, message) &&
         solve_velocities(time, parameters, inputs, q, v, message);
}

bool ConsistentStart::solve_positions(double time, const double* parameters, const double* inputs, double* q_found,
                                      Message& message) {
  Work& w = *work_;
  w.locate(time, parameters, inputs);
  VectorXd guess, rates;
  const bool told = w.guess(guess, rates, message);
  VectorXd q = guess;
  w.given = guess;
  if (told && w.s.start_guess_rows > 0) w.follow_guesses(q);
  const auto keep = [&] { VectorXd::Map(q_found, w.s.positions) = q; };
  keep();
  if (!told || !w.has_values(q, false, message)) return false;
  if (w.position_rows(Work::at_start) > 0) {
    const bool found = w.approach(guess, q, message);
    keep();
    if (!found) {
      w.tell_contradiction(q, nullptr, message);
      return false;
    }
  }
  w.unwind(guess, q);
  if (w.mechanism.equilibrium && !w.balance(guess, q, message)) return false;
  keep();
  return w.has_values(q, true, message) && w.check_branches(q, message) && w.conditions_hold(q, message);
}

/// Tries other places, since Newton's way can end where the rows stay open although they can be closed from elsewhere.
/// It takes the nearest of the positions that it finds. If it finds none, the way that leaves the least open goes on to
/// its end.
bool ConsistentStart::Work::close_from_nearby(const Entries& metric, Rows rows, const VectorXd& guess, VectorXd& q,
                                              Fold* met) {
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

ConsistentStart::Work::Missed ConsistentStart::Work::missed(const VectorXd& q) {
  Missed result{VectorXd(s.start_guess_rows), MatrixXd(s.start_guess_rows, s.velocities)};
  point.q = q.data();
  if (s.start_guess_rows > 0) mechanism.start_guesses(point, result.by.data(), result.slopes.data());
  result.slopes = by_moves(result.slopes);
  return result;
}

VectorXd ConsistentStart::Work::guess_weights(const MatrixXd& slopes, const VectorXd& metric_diagonal) {
  VectorXd result(slopes.rows());
  for (int i = 0; i < result.size(); ++i) {
    const double ease = slopes.row(i).transpose().cwiseAbs2().cwiseQuotient(metric_diagonal).sum();
    result[i] = ease > 0 ? insistence * insistence / ease : 0;
  }
  return result;
}

double ConsistentStart::Work::distance(const VectorXd& guess, const Entries& metric, const VectorXd& weights,
                                       const VectorXd& q) {
  const VectorXd d = difference_from(guess, q);
  return 0.5 * d.dot(metric.times(d)) + 0.5 * missed(q).by.cwiseAbs2().dot(weights);
}

/// Meets the guesses of coordinates that are not among the positions by the smallest change of those that are, then
/// meets them together with the constraints as nearly as possible.
void ConsistentStart::Work::follow_guesses(VectorXd& q) {
  constexpr double firmness = 10;  // an open loop shall turn as a whole rather than give a guess up
  const int rows = s.start_guess_rows;
  const auto approach_rows = [&](bool with_constraints) {
    const int further = with_constraints ? position_rows(at_start) : 0;
    VectorXd weights(rows + further);
    const auto missed_at = [&](const VectorXd& x) {
      VectorXd f(rows + further);
      f.head(rows) = missed(x).by;
      if (further > 0) f.tail(further) = violation(x, at_start);
      return f;
    };
    NewtonSteps steps(newton_rules::towards_guesses);
    for (int iteration = 0; iteration < 100; ++iteration) {
      matrices(q);
      Entries J(rows + further, s.velocities, (rows + s.start_position_rows) * s.velocities + s.C_nonzeros);
      J.add(missed(q).slopes, 0);
      if (further > 0) {
        const Entries of_constraints = position_slopes(q, at_start);
        for (int e = 0; e < of_constraints.count(); ++e)
          J.add(rows + of_constraints.row(e), of_constraints.column(e), of_constraints.value(e));
      }
      weights = J.weights();
      weights.head(rows) *= firmness;
      const VectorXd open = missed_at(q).cwiseProduct(weights);
      const VectorXd step = damped_move(J.scaled(weights), open, metric(), mechanism.position_fixed, q);
      const double size = size_of(step, q);
      steps.take(size);
      if (steps.at_rounding()) {  // A residual that stays says nothing then: steps go on while they shrink.
        if (steps.exact() || !steps.shrinks(0.95)) return;
        q = moved(q, step);
        continue;
      }
      bool better = false;
      for (double part = 1; part > shortest_part && !better; part /= 2) {
        const VectorXd trial = moved(q, part * step);
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
bool ConsistentStart::Work::check_branches(const VectorXd& q, Message& message) {
  if (s.branches == 0) return true;
  VectorXd values(s.branches);
  point.q = q.data();
  mechanism.branches(point, values.data());
  for (int i = 0; i < s.branches; ++i) {
    if (values[i] > 0) continue;
    return message.fail(
        "The joint '%s' is assembled the wrong way round: its axes point against each other. Give start "
        "values nearer to the configuration that is meant.",
        mechanism.branch_names[i]);
  }
  return true;
}

/// Closes the rows where a step from q has led. The distance's slopes are steep across the valley in which guesses are
/// met (guess_weights). So guesses shall be missed by what the step was to leave of that, not by what it bends. Too
/// many guesses may contradict each other a little, so a step that hardly bends had better stay as it is.
bool ConsistentStart::Work::close_in_valley(const Entries& metric, const VectorXd& q, const VectorXd& step,
                                            VectorXd& trial) {
  if (s.start_guess_rows > 0 && size_of(step, q) > straight_step) {
    const Missed here = missed(q);
    wanted = here.by + here.slopes * step;
    VectorXd met = trial;
    if (close(metric, with_guesses, met)) trial = met;
  }
  return close(metric, at_start, trial);
}

/// Takes back whole turns of an angle that the search has passed, if they make no difference to what holds.
void ConsistentStart::Work::unwind(const VectorXd& guess, VectorXd& q) {
  constexpr double turn = 2 * 3.14159265358979323846;
  const VectorXd d = in_SI(difference_from(guess, q));
  bool unwinds = false;
  for (int j = 0; j < s.velocities; ++j) {
    const double turns = std::round(d[j] / turn);
    if (turns == 0 || is_turned(model, j)) continue;
    const VectorXd unwound = moved(q, -turns * turn / unit[j] * VectorXd::Unit(s.velocities, j));
    matrices(unwound);
    const Entries J = position_slopes(unwound, at_start);
    const VectorXd known_to =
        row_reach(J, scales(q)) * (rounding_of_turns / open_tolerance);  // far away q has fewer digits
    if (open_row(J, violation(unwound, at_start), scales(unwound), known_to) >= 0) continue;
    q = unwound;
    unwinds = true;
  }
  if (!unwinds || fold.found) return;
  matrices(guess);
  VectorXd closed = q;
  if (close(metric(), at_start, closed)) q = closed;
}

void ConsistentStart::Work::recall(const VectorXd& guess, const VectorXd& q) {
  fold = {};
  sharing.resize(0, 0);
  if (position_rows(at_start) == 0) return;
  measure_from(guess);
  matrices(q);
  const bool open = open_row(position_slopes(q, at_start), violation(q, at_start), scales(q)) >= 0;
  if ((open || has_weak_rows(q)) && fits(q)) share_rows(q, s.position_rank);
  VectorXd place = q;
  settle(place, fold);
}

/// Moves onto the constraints, then along them to the point nearest to the guesses.
bool ConsistentStart::Work::approach(const VectorXd& guess, VectorXd& q, Message& message) {
  const bool* fixed = mechanism.position_fixed;
  matrices(guess);
  const Entries G = metric();
  const VectorXd diagonal = metric_diagonal();
  sharing.resize(0, 0);
  measure_from(guess);
  fold = {};
  const VectorXd first = q;
  bool closed = close_or_approach(G, at_start, q, &fold) || close_from_nearby(G, at_start, guess, q, &fold);
  if (closed) settle(q, fold);
  if (closed && !check_slopes(q, message)) return false;
  const bool shared =
      closed ? has_weak_rows(q) && fit(G, q, q) : closure_tolerance > 0 && (fit(G, first, q) || fit(G, q, q));
  if (shared) {
    fold = {};
    settle(q, fold);
  }
  if (!closed && !shared)
    return !tell_tolerance(G, q, message) && !tell_tolerance(G, first, message) && fail_assembly(guess, q, message);
  const VectorXd weights = guess_weights(missed(guess).slopes, diagonal);
  const auto distance = [&](const VectorXd& x) { return this->distance(guess, G, weights, x); };
  const auto slope_at = [&](const VectorXd& x) {  // is the slope of the distance
    const VectorXd force = G.times(difference_from(guess, x));
    VectorXd slope(s.velocities);
    pull_back(model, x.data(), guess.data(), force.data(), slope.data());
    const Missed guesses = missed(x);
    return VectorXd(slope + guesses.slopes.transpose() * weights.cwiseProduct(guesses.by));
  };
  const bool quadratic = s.quaternions == 0 && s.start_guess_rows == 0;  // the distance is quadratic
  NewtonSteps steps(newton_rules::to_nearest);
  for (int iteration = 0; iteration < 100; ++iteration) {
    if (shares()) share_rows(q, s.position_rank);
    matrices(q);
    const Entries J = position_slopes(q, at_start);
    const MatrixXd N = fold.found ? fold.directions : null_space(J, fixed);
    if (N.cols() == 0) break;
    const VectorXd slope = slope_at(q);
    const VectorXd reduced = N.transpose() * slope;
    MatrixXd flat(N.cols(), N.cols());
    const MatrixXd bent = missed(q).slopes * N;
    for (int j = 0; j < N.cols(); ++j) flat.col(j) = N.transpose() * G.times(N.col(j));
    flat += bent.transpose() * weights.asDiagonal() * bent;
    if ((reduced.cwiseAbs().array() <= rounding_of_slope * (N.cwiseAbs().transpose() * slope.cwiseAbs()).array()).all())
      break;
    const VectorXd mu = multipliers(J, slope, fixed);
    const auto pull = [&](const VectorXd& x) {  // Jᵀμ, and the part of the slope that is not in `flat`
      matrices(x);
      VectorXd result = position_slopes(x, at_start).transposed_times(mu);
      if (!quadratic) result -= slope_at(x);
      return result;
    };
    MatrixXd curvature = MatrixXd::Zero(N.cols(), N.cols());
    for (int j = 0; j < N.cols(); ++j) {
      const double epsilon = central_difference / size_of(N.col(j), q);
      const VectorXd there = pull(moved(q, epsilon * N.col(j))) - pull(moved(q, -epsilon * N.col(j)));
      curvature.col(j) = -N.transpose() * there / (2 * epsilon);
    }
    MatrixXd hessian = 0.5 * (curvature + curvature.transpose());
    if (quadratic) hessian += flat;
    if (!Cholesky(hessian).is_definite()) hessian = flat;
    const VectorXd step = -(N * solve_symmetric(hessian, reduced));
    const double size = size_of(step, q);
    steps.take(size);
    if (!is_finite(size) || steps.ended()) break;
    double part = size > largest_move ? largest_move / size : 1;
    bool better = false;
    for (int halving = 0; halving < 30 && !better; ++halving, part /= 2) {
      VectorXd trial = moved(q, part * step);
      Fold there;
      const bool back = fold.found ? deflate(vanishing, trial, there)
                        : shares() ? close_shared(G, at_start, s.position_rank, trial)
                                   : close_in_valley(G, q, part * step, trial);
      if (!back) continue;
      if (steps.at_rounding() || distance(trial) < distance(q)) {
        q = trial;
        if (fold.found) fold = there;
        better = true;
      }
    }
    if (!better) break;
  }
  return true;
}

}  // namespace mechfmu
