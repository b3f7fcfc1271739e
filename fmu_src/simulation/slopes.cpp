// Computes derivatives of values along a direction: tapes of the equations are differentiated, and the factors of the
// accelerations solve for the derivatives of v̇, λ and loads.
#include "slopes.hpp"

#include <algorithm>

#include "linear/dense.hpp"
#include "mechanism/position_rates.hpp"
#include "mechanism/start_tape.hpp"
#include "mechanism/tape.hpp"

namespace mechfmu {

namespace {

/// Returns how many numbers v̇, λ and the loads are together.
int solved_count(const Mechanism& m) { return m.sizes.velocities + m.sizes.all_rows() + m.sizes.loads; }

/// Returns how many results Mechanism::balance has.
int count_balance(const Sizes& s) {
  return s.velocities + 2 * s.all_rows() + s.loads + s.position_rows + s.rows() + s.contacts + s.changing_rows;
}

/// Returns how many steps the longest tape has.
int longest_tape(const Mechanism& m) {
  int longest = std::max(m.balance.step_count, m.start.step_count);
  for (int g = 0; g < m.group_count; ++g) longest = std::max(longest, m.groups[g].tape.step_count);
  return longest;
}

}  // namespace

Slopes::Slopes(Arena& arena, const Mechanism& m)
    : Reader(arena, m), start_(arena, m), tape_values_(arena, longest_tape(m)), tape_slopes_(arena, longest_tape(m)),
      balance_slopes_(arena, count_balance(m.sizes)), kept_balance_slopes_(arena, count_balance(m.sizes)),
      kept_multipliers_(arena, m.sizes.all_rows()), load_turn_(arena, m.sizes.loads),
      solved_slopes_(arena, solved_count(m)), way_(arena, solved_count(m)), output_slopes_(arena, count_outputs(m)),
      rate_slopes_(arena, m.sizes.positions), velocity_rate_slopes_(arena, m.sizes.velocities),
      preimage_(arena, m.sizes.velocities), start_slopes_(arena, m.start.result_count),
      moves_(arena, m.sizes.velocities), start_q_slopes_(arena, m.sizes.positions),
      start_v_slopes_(arena, m.sizes.velocities), steady_(arena, m.sizes.states()) {}

/// Returns the last direction as a tape takes it.
Point Slopes::given_direction() const {
  Point p;
  p.time = direction_.time;
  p.q = direction_.q;
  p.v = direction_.v;
  p.inputs = direction_.inputs;
  p.parameters = direction_.parameters;
  return p;
}

/// Returns this direction with the derivatives of the velocities that fit.
Point Slopes::fitting_direction() const {
  Point p = given_direction();
  if (led_ != nullptr) p.v = led_->velocity_slopes();
  return p;
}

bool Slopes::differentiate(const Direction& direction) { return differentiate(direction, outside_); }

bool Slopes::differentiate(const Direction& direction, const Fitting* led) {
  known_.slopes_by_time = false;
  known_.group_slopes = 0;
  direction_ = direction;
  led_ = led;
  const Sizes& s = mechanism_.sizes;
  Point at = here();
  if (!solved(at)) return false;
  if (led_ != nullptr) fitting_->differentiate(at_state(), given_direction());
  accelerations_.find_preimage(preimage_.data());
  at.preimage = preimage_.data();
  if (mechanism_.character.loads_in_matrices && accelerations_.multipliers_are_shared()) share_by_loads(at);
  double *acceleration = solved_slopes_.data(), *multipliers = acceleration + s.velocities;
  accelerations_.respond_to(balance_changes(at, fitting_direction()), acceleration, multipliers,
                            multipliers + s.all_rows());
  if (accelerations_.ways() > 0) turn_ways(at, fitting_direction());
  return true;
}

/// Adds what changes since the ways turn in which rows of contacts share forces. The balance is linear in v̇ and λ.
void Slopes::turn_ways(Point at, const Point& direction) {
  const Sizes& s = mechanism_.sizes;
  double *acceleration = way_.data(), *multipliers = acceleration + s.velocities, *changes = balance_slopes_.data();
  at.acceleration = acceleration;
  at.multipliers = multipliers;
  for (int j = 0; j < accelerations_.ways(); ++j) {
    accelerations_.follow_way(j, acceleration, multipliers);
    mechfmu::differentiate(mechanism_.balance, at, direction, tape_values_.data(), tape_slopes_.data(), changes);
    dense::fill(solved_count(mechanism_), 0, way_.data());
    mechfmu::differentiate(mechanism_.balance, at, direction, tape_values_.data(), tape_slopes_.data(),
                           kept_balance_slopes_.data());
    dense::add(s.velocities + s.all_rows(), -1, kept_balance_slopes_.data(), changes);
    accelerations_.turn_way(j, changes, changes + s.velocities);
  }
  accelerations_.follow_turned_ways(solved_slopes_.data(), solved_slopes_.data() + s.velocities);
}

/// Returns by how much the results of Mechanism::balance, at given v̇, λ, loads and z, change along a direction.
Accelerations::Changes Slopes::balance_changes(Point at, const Point& direction) {
  const Sizes& s = mechanism_.sizes;
  mechfmu::differentiate(mechanism_.balance, at, direction, tape_values_.data(), tape_slopes_.data(),
                         balance_slopes_.data());
  const double *force = balance_slopes_.data(), *loads = force + s.velocities + s.all_rows(),
               *image = loads + s.loads + s.position_rows + s.rows(), *gaps = image + s.all_rows();
  double* gamma = balance_slopes_.data() + s.velocities;
  if (led_ != nullptr && at.held != nullptr) lead_rows_back(gaps, gaps + s.contacts, gamma);
  if (!accelerations_.multipliers_are_shared()) return {force, force, gamma, loads, image};
  accelerations_.find_kept_multipliers(kept_multipliers_.data());
  at.multipliers = kept_multipliers_.data();
  mechfmu::differentiate(mechanism_.balance, at, direction, tape_values_.data(), tape_slopes_.data(),
                         kept_balance_slopes_.data());
  return {kept_balance_slopes_.data(), force, gamma, loads, image};
}

/// Computes how loads change the way in which redundant rows share a reaction, if M, C_a or B contain loads. The search
/// for loads does not need this.
void Slopes::share_by_loads(const Point& at) {
  dense::fill(mechanism_.sizes.loads, 0, load_turn_.data());
  Point direction;
  direction.loads = load_turn_.data();
  for (int j = 0; j < mechanism_.sizes.loads; ++j) {
    load_turn_[j] = 1;
    accelerations_.respond_to_load(j, balance_changes(at, direction));
    load_turn_[j] = 0;
  }
}

bool Slopes::differentiate_by_time() {
  if (known_.slopes_by_time) return true;
  const double *q = position_rates(), *v = velocity_rates();
  if (q == nullptr || v == nullptr || !differentiate({1, q, v, nullptr})) return false;
  return known_.slopes_by_time = true;
}

void Slopes::differentiate_calculated(double* parameters) {
  Point direction;
  direction.parameters = parameters;
  mechfmu::differentiate(mechanism_.start, at_state(), direction, tape_values_.data(), tape_slopes_.data(),
                         start_slopes_.data());
  const double* calculated = StartTape(mechanism_, start_slopes_.data()).calculated;
  for (int i = 0; i < mechanism_.calculated_count; ++i) parameters[mechanism_.calculated[i]] = calculated[i];
}

ConsistentStart::Derivative Slopes::differentiate_start(double time, const double* parameters, const double* inputs) {
  using Answer = ConsistentStart::Derivative;
  const Answer answer =
      start_.differentiate(*state_.time, this->parameters(), state_.inputs, state_.q, state_.v,
                           {time, parameters, inputs}, moves_.data(), start_v_slopes_.data(), message_);
  if (answer != Answer::found) return answer;
  rates(RunTimeModel(mechanism_), state_.q, moves_.data(), start_q_slopes_.data());
  if (mechanism_.sizes.states() > 0) differentiate_starts_of_states(time, parameters, inputs);
  const Direction direction{time, start_q_slopes_.data(), start_v_slopes_.data(), inputs, parameters};
  const bool done =
      (mechanism_.steady == nullptr || differentiate_steady_states(direction)) && differentiate(direction);
  return done ? Answer::found : Answer::none;
}

/// States start at what parameters give, or where they are steady.
void Slopes::differentiate_starts_of_states(double time, const double* parameters, const double* inputs) {
  const Sizes& s = mechanism_.sizes;
  Point direction;
  direction.time = time;
  direction.parameters = parameters;
  direction.inputs = inputs;
  mechfmu::differentiate(mechanism_.start, at_state(), direction, tape_values_.data(), tape_slopes_.data(),
                         start_slopes_.data());
  dense::copy(s.states(), StartTape(mechanism_, start_slopes_.data()).q + s.first_state(),
              start_q_slopes_.data() + s.first_state());
  for (int i = 0; mechanism_.steady != nullptr && i < s.states(); ++i) {
    if (mechanism_.steady[i]) start_q_slopes_[s.first_state() + i] = 0;
  }
}

bool Slopes::differentiate_jump(const Direction& direction, bool freely) {
  if (!make_fitting()) return message_.fail("Out of memory.");
  fitting_->share_rows(*state_.rounded != 0);
  if (!fitting_->jump(at_state(), direction.inputs, direction.parameters, message_)) return false;
  const Sizes& s = mechanism_.sizes;
  Direction moved = direction;
  moved.q = start_q_slopes_.data();
  moved.v = start_v_slopes_.data();
  dense::copy(s.positions, direction.q, start_q_slopes_.data());
  dense::copy(s.velocities, direction.v, start_v_slopes_.data());
  dense::add(s.positions, 1, fitting_->position_slopes(), start_q_slopes_.data());
  dense::add(s.velocities, 1, fitting_->velocity_slopes(), start_v_slopes_.data());
  return freely ? differentiate_freely(moved) : differentiate(moved);
}

bool Slopes::differentiate_freely(const Direction& direction) {
  if (!make_fitting()) return message_.fail("Out of memory.");
  fitting_->share_rows(*state_.rounded != 0);
  if (!fitting_->fit(at_state(), settings().drift_gain_1, message_)) return false;
  return differentiate(direction, fitting_);
}

/// Uses that q̇ = A(q) v is linear in both. Returns nullptr if the rates of states have no derivatives.
const double* Slopes::rate_slopes() {
  double* slopes = rate_slopes_.data();
  const double *q = direction_.q, *v = led_ != nullptr ? led_->led_back() : state_.v,
               *v_change = led_ != nullptr ? led_->led_back_slopes() : direction_.v;
  const auto velocity_change = [&](int j) { return v_change == nullptr ? 0 : v_change[j]; };
  for_positions(
      RunTimeModel(mechanism_), [&](int i, int j) { slopes[i] = velocity_change(j); },
      [&](int i, int j) {
        const double spin[3] = {velocity_change(j), velocity_change(j + 1), velocity_change(j + 2)};
        half_product(state_.q + i, spin, slopes + i);
        if (q == nullptr) return;
        double change[4];
        half_product(q + i, v + j, change);
        dense::add(4, 1, change, slopes + i);
      });
  if (q != nullptr && led_ != nullptr) lengthen_quaternions_along(q, slopes);
  const Sizes& s = mechanism_.sizes;
  if (s.states() == 0) return slopes;
  const double* of_states = output_slopes(state_rate_group);
  if (of_states == nullptr) return nullptr;
  dense::copy(s.states(), of_states, slopes + s.first_state());
  return slopes;
}

const double* Slopes::output_slopes(int group) {
  double* slopes = outputs_of(group, output_slopes_.data());
  if (known_.group_slopes >> group & 1) return slopes;
  const Sizes& s = mechanism_.sizes;
  Point at = here(), direction = fitting_direction();
  if (!solved(at)) return nullptr;
  direction.acceleration = acceleration_slopes();
  direction.multipliers = multiplier_slopes();
  direction.loads = direction.multipliers + s.all_rows();
  mechfmu::differentiate(mechanism_.groups[group].tape, at, direction, tape_values_.data(), tape_slopes_.data(),
                         slopes);
  known_.group_slopes |= 1u << group;
  return slopes;
}

const double* Slopes::velocity_rate_slopes() {
  const double* found = acceleration_slopes();
  if (led_ == nullptr) return found;
  double* result = velocity_rate_slopes_.data();
  dense::copy(mechanism_.sizes.velocities, found, result);
  dense::add(mechanism_.sizes.velocities, 1, led_->decay_slopes(), result);
  return result;
}

/// Adds the derivative of lengthen_quaternions() by the position.
void Slopes::lengthen_quaternions_along(const double* position_change, double* rate_change) const {
  const double gain = settings().drift_gain_1;
  for_positions(
      RunTimeModel(mechanism_), [](int, int) {},
      [&](int i, int) {
        const double *q = state_.q + i, *change = position_change + i;
        dense::add(4, gain / 2 * (1 - dense::dot(4, q, q)), change, rate_change + i);
        dense::add(4, -gain * dense::dot(4, q, change), q, rate_change + i);
      });
}

}  // namespace mechfmu
