// Changes velocities at once: impacts, flights that end, slips that end.
#include "contact_changes.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/tolerances.hpp"
#include "mechanism/model.hpp"

namespace mechfmu {

using contacts::Group;
using contacts::Law;
using contacts::Outcome;

namespace {

constexpr double turned_back = 0.5;  ///< cosine between a slip in space that has passed zero and what it was before

}  // namespace

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

void ContactChanges::end_short_slips(State& state) {
  end_short_slips(state, [&](int i) { return closed(state, i); }, [&](int i) { return slides(state, i); });
}

/// Ends short slips in the plane where flights have just ended: what such a flight leaves of a slip would tip a slender
/// body, which begins another flight. In space corners slip in several directions at once, and some go on: to hold them
/// all would set others going.
void ContactChanges::end_slips_of_landed(State& state) {
  for (int i = 0; i < rows_.groups(); ++i)
    if (rows_.kind(i).tangential > 1) return;
  const auto stays = [&](int i) { return touches(state, i) && !leaves(state, i); };
  end_short_slips(state, stays, stays);
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

}  // namespace mechfmu
