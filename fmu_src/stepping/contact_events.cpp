// Finds when rows come and go: within steps of the simulation, and for an integrator outside.
#include <cmath>

#include "contact_changes.hpp"
#include "linear/dense.hpp"
#include "linear/finite.hpp"
#include "linear/tolerances.hpp"
#include "mechanism/model.hpp"
#include "mechanism/position_rates.hpp"

namespace mechfmu {

using contacts::Group;
using contacts::Law;

namespace {

constexpr int most_looks_within = 4;  ///< each one may make the step a sixteenth as long

}  // namespace

/// Finds the forces of rows that hold: all of them accelerate as their rows say.
void ContactChanges::find_forces(const State& state) {
  const int all = rows_.rows();
  dense::fill(all, 0, forces_.data());
  rows_.find_directions(state.slide, directions_.data());
  list_held_rows(state);
  const int count = held_count_;
  for (int i = 0; i < count; ++i) forces_[held_rows_[i]] = -rows_.acceleration(held_rows_[i]);
  const WritableColumns<> system = held_mobilities();
  for (int g = 0; g < rows_.groups(); ++g) {
    if (!slides(state, g)) continue;
    const Group& kind = rows_.kind(g);
    const ContactLaw& law = rows_.law(g);
    int normal = 0;
    while (normal < count && held_rows_[normal] != rows_.first(g)) ++normal;
    for (int k = 0; k < kind.tangential; ++k) {
      const int tangent = rows_.tangent(g) + k;
      const double part = -directions_[tangent] * (kind.has_normal() ? law.friction : law.capacity);
      for (int i = 0; i < count; ++i) {
        const double move = part * rows_.mobility(held_rows_[i], tangent);
        if (kind.has_normal()) system(i, normal) += move;
        else forces_[held_rows_[i]] -= move;
      }
    }
  }
  if (rows_.depend_on_loads()) {
    for (int i = 0; i < count; ++i) {
      const int row = held_rows_[i];
      force_sizes_[row] = std::fmax(std::fabs(forces_[row] / rows_.mobility(row, row)), std::fabs(rows_.forces()[row]));
      forces_[row] = rows_.forces()[row];
    }
    return;
  }
  Buffer<dynamic>& x = numbers_;
  for (int i = 0; i < count; ++i) x[i] = forces_[held_rows_[i]];
  for (int i = 0; i < count; ++i)
    force_sizes_[held_rows_[i]] = std::fabs(x[i] / rows_.mobility(held_rows_[i], held_rows_[i]));
  system_.factor(sizes_.data());
  system_.solve(x.data());
  for (int i = 0; i < count; ++i) {
    forces_[held_rows_[i]] = x[i];
    dense::raise(force_sizes_[held_rows_[i]], std::fabs(x[i]));
  }
}

/// Finds the indicators at this point, and slopes of those that have some. All are positive while nothing changes.
bool ContactChanges::indicate(const Point& p, const State& state, Message& message) {
  if (any_acts(state)) {
    if (!rows_.evaluate(p, message)) return false;
    find_forces(state);
  } else {
    rows_.watch(p);
    rows_.judge(p);
  }
  indicate_groups(state);
  return gaps_have_values(p.time, message);
}

/// A gap without a value would count as open: no comparison tells it.
bool ContactChanges::gaps_have_values(double time, Message& message) const {
  for (int g = 0; g < rows_.groups(); ++g) {
    if (!rows_.has_gap(g) || is_finite(rows_.gap(g))) continue;
    return message.fail(
        "At t = %.9g s the gap of %s has no value: its formula may divide by zero there, or take the root of a negative "
        "number.",
        time, mechanism_.contact_names[g]);
  }
  return true;
}

/// Finds the indicators from gaps, speeds, laws and forces.
void ContactChanges::indicate_groups(const State& state) {
  const double unknown = std::nan("");
  for (int g = 0; g < rows_.groups(); ++g) {
    const Group& kind = rows_.kind(g);
    const ContactLaw& law = rows_.law(g);
    const int row = rows_.first(g), tangent = rows_.tangent(g);
    const int count = kind.law == Law::bilateral ? 0 : kind.tangential;
    indicate_open(state, g, rows_.gap(g), rows_.speed(row));
    if (kind.law == Law::bilateral)
      set_indicator(indicator(g, 0), closed(state, g) ? law.holds : -law.holds, unknown, rounding_of_conditions, 1);
    if (kind.has_normal() && !closed(state, g)) continue;
    if (kind.has_normal())
      set_indicator(indicator(g, 0), forces_[row], unknown, rounding_of_forces * force_sizes_[row],
                    force_size(state, row) + force_sizes_[row]);
    if (slides(state, g)) {
      double forward = 0;
      for (int k = 0; k < count; ++k) forward += rows_.speed(tangent + k) * begin_directions_[tangent + k];
      set_indicator(indicator(g, 1), forward, unknown, rounding_of_forces * speed_size(state, tangent),
                    speed_size(state, tangent));
    } else if (count > 0 && state.held[tangent] != 0) {
      const double bound = law.rest * bound_of_friction(g, forces_.data());
      const double f[] = {forces_[tangent], count > 1 ? forces_[tangent + 1] : 0};
      const double size = std::fabs(bound) + force_sizes_[tangent];
      double margin = bound - std::sqrt(f[0] * f[0] + f[1] * f[1]);
      const double nominal = speed_size(state, tangent) > 0 ? speed_size(state, tangent) : 1,
                   begun = std::fabs(rows_.speed(tangent)) / nominal - moved_by_drive;
      if (count == 1 && begun > 0) margin = -size * begun / moved_by_drive;
      set_indicator(indicator(g, 1), margin, unknown, rounding_of_forces * size, force_size(state, tangent) + size);
    }
  }
}

void ContactChanges::set_indicator(int place, double value, double slope, double size, double scale) {
  indicators_.set(place, value, slope, size);
  scales_[place] = scale;
}

/// Sets the indicators of a group that is open, or has nothing to open.
void ContactChanges::indicate_open(const State& state, int g, double gap, double speed) {
  const double unknown = std::nan("");
  set_indicator(indicator(g, 0), 1, unknown, 0, 1);
  set_indicator(indicator(g, 1), 1, unknown, 0, 1);
  if (!rows_.kind(g).has_normal()) return;
  if (rows_.has_gap(g)) {
    set_indicator(indicator(g, 0), gap, speed, rounding_of_gaps * gap_size(state, g), gap_size(state, g));
  } else {
    const double size = speed_size(state, rows_.first(g));
    set_indicator(indicator(g, 0), speed, unknown, rounding_of_forces * size, size);
  }
}

bool ContactChanges::begin_step(const Point& p, State& state, Message& message) {
  moved_ = begins_ = false;
  begin_acts_ = any_acts(state);
  quiet_ = !has_locks_ && !begin_acts_;
  if (quiet_) {
    if (watched_at_ != *state.time) rows_.watch(p);
    for (int g = 0; g < rows_.groups(); ++g) {
      begin_gaps_[g] = rows_.gap(g);
      begin_speeds_[g] = rows_.speed(rows_.first(g));
    }
    return true;
  }
  rows_.watch(p);
  rows_.find_directions(state.slide, begin_directions_.data());
  dense::copy(rows_.rows(), state.held, held_at_begin_.data());
  if (!indicate(p, state, message)) return false;
  indicators_.begin();
  looks_within_ = most_looks_within;
  if (begin_acts_) note_end(p, state, begin_);
  return true;
}

/// Is true if all are open at both ends of the step, and no gap can have closed between them.
bool ContactChanges::stays_quiet(const Point& p, const State& state) {
  rows_.watch(p);
  for (int g = 0; g < rows_.groups(); ++g) {
    if (!rows_.kind(g).has_normal()) continue;
    const int row = rows_.first(g);
    const double speed = rows_.speed(row);
    if (rows_.has_gap(g)) {
      const bool far = rows_.gap(g) > far_from_touch * gap_size(state, g);  // false without a value
      if (!far || (begin_speeds_[g] < 0 && speed > 0)) return false;
    } else if (speed <= far_from_touch * speed_size(state, row)) {
      return false;
    }
  }
  watched_at_ = *state.time;
  return true;
}

Changes::Seen ContactChanges::look(const Point& p, const State& state, double& length, Message& message) {
  if (quiet_ && stays_quiet(p, state)) return Seen::nothing;
  watched_at_ = beyond_all;
  if (quiet_) {
    for (int g = 0; g < rows_.groups(); ++g) indicate_open(state, g, begin_gaps_[g], begin_speeds_[g]);
    indicators_.begin();
    quiet_ = false;
  }
  if (!indicate(p, state, message)) return Seen::trouble;
  const double step = length;
  Seen seen = indicators_.look(*state.time, length);
  if (seen != Seen::event && looks_within_ > 0 && begin_acts_) {
    double where = step;
    if (!look_within(p, state, where, message)) return Seen::trouble;
    if (where < step) {
      length = where;
      return Seen::earlier;
    }
  }
  for (int g = 0; seen == Seen::event && g < rows_.groups(); ++g) {
    const bool lets_go = rows_.kind(g).has_normal() && closed(state, g) && indicators_.reached(indicator(g, 0));
    wish_[g] = lets_go ? Wish::open
               : indicators_.reached(indicator(g, 1)) && !slides(state, g)
                   ? Wish::slip
                   : Wish::none;
  }
  return seen;
}

// --- For an integrator outside --------------------------------------------------------------------------------------

/// Finds the indicators at this point, as they are without shifts.
void ContactChanges::indicate_outside(const Point& p, const State& state, const double* forces) {
  watched_at_ = beyond_all;
  rows_.watch(p);
  rows_.judge(p);
  for (int i = 0; i < rows_.rows(); ++i) {
    forces_[i] = state.held[i] != 0 ? forces[i] : 0;
    force_sizes_[i] = std::fabs(forces_[i]);
  }
  for (int g = 0; g < rows_.groups(); ++g) {
    if (!slides(state, g)) continue;
    const int tangent = rows_.tangent(g), count = rows_.kind(g).tangential;
    const double s[] = {state.slide[tangent], count > 1 ? state.slide[tangent + 1] : 0};
    const double length = std::sqrt(s[0] * s[0] + s[1] * s[1]);
    for (int k = 0; k < count; ++k) begin_directions_[tangent + k] = s[k] / length;
  }
  indicate_groups(state);
}

void ContactChanges::indicate(const Point& p, const State& state, const double* forces, double* indicators) {
  indicate_outside(p, state, forces);
  for (int i = 0; i < 2 * rows_.groups(); ++i)
    indicators[i] = (indicators_.value(i) + state.shifts[i]) / (scales_[i] > 0 ? scales_[i] : 1);
}

/// Is true for an open gap that rests at zero while other rows hold.
bool ContactChanges::rests_open(const State& state, int group) const {
  const int row = rows_.first(group);
  return rows_.has_gap(group) && !closed(state, group) &&
         rows_.gap(group) < state.get_settings().tolerance * gap_size(state, group) &&
         std::fabs(rows_.speed(row)) <= rest_speed(state, row);
}

void ContactChanges::raise_indicators(const Point& p, State& state, const double* forces) {
  indicate_outside(p, state, forces);
  for (int g = 0; g < rows_.groups(); ++g) {
    for (const int i : {indicator(g, 0), indicator(g, 1)}) {
      double least = begin_of_indicators * std::fmax(indicators_.size(i), rounding_of_gaps * scales_[i]);
      // A gap that rests at zero leaves it by the integrator's errors.
      if (i == indicator(g, 0) && rests_open(state, g)) least = state.get_settings().tolerance * gap_size(state, g);
      if (!(least > 0)) least = rounding_of_gaps;
      state.shifts[i] = std::fmax(least - indicators_.value(i), 0);
    }
  }
}

bool ContactChanges::notice(const State& state, const double* indicators) {
  bool any = false;
  for (int g = 0; g < rows_.groups(); ++g) {
    const bool first = !(indicators[indicator(g, 0)] > 0), second = !(indicators[indicator(g, 1)] > 0);
    any = any || first || second;
    wish_[g] = Wish::none;
    if (first && rows_.kind(g).has_normal()) wish_[g] = closed(state, g) ? Wish::open : Wish::close;
    else if (second && !slides(state, g)) wish_[g] = Wish::slip;
  }
  return any;
}

void ContactChanges::follow_slips(const Point& p, State& state) {
  watched_at_ = beyond_all;
  rows_.watch(p);
  renew_slides(state);
}

}  // namespace mechfmu
