// Tells of dead points at the start, and of fixed values that lie beyond what the mechanism can reach.
#include "dead_point_messages.hpp"

#include <algorithm>

#include "mechanism/telling.hpp"
#include "start/algebra/decompositions.hpp"

namespace mechfmu {

bool DeadPointMessages::check_slopes(const VectorXd& q, Message& message) {
  if (w_.mechanism.start.step_count == 0 || w_.mechanism.character.rheonomic) return true;
  w_.matrices(q);
  const Entries J = w_.dimensionless(w_.position_slopes(q, StartEquations::at_start));
  VectorXd lengths = VectorXd::Zero(J.rows());
  for (int e = 0; e < J.count(); ++e) dense::raise(lengths[J.row(e)], std::fabs(J.value(e)));
  for (int i = 0; i < w_.s.position_rows; ++i) {
    if (lengths[i] > vanishing || w_.longest[i] == slopeless) continue;
    MatrixXd H(w_.s.velocities, w_.s.velocities);
    for (int j = 0; j < w_.s.velocities; ++j) {
      const Entries bent = w_.dimensionless(w_.bent_slopes(q, VectorXd::Unit(w_.s.velocities, j) / w_.widths[j]));
      H.row(j) = bent.transposed_times(VectorXd::Unit(J.rows(), i));
    }
    if (!is_semidefinite(H)) continue;
    message.fail("The slope of the ");
    tell_row(w_.mechanism, i, message);
    message.add(
        " vanishes wherever it holds: it holds the position, but not the rate, and is no independent constraint. "
        "Write it without the square or higher power: x1 - d in place of (x1 - d)^2.");
    return false;
  }
  if (!w_.fold.found) return true;
  Entries own(w_.s.position_rows, w_.s.velocities, w_.s.C_nonzeros);
  w_.add_constraints(0, w_.s.position_rows, own);
  const LevelSplit at = w_.split_at(w_.dimensionless(own), VectorXd::Zero(w_.s.position_rows), nullptr, vanishing);
  if (at.Y.cols() != 1) return true;
  MatrixXd H(at.N.cols(), at.N.cols());
  VectorXd y = VectorXd::Zero(J.rows());
  y.head(w_.s.position_rows) = at.Y;
  double curvature = 0;
  for (int j = 0; j < H.cols(); ++j) {
    const Entries bent = w_.dimensionless(w_.bent_slopes(q, at.N.col(j).cwiseQuotient(w_.widths)));
    H.row(j) = bent.transposed_times(y).transpose() * at.N;
    dense::raise(curvature, bent.largest());
  }
  if (H.size() == 0 || H.norm() <= vanishing * curvature || !is_semidefinite(H)) return true;
  message.fail("The ");
  tell_rows(y, w_.s.position_rows, message);
  message.add(
      " hold in this position only, where one of them follows from the others: together they hold the position, "
      "but not the rate. Change the lengths or values that they compare, or leave one of them out.");
  return false;
}

int DeadPointMessages::tell_rows(const VectorXd& y, int count, Message& message) const {
  RowList named;
  for (int i = 0; i < count; ++i) {
    if (std::fabs(y[i]) > vanishing) named.add(i);
  }
  named.tell(w_.mechanism, message);
  return named.count();
}

/// Finds the place where the mechanism goes no further if one fixed value is freed, too. There f = 0 and yᵀJ N = 0 hold
/// together, with N of the columns that may move, for the combination y of rows that only the freed value closes there.
/// `fixed` is a coordinate, or after these a row of the start. `beyond` is what can be reached, less what is fixed.
bool DeadPointMessages::find_limit(int fixed, VectorXd& q, double& beyond) {
  constexpr int most_iterations = 60;
  const bool is_row = fixed >= w_.s.velocities, *held = w_.mechanism.position_fixed;
  const int row = w_.s.position_rows + fixed - w_.s.velocities;
  Eigen::Array<bool, Eigen::Dynamic, 1> held_beside =
      Eigen::Array<bool, Eigen::Dynamic, 1>::Constant(w_.s.velocities, false);
  for (int j = 0; held && j < w_.s.velocities; ++j) held_beside[j] = held[j] && j != fixed;
  beyond = 0;  // is in the unit of the freed value's own column
  int regular = -1;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    w_.matrices(q);
    const Entries J = w_.dimensionless(w_.position_slopes(q, StartEquations::at_start));
    VectorXd f = w_.dimensionless(w_.violation(q, StartEquations::at_start)), freed = VectorXd::Zero(J.rows());
    Entries others(J.rows(), J.columns(), J.count());
    for (int e = 0; e < J.count(); ++e) {
      if (!is_row && J.column(e) == fixed) freed[J.row(e)] += J.value(e);
      if (!is_row || J.row(e) != row) others.add(J.row(e), J.column(e), J.value(e));
    }
    if (is_row) freed[row] = -1, f += beyond * freed;
    if (regular < 0) regular = w_.rank(others.scaled(others.weights()), held_beside.data()) - (is_row ? 0 : 1);
    if (regular < 0) return false;
    // Singular values are in order, so that level 0 serves. For pivots the level is lowered until `regular` are above
    // it.
    double level = 0;
    if (w_.is_sparse()) {
      for (level = 0.5; level > rank_tolerance && w_.rank_at(level, J, held) < regular;) level /= 2;
    }
    const LevelSplit at = w_.split_at(J, f, held, level, regular);
    const VectorXd by_freed = w_.split_at(J, freed, held, level, regular).particular, shares = at.Y.transpose() * freed;
    const int p = static_cast<int>(at.N.cols());
    if (p == 0 || !(shares.norm() > 0)) return false;
    const VectorXd y = (at.Y * shares).normalized(), slope = at.N.transpose() * J.transposed_times(y);
    // x = x_p + x_β β + N z, where β is the change of what is freed.
    MatrixXd A(p + 1, p + 1), H(p, p);
    VectorXd open(p + 1);
    double curvature = 0;
    for (int j = 0; j < p; ++j) {
      const Entries bent = w_.dimensionless(w_.bent_slopes(q, at.N.col(j).cwiseQuotient(w_.widths)));
      const VectorXd bending = bent.transposed_times(y);
      dense::raise(curvature, bent.largest());
      H.row(j) = bending.transpose() * at.N;
      A(j, p) = bending.dot(by_freed) + (is_row ? 0 : bending[fixed]);
      open[j] = slope[j] + bending.dot(at.particular);
    }
    A.topLeftCorner(p, p) = H;
    A.row(p) << slope.transpose(), y.dot(J.times(by_freed) + freed);
    open[p] = y.dot(J.times(at.particular) + f);
    const VectorXd z = -solve_least_squares(A, open);
    const double change = z[p];
    VectorXd step = (at.particular + change * by_freed + at.N * z.head(p)).cwiseQuotient(w_.widths);
    if (!is_row) step[fixed] = change / w_.widths[fixed];
    const double size = w_.size_of(step, q);
    if (!is_finite(size)) return false;
    const double part = size > largest_move ? largest_move / size : 1;
    q = w_.moved(q, part * step);
    beyond += part * change;
    if (size > newton_rules::onto_limit.exact) continue;
    const double descent = H.trace() / y.dot(freed);  // if it is positive, the freed value has its maximum along N here
    const bool is_limit = H.norm() > vanishing * curvature && is_semidefinite(H) && descent * beyond < 0;
    beyond *= is_row ? w_.longest[row] : 1 / w_.widths[fixed];
    VectorXd left = w_.violation(q, StartEquations::at_start);
    if (is_row) left[row] = 0;
    w_.matrices(q);
    return is_limit && w_.open_row(w_.position_slopes(q, StartEquations::at_start), left, w_.scales(q)) < 0;
  }
  return false;
}

