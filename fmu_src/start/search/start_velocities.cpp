// Finds the start's velocities: the v nearest to the guesses, in the metric M, that fulfils C v + c_t = 0, the start's
// further rows, and the velocity constraints that are not linear, f_v = 0 (Phong 2002, A.2 step 6).
//
// Without the last ones this is a linear problem. With them Newton's steps, the smallest in the metric and with a line
// search on the residual, lead onto the rows. From there v goes along them to the nearest point, by reduced Newton
// steps whose Hessian is differenced from F = ∂f_v/∂v.
#include "start_velocities.hpp"

#include <algorithm>

#include "start/algebra/decompositions.hpp"
#include "start/messages/contradictions.hpp"
#include "start/messages/dead_point_messages.hpp"
#include "start/messages/start_messages.hpp"

namespace mechfmu {

namespace {

class StartVelocities {
 public:
  StartVelocities(RoundedLoops& work, const VectorXd& positions_guess, const VectorXd& q, const VectorXd& guess)
      : w_(work), q_(q), guess_(guess), fixed_(work.mechanism.velocity_fixed), metric_(metric_at(q)),
        own_(work.s.rows()), further_(work.s.start_velocity_rows), c_t_(constants()),
        rows_(velocity_rows(positions_guess, q, guess)) {}  // ends at q

  /// Solves the rows as if they were all linear. Twice, since the second pass removes the first one's rounding.
  void solve_linear(VectorXd& v) {
    const Entries J = w_.velocity_slopes(q_, v);
    for (int pass = 0; pass < 2; ++pass) {
      const VectorXd open = residual(J, v);
      v += w_.in_SI(w_.smallest_move(J, open, metric_, fixed_, &rows_.lengths));
    }
  }

  /// Finds the nearest v if some rows are not linear. Returns false if there is none; the message says why.
  bool solve(VectorXd& v, Message& message) {
    const bool direct = close(v);
    if (!direct && !close_from_nearby(v)) return fail(v, message);
    if (!direct && stands_still(v, message)) return false;
    approach(v);
    return true;
  }

  /// Returns a row that is open at v, or -1. `open` gets what all rows leave open, `J` their slopes.
  int open_row(const VectorXd& v, VectorXd& open) {
    const Entries J = w_.velocity_slopes(q_, v);
    open = residual(J, v);
    const VectorXd scale = scales(v);
    VectorXd reach = VectorXd::Zero(open.size());
    for (const Entries& seen : rows_.seen) reach = reach.cwiseMax(row_reach(seen, scale));
    return w_.open_row(J, open, scale, reach);
  }
  const VectorXd& lengths() const { return rows_.lengths; }

 private:
  /// Holds the slopes of rows that velocities have to fulfil, at q and elsewhere, and their largest lengths in the
  /// metric at q. Rows that are not linear have those at v.
  struct VelocityRows {
    Entries seen[3];
    VectorXd lengths;
  };
  VelocityRows velocity_rows(const VectorXd& guess, const VectorXd& q, const VectorXd& v) {
    const auto at = [&](const VectorXd& place) {
      w_.matrices(place);
      return w_.velocity_slopes(place, v);
    };
    Scatter scatter;
    const VectorXd beside = w_.moved(q, place_beside * scatter.column(w_.s.velocities).cwiseProduct(w_.scales(q)));
    VelocityRows result{{at(beside), at(guess), at(q)}, VectorXd()};
    w_.widths = w_.metric_diagonal().cwiseSqrt();
    for (const Entries& J : result.seen) {
      const VectorXd squares = squared_lengths(J, w_.widths);
      result.lengths = result.lengths.size() == 0 ? squares : result.lengths.cwiseMax(squares);
    }
    w_.row_lengths = result.lengths.head(w_.s.rows()).cwiseSqrt();
    result.lengths = result.lengths.unaryExpr([](double square) { return square > 0 ? std::sqrt(square) : 1; });
    return result;
  }

  Entries metric_at(const VectorXd& q) {
    w_.matrices(q);
    return w_.metric();
  }
  VectorXd constants() {
    if (w_.shares()) {
      w_.share_rows(q_, w_.s.position_rank);
      w_.matrices(q_);
      w_.c_t.head(w_.s.position_rows) = w_.sharing * w_.c_t.head(w_.s.position_rows);
    }
    return w_.c_t.head(own_);
  }

  VectorXd residual(const Entries& J, const VectorXd& v) {
    VectorXd result = J.times(w_.in_units(v));
    result.head(own_) += c_t_;
    w_.point.q = q_.data();
    w_.point.v = v.data();
    MatrixXd slopes(w_.s.velocities, std::max(w_.s.nonlinear_rows, further_));
    if (w_.s.nonlinear_rows > 0) w_.mechanism.nonlinear(w_.point, result.data() + own_, slopes.data());
    if (further_ > 0) w_.mechanism.start_velocities(w_.point, result.data() + w_.s.rate_rows(), slopes.data());
    return result;
  }

