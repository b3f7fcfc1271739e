// Decides what holds and what slides; contact_events.cpp finds when this changes.
#include "contact_changes.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/tolerances.hpp"
#include "mechanism/model.hpp"
#include "mechanism/position_rates.hpp"
#include "mechanism/telling.hpp"

namespace mechfmu {

using contacts::Group;
using contacts::GroupMode;
using contacts::Law;
using contacts::Outcome;

namespace {

constexpr int most_rounds = 10;  ///< impacts and decisions end at one instant after so many
constexpr int most_turns_of_loads = 60;
constexpr double turned_back = 0.5;  ///< cosine between a slip in space that has passed zero and what it was before

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
  end_short_slips(state, [&](int i) { return closed(state, i); }, [&](int i) { return slides(state, i); });
  if (moved_ && !rows_.accelerate(p, message)) return false;
  bool impacts = false;
  for (int round = 0; round < most_rounds; ++round) {
    bool happened = false, landed = false;
    find_forces(state);
    if (!impact(state, fixed_step, happened, message)) return false;
    if (!happened && !land(state, fixed_step, landed)) return false;
    if (landed) {
      // A slip that is left would tip a slender body and begin another flight.
      if (!rows_.accelerate(p, message)) return false;
      const auto stays = [&](int i) { return touches(state, i) && !leaves(state, i); };
      end_short_slips(state, stays, stays);
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

/// Ends slips that would come to rest on a way below the tolerance, of groups that slide; gaps of groups that stay keep
/// their speed. In space slips of several contacts end together, in directions that turn ever faster: what is left of
/// them says nothing.
template <class Stay, class Slide>
void ContactChanges::end_short_slips(State& state, const Stay& stays, const Slide& slides) {
  held_count_ = 0;
  bool short_ones = false;
  for (int i = 0; i < rows_.groups(); ++i) {
    const int tangent = rows_.tangent(i);
    if (rows_.kind(i).has_normal() && stays(i)) held_rows_[held_count_++] = rows_.first(i);
    if (!slides(i)) continue;
    const ContactLaw& law = rows_.law(i);
    const double braking = rows_.kind(i).has_normal() ? law.friction * std::fabs(rows_.acceleration(rows_.first(i)))
                                                      : law.capacity * rows_.mobility(tangent, tangent);
    const double way = state.get_settings().tolerance * state.contact_sizes[tangent];
    double square = 0;
    for (int k = 0; k < rows_.kind(i).tangential; ++k) square += rows_.speed(tangent + k) * rows_.speed(tangent + k);
    if (!(square < 2 * braking * way)) continue;
    short_ones = true;
    for (int k = 0; k < rows_.kind(i).tangential; ++k) held_rows_[held_count_++] = tangent + k;
  }
  if (!short_ones) return;
  factor_held_rows();
  stop_held_rows(state);
}

/// Ends slips that have turned back within a step of fixed length, or of an integrator outside.
void ContactChanges::stop_slips(State& state) {
  for (int i = 0; i < rows_.groups(); ++i) {
    if (!slides(state, i)) continue;
    double forward = 0, slip = 0, slide = 0;
    held_count_ = 0;
    for (int k = 0; k < rows_.kind(i).tangential; ++k) {
      const int row = held_rows_[held_count_++] = rows_.tangent(i) + k;
      forward += rows_.speed(row) * state.slide[row];
      slip += rows_.speed(row) * rows_.speed(row);
      slide += state.slide[row] * state.slide[row];
    }
    if (!(forward < -turned_back * std::sqrt(slip * slide))) continue;
    factor_held_rows();
    stop_held_rows(state);
    dense::fill(rows_.rows(), 0, impulses_.data());
    for (int k = 0; k < held_count_; ++k) impulses_[held_rows_[k]] = numbers_[k];
    sum_impulses(state);
  }
}

/// Returns how the gap of a group that touches accelerates while it is open, without its own force and friction, and
/// what else holds or slides goes on: a rim falls about the other rim that the body stands on, also where gravity alone
/// would lift it.
double ContactChanges::fall(const State& state, int group) {
  const int row = rows_.first(group), end = row + rows_.kind(group).rows();
  double sum = rows_.acceleration(row);
  for_acting_rows(state, [&](int i, double force) {
    if (i < row || i >= end) sum += force * rows_.mobility(row, i);
  });
  return sum;
}

/// Gives the impulses of rows that close or of locks that hold from now on.
bool ContactChanges::impact(State& state, bool fixed_step, bool& happened, Message& message) {
  rows_.clear_problem();
  bool closes = false;
  for (int i = 0; i < rows_.groups(); ++i) {
    if (!touches(state, i) || rows_.kind(i).law == Law::capacity) continue;
    const int row = rows_.first(i);
    const ContactLaw& law = rows_.law(i);
    Group group = rows_.kind(i);
    group.friction = law.friction;
    const double speed = rows_.speed(row);
    closes =
        closes ||
        (group.law == Law::bilateral ? std::fabs(speed) > rest_speed(state, row) : speed < -rest_speed(state, row));
    double e = law.restitution;
    if (group.law == Law::bilateral || lands_[i]) e = 0;
    const double rebound = e * speed, fall = this->fall(state, i);
    // A flight that stays below the tolerance is none.
    const double height = least_flight(state, i, fall, fixed_step);
    if (speed < 0 && fall < 0 && rebound * rebound < -2 * fall * height) e = 0;
    restitution_[rows_.chosen()] = e;
    rows_.choose(i, group);
  }
  if (!closes) return true;
  const Outcome outcome = impact_.solve(problem_of_speeds(), restitution_.data());
  if (outcome == Outcome::no_solution)
    return fail_unsolved(state,
                         "an impact has no solution: constraints or motions press together what touches, and no force "
                         "between holds it apart",
                         message);
  if (outcome != Outcome::solved) return fail_unsolved(state, "no impulses were found for an impact", message);
  take_impulses(state, impact_.impulse());
  happened = true;
  return true;
}

/// Ends flights that would stay below the tolerance: such a row keeps no speed.
bool ContactChanges::land(State& state, bool fixed_step, bool& happened) {
  rows_.clear_problem();
  bool lands = false;
  for (int i = 0; i < rows_.groups(); ++i) {
    if (!touches(state, i) || rows_.kind(i).law == Law::capacity) continue;
    const int row = rows_.first(i);
    Group group = rows_.kind(i);
    group.friction = rows_.law(i).friction;
    const double speed = rows_.speed(row), fall = this->fall(state, i);
    const double height = least_flight(state, i, fall, fixed_step);
    if (rows_.has_gap(i) && !lands_[i] && speed > rest_speed(state, row) && fall < 0 &&
        speed * speed < -2 * fall * height) {
      lands_[i] = 1;
      lands = true;
      group = Group::lock();
    }
    restitution_[rows_.chosen()] = 0;
    rows_.choose(i, group);
  }
  if (!lands) return true;
  if (impact_.solve(problem_of_speeds(), restitution_.data()) != Outcome::solved) return true;
  take_impulses(state, impact_.impulse());
  happened = true;
  return true;
}

/// Returns the problem of the chosen groups with the speeds of their rows.
contacts::Problem ContactChanges::problem_of_speeds() {
  for (int i = 0; i < rows_.rows(); ++i) numbers_[i] = rows_.speed(i);
  return rows_.problem(numbers_.data());
}

void ContactChanges::take_impulses(State& state, const double* impulse) {
  dense::fill(rows_.rows(), 0, impulses_.data());
  for (int i = 0; i < rows_.chosen_rows(); ++i) {
    if (impulse[i] == 0) continue;
    const int row = rows_.chosen_row(i);
    dense::add(mechanism_.sizes.velocities, impulse[i], rows_.response(row), state.v);
    impulses_[row] = impulse[i];
    moved_ = true;
  }
  sum_impulses(state);
}

/// Adds the impulses in rows, and what they make in reactions, to the sums since the start.
void ContactChanges::sum_impulses(State& state) {
  dense::add(rows_.rows(), 1, impulses_.data(), state.impulses);
  rows_.add_reaction_impulses(impulses_.data(), state.impulses + rows_.rows());
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

/// Solves what accelerations cannot (Painlevé 1895): rows that do not close get impulses.
bool ContactChanges::impact_without_collision(State& state, Message& message) {
  for (int i = 0; i < rows_.groups(); ++i) unsettled_[i] = false;
  for (int i = 0; i < rows_.chosen(); ++i) unsettled_[rows_.chosen_group(i)] = accelerations_.unsettled(i);
  rows_.clear_problem();
  for (int i = 0; i < rows_.groups(); ++i) {
    if (!touches(state, i) || rows_.kind(i).law == Law::capacity) continue;
    Group group = rows_.kind(i);
    group.friction = rows_.law(i).friction;
    pressed_[rows_.chosen()] = unsettled_[i];
    rows_.choose(i, group);
  }
  if (rows_.chosen() == 0 || impact_.without_collision(problem_of_speeds(), pressed_.data()) != Outcome::solved)
    return fail_unsolved(state, "no forces keep the laws of contacts, nor does an impact", message);
  take_impulses(state, impact_.impulse());
  return true;
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

/// Lets the directions of slips in space follow the slips: a step keeps the side that it began with. A slip that has
/// just begun is below the errors of a step, which would turn it: it keeps its first direction until it is clear of
/// them. A fast slip needs hardly any direction beside it.
void ContactChanges::renew_slides(State& state) const {
  for (int g = 0; g < rows_.groups(); ++g) {
    if (rows_.kind(g).law == Law::bilateral || rows_.kind(g).tangential != 2 || !slides(state, g)) continue;
    const int a = rows_.tangent(g);
    const double s_1 = rows_.speed(a), s_2 = rows_.speed(a + 1), length = std::sqrt(s_1 * s_1 + s_2 * s_2);
    const double least = slip_of_direction * speed_size(state, a);
    if (!(length > clear_slip * least)) continue;
    const double size = least * (least / length) / length;
    state.slide[a] = s_1 * size;
    state.slide[a + 1] = s_2 * size;
  }
}

bool ContactChanges::settle(const Point& p, State& state, Message& message) {
  moved_ = false;
  if (!any_acts(state)) return true;
  if (!rows_.evaluate(p, message)) return false;
  renew_slides(state);
  hold_rows(state);
  return true;
}

/// Moves positions and velocities onto the rows that hold.
void ContactChanges::hold_rows(State& state) {
  list_held_rows(state);
  if (held_count_ == 0) return;
  factor_held_rows();
  empty_held_gaps(state);
  stop_held_rows(state);
}

/// Moves positions out of gaps that a step of fixed length has passed.
void ContactChanges::push_out(State& state) {
  held_count_ = 0;
  for (int g = 0; g < rows_.groups(); ++g) {
    if (rows_.has_gap(g) && rows_.gap(g) < -touch(state, g)) held_rows_[held_count_++] = rows_.first(g);
  }
  if (held_count_ == 0) return;
  factor_held_rows();
  empty_held_gaps(state);
}

void ContactChanges::list_held_rows(const State& state) {
  held_count_ = 0;
  for (int i = 0; i < rows_.rows(); ++i) {
    if (state.held[i] != 0) held_rows_[held_count_++] = i;
  }
}

/// Returns the mobilities of the listed rows, in memory that `system_` factors, with their sizes without constraints.
WritableColumns<> ContactChanges::held_mobilities() {
  const WritableColumns<> system = system_.matrix(held_count_);
  for (int j = 0; j < held_count_; ++j) {
    sizes_[j] = rows_.free_mobility(held_rows_[j]);
    for (int i = 0; i < held_count_; ++i) system(i, j) = rows_.mobility(held_rows_[i], held_rows_[j]);
  }
  return system;
}

void ContactChanges::factor_held_rows() {
  held_mobilities();
  system_.factor(sizes_.data());
}

/// Moves positions until the gaps of the listed rows are zero.
void ContactChanges::empty_held_gaps(State& state) {
  if (put_onto_held_rows([&](int row) { return gap_of(state, row); }))
    move(RunTimeModel(mechanism_), delta_.data(), state.q);
}

/// Changes velocities until the speeds of the listed rows are zero.
void ContactChanges::stop_held_rows(State& state) {
  if (put_onto_held_rows([this](int row) { return rows_.speed(row); }))
    dense::add(mechanism_.sizes.velocities, 1, delta_.data(), state.v);
}

/// Finds the move that closes what the rows leave open. Returns false if nothing is open.
template <class Open>
bool ContactChanges::put_onto_held_rows(Open&& open) {
  bool any = false;
  for (int i = 0; i < held_count_; ++i) {
    numbers_[i] = -open(held_rows_[i]);
    any = any || numbers_[i] != 0;
  }
  if (!any) return false;
  system_.solve(numbers_.data());
  dense::fill(mechanism_.sizes.velocities, 0, delta_.data());
  for (int i = 0; i < held_count_; ++i)
    dense::add(mechanism_.sizes.velocities, numbers_[i], rows_.response(held_rows_[i]), delta_.data());
  return moved_ = true;
}

/// Returns the gap of a normal row, 0 of other rows. At the start rounding is no gap, so that fixed values hold
/// exactly.
double ContactChanges::gap_of(const State& state, int row) const {
  for (int g = 0; g < rows_.groups(); ++g) {
    if (!rows_.has_gap(g) || rows_.first(g) != row) continue;
    return begins_ && std::fabs(rows_.gap(g)) <= rounding_of_gaps * gap_size(state, g) ? 0 : rows_.gap(g);
  }
  return 0;
}

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