/// Returns the fixed values that what stays open at q depends on, the most important first: coordinates, and after
/// these rows of the start.
Eigen::VectorXi DeadPointMessages::responsible(const VectorXd& q) {
  w_.matrices(q);
  const VectorXd f = w_.dimensionless(w_.violation(q, StartEquations::at_start)),
                 slopes = w_.dimensionless(w_.position_slopes(q, StartEquations::at_start)).transposed_times(f);
  VectorXd share = VectorXd::Zero(w_.s.velocities + w_.s.start_position_rows);
  for (int j = 0; w_.mechanism.position_fixed && j < w_.s.velocities; ++j) {
    if (w_.mechanism.position_fixed[j] && !is_turned(w_.model, j)) share[j] = std::fabs(slopes[j]);
  }
  share.tail(w_.s.start_position_rows) = f.tail(w_.s.start_position_rows).cwiseAbs();
  Eigen::VectorXi result(share.size());
  int count = 0;
  const double least = least_responsibility * (share.size() > 0 ? share.maxCoeff() : 0);
  for (int i = 0; i < share.size(); ++i) {
    if (share[i] > least) result[count++] = i;
  }
  std::sort(result.data(), result.data() + count,
            [&](int i, int j) { return share[i] > share[j] || (share[i] == share[j] && i < j); });
  return result.head(count);
}

