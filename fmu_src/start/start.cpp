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

ConsistentStart::Work::Work(Arena& arena, const Mechanism& m)
    : StartMoves(arena, m), rank_squares(held(arena, s.rows())), row_lengths(held(arena, s.rows())),
      pivoting(arena, s.rows(), s.velocities, s.C_nonzeros), redundant(arena.zeros<int>(s.rows() + 1), s.rows() + 1) {}

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
