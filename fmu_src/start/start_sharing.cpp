// Assembles loops whose data are rounded: rows that would depend on others disagree with them a little. The loops are
// assembled as nearly as they fit, all rows together by least squares (shared_rows.hpp), within the closure tolerance.
// Rows are divided by the sizes of their units (row_sizes.hpp), and T is what the kept rows k make of the dropped ones
// d, J_d ≈ T J_k. Then the kept rows become
//
//   f_k + Tᵀ f_d        J_k + Tᵀ J_d
//
// with T of the place where it was found, and the others zero; docs/method.md, redundancy.
#include "decompositions.hpp"
#include "linear/sparse_split.hpp"
#include "mechanism/row_sizes.hpp"
#include "mechanism/telling.hpp"
#include "start_work.hpp"

namespace mechfmu {

namespace {

/// Returns the next larger number of so many digits.
double rounded_up(double value, int digits) {
  if (!(value > 0)) return 0;
  const double last = std::pow(10, std::floor(std::log10(value)) - digits + 1);
  return std::ceil(value / last * (1 - rounding_of_digits)) * last;
}

}  // namespace

double ConsistentStart::Work::weak_level() const {
  return std::max(rank_tolerance, pivot_per_tolerance * closure_tolerance);
}

Entries ConsistentStart::Work::by_units(const VectorXd& q, int rows, VectorXd& sizes) {
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

int ConsistentStart::Work::strong_rank(const VectorXd& q, int rows, double level) {
  VectorXd sizes;
  const Entries J = by_units(q, rows, sizes);
  return sparse_start::rank(J, nullptr, level, level);
}

double ConsistentStart::Work::misfit(const VectorXd& q, VectorXd* by_row) {
  VectorXd sizes;
  by_units(q, s.position_rows, sizes);
  VectorXd f(s.position_rows);
  point.q = q.data();
  mechanism.violation(point, f.data());
  f = f.cwiseQuotient(sizes);
  if (by_row != nullptr) *by_row = f;
  return f.size() == 0 ? 0 : f.cwiseAbs().maxCoeff();
}

bool ConsistentStart::Work::share_rows(const VectorXd& q, int most) {
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

bool ConsistentStart::Work::close_shared(const Entries& metric, Rows rows, int most, VectorXd& q) {
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

bool ConsistentStart::Work::has_weak_rows(const VectorXd& q) {
  return closure_tolerance > 0 && s.position_rank < s.position_rows &&
         strong_rank(q, s.position_rows, rank_tolerance) > s.position_rank;
}

bool ConsistentStart::Work::has_gap(const VectorXd& q) {
  const int r = strong_rank(q, s.position_rows, weak_level());
  // There is nothing between the pivots of dependent rows and this level.
  double weakest = weak_level();
  while (weakest > rank_tolerance && strong_rank(q, s.position_rows, weakest / 2) == r) weakest /= 2;
  return weakest <= rank_tolerance || strong_rank(q, s.position_rows, pivot_gap / 2 * weakest) == r;
}

bool ConsistentStart::Work::fits(const VectorXd& q) {
  return misfit(q) <= closure_tolerance && has_gap(q) && stays_dependent(q);
}

bool ConsistentStart::Work::stays_dependent(const VectorXd& q) {
  const int r = strong_rank(q, s.position_rows, weak_level());
  return r == s.position_rank || follows_weak_rows(q, r);
}

bool ConsistentStart::Work::fit(const Entries& metric, const VectorXd& from, VectorXd& q) {
  VectorXd shared = from;
  if (close_shared(metric, at_start, s.position_rank, shared) && fits(shared)) {
    q = shared;
    return true;
  }
  sharing.resize(0, 0);
  return false;
}

bool ConsistentStart::Work::find_looser(const Entries& metric, const VectorXd& first, Looser& found) {
  const double asked = closure_tolerance;
  bool any = false;
  for (double weak = std::max(finest_data, asked); !any && weak <= coarsest_data; weak *= 10) {
    closure_tolerance = weak;
    VectorXd place = first;
    if (!close_shared(metric, at_start, s.position_rank, place)) continue;
    sharing.resize(0, 0);
    const double open = misfit(place);
    if (open > left_open * weak || !stays_dependent(place)) continue;
    any = true;
    found = {place, open, 0};
    for (const double tolerance : {rounded_up(open, 1), rounded_up(open, 2), weak}) {
      closure_tolerance = tolerance;
      if (!(tolerance > asked) || !fit(metric, first, place)) continue;
      found.tolerance = tolerance;
      break;
    }
    closure_tolerance = weak;
    dense::raise(found.accuracy, weakest(found.place));
    dense::raise(found.accuracy, found.tolerance);
  }
  sharing.resize(0, 0);
  closure_tolerance = asked;
  return any;
}

/// Returns the largest singular value of those that are dependent, divided by the largest of all.
double ConsistentStart::Work::weakest(const VectorXd& q) {
  if (is_sparse()) return 0;
  const int r = strong_rank(q, s.position_rows, weak_level());
  const VectorXd sigma = strengths(q);
  return r < sigma.size() ? sigma[r] : 0;
}

VectorXd ConsistentStart::Work::strengths(const VectorXd& q) {
  VectorXd sizes;
  const VectorXd sigma = SingularValues(by_units(q, s.position_rows, sizes).dense(), SingularValues::none).values;
  return sigma.size() > 0 && sigma[0] > 0 ? VectorXd(sigma / sigma[0]) : sigma;
}

void ConsistentStart::Work::tell_strengths(const VectorXd& q, Message& message) {
  constexpr int most = 12;
  if (is_sparse()) return;
  const VectorXd sigma = strengths(q);
  message.add(" (singular values");
  for (int i = 0; i < sigma.size() && i < most; ++i) message.add("%s %.2g", i > 0 ? "," : "", sigma[i]);
  message.add(")");
}

void ConsistentStart::Work::tell_lock(const VectorXd& q, const Looser& looser, Message& message) {
  message.add(" The %d constraints of its positions leave it no motion", s.position_rows);
  tell_strengths(q, message);
  message.add(": it is locked. It would move if its data were taken as accurate to %.2g %% only",
              100 * rounded_up(looser.accuracy, 1));
  if (looser.tolerance > 0) message.add(": closure_tolerance = %.2g (it is %.2g)", looser.tolerance, closure_tolerance);
  message.add(".");
}

bool ConsistentStart::Work::tell_tolerance(const Entries& metric, const VectorXd& first, Message& message) {
  VectorXd shared = first, open;
  if (closure_tolerance > 0 && close_shared(metric, at_start, s.position_rank, shared)) {
    sharing.resize(0, 0);
    if (misfit(shared) <= closure_tolerance && !has_gap(shared)) {
      message.fail(
          "The mechanism cannot be assembled: its closed loops have more constraints than they need, and which of "
          "them are independent is not clear within closure_tolerance = %.2g",
          closure_tolerance);
      tell_strengths(shared, message);
      message.add(
          ": the smallest that counts shall be %g times the next. Write the axes and lengths of these joints with "
          "more digits, and set a smaller tolerance.",
          pivot_gap);
      return true;
    }
  }
  Looser looser;
  if (!find_looser(metric, first, looser)) return false;
  const double most = misfit(looser.place, &open);
  message.fail(
      "The mechanism cannot be assembled: its closed loops have more constraints than they need, and these "
      "disagree: the ");
  RowList named;
  for (int i = 0; i < open.size(); ++i) {
    if (std::fabs(open[i]) >= most / 2) named.add(i);
  }
  named.tell(mechanism, message);
  message.add(" %s open by %.2g of the loop's size where all are as near as they go.",
              named.count() == 1 ? "stays" : "stay", most);
  if (looser.tolerance == 0 || looser.tolerance > coarse_data) {
    tell_lock(looser.place, looser, message);
    return true;
  }
  message.add(
      " Correct the axes and lengths of these joints, write them with more digits, or set closure_tolerance = %.2g "
      "(it is %.2g).",
      looser.tolerance, closure_tolerance);
  return true;
}

bool ConsistentStart::Work::follows_weak_rows(const VectorXd& start, int r) {
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

}  // namespace mechfmu