bool DeadPointMessages::tell_limit(const VectorXd& guess, const VectorXd& q, Message& message) {
  constexpr Eigen::Index most_values = 20;
  const int trials = w_.is_sparse() ? 2 : 24;
  if (w_.mechanism.start.step_count == 0) return false;
  const Eigen::VectorXi values = responsible(q);
  for (const int fixed : values.head(std::min(values.size(), most_values))) {
    const bool is_row = fixed >= w_.s.velocities;
    VectorXd limit;
    double beyond = beyond_all;
    Scatter scatter;
    for (int trial = 0; trial < trials; ++trial) {  // it begins at q and around it, since values have several extrema
      VectorXd aside = 4.0 * trial / trials * scatter.column(w_.s.velocities).cwiseProduct(w_.scales(q));
      for (int j = 0; j < w_.s.velocities; ++j) {
        if (w_.mechanism.position_fixed && w_.mechanism.position_fixed[j]) aside[j] = 0;
      }
      VectorXd place = w_.moved(q, aside);
      double further = 0;
      if (find_limit(fixed, place, further) && std::fabs(further) < std::fabs(beyond)) limit = place, beyond = further;
    }
    if (!is_finite(beyond)) continue;
    if (is_row) {
      const int row = fixed - w_.s.velocities;
      message.add(" The fixed start of '%s' cannot be reached: the nearest is ",
                  w_.mechanism.start_position_names[row]);
      tell_difference(w_.mechanism, Told::start_positions, row, std::fabs(beyond), message);
      message.add(beyond < 0 ? " less." : " more.");
      return true;
    }
    const int i = position_of(w_.model, fixed);
    message.add(" The fixed start '%s' = ", w_.mechanism.position_names[i]);
    tell_value(w_.mechanism, Told::positions, i, guess[i], message);
    message.add(" cannot be reached: at %s ", beyond < 0 ? "most" : "least");
    tell_value(w_.mechanism, Told::positions, i, limit[i], message);
    message.add(".");
    return true;
  }
  return false;
}

void DeadPointMessages::warn_near(const VectorXd& guess, const VectorXd& v, Message& message) {
  if (!w_.fold.near) return;
  w_.matrices(w_.fold.q);
  const Entries J = w_.dimensionless(w_.position_slopes(w_.fold.q, StartEquations::at_start));
  int worst = 0;
  const double gap = w_.fold.gap.cwiseAbs().maxCoeff(&worst);
  const VectorXd y = w_.fold.Y.col(worst), slopes = J.transposed_times(y);
  if (gap > near_part_of_reach * y.cwiseAbs().dot(w_.dimensionless(w_.reach))) return;
  VectorXd guess_q(w_.s.positions), guess_v(w_.s.velocities);
  w_.mechanism.guess(w_.point, guess_q.data(), guess_v.data());
  int fastest = 0, held = -1;
  double given_rate = 0;
  const VectorXd scale = w_.scales(w_.fold.q), sizes = w_.in_units(v).cwiseQuotient(scale).cwiseAbs();
  for (int j = 0; j < w_.s.velocities; ++j) {
    if (sizes[j] > sizes[fastest]) fastest = j;
    dense::raise(given_rate, std::fabs(guess_v[j]) / (scale[j] * w_.unit[j]));
    if (!(w_.mechanism.position_fixed && w_.mechanism.position_fixed[j]) || is_turned(w_.model, j)) continue;
    if (std::fabs(slopes[j]) > vanishing && (held < 0 || std::fabs(slopes[j]) > std::fabs(slopes[held]))) held = j;
  }
  if (!(sizes[fastest] > fast_rate * given_rate)) return;
  const auto tell_fast = [&](Message& near) {
    near.add(": rates near it are large ('%s': ", w_.mechanism.velocity_names[fastest]);
    tell_value(w_.mechanism, Told::velocities, fastest, v[fastest], near);
    near.add(").");
    message.warn("%s", near.text);
  };
  if (held < 0) {
    Message near;
    near.fail("The start is close to a dead point");
    tell_fast(near);
    return;
  }
  const int i = position_of(w_.model, held);
  Message near;
  near.fail("The fixed start '%s' = ", w_.mechanism.position_names[i]);
  tell_value(w_.mechanism, Told::positions, i, guess[i], near);
  near.add(" is ");
  const double apart = std::fabs(w_.fold.gap[worst] / (slopes[held] * w_.widths[held])) * w_.unit[held];
  tell_difference(w_.mechanism, Told::positions, i, apart, near);
  near.add(" from a dead point, where it cannot move");
  tell_fast(near);
}