  VectorXd scales(const VectorXd& v) const {
    return w_.in_units(VectorXd::Map(w_.mechanism.rate_nominal, w_.s.velocities) + v.cwiseAbs());
  }
  double size_of(const VectorXd& move, const VectorXd& v) const {
    return move.cwiseAbs().cwiseQuotient(scales(v)).maxCoeff();
  }

  /// Moves v onto all rows by Newton's steps. Returns false if some row stays open; v is the best that was reached.
  bool close(VectorXd& v) {
    NewtonSteps steps(newton_rules::onto_rates);
    VectorXd open;
    for (int iteration = 0; iteration < StartClosing::most_closing_steps; ++iteration) {
      const Entries J = w_.velocity_slopes(q_, v);
      open = residual(J, v);
      if (!open.allFinite()) return false;
      const VectorXd weights = J.weights();
      const VectorXd step = w_.smallest_move(J, open, metric_, fixed_);
      const double size = size_of(step, v);
      if (!is_finite(size)) return false;
      steps.take(size);
      if (steps.ended()) return open_row(v, open) < 0;
      const double before = open.cwiseProduct(weights).squaredNorm();
      bool better = false;
      double part = 1;
      for (int halving = 0; halving < 40 && !better; ++halving, part /= 2) {
        const VectorXd trial = v + part * w_.in_SI(step);
        const VectorXd left = residual(J, trial).cwiseProduct(weights);
        // J is that of v, so only rows that are not linear, and those of the start, are evaluated anew.
        better = left.squaredNorm() <= (1 - enough_descent * part) * before;
        if (better) v = trial;
      }
      if (!better) return open_row(v, open) < 0;
    }
    return false;
  }

  /// Tries other rates, ever farther from the guesses, and takes the nearest of those that fulfil the rows. If there
  /// are none, v is where the rows are least open.
  bool close_from_nearby(VectorXd& v) {
    const VectorXd spread = w_.in_SI(scales(guess_));
    const auto openness = [&](const VectorXd& at) {
      const Entries J = w_.velocity_slopes(q_, at);
      const VectorXd open = residual(J, at);
      return open.allFinite() ? open.norm() : beyond_all;
    };
    Scatter scatter;
    double nearest = beyond_all, least = openness(v);
    bool closed = false;
    for (int trial = 0; trial < StartClosing::nearby_trials; ++trial) {
      VectorXd candidate = guess_;
      const VectorXd aside =
          4.0 * (trial + 1) / StartClosing::nearby_trials * scatter.column(w_.s.velocities).cwiseProduct(spread);
      for (int j = 0; j < w_.s.velocities; ++j) candidate[j] += fixed_ && fixed_[j] ? 0 : aside[j];
      if (close(candidate)) {
        closed = true;
        if (const double far = distance(candidate); far < nearest) nearest = far, v = candidate;
      } else if (const double open = openness(candidate); !closed && open < least) {
        least = open, v = candidate;
      }
    }
    return closed;
  }

  double distance(const VectorXd& v) const {
    const VectorXd d = w_.in_units(v - guess_);
    return d.dot(metric_.times(d));
  }

  /// Moves v along the rows to the point nearest to the guesses.
  void approach(VectorXd& v) {
    NewtonSteps steps(newton_rules::to_nearest);
    for (int iteration = 0; iteration < 100; ++iteration) {
      const Entries J = w_.velocity_slopes(q_, v);
      const MatrixXd N = w_.null_space(J, fixed_);
      if (N.cols() == 0) return;
      const VectorXd slope = metric_.times(w_.in_units(v - guess_)), reduced = N.transpose() * slope;
      if ((reduced.cwiseAbs().array() <= rounding_of_slope * (N.cwiseAbs().transpose() * slope.cwiseAbs()).array())
              .all())
        return;
      const VectorXd nu = w_.multipliers(J, slope, fixed_);
      MatrixXd flat(N.cols(), N.cols()), curvature = flat;
      for (int j = 0; j < N.cols(); ++j) {
        const VectorXd move = w_.in_SI(N.col(j)) * (central_difference / size_of(N.col(j), v));
        const VectorXd bend = w_.velocity_slopes(q_, v + move).transposed_times(nu) -
                              w_.velocity_slopes(q_, v - move).transposed_times(nu);
        flat.col(j) = N.transpose() * metric_.times(N.col(j));
        curvature.col(j) = N.transpose() * bend * (size_of(N.col(j), v) / (2 * central_difference));
      }
      MatrixXd hessian = flat - 0.5 * (curvature + curvature.transpose());
      if (!Cholesky(hessian).is_definite()) hessian = flat;
      const VectorXd step = -(N * solve_symmetric(hessian, reduced));
      const double size = size_of(step, v);
      steps.take(size);
      if (!is_finite(size) || steps.ended()) return;
      const bool at_rounding = size < newton_rules::to_nearest.rounding;  // distances cannot judge such steps
      bool better = false;
      double part = 1;
      for (int halving = 0; halving < 30 && !better; ++halving, part /= 2) {
        VectorXd trial = v + part * w_.in_SI(step);
        better = close(trial) && (at_rounding || distance(trial) < distance(v));
        if (better) v = trial;
      }
      if (!better) return;
    }
  }

