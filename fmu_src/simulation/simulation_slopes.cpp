// What accelerations, reactions and outputs change by along a direction of time, state, inputs and parameters: tapes of
// the equations are differentiated, and the factors of the accelerations serve to solve for what follows.
#include "linear/dense.hpp"
#include "mechanism/kinematics.hpp"
#include "mechanism/start_tape.hpp"
#include "mechanism/tape.hpp"
#include "simulation.hpp"

namespace mechfmu {

/// The last direction as a tape takes it.
Point Simulation::along_direction() const {
  Point p;
  p.time = direction_.time;
  p.q = direction_.q;
  p.v = direction_.v;
  p.inputs = direction_.inputs;
  p.parameters = direction_.parameters;
  return p;
}

/// The same with what the velocities that fit change by.
Point Simulation::along() const {
  Point p = along_direction();
  if (led_ != nullptr) p.v = led_->velocity_slopes();
  return p;
}

bool Simulation::differentiate(const Direction& direction) { return differentiate(direction, outside_); }

bool Simulation::differentiate(const Direction& direction, const Fitting* led) {
  known_.slopes_by_time = false;
  known_.group_slopes = 0;
  direction_ = direction;
  led_ = led;
  const Sizes& s = mechanism_.sizes;
  Point at = here();
  if (!solved(at)) return false;
  if (led_ != nullptr) fitting_->differentiate(at_state(), along_direction());
  accelerations_.find_carrier(carrier_.data());
  at.carrier = carrier_.data();
  if (mechanism_.character.loads_in_matrices && accelerations_.multipliers_are_shared()) share_by_loads(at);
  double *acceleration = solved_slopes_.data(), *multipliers = acceleration + s.velocities;
  accelerations_.respond_to(balance_changes(at, along()), acceleration, multipliers, multipliers + s.all_rows());
  return true;
}

/// What has to balance at v̇, λ, loads and z changes by this.
Accelerations::Changes Simulation::balance_changes(Point at, const Point& along) {
  const Sizes& s = mechanism_.sizes;
  mechfmu::differentiate(mechanism_.balance, at, along, tape_values_.data(), tape_slopes_.data(),
                         balance_slopes_.data());
  const double *force = balance_slopes_.data(), *gamma = force + s.velocities, *loads = gamma + s.all_rows(),
               *carried = loads + s.loads + s.position_rows + s.rows();
  if (!accelerations_.multipliers_are_shared()) return {force, force, gamma, loads, carried};
  accelerations_.find_kept_multipliers(kept_multipliers_.data());
  at.multipliers = kept_multipliers_.data();
  mechfmu::differentiate(mechanism_.balance, at, along, tape_values_.data(), tape_slopes_.data(),
                         kept_balance_slopes_.data());
  return {kept_balance_slopes_.data(), force, gamma, loads, carried};
}

/// Loads change how redundant rows share a reaction, where they are in these: more than the search for them asks.
void Simulation::share_by_loads(const Point& at) {
  dense::fill(mechanism_.sizes.loads, 0, load_turn_.data());
  Point along;
  along.loads = load_turn_.data();
  for (int j = 0; j < mechanism_.sizes.loads; ++j) {
    load_turn_[j] = 1;
    accelerations_.respond_to_load(j, balance_changes(at, along));
    load_turn_[j] = 0;
  }
}

bool Simulation::differentiate_by_time() {
  if (known_.slopes_by_time) return true;
  const double *q = position_rates(), *v = velocity_rates();
  if (q == nullptr || v == nullptr || !differentiate({1, q, v, nullptr})) return false;
  return known_.slopes_by_time = true;
}

void Simulation::differentiate_calculated(double* parameters) {
  Point along;
  along.parameters = parameters;
  mechfmu::differentiate(mechanism_.start, at_state(), along, tape_values_.data(), tape_slopes_.data(),
                         start_slopes_.data());
  const double* calculated = StartTape(mechanism_, start_slopes_.data()).calculated;
  for (int i = 0; i < mechanism_.calculated_count; ++i) parameters[mechanism_.calculated[i]] = calculated[i];
}

ConsistentStart::Derivative Simulation::differentiate_start(double time, const double* parameters,
                                                            const double* inputs) {
  using Answer = ConsistentStart::Derivative;
  const Answer answer =
      start_.differentiate(*state_.time, this->parameters(), state_.inputs, state_.q, state_.v,
                           {time, parameters, inputs}, moves_.data(), start_v_slopes_.data(), message_);
  if (answer != Answer::found) return answer;
  rates(RunTimeModel(mechanism_), state_.q, moves_.data(), start_q_slopes_.data());
  const bool done = differentiate({time, start_q_slopes_.data(), start_v_slopes_.data(), inputs, parameters});
  return done ? Answer::found : Answer::none;
}

bool Simulation::differentiate_jump(const Direction& direction, bool freely) {
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

bool Simulation::differentiate_freely(const Direction& direction) {
  if (!make_fitting()) return message_.fail("Out of memory.");
  fitting_->share_rows(*state_.rounded != 0);
  if (!fitting_->fit(at_state(), settings().drift_gain_1, message_)) return false;
  return differentiate(direction, fitting_);
}

/// q̇ = A(q) v is linear in both.
const double* Simulation::rate_slopes() {
  double* slopes = rate_slopes_.data();
  const double *q = direction_.q, *v = led_ != nullptr ? led_->led_back() : state_.v,
               *v_change = led_ != nullptr ? led_->led_back_slopes() : direction_.v;
  const auto along_velocity = [&](int j) { return v_change == nullptr ? 0 : v_change[j]; };
  for_positions(
      RunTimeModel(mechanism_), [&](int i, int j) { slopes[i] = along_velocity(j); },
      [&](int i, int j) {
        const double spin[3] = {along_velocity(j), along_velocity(j + 1), along_velocity(j + 2)};
        half_product(state_.q + i, spin, slopes + i);
        if (q == nullptr) return;
        double change[4];
        half_product(q + i, v + j, change);
        dense::add(4, 1, change, slopes + i);
      });
  if (q != nullptr && led_ != nullptr) lengthen_quaternions(q, slopes);
  return slopes;
}

const double* Simulation::output_slopes(int group) {
  double* slopes = outputs_of(group, output_slopes_.data());
  if (known_.group_slopes >> group & 1) return slopes;
  const Sizes& s = mechanism_.sizes;
  Point at = here(), along = this->along();
  if (!solved(at)) return nullptr;
  along.acceleration = acceleration_slopes();
  along.multipliers = multiplier_slopes();
  along.loads = along.multipliers + s.all_rows();
  mechfmu::differentiate(mechanism_.groups[group].tape, at, along, tape_values_.data(), tape_slopes_.data(), slopes);
  known_.group_slopes |= 1u << group;
  return slopes;
}

}  // namespace mechfmu