bool DeadPointMessages::tell_dead_point(const VectorXd& q, const VectorXd& v, const VectorXd& open,
                                        const VectorXd& lengths, Message& message) {
  const auto slopes_at = [&](const VectorXd& place) {
    w_.matrices(place);
    const Entries J = w_.velocity_slopes(place, v);
    Entries result(J.rows(), J.columns(), J.count());
    for (int e = 0; e < J.count(); ++e) {
      result.add(J.row(e), J.column(e), J.value(e) / (lengths[J.row(e)] * w_.widths[J.column(e)]));
    }
    return result;
  };
  const bool* fixed = w_.mechanism.velocity_fixed;
  const Entries J = slopes_at(q), metric = w_.metric();
  const LevelSplit at = w_.split_at(J, VectorXd::Zero(J.rows()), fixed, rank_tolerance);
  const VectorXd residual = at.Y.transpose() * open.cwiseQuotient(lengths);
  const MatrixXd N = w_.null_space(w_.position_slopes(q, StartEquations::always), nullptr);
  Scatter scatter;
  bool more_elsewhere = false;  // is true if more rows are independent elsewhere
  for (int trial = 0; trial < 4 && !more_elsewhere && at.Y.cols() > 0 && N.cols() > 0; ++trial) {
    VectorXd place = w_.beside(q, N, scatter);
    if (!w_.close(metric, StartEquations::always, place)) continue;
    more_elsewhere = w_.rank_at(rank_tolerance, slopes_at(place), fixed) > J.rows() - at.Y.cols();
  }
  if (!more_elsewhere || !(residual.norm() > 0)) return false;
  const VectorXd y = at.Y * residual.normalized(), slopes = J.transposed_times(y);
  struct Held {
    Told list;
    int index;
    const char* name;
    double given, needed;  ///< given rate, and the rate that it would have to be
  };
  constexpr int most_held = 10;
  Held held[most_held];
  int count = 0;
  const auto hold = [&](const Held& one) {
    if (count < most_held) held[count++] = one;
  };
  for (int j = 0; j < w_.s.velocities; ++j) {
    if (!(fixed && fixed[j]) || std::fabs(slopes[j]) <= vanishing) continue;
    const double missed_by = residual.norm() / (slopes[j] * w_.widths[j]) * w_.unit[j];
    hold({Told::velocities, j, w_.mechanism.velocity_names[j], v[j], v[j] - missed_by});
  }
  VectorXd r(w_.s.start_velocity_rows);  // minus what is given
  MatrixXd R(w_.s.start_velocity_rows, w_.s.velocities);
  const VectorXd rest = VectorXd::Zero(w_.s.velocities);
  w_.point.q = q.data();
  w_.point.v = rest.data();
  if (w_.s.start_velocity_rows > 0) w_.mechanism.start_velocities(w_.point, r.data(), R.data());
  for (int i = 0; i < w_.s.start_velocity_rows; ++i) {
    const double share = y[w_.s.rate_rows() + i];
    if (std::fabs(share) <= vanishing) continue;
    hold({Told::start_velocities, i, w_.mechanism.start_velocity_names[i], -r[i],
          -r[i] + residual.norm() * lengths[w_.s.rate_rows() + i] / share});
  }
  if (count == 0) return false;
  message.fail("The start is a dead point. There the ");
  const int constraints = tell_rows(y, w_.s.rate_rows(), message);
  if (count == 1) {
    const double needed = std::fabs(held[0].needed) > vanishing * std::fabs(held[0].given) ? held[0].needed : 0;
    message.add(" %s '%s' no rate but ", constraints == 1 ? "allows" : "allow", held[0].name);
    tell_value(w_.mechanism, held[0].list, held[0].index, needed, message);
    message.add(", whatever the others do (fixed: ");
    tell_value(w_.mechanism, held[0].list, held[0].index, held[0].given, message);
    message.add("). Fix that rate, or start elsewhere.");
    return true;
  }
  message.add(" %s no such fixed rates together:", constraints == 1 ? "allows" : "allow");
  for (int i = 0; i < count; ++i) {
    message.add("%s '%s' = ", i > 0 ? "," : "", held[i].name);
    tell_value(w_.mechanism, held[i].list, held[i].index, held[i].given, message);
  }
  message.add(". Remove 'rate_fixed = true' from one of them, or start elsewhere.");
  return true;
}

}  // namespace mechfmu
