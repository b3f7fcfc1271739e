// Compares rows that depend on others with what these others make of them.
#include "agreement.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/products.hpp"
#include "linear/tolerances.hpp"
#include "mechanism/model.hpp"
#include "mechanism/position_rates.hpp"
#include "mechanism/telling.hpp"
#include "priorities.hpp"

namespace mechfmu {

Agreement::Agreement(Arena& arena, const Mechanism& m)
    : mechanism_(m), depend_(m.sizes.rank < m.sizes.rows() || m.sizes.position_rank < m.sizes.position_rows),
      sizes_(arena, m, m.C), acceleration_sizes_(arena, m, m.C_a),
      split_(arena, m.sizes.all_rows(), m.sizes.velocities, m.C_a.nonzeros), f_(arena, m.sizes.position_rows),
      rate_(arena, m.sizes.rows()), column_rate_(arena, m.sizes.velocities), scale_(arena, m.sizes.all_rows()),
      row_(arena, m.sizes.velocities), dropped_(arena, m.sizes.all_rows()), multipliers_(arena, m.sizes.all_rows()) {}

double Agreement::gap(const Point& p, const double* C) {
  sizes_.find(C, p.q);
  mechanism_.violation(p, f_.data());
  gap_ = 0;
  for (int i = 0; i < mechanism_.sizes.position_rows; ++i) {
    scale_[i] = sizes_[i];
    if (f_[i] != 0) dense::raise(gap_, std::fabs(f_[i]) / scale_[i]);
  }
  return gap_;
}

bool Agreement::notice_rounding(const Point& p, const double* C, State& state) {
  if (!depend_ || *state.rounded != 0 || !(state.get_settings().closure_tolerance > 0)) return false;
  const bool noticed = gap(p, C) > rounding_of_closing;
  if (noticed) *state.rounded = 1;
  return noticed;
}

bool Agreement::hold(const Point& p, const double* C, const double* c_t, Drift drift, double since, State& state,
                     Message& message) {
  const Sizes& s = mechanism_.sizes;
  if (!compares(drift)) return true;
  c_t_ = mechanism_.character.rheonomic ? c_t : nullptr;
  if (!hold_positions(p, C, drift, since, state, message)) return false;
  if (!depend_) return true;
  times(mechanism_.C, C, p.v, rate_.data());
  if (c_t_ != nullptr) dense::add(s.rows(), 1, c_t_, rate_.data());
  scale_rates(mechanism_.C, s.rows(), C, sizes_, p.v);
  for (int i = 0; i < s.rows() && c_t_ != nullptr; ++i) scale_[i] += std::fabs(c_t_[i]);
  const double closure_tolerance = state.get_settings().closure_tolerance;
  const double tolerance = std::fmax(rounding_of_rates, way_tolerance * closure_tolerance) + 10 * gap_;
  return agree({Level::velocity, s.rows(), mechanism_.C, C, rate_.data(), tolerance}, p, since, message);
}

bool Agreement::hold_positions(const Point& p, const double* C, Drift drift, double since, State& state,
                               Message& message) {
  const Sizes& s = mechanism_.sizes;
  const double closure_tolerance = state.get_settings().closure_tolerance;
  gap(p, C);
  if (depend_ && drift == Drift::projection && closure_tolerance > 0 && gap_ > rounding_of_closing) *state.rounded = 1;
  const double tolerance = std::fmax(rounding_of_positions, way_tolerance * closure_tolerance);
  const double second_order = drift == Drift::projection ? 0 : 10 * gap_ * gap_;  // allows for the drift of all rows
  const Rows rows{Level::position, s.position_rows, mechanism_.C, C, f_.data(), tolerance + second_order};
  return (gap_ <= tolerance || agree(rows, p, since, message)) &&
         (drift != Drift::none || hold_drift(p, state, message)) &&
         (drift != Drift::projection || *state.rounded == 0 || hold_branch(p, C, message));
}

/// Is true if the position is far enough from a singular one, at which branches meet. Data with an error of e separate
/// the branches by angles of √(2 e), and the sign of the error decides which branch is joined to which. The smallest
/// pivot of the rows is about the angle that is left to the singular position.
bool Agreement::hold_branch(const Point& p, const double* C, Message& message) {
  const Sizes& s = mechanism_.sizes;
  split_.clear();
  for (int e = 0; e < mechanism_.C.nonzeros; ++e) {
    const int i = mechanism_.C.row[e], j = mechanism_.C.column[e];
    if (i >= s.position_rows || C[e] == 0) continue;
    split_.set(i, j, C[e] * scale_of(RunTimeModel(mechanism_), p.q, j) / sizes_[i]);
  }
  const int strong = split_.split({}, s.position_rank, nullptr, branches_apart * std::sqrt(gap_));
  if (strong < 0 || strong == s.position_rank) return true;
  return message.fail(
      "The position is singular at t = %.9g s as far as the data tell: they leave %.2g of the mechanism's size open, and "
      "where constraints depend on each other, which way it goes on depends on their errors. Write the axes and lengths "
      "of its closed loops with more digits.",
      p.time, gap_);
}

bool Agreement::hold_drift(const Point& p, State& state, Message& message) {
  if (gap_ <= drift_to_warn_of) return true;
  int worst = 0;
  for (int i = 1; i < mechanism_.sizes.position_rows; ++i) {
    if (std::fabs(f_[i]) * scale_[worst] > std::fabs(f_[worst]) * scale_[i]) worst = i;
  }
  Message drifted;
  drifted.fail("The ");
  tell_row(mechanism_, worst, drifted);
  drifted.add(" has drifted open by ");
  tell_residual(mechanism_, worst, 0, f_[worst], drifted);
  drifted.add(" at t = %.9g s, which is %.2g of the mechanism's size: ", p.time, gap_);
  const bool occasional = static_cast<Drift>(state.get_settings().drift_correction) == Drift::projection;
  if (occasional) drifted.add("it was not corrected for %.9g steps.", *state.uncorrected);
  else drifted.add("drift_correction \"none\" does not keep constraints.");
  if (gap_ > most_drift) {
    message.fail(occasional ? "%s Choose a smaller drift_interval, or a drift_bound."
                            : "%s Choose \"projection\", or a smaller tolerance.",
                 drifted.text);
    return false;
  }
  if (state.warns_now(Warning::drift)) message.warn("%s", drifted.text);
  return true;
}

/// Sets scale_ to the most that the terms of a row may add up to. A column counts in all rows as it does in the row
/// that it moves most, relative to the rows' sizes.
void Agreement::scale_rates(const Pattern& pattern, int count, const double* values, const RowSizes& sizes,
                            const double* rates) {
  dense::fill(pattern.columns, 0, column_rate_.data());
  for (int e = 0; e < pattern.nonzeros; ++e) {
    if (values[e] == 0) continue;
    const double part = std::fabs(values[e]) / sizes[pattern.row[e]];
    column_rate_[pattern.column[e]] = std::fmax(column_rate_[pattern.column[e]], part);
  }
  for (int i = 0; i < count; ++i) scale_[i] = slow_rate * sizes[i];
  for (int e = 0; e < pattern.nonzeros; ++e) {
    const int i = pattern.row[e], j = pattern.column[e];
    if (values[e] != 0) scale_[i] += sizes[i] * column_rate_[j] * std::fabs(rates[j]);
  }
}

bool Agreement::hold_accelerations(const Point& p, const double* C_a, const double* open, const double* acceleration,
                                   double closure_tolerance, Message& message) {
  if (!depend_ && mechanism_.sizes.acceleration_rows == 0) return true;
  const int count = mechanism_.sizes.lasting_rows();  // contacts share as they can
  c_t_ = nullptr;
  acceleration_sizes_.find(C_a, p.q);
  scale_rates(mechanism_.C_a, count, C_a, acceleration_sizes_, p.v);
  for (int i = 0; i < count; ++i) {  // γ has squares of velocities
    const double size = acceleration_sizes_[i];
    multipliers_[i] = size > 0 ? scale_[i] * scale_[i] / size : 0;
  }
  scale_rates(mechanism_.C_a, count, C_a, acceleration_sizes_, acceleration);
  times(mechanism_.C_a, C_a, acceleration, dropped_.data());
  for (int i = 0; i < count; ++i) scale_[i] += multipliers_[i] + std::fabs(open[i] - dropped_[i]);  // adds |γ|
  const double tolerance = std::fmax(rounding_of_rates, way_tolerance * closure_tolerance);
  return agree({Level::acceleration, count, mechanism_.C_a, C_a, open, tolerance}, p, p.time, message);
}

/// Is true if no row is open, or if what is open of the rows that depend on others follows from what is open of these
/// others.
bool Agreement::agree(const Rows& rows, const Point& p, double since, Message& message) {
  const auto too_much = [&](int i, double open) { return !(std::fabs(open) <= rows.tolerance * scale_[i]); };
  bool open = false;
  for (int i = 0; i < rows.count; ++i) open = open || too_much(i, rows.open[i]);
  if (!open) return true;
  const Pattern& pattern = rows.pattern;
  split_.clear();
  for (int e = 0; e < pattern.nonzeros; ++e) {
    if (pattern.row[e] < rows.count && rows.values[e] != 0)
      split_.set(pattern.row[e], pattern.column[e], rows.values[e]);
  }
  const Sizes& s = mechanism_.sizes;
  const int rank = rows.level == Level::position   ? s.position_rank
                   : rows.level == Level::velocity ? s.rank
                   : s.has_further_rows()          ? s.velocities
                                                   : s.rank;
  if (split_.split(priorities(mechanism_), rank, nullptr) < 0) return true;
  int worst = -1;
  double worst_open = 0;
  for (int d = split_.rank(); d < s.all_rows(); ++d) {
    const int i = split_.row(d);
    if (i >= rows.count) continue;
    imply(rows, i);
    double left = rows.open[i];
    for (int kept = 0; kept < rows.count; ++kept) left -= multipliers_[kept] * rows.open[kept];
    if (too_much(i, left) && (worst < 0 || std::fabs(left) * scale_[worst] > std::fabs(worst_open) * scale_[i])) {
      worst = i;
      worst_open = left;
    }
  }
  return worst < 0 || fail_contradiction(rows, worst, worst_open, p, since, message);
}

/// Sets multipliers_ to the numbers by which the kept rows add up to row i.
void Agreement::imply(const Rows& rows, int i) {
  dense::fill(mechanism_.sizes.velocities, 0, row_.data());
  for (int e = 0; e < rows.pattern.nonzeros; ++e) {
    if (rows.pattern.row[e] == i) row_[rows.pattern.column[e]] = rows.values[e];
  }
  split_.multipliers(row_.data(), multipliers_.data());
}

bool Agreement::depends_on_accelerations(const Rows& rows, int i) {
  for (int e = 0; e < rows.pattern.nonzeros; ++e) {
    if (rows.pattern.row[e] == i && rows.values[e] != 0) return true;
  }
  return false;
}

bool Agreement::fail_contradiction(const Rows& rows, int worst, double open, const Point& p, double since,
                                   Message& message) {
  imply(rows, worst);
  multipliers_[worst] = 1;
  const RowSizes& sizes = rows.level == Level::acceleration ? acceleration_sizes_ : sizes_;
  // Near a singular position all shares may be small beside the row's size; the largest of them still takes part.
  const auto share = [&](int i) { return std::fabs(multipliers_[i]) * sizes[i]; };
  double largest_share = 0;
  for (int i = 0; i < rows.count; ++i) {
    if (i != worst) dense::raise(largest_share, share(i));
  }
  const double least_share = part_in_contradiction * std::fmin(largest_share, sizes[worst]);
  const auto takes_part = [&](int i) { return share(i) > least_share; };
  const auto driven = [&](int i) { return c_t_ != nullptr && i < mechanism_.sizes.rows() && c_t_[i] != 0; };
  if (rows.level == Level::acceleration && !depends_on_accelerations(rows, worst)) {
    message.fail("The ");
    tell_row(mechanism_, worst, message);
    message.add(" does not change with any acceleration at t = %.9g s, and is open by ", p.time);
    tell_residual(mechanism_, worst, 2, std::fabs(open), message);
    message.add(": nothing says which acceleration it asks for.");
    return false;
  }
  RowList named;
  named.add(worst);
  for (const bool are_driven : {true, false}) {
    for (int i = 0; i < rows.count; ++i) {
      if (i != worst && takes_part(i) && driven(i) == are_driven) named.add(i);
    }
  }
  message.fail("The ");
  named.tell(mechanism_, message);
  message.add(named.count() > 1 ? " contradict each other" : " cannot hold");
  if (since < p.time) message.add(" from t = %.9g s on", since);
  const char* what = rows.level == Level::position   ? ""
                     : rows.level == Level::velocity ? " the rate of"
                                                     : " the acceleration of";
  message.add(": at t = %.9g s the others leave%s the ", p.time, what);
  tell_row(mechanism_, worst, message);
  message.add(" open by ");
  tell_residual(mechanism_, worst, static_cast<int>(rows.level), std::fabs(open), message);
  const double relative = std::fabs(open) / scale_[worst];
  if (rows.level == Level::position) message.add(", %.2g of the mechanism's size", relative);
  message.add(named.count() > 1 ? ". Remove one of them, or let their motions and data agree"
                                : ". Remove it, or let it depend on the coordinates there");
  if (rows.level == Level::position && relative < largest_data_rounding) {
    message.add("; if their data are only rounded, a solver.closure_tolerance of %.1g would do",
                relative / way_tolerance);
  }
  message.add(".");
  return false;
}

}  // namespace mechfmu
