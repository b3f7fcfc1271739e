// Says of loops whose data are rounded what tolerance they need, or that they are locked.
#include "rounded_loop_messages.hpp"

#include "mechanism/telling.hpp"
#include "start/algebra/decompositions.hpp"

namespace mechfmu {

namespace {

/// Returns the next larger number of so many digits.
double rounded_up(double value, int digits) {
  if (!(value > 0)) return 0;
  const double last = std::pow(10, std::floor(std::log10(value)) - digits + 1);
  return std::ceil(value / last * (1 - rounding_of_digits)) * last;
}

}  // namespace

bool RoundedLoopMessages::find_looser(const Entries& metric, const VectorXd& first, Looser& found) {
  const double asked = w_.closure_tolerance;
  bool any = false;
  for (double weak = std::max(finest_data, asked); !any && weak <= coarsest_data; weak *= 10) {
    w_.closure_tolerance = weak;
    VectorXd place = first;
    if (!w_.close_shared(metric, StartEquations::at_start, w_.s.position_rank, place)) continue;
    w_.sharing.resize(0, 0);
    const double open = w_.misfit(place);
    if (open > left_open * weak || !w_.stays_dependent(place)) continue;
    any = true;
    found = {place, open, 0};
    for (const double tolerance : {rounded_up(open, 1), rounded_up(open, 2), weak}) {
      w_.closure_tolerance = tolerance;
      if (!(tolerance > asked) || !w_.fit(metric, first, place)) continue;
      found.tolerance = tolerance;
      break;
    }
    w_.closure_tolerance = weak;
    dense::raise(found.accuracy, weakest(found.place));
    dense::raise(found.accuracy, found.tolerance);
  }
  w_.sharing.resize(0, 0);
  w_.closure_tolerance = asked;
  return any;
}

/// Returns the largest singular value of those that are dependent, divided by the largest of all.
double RoundedLoopMessages::weakest(const VectorXd& q) {
  if (w_.is_sparse()) return 0;
  const int r = w_.strong_rank(q, w_.s.position_rows, w_.weak_level());
  const VectorXd sigma = strengths(q);
  return r < sigma.size() ? sigma[r] : 0;
}

VectorXd RoundedLoopMessages::strengths(const VectorXd& q) {
  VectorXd sizes;
  const VectorXd sigma = SingularValues(w_.by_units(q, w_.s.position_rows, sizes).dense(), SingularValues::none).values;
  return sigma.size() > 0 && sigma[0] > 0 ? VectorXd(sigma / sigma[0]) : sigma;
}

void RoundedLoopMessages::tell_strengths(const VectorXd& q, Message& message) {
  constexpr int most = 12;
  if (w_.is_sparse()) return;
  const VectorXd sigma = strengths(q);
  message.add(" (singular values");
  for (int i = 0; i < sigma.size() && i < most; ++i) message.add("%s %.2g", i > 0 ? "," : "", sigma[i]);
  message.add(")");
}

void RoundedLoopMessages::tell_lock(const VectorXd& q, const Looser& looser, Message& message) {
  message.add(" The %d constraints of its positions leave it no motion", w_.s.position_rows);
  tell_strengths(q, message);
  message.add(": it is locked. It would move if its data were taken as accurate to %.2g %% only",
              100 * rounded_up(looser.accuracy, 1));
  if (looser.tolerance > 0)
    message.add(": closure_tolerance = %.2g (it is %.2g)", looser.tolerance, w_.closure_tolerance);
  message.add(".");
}

bool RoundedLoopMessages::tell_tolerance(const Entries& metric, const VectorXd& first, Message& message) {
  VectorXd shared = first, open;
  if (w_.closure_tolerance > 0 && w_.close_shared(metric, StartEquations::at_start, w_.s.position_rank, shared)) {
    w_.sharing.resize(0, 0);
    if (w_.misfit(shared) <= w_.closure_tolerance && !w_.has_gap(shared)) {
      message.fail(
          "The mechanism cannot be assembled: its closed loops have more constraints than they need, and which of "
          "them are independent is not clear within closure_tolerance = %.2g",
          w_.closure_tolerance);
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
  const double most = w_.misfit(looser.place, &open);
  message.fail(
      "The mechanism cannot be assembled: its closed loops have more constraints than they need, and these "
      "disagree: the ");
  RowList named;
  for (int i = 0; i < open.size(); ++i) {
    if (std::fabs(open[i]) >= most / 2) named.add(i);
  }
  named.tell(w_.mechanism, message);
  message.add(" %s open by %.2g of the loop's size where all are as near as they go.",
              named.count() == 1 ? "stays" : "stay", most);
  if (looser.tolerance == 0 || looser.tolerance > coarse_data) {
    tell_lock(looser.place, looser, message);
    return true;
  }
  message.add(
      " Correct the axes and lengths of these joints, write them with more digits, or set closure_tolerance = %.2g "
      "(it is %.2g).",
      looser.tolerance, w_.closure_tolerance);
  return true;
}

}  // namespace mechfmu
