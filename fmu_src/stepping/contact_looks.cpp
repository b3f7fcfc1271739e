// Looks at forces and slips that pass zero and come back within a step.
#include <cmath>

#include "contact_changes.hpp"
#include "linear/dense.hpp"
#include "linear/tolerances.hpp"
#include "mechanism/model.hpp"
#include "mechanism/position_rates.hpp"

namespace mechfmu {

using contacts::Group;
using contacts::Law;

namespace {

constexpr int parts_of_unrest = 8;  ///< a step is looked at in as many parts, at least, if forces swing within it
constexpr int few_parts = 6;        ///< as many parts may be left where something nearly vanishes

}  // namespace

ContactChanges::StepEnd::StepEnd(Arena& arena, const Sizes& s)
    : q(arena, s.positions), v(arena, s.velocities), q_rate(arena, s.positions), v_rate(arena, s.velocities),
      inputs(arena, s.inputs) {}

/// Notes the motion at an end of a step, after indicate().
void ContactChanges::note_end(const Point& p, const State& state, StepEnd& to) {
  const Sizes& s = mechanism_.sizes;
  to.time = p.time;
  dense::copy(s.positions, p.q, to.q.data());
  dense::copy(s.velocities, p.v, to.v.data());
  if (s.inputs > 0) dense::copy(s.inputs, p.inputs, to.inputs.data());
  rates(RunTimeModel(mechanism_), p.q, p.v, to.q_rate.data());
  dense::copy(s.velocities, rows_.free_acceleration(), to.v_rate.data());
  for_acting_rows(state, [&](int row, double force) {
    dense::add(s.velocities, force, rows_.response(row), to.v_rate.data());
  });
}

/// Finds the indicators at a part of the step, where cubic polynomials have its motion.
bool ContactChanges::indicate_within(const Point& p, const State& state, double part, Message& message) {
  const Sizes& s = mechanism_.sizes;
  const double h = end_.time - begin_.time, rest = 1 - part;
  const auto between = [&](int count, const double* a, const double* b, const double* a_rate, const double* b_rate,
                           double* to) {
    for (int i = 0; i < count; ++i) {
      to[i] =
          a[i] + part * part * (1 + 2 * rest) * (b[i] - a[i]) + h * part * rest * (rest * a_rate[i] - part * b_rate[i]);
    }
  };
  between(s.positions, begin_.q.data(), end_.q.data(), begin_.q_rate.data(), end_.q_rate.data(), within_.q.data());
  between(s.velocities, begin_.v.data(), end_.v.data(), begin_.v_rate.data(), end_.v_rate.data(), within_.v.data());
  for (int i = 0; i < s.inputs; ++i) within_.inputs[i] = rest * begin_.inputs[i] + part * end_.inputs[i];
  Point within = p;
  within.time = begin_.time + part * h;
  within.q = within_.q.data();
  within.v = within_.v.data();
  if (s.inputs > 0) within.inputs = within_.inputs.data();
  return indicate(within, state, message);
}

void ContactChanges::begin_stages() { stage_count_ = 0; }

/// Sees forces at a stage of a step. Bounds of friction are those at its beginning but for the normal force.
void ContactChanges::see_stage(double time, const double* forces) {
  if (!begin_acts_ || stage_count_ == most_stages) return;
  double* seen = stages_.column(stage_count_);
  stage_times_[stage_count_++] = time;
  for (int g = 0; g < rows_.groups(); ++g) {
    const Group& kind = rows_.kind(g);
    const int row = rows_.first(g), tangent = rows_.tangent(g);
    seen[indicator(g, 0)] = seen[indicator(g, 1)] = std::nan("");
    if (kind.has_normal() && held_at_begin_[row] != 0) seen[indicator(g, 0)] = forces[row];
    if (kind.law == Law::bilateral || kind.tangential == 0 || held_at_begin_[tangent] == 0) continue;
    const double f[] = {forces[tangent], kind.tangential > 1 ? forces[tangent + 1] : 0};
    seen[indicator(g, 1)] = rows_.law(g).rest * bound_of_friction(g, forces) - std::sqrt(f[0] * f[0] + f[1] * f[1]);
  }
}

/// Is true if a force swings, or may swing, to its bound between the ends of the step: at a stage it was farther from a
/// straight course between them than the lowest value is from the bound.
bool ContactChanges::stages_differ() const {
  const double h = end_.time - begin_.time;
  for (int i = 0; i < 2 * rows_.groups(); ++i) {
    double lowest = std::fmin(indicators_.begun(i), indicators_.value(i)), swing = 0;
    for (int k = 0; k < stage_count_; ++k) {
      const double seen = stages_(i, k), part = (stage_times_[k] - begin_.time) / h;
      if (seen != seen) continue;
      lowest = std::fmin(lowest, seen);
      dense::raise(swing, std::fabs(seen - (1 - part) * indicators_.begun(i) - part * indicators_.value(i)));
    }
    if (swing > indicators_.size(i) && lowest < swing) return true;
  }
  return false;
}

/// Finds the first place within the step where an indicator without a slope is negative. It halves the step, and halves
/// again what three values do not tell to be positive throughout. If more than a few of the finest parts are left, the
/// step is too long to see anything: then `where` is the end of a shorter one, which is to be looked at, too. Otherwise
/// `where` stays as it is.
bool ContactChanges::look_within(const Point& p, const State& state, double& where, Message& message) {
  const int count = 2 * rows_.groups();
  for (int i = 0; i < count; ++i) watched_[i] = !indicators_.has_slope(i);
  for (int g = 0; g < rows_.groups(); ++g) {
    // A slip that other contacts hold at zero is zero between the ends, too: cubic polynomials have it up to their
    // errors.
    const int i = indicator(g, 1);
    const bool stays =
        indicators_.shift(i) > 0 && std::fabs(indicators_.value(i) - indicators_.begun(i)) <= indicators_.size(i);
    if (slides(state, g) && stays) watched_[i] = false;
  }
  for (int i = 0; i < count; ++i) {
    seen_(i, 0) = watched_[i] ? indicators_.begun(i) : 1;
    seen_(i, finest_look) = watched_[i] ? indicators_.value(i) : 1;
  }
  note_end(p, state, end_);
  const double h = end_.time - begin_.time;
  int last = finest_look, left = 1;  // Behind `last` nothing counts.
  for (int k = 0; k < finest_look; ++k) doubtful_[k] = 1;
  const int widest = stages_differ() ? finest_look / parts_of_unrest : finest_look;  // Wider parts say nothing.
  for (int width = finest_look; left > 0 && width > 1; width /= 2) {
    left = 0;
    for (int begin = 0; begin + width <= last; begin += width) {
      if (!doubtful_[begin]) continue;
      const int middle = begin + width / 2, end = begin + width;
      if (!indicate_within(p, state, static_cast<double>(middle) / finest_look, message)) return false;
      bool doubt = false, negative = false;
      for (int i = 0; i < count; ++i) {
        const double now = watched_[i] ? indicators_.value(i) + indicators_.shift(i) : 1;
        seen_(i, middle) = now;
        negative = negative || now < -indicators_.size(i);
        const double one = seen_(i, begin), two = seen_(i, end);
        const double rise = std::fabs(two - one), bend = std::fabs(one - 2 * now + two);
        const bool even = (one <= now) == (now <= two) && bend <= rise / 2;
        doubt = doubt || (!even && std::fmin(std::fmin(one, now), two) < bend);
      }
      doubt = doubt || width > widest;
      for (int k = begin; k < end; ++k) doubtful_[k] = doubt;
      left += 2 * doubt;
      if (negative) last = middle;
    }
  }
  looks_within_ = left > few_parts ? looks_within_ - 1 : 0;
  if (left > few_parts) {
    where = 2 * h / finest_look;
    return true;
  }
  if (last < finest_look) where = h * last / finest_look;
  for (int begin = 0; begin + 2 <= last; begin += 2) {
    bool dips = false;
    double place = 0;
    if (doubtful_[begin] && !look_at_dips(p, state, begin, dips, place, message)) return false;
    if (!dips) continue;
    where = h * place;
    break;
  }
  return true;
}

/// Looks where parabolas through three neighbouring values are least, if they nearly vanish there.
bool ContactChanges::look_at_dips(const Point& p, const State& state, int begin, bool& dips, double& place,
                                  Message& message) {
  for (int i = 0; i < 2 * rows_.groups() && !dips; ++i) {
    const double one = seen_(i, begin), middle = seen_(i, begin + 1), two = seen_(i, begin + 2);
    const double bend = one - 2 * middle + two, turn = (one - two) / (2 * bend);
    if (!watched_[i] || !(bend > 0) || !(std::fabs(turn) < 1)) continue;
    if (middle - turn * turn * bend / 2 > bend / 8) continue;  // Cubic terms are less than that.
    place = (begin + 1 + turn) / finest_look;
    if (!indicate_within(p, state, place, message)) return false;
    dips = indicators_.value(i) + indicators_.shift(i) < -indicators_.size(i);
  }
  return true;
}

}  // namespace mechfmu