  /// Returns the rows of F in the directions that all other rows and the fixed values leave free at the guess.
  MatrixXd free_slopes(const VectorXd& v) {
    const Entries J = w_.velocity_slopes(q_, v);
    const int first = own_, end = w_.s.rate_rows();
    Entries others(J.rows(), J.columns(), J.count());
    for (int e = 0; e < J.count(); ++e) {
      if (J.row(e) < first || J.row(e) >= end) others.add(J.row(e), J.column(e), J.value(e));
    }
    return J.dense().middleRows(first, end - first) * w_.null_space(others, fixed_);
  }

  /// Is true if the slope of a row vanishes at the guesses, so that these do not say which way to go, although rates
  /// that fulfil it, such as v, have a slope. The message says so.
  bool stands_still(const VectorXd& v, Message& message) {
    const MatrixXd here = free_slopes(guess_), there = free_slopes(v);
    for (int i = 0; i < here.rows(); ++i) {
      if (here.row(i).norm() > vanishing * there.row(i).norm()) continue;
      message.fail(
          "The start rates do not say which way to fulfil the constraint '%s': its derivatives by them are zero there, or none. "
          "Give another start to the rate of",
          w_.mechanism.constraint_names[own_ + i]);
      const Entries J = w_.velocity_slopes(q_, v);
      int named = 0;
      for (int e = 0; e < J.count(); ++e) {
        const int j = J.column(e);
        if (J.row(e) != own_ + i || (fixed_ && fixed_[j])) continue;
        message.add("%s '%s'", named++ > 0 ? " or" : "", w_.mechanism.velocity_names[j]);
      }
      message.add(".");
      return true;
    }
    return false;
  }

  /// Names the row that is most open where the rows are least open. Returns false.
  bool fail(const VectorXd& v, Message& message) {
    VectorXd open, ignored;
    const int worst = std::max(open_row(v, open), 0);
    const bool* const fixed = fixed_;
    VectorXd freed = guess_;
    fixed_ = nullptr;
    const bool closes_freed = fixed != nullptr && (close(freed) || close_from_nearby(freed));
    fixed_ = fixed;
    message.fail("The start velocities cannot be made consistent: ");
    StartMessages(w_).tell_open_rate(worst, open[worst], message);
    if (!closes_freed) {
      message.add(". No rates of %d tries reach further: check the numbers in it.", StartClosing::nearby_trials);
      return false;
    }
    message.add(" while these rates are fixed:");
    open_row(freed, ignored);
    StartMessages(w_).tell_fixed(true, guess_, freed, open.data() + w_.s.rate_rows(), message);
    message.add(". Change one of them, or remove its 'rate_fixed = true'.");
    return false;
  }

  RoundedLoops& w_;
  const VectorXd& q_;
  const VectorXd& guess_;
  const bool* fixed_;
  Entries metric_;
  int own_, further_;
  VectorXd c_t_;
  VelocityRows rows_;
};

}  // namespace

bool find_start_velocities(RoundedLoops& w, const VectorXd& q, VectorXd& v, Message& message) {
  VectorXd positions, guess;
  if (!w.guess(positions, guess, message)) return false;
  if (w.mechanism.equilibrium) {  // It is at rest.
    const bool* fixed = w.mechanism.velocity_fixed;
    for (int i = 0; i < w.s.velocities; ++i) guess[i] = fixed && fixed[i] ? guess[i] : 0;
  }
  v = guess;
  VectorXd open;
  StartVelocities search(w, positions, q, guess);
  if (w.s.nonlinear_rows > 0) {
    if (!search.solve(v, message)) return false;
  } else {
    search.solve_linear(v);
  }
  const int worst = search.open_row(v, open);
  if (worst < 0) {
    DeadPointMessages(w).warn_near(positions, v, message);
    return true;
  }
  if (DeadPointMessages(w).tell_dead_point(q, v, open, search.lengths(), message)) return false;
  StartMessages(w).fail_velocities(w.velocity_slopes(q, v), open, worst, guess, v, message);
  tell_contradiction(w, q, &v, message);
  return false;
}

}  // namespace mechfmu
