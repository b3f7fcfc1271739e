// Finds dead points at the start. They are places where rows that are independent elsewhere become dependent in the
// columns that may move, as crank and rod in line do for the piston. Newton's steps converge to them linearly, and end
// at the root of rounding, where neither the rank nor the velocities show what is the matter. So dead points are found
// for what they are (docs/method.md, dead points), by equations that are regular there. With the regular rows' moves
// x_p and null space N and the combinations Y of rows whose slopes vanish, the equations are
//
//   (yᵀ f″ n_j)ᵀ (x_p + N z) = −yᵀ J n_j          for all y of Y, n_j of N
//
// in place of yᵀ f = 0, which then holds to second order if the dead point is the solution.
#include "dead_points.hpp"

#include <algorithm>

#include "mechanism/start_tape.hpp"
#include "mechanism/tape.hpp"
#include "start/algebra/decompositions.hpp"

namespace mechfmu {

VectorXd squared_lengths(const Entries& J, const VectorXd& widths) {
  VectorXd result = VectorXd::Zero(J.rows());
  for (int e = 0; e < J.count(); ++e) {
    const double entry = J.value(e) / widths[J.column(e)];
    result[J.row(e)] += entry * entry;
  }
  return result;
}

bool is_semidefinite(const MatrixXd& H) {
  const double size = H.cwiseAbs().maxCoeff();
  const VectorXd eigenvalues = Eigenvalues(0.5 * (H + H.transpose())).values;
  return eigenvalues.size() > 0 &&
         (eigenvalues.minCoeff() >= -vanishing * size || eigenvalues.maxCoeff() <= vanishing * size);
}

DeadPoints::DeadPoints(Arena& arena, const Mechanism& m) : StartMoves(arena, m), row_lengths(held(arena, s.rows())) {}

void DeadPoints::measure_from(const VectorXd& guess) {
  matrices(guess);
  widths = metric_diagonal().cwiseSqrt();
  longest = reach = VectorXd::Zero(position_rows(at_start));
  // A guess may be a dead point itself, so places beside it are asked, too.
  Scatter scatter;
  VectorXd place = guess;
  for (int trial = 0; trial < 3; ++trial) {
    matrices(place);
    measure(position_slopes(place, at_start), place);
    place = moved(guess, place_beside * scatter.column(s.velocities).cwiseProduct(scales(guess)));
  }
  row_lengths.head(s.position_rows) = longest.head(s.position_rows);
  longest = longest.unaryExpr([](double length) { return length > 0 ? length : slopeless; });
}

void DeadPoints::measure(const Entries& J, const VectorXd& q) {
  longest = longest.cwiseMax(squared_lengths(J, widths).cwiseSqrt());
  reach = reach.cwiseMax(row_reach(J, scales(q)));
}

Entries DeadPoints::dimensionless(const Entries& J) const {
  Entries result(J.rows(), J.columns(), J.count());
  for (int e = 0; e < J.count(); ++e) {
    result.add(J.row(e), J.column(e), J.value(e) / (longest[J.row(e)] * widths[J.column(e)]));
  }
  return result;
}

Entries DeadPoints::bent_slopes(const VectorXd& q, const VectorXd& move) {
  const Tape& tape = mechanism.start;
  VectorXd values(tape.step_count), slopes(tape.step_count), results(tape.result_count), turn(s.positions);
  const VectorXd rest = VectorXd::Zero(s.velocities);
  rates(model, q.data(), in_SI(move).data(), turn.data());
  Point here = point, change;
  here.q = q.data();
  here.v = rest.data();
  change.q = turn.data();
  mechfmu::differentiate(tape, here, change, values.data(), slopes.data(), results.data());
  return slope_changes(StartTape(mechanism, results.data()));
}

Entries DeadPoints::slope_changes(const StartTape& parts) const {
  const int room = shares() ? s.position_rows * s.velocities : s.C_nonzeros;
  Entries result(position_rows(at_start), s.velocities, room + s.start_position_rows * s.velocities);
  add_rows(parts.C, s.position_rows, result);
  result.add(by_moves(Eigen::Map<const MatrixXd>(parts.F, s.start_position_rows, s.velocities)), s.position_rows);
  return result;
}

double DeadPoints::level_between(const Entries& J_before, const Entries& J, double step) const {
  if (is_sparse()) return std::sqrt(step);
  const Eigen::VectorXi free = free_columns(s.velocities, mechanism.position_fixed);
  const auto values = [&](const Entries& rows) {
    return SingularValues(rows.dense()(Eigen::all, free), SingularValues::none).values;
  };
  const VectorXd before = values(J_before), now = values(J);
  for (int i = 0; i < now.size(); ++i) {
    if (before[i] > rank_tolerance && now[i] < 0.8 * before[i]) return std::sqrt(now[i] * (i > 0 ? now[i - 1] : 1));
  }
  return 0;
}

bool DeadPoints::deflate(double level, VectorXd& q, Fold& met) {
  constexpr int most_iterations = 60;
  VectorXd x = q;
  NewtonSteps steps(newton_rules::onto_dead_point);
  Fold result;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    matrices(x);
    const Entries J = dimensionless(position_slopes(x, at_start));
    const LevelSplit at = split_at(J, dimensionless(violation(x, at_start)), mechanism.position_fixed, level);
    const int p = static_cast<int>(at.N.cols()), c = static_cast<int>(at.Y.cols());
    if (p == 0 || c == 0) return false;
    MatrixXd H(c * p, p);
    VectorXd open(c * p);
    double curvature = 0;
    for (int j = 0; j < p; ++j) {
      const Entries bent = dimensionless(bent_slopes(x, at.N.col(j).cwiseQuotient(widths)));
      dense::raise(curvature, bent.largest());
      const VectorXd slope = J.times(at.N.col(j));
      for (int i = 0; i < c; ++i) {
        const VectorXd bending = bent.transposed_times(at.Y.col(i));
        H.row(i * p + j) = bending.transpose() * at.N;
        open[i * p + j] = at.Y.col(i).dot(slope) + bending.dot(at.particular);
      }
    }
    const SingularValues svd(H, SingularValues::thin);
    int regular = 0;
    while (regular < p && svd.values[regular] > vanishing * curvature) ++regular;
    if (regular == 0) return false;  // these rows are dependent everywhere
    const VectorXd z =
        svd.V.leftCols(regular) * (svd.U.leftCols(regular).transpose() * open).cwiseQuotient(svd.values.head(regular));
    VectorXd step = (at.particular - at.N * z).cwiseQuotient(widths);
    const double size = size_of(step, x);
    if (!is_finite(size)) return false;
    if (size > largest_move) step *= largest_move / size;
    x = moved(x, step);
    result.Y = at.Y;
    result.H = H;
    result.directions = widths.cwiseInverse().asDiagonal() * (at.N * svd.V.rightCols(p - regular));
    steps.take(size);
    if (steps.ended()) break;
  }
  result.q = x;
  result.gap = result.Y.transpose() * dimensionless(violation(x, at_start));
  const VectorXd size = result.Y.cwiseAbs().transpose() * dimensionless(reach);
  result.found = steps.size() < vanishing && (result.gap.array().abs() <= rounded_row * size.array()).all();
  result.near = !result.found && steps.size() < vanishing;
  met = result;
  if (result.found) q = x;
  return result.found;
}

void DeadPoints::settle(VectorXd& q, Fold& met) {
  if (met.found || mechanism.start.step_count == 0 || position_rows(at_start) == 0) return;
  matrices(q);
  const Entries J = position_slopes(q, at_start);
  const int columns = static_cast<int>(free_columns(s.velocities, mechanism.position_fixed).size());
  if (rank_at(vanishing, dimensionless(J), mechanism.position_fixed) == std::min(J.rows(), columns)) return;
  Fold here;
  VectorXd x = q;
  if (!deflate(vanishing, x, here)) {
    if (here.near) met = std::move(here);
    return;
  }
  const VectorXd d = difference_from(q, x);
  if (size_of(d, q) > 10 * vanishing) return;
  q = x;
  met = std::move(here);
}

}  // namespace mechfmu
