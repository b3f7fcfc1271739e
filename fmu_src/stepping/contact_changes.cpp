// Decides what holds and what slides. contact_events.cpp finds when this changes, contact_impacts.cpp changes
// velocities at once, contact_settling.cpp moves the state onto rows that hold.
#include "contact_changes.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/tolerances.hpp"
#include "mechanism/model.hpp"
#include "mechanism/telling.hpp"

namespace mechfmu {

using contacts::Group;
using contacts::GroupMode;
using contacts::Law;
using contacts::Outcome;

namespace {

constexpr int most_rounds = 10;  ///< impacts and decisions end at one instant after so many
constexpr int most_turns_of_loads = 60;

/// Returns 0 for a row that is open, 1 for one that holds, 2 for one along which a contact slides.
char mode_of(const State& state, int row) {
  if (state.held[row] != 0) return 1;
  return state.slide[row] != 0 ? 2 : 0;
}

contacts::Sizes sizes_of(const Mechanism& m) { return {m.sizes.contacts, m.sizes.changing_rows, m.sizes.velocities}; }

}  // namespace

ContactChanges::ContactChanges(Arena& arena, const Mechanism& m)
    : mechanism_(m), rows_(arena, m), solver_(arena, sizes_of(m)), impact_(arena, sizes_of(m), solver_),
      accelerations_(arena, sizes_of(m), solver_), indicators_(arena, 2 * m.sizes.contacts),
      present_(arena, m.sizes.contacts), likely_(arena, m.sizes.contacts), last_modes_(arena, m.sizes.contacts),
      wish_(arena, m.sizes.contacts), lands_(arena, m.sizes.contacts), unsettled_(arena, m.sizes.contacts),
      pressed_(arena, m.sizes.contacts), modes_(arena, m.sizes.changing_rows),
      held_before_(arena, m.sizes.loads > 0 ? m.sizes.changing_rows : 0),
      slide_before_(arena, m.sizes.loads > 0 ? m.sizes.changing_rows : 0), restitution_(arena, m.sizes.contacts),
      rest_(arena, m.sizes.contacts), numbers_(arena, m.sizes.changing_rows), directions_(arena, m.sizes.changing_rows),
      forces_(arena, m.sizes.changing_rows), force_sizes_(arena, m.sizes.changing_rows),
      delta_(arena, m.sizes.velocities), impulses_(arena, m.sizes.changing_rows),
      begin_directions_(arena, m.sizes.changing_rows), scales_(arena, 2 * m.sizes.contacts),
      sizes_(arena, m.sizes.changing_rows), system_(arena, m.sizes.changing_rows),
      held_rows_(arena, m.sizes.changing_rows), begin_gaps_(arena, m.sizes.contacts),
      begin_speeds_(arena, m.sizes.contacts), begin_(arena, m.sizes), end_(arena, m.sizes), within_(arena, m.sizes),
      seen_(arena, 2 * m.sizes.contacts, finest_look + 1), doubtful_(arena, finest_look),
      watched_(arena, 2 * m.sizes.contacts), stages_(arena, 2 * m.sizes.contacts, most_stages),
      stage_times_(arena, most_stages), held_at_begin_(arena, m.sizes.changing_rows) {
  for (int i = 0; i < m.sizes.contacts; ++i) has_locks_ = has_locks_ || m.contacts[i].law == Law::bilateral;
}

void ContactChanges::forget() {
  rows_.forget();
  chatter_.forget();
  watched_at_ = beyond_all;
}

bool ContactChanges::slides(const State& state, int group) const {
  const int count = rows_.kind(group).law == Law::bilateral ? 0 : rows_.kind(group).tangential;
  for (int k = 0; k < count; ++k) {
    if (state.slide[rows_.tangent(group) + k] != 0) return true;
  }
  return false;
}

bool ContactChanges::any_acts(const State& state) const {
  for (int i = 0; i < rows_.rows(); ++i) {
    if (state.held[i] != 0 || state.slide[i] != 0) return true;
  }
  return false;
}

/// Returns the gap below which a group touches: rounding of what its coordinates make of it.
double ContactChanges::touch(const State& state, int group) const { return rounding_of_touch * gap_size(state, group); }
/// Returns the speed below which a row rests.
double ContactChanges::rest_speed(const State& state, int row) const {
  return rounding_of_touch * speed_size(state, row);
}
/// Returns the height of a flight that is none: it stays below the tolerance, or below what the gap was passed by, or,
/// with steps of fixed length, it ends within the next step.
double ContactChanges::least_flight(const State& state, int group, double fall, bool fixed_step) const {
  const Settings settings = state.get_settings();
  const double gap = rows_.gap(group), tolerance = settings.tolerance * (gap_size(state, group) + std::fabs(gap)),
               by_tolerance = std::fmax(tolerance, -gap);
  return fixed_step ? std::fmax(by_tolerance, -fall * settings.step * settings.step / 2) : by_tolerance;
}

bool ContactChanges::touches(const State& state, int group) const {
  if (wish_[group] == Wish::close) return true;
  switch (rows_.kind(group).law) {
    case Law::unilateral:
      return closed(state, group) ||
             (rows_.has_gap(group) ? rows_.gap(group) <= touch(state, group)
                                   : rows_.speed(rows_.first(group)) <= rest_speed(state, rows_.first(group)));
    case Law::bilateral: return rows_.law(group).holds > 0;
    case Law::capacity: return true;
  }
  return false;
}

// --- What holds and what slides -------------------------------------------------------------------------------------

bool ContactChanges::begin(const Point& p, State& state, Message& message) {
  if (!rows_.evaluate(p, message) || !gaps_have_values(p.time, message)) return false;
  const int all = rows_.rows();
  rows_.find_sizes(state.contact_sizes, state.contact_sizes + all, state.contact_sizes + 2 * all);
  for (int i = 0; i < rows_.groups(); ++i) {
    if (!rows_.has_gap(i) || rows_.gap(i) >= -touch(state, i)) continue;
    message.fail("At the start t = %.9g s the gap of %s is ", p.time, mechanism_.contact_names[i]);
    tell_difference(mechanism_, Told::rows, mechanism_.sizes.lasting_rows() + rows_.first(i), rows_.gap(i), message);
    message.add(": it has to be 0 or more. Start where nothing penetrates.");
    return false;
  }
  const double events = *state.events, changes = *state.contact_changes;
  const bool decided = decide(p, state, message);
  begins_ = true;
  *state.events = events;  // A start is none.
  *state.contact_changes = changes;
  return decided;
}

bool ContactChanges::decide(const Point& p, State& state, Message& message) {
  for (int i = 0; i < rows_.groups(); ++i) wish_[i] = Wish::none;
  return change(p, state, Where::event, message);
}

bool ContactChanges::put_off(State& state) {
  for (int i = 0; i < rows_.groups(); ++i) state.wishes[i] = static_cast<double>(wish_[i]);
  *state.put_off = 1;
  return true;
}

bool ContactChanges::pass(const Point& p, State& state, Message& message) {
  if (*state.put_off != 0) {
    *state.put_off = 0;
    for (int i = 0; i < rows_.groups(); ++i) wish_[i] = static_cast<Wish>(static_cast<int>(state.wishes[i]));
  }
  return count_event(state, message) && change(p, state, Where::event, message);
}

bool ContactChanges::catch_up(const Point& p, State& state, Message& message) {
  for (int i = 0; i < rows_.groups(); ++i) wish_[i] = Wish::none;
  return change_late(p, state, Where::end_of_step, message);
}

bool ContactChanges::pass_outside(const Point& p, State& state, Message& message) {
  if (!count_event(state, message) || !rows_.evaluate(p, message)) return false;
  moved_ = false;
  hold_rows(state);
  const bool moved = moved_;
  if (!change_late(p, state, Where::outside, message)) return false;
  moved_ = moved_ || moved;
  return true;
}

/// Changes rows where a step has passed what changes them, and moves the state out of gaps and onto rows.
bool ContactChanges::change_late(const Point& p, State& state, Where where, Message& message) {
  if (!change(p, state, where, message)) return false;
  push_out(state);
  const bool moved = moved_;
  if (!settle(p, state, message)) return false;
  moved_ = moved_ || moved;
  return true;
}

bool ContactChanges::settle_outside(const Point& p, State& state, Message& message) {
  if (!settle(p, state, message) || !rows_.evaluate(p, message)) return false;
  push_out(state);
  return true;
}

/// Returns false if too many events follow each other.
bool ContactChanges::count_event(State& state, Message& message) {
  return !chatter_.count(*state.time, mechanism_.duration) || fail_chatter(state, message);
}

/// Is true if rows come or go, or contacts stick or slide, that did not do so before.
bool ContactChanges::modes_differ(const State& state) const {
  for (int i = 0; i < rows_.rows(); ++i) {
    if (modes_[i] != mode_of(state, i)) return true;
  }
  return false;
}

/// Gives impulses until no row that touches closes any more, then finds modes for accelerations.
bool ContactChanges::change(const Point& given, State& state, Where where, Message& message) {
  const bool fixed_step = where == Where::end_of_step;
  Point p = given;
  p.v = state.v;
  moved_ = false;
  watched_at_ = beyond_all;
  begins_ = false;
  if (!rows_.evaluate(p, message) || !gaps_have_values(p.time, message)) return false;
  for (int i = 0; i < rows_.rows(); ++i) modes_[i] = mode_of(state, i);
  for (int i = 0; i < rows_.groups(); ++i) lands_[i] = 0;
  if (where != Where::event) stop_slips(state);
  end_short_slips(state);
  if (moved_ && !rows_.accelerate(p, message)) return false;
  bool impacts = false;
  for (int round = 0; round < most_rounds; ++round) {
    bool happened = false, landed = false;
    find_forces(state);
    if (!impact(state, fixed_step, happened, message)) return false;
    if (!happened && !land(state, fixed_step, landed)) return false;
    if (landed) {
      if (!rows_.accelerate(p, message)) return false;
      end_slips_of_landed(state);
      happened = true;
    }
    impacts = impacts || happened;
    if (happened) {
      if (!rows_.accelerate(p, message)) return false;
      continue;
    }
    bool solved = false;
    if (!choose_modes(p, state, solved, message)) return false;
    if (solved) {
      if (impacts || modes_differ(state)) {
        *state.events += 1;
        *state.contact_changes += 1;
      }
      return true;
    }
    impacts = true;
    if (!rows_.accelerate(p, message)) return false;
  }
  return fail_unsolved(state, "impacts do not end", message);
}

/// Finds the modes in which the motion goes on. Loads that depend on reactions, such as normal forces of frictions in
/// joints, belong to the modes: both are found by turns.
bool ContactChanges::choose_modes(const Point& given, State& state, bool& solved, Message& message) {
  Point p = given;
  for (int round = 0;; ++round) {
    keep_modes(state);
    if (!choose_modes_at_loads(state, round > 0, solved, message)) return false;
    if (!solved || !rows_.depend_on_loads()) return true;
    if (round > 0 && keeps_modes(state)) return true;
    if (round == most_turns_of_loads)
      return fail_unsolved(state, "no contacts and frictions fit the reactions that they cause", message);
    state.give_contacts(p);
    if (!rows_.accelerate(p, message)) return false;
  }
}

void ContactChanges::keep_modes(const State& state) {
  if (!rows_.depend_on_loads()) return;
  dense::copy(rows_.rows(), state.held, held_before_.data());
  dense::copy(rows_.rows(), state.slide, slide_before_.data());
}

/// Is true if what holds and slides is still what keep_modes() found.
bool ContactChanges::keeps_modes(const State& state) const {
  bool same = true;
  for (int i = 0; i < rows_.rows(); ++i)
    same = same && state.held[i] == held_before_[i] &&
           std::fabs(state.slide[i] - slide_before_[i]) <= equal_slips * std::fabs(state.slide[i]);
  return same;
}

/// Finds modes with the present loads, the last ones first if `again`. If accelerations have no solution, an impact
/// without collision changes velocities, and `solved` stays false.
bool ContactChanges::choose_modes_at_loads(State& state, bool again, bool& solved, Message& message) {
  rows_.clear_problem();
  for (int i = 0; i < rows_.groups(); ++i) {
    const int tangent = rows_.tangent(i);
    if (!touches(state, i) || leaves(state, i)) continue;
    const ContactLaw& law = rows_.law(i);
    Group group = rows_.kind(i);
    if (group.has_normal() && !(law.friction > 0)) group.tangential = 0;
    group.friction = law.friction;
    group.capacity = law.capacity;
    const int place = rows_.chosen(), count = group.law == Law::bilateral ? 0 : group.tangential;
    rest_[place] = law.rest;
    GroupMode mode{group.has_normal() && !closed(state, i) ? contacts::Mode::open : contacts::Mode::stick, {1, 0}};
    const double s[] = {count > 0 ? rows_.speed(tangent) : 0, count > 1 ? rows_.speed(tangent + 1) : 0};
    const double length = std::sqrt(s[0] * s[0] + s[1] * s[1]);
    if (count > 0 && length > rest_speed(state, tangent)) mode = {contacts::Mode::slip, {s[0] / length, s[1] / length}};
    if (wish_[i] == Wish::open) mode.mode = contacts::Mode::open;
    if (wish_[i] == Wish::slip) {
      const double f[] = {forces_[tangent], count > 1 ? forces_[tangent + 1] : 0};
      const double size = std::sqrt(f[0] * f[0] + f[1] * f[1]);
      if (size > 0) mode = {contacts::Mode::slip, {-f[0] / size, -f[1] / size}};
    }
    present_[place] = mode;
    rows_.choose(i, group);
  }
  solved = true;
  for (int i = 0; i < rows_.rows(); ++i) numbers_[i] = rows_.acceleration(i);
  for (int i = 0; i < rows_.chosen_rows(); ++i) {
    const int row = rows_.chosen_row(i);
    if (rows_.stands(row)) numbers_[row] = 0;  // Rounding would break friction loose.
  }
  if (rows_.chosen() == 0) {
    write_modes(state, nullptr);
    return true;
  }
  const contacts::Problem problem = rows_.problem(numbers_.data());
  for (int i = 0; i < rows_.chosen(); ++i) likely_[i] = last_modes_[rows_.chosen_group(i)];
  if (accelerations_.solve(problem, rest_.data(), present_.data(), again ? likely_.data() : nullptr) ==
      Outcome::solved) {
    write_modes(state, accelerations_.modes());
    for (int i = 0; i < rows_.chosen(); ++i) last_modes_[rows_.chosen_group(i)] = accelerations_.modes()[i];
    return true;
  }
  solved = false;
  return impact_without_collision(state, message);
}

/// Writes the modes of the chosen groups; all others are open.
void ContactChanges::write_modes(State& state, const GroupMode* modes) {
  dense::fill(rows_.rows(), 0, state.held);
  dense::fill(rows_.rows(), 0, state.slide);
  for (int c = 0; modes != nullptr && c < rows_.chosen(); ++c) {
    const int i = rows_.chosen_group(c), tangent = rows_.tangent(i);
    const Group& kind = rows_.chosen_law(c);
    const int count = kind.law == Law::bilateral ? 0 : kind.tangential;
    if (modes[c].mode == contacts::Mode::open) continue;
    if (kind.law != Law::capacity) state.held[rows_.first(i)] = 1;
    for (int k = 0; k < count; ++k) {
      if (modes[c].mode == contacts::Mode::stick) state.held[tangent + k] = 1;
      else
        state.slide[tangent + k] =
            modes[c].direction[k] * (count == 1 ? 1 : slip_of_direction * speed_size(state, tangent));
    }
  }
}

// --- Onto the rows that hold -----------------------------------------------------------------------------------------

// --- Messages -------------------------------------------------------------------------------------------------------

void ContactChanges::name_chosen(Message& message) const {
  for (int i = 0; i < rows_.chosen(); ++i) {
    const char* between = i == 0 ? "" : i + 1 < rows_.chosen() ? ", " : " and ";
    message.add("%s%s", between, mechanism_.contact_names[rows_.chosen_group(i)]);
  }
}

bool ContactChanges::fail_unsolved(const State& state, const char* what, Message& message) const {
  message.fail("At t = %.9g s %s. These touch there: ", *state.time, what);
  name_chosen(message);
  message.add(".");
  return false;
}

bool ContactChanges::fail_chatter(const State& state, Message& message) const {
  message.fail("Near t = %.9g s contacts change more than %d times while hardly any time passes. These touch there: ",
               *state.time, Chatter::most);
  name_chosen(message);
  message.add(". Look whether their laws agree with each other.");
  return false;
}

Changes* make_contact_changes(Arena& arena, const Mechanism& mechanism) {
  return arena.make<ContactChanges>(arena, mechanism);
}

}  // namespace mechfmu
