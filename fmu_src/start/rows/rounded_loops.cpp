// Assembles loops whose data are rounded: rows that would depend on others disagree with them a little. The loops are
// assembled as nearly as they fit, all rows together by least squares (shared_rows.hpp), within the closure tolerance.
// Rows are divided by the sizes of their units (row_sizes.hpp), and T is what the kept rows k make of the dropped ones
// d, J_d ≈ T J_k. Then the kept rows become
//
//   f_k + Tᵀ f_d        J_k + Tᵀ J_d
//
// with T of the place where it was found, and the others zero; docs/method.md, redundancy.
#include "rounded_loops.hpp"

#include "linear/sparse_split.hpp"
#include "mechanism/row_sizes.hpp"

namespace mechfmu {

double RoundedLoops::weak_level() const { return std::max(rank_tolerance, pivot_per_tolerance * closure_tolerance); }

Entries RoundedLoops::by_units(const VectorXd& q, int rows, VectorXd& sizes) {
  matrices(q);
  Arena memory;
  RowSizes of_units(memory, mechanism, mechanism.C);
  of_units.find(C_values.data(), q.data());
  sizes.resize(rows);
  for (int i = 0; i < rows; ++i) sizes[i] = of_units[i] > 0 ? of_units[i] : 1;
  const VectorXd scale = scales(q);
  Entries result(rows, s.velocities, s.C_nonzeros);
  for (int e = 0; e < mechanism.C.nonzeros; ++e) {
    const int i = mechanism.C.row[e], j = mechanism.C.column[e];
    if (i < rows) result.add(i, j, C_values[e] * unit[j] * scale[j] / sizes[i]);
  }
  return result;
}

int RoundedLoops::strong_rank(const VectorXd& q, int rows, double level) {
  VectorXd sizes;
  const Entries J = by_units(q, rows, sizes);
  return sparse_start::rank(J, nullptr, level, level);
}

double RoundedLoops::misfit(const VectorXd& q, VectorXd* by_row) {
  VectorXd sizes;
  by_units(q, s.position_rows, sizes);
  VectorXd f(s.position_rows);
  point.q = q.data();
  mechanism.violation(point, f.data());
  f = f.cwiseQuotient(sizes);
  if (by_row != nullptr) *by_row = f;
  return f.size() == 0 ? 0 : f.cwiseAbs().maxCoeff();
}

bool RoundedLoops::share_rows(const VectorXd& q, int most) {
  const int m = s.position_rows;
  VectorXd sizes;
  const Entries J = by_units(q, m, sizes);
  Arena memory;
  SparseSplit split(memory, m, s.velocities, J.count());
  sparse_start::split(J, weak_level(), most, split);
  sharing = MatrixXd::Zero(m, m);
  for (int i = 0; i < split.rank(); ++i) sharing(split.row(i), split.row(i)) = 1;
  for (int i = split.rank(); i < m; ++i) {
    const int d = split.row(i);
    VectorXd row = VectorXd::Zero(s.velocities), T(m);
    for (int e = 0; e < J.count(); ++e) {
      if (J.row(e) == d) row[J.column(e)] += J.value(e);
    }
    split.multipliers(row.data(), T.data());
    sharing.col(d) += T.cwiseProduct(sizes) / sizes[d];
  }
  return split.rank() > 0;
}

bool RoundedLoops::close_shared(const Entries& metric, Rows rows, int most, VectorXd& q) {
  constexpr int most_passes = 20;
  const MatrixXd held = sharing;
  NewtonSteps steps(newton_rules::onto_shared_rows);
  for (int pass = 0; pass < most_passes; ++pass) {
    const VectorXd before = q;
    if (!share_rows(q, most) || !close(metric, rows, q)) break;
    const VectorXd moved = difference_from(before, q);
    steps.take(size_of(moved, q));
    if (steps.ended()) return true;
  }
  sharing = held;
  return false;
}

bool RoundedLoops::has_weak_rows(const VectorXd& q) {
  return closure_tolerance > 0 && s.position_rank < s.position_rows &&
         strong_rank(q, s.position_rows, rank_tolerance) > s.position_rank;
}

bool RoundedLoops::has_gap(const VectorXd& q) {
  const int r = strong_rank(q, s.position_rows, weak_level());
  // There is nothing between the pivots of dependent rows and this level.
  double weakest = weak_level();
  while (weakest > rank_tolerance && strong_rank(q, s.position_rows, weakest / 2) == r) weakest /= 2;
  return weakest <= rank_tolerance || strong_rank(q, s.position_rows, pivot_gap / 2 * weakest) == r;
}

bool RoundedLoops::fits(const VectorXd& q) {
  return misfit(q) <= closure_tolerance && has_gap(q) && stays_dependent(q);
}

bool RoundedLoops::stays_dependent(const VectorXd& q) {
  const int r = strong_rank(q, s.position_rows, weak_level());
  return r == s.position_rank || follows_weak_rows(q, r);
}

bool RoundedLoops::fit(const Entries& metric, const VectorXd& from, VectorXd& q) {
  VectorXd shared = from;
  if (close_shared(metric, at_start, s.position_rank, shared) && fits(shared)) {
    q = shared;
    return true;
  }
  sharing.resize(0, 0);
  return false;
}

bool RoundedLoops::follows_weak_rows(const VectorXd& start, int r) {
  constexpr int trials = 4, steps = 8, fewest_steps = 3;
  constexpr double stride = 0.05;
  matrices(start);
  const Entries metric = this->metric();
  Scatter scatter;
  const MatrixXd held = sharing;
  bool walked = false;
  for (int trial = 0; trial < trials; ++trial) {
    VectorXd direction = scatter.column(s.velocities), q = start;
    for (int step = 0; step < steps; ++step) {
      if (!share_rows(q, r)) break;
      matrices(q);
      const MatrixXd N = null_space(position_slopes(q, always), nullptr);
      if (N.cols() != s.velocities - r) break;
      direction = N * (N.transpose() * direction);
      if (!(direction.norm() > 0)) break;
      VectorXd next = moved(q, stride / size_of(direction, q) * direction);
      if (!close_shared(metric, always, r, next)) break;
      q = next;
      if (misfit(q) > open_on_the_way * closure_tolerance || strong_rank(q, s.position_rows, weak_level()) > r) {
        sharing = held;
        return false;
      }
      walked = walked || step + 1 >= fewest_steps;
    }
  }
  sharing = held;
  return walked;
}

void RoundedLoops::recall(const VectorXd& guess, const VectorXd& q) {
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

}  // namespace mechfmu
