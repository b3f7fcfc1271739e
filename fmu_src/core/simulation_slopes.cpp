// What accelerations, reactions and outputs change by along a direction of time, state, inputs and parameters: tapes of
// the equations are differentiated, and the factors of the accelerations serve to solve for what follows.
#include "dense.hpp"
#include "kinematics.hpp"
#include "simulation.hpp"
#include "tape.hpp"

namespace mechfmu {

/// The last direction as a tape takes it.
Point Simulation::along() const {
  Point p;
  p.time = direction_.time;
  p.q = direction_.q;
  p.v = direction_.v;
  p.inputs = direction_.inputs;
  p.parameters = direction_.parameters;
  return p;
}

bool Simulation::differentiate(const Direction& direction) {
  known_.slopes_by_time = false;
  known_.group_slopes = 0;
  direction_ = direction;
  const Sizes& s = mechanism_.sizes;
  Point at = here();
  if (!solved(at)) return false;
  accelerations_.find_carrier(carrier_.data());
  at.carrier = carrier_.data();
  const Point along = this->along();
  mechfmu::differentiate(mechanism_.balance, at, along, tape_values_.data(), tape_slopes_.data(),
                         balance_slopes_.data());
  double *force = balance_slopes_.data(), *gamma = force + s.velocities;
  const double *loads = gamma + s.all_rows(), *violation = loads + s.loads, *drift = violation + s.position_rows,
               *carried = drift + s.rows();
  if (stabilised_) {  // feedback()
    const Settings gains = settings();
    dense::add(s.rows(), gains.drift_gain_1, drift, gamma);
    dense::add(s.position_rows, gains.drift_gain_0, violation, gamma);
  }
  const double* kept_force = force;
  if (accelerations_.multipliers_are_shared()) {
    accelerations_.find_kept_multipliers(kept_multipliers_.data());
    at.multipliers = kept_multipliers_.data();
    mechfmu::differentiate(mechanism_.balance, at, along, tape_values_.data(), tape_slopes_.data(),
                           kept_balance_slopes_.data());
    kept_force = kept_balance_slopes_.data();
  }
  double *acceleration = solved_slopes_.data(), *multipliers = acceleration + s.velocities;
  accelerations_.respond_to(M_.data(), {kept_force, force, gamma, loads, carried}, acceleration, multipliers,
                            multipliers + s.all_rows());
  return true;
}

bool Simulation::differentiate_by_time() {
  if (known_.slopes_by_time) return true;
  if (accelerations() == nullptr || !differentiate({1, position_rates(), accelerations(), nullptr})) return false;
  return known_.slopes_by_time = true;
}

ConsistentStart::Derivative Simulation::differentiate_start(double* parameters, const double* inputs) {
  Point along;
  along.parameters = parameters;
  mechfmu::differentiate(mechanism_.start, here(), along, tape_values_.data(), tape_slopes_.data(),
                         start_slopes_.data());
  const double* calculated = start_slopes_.data() + mechanism_.start.result_count - mechanism_.calculated_count;
  for (int i = 0; i < mechanism_.calculated_count; ++i) parameters[mechanism_.calculated[i]] = calculated[i];
  return differentiate_consistent({parameters, inputs});
}

ConsistentStart::Derivative Simulation::differentiate_jump(const double* inputs) {
  return differentiate_consistent({nullptr, inputs});
}

ConsistentStart::Derivative Simulation::differentiate_consistent(const ConsistentStart::Direction& direction) {
  using Answer = ConsistentStart::Derivative;
  const Answer answer = start_.differentiate(*state_.time, parameters(), state_.inputs, state_.q, state_.v, direction,
                                             moves_.data(), start_v_slopes_.data(), message_);
  if (answer != Answer::found) return answer;
  rates(RunTimeModel(mechanism_), state_.q, moves_.data(), start_q_slopes_.data());
  const bool done = differentiate({0, start_q_slopes_.data(), start_v_slopes_.data(), direction.inputs,
                                   direction.parameters});
  return done ? Answer::found : Answer::none;
}

/// q̇ = A(q) v is linear in both.
const double* Simulation::rate_slopes() {
  double* slopes = rate_slopes_.data();
  const double *q = direction_.q, *v = direction_.v;
  const auto along_velocity = [&](int j) { return v == nullptr ? 0 : v[j]; };
  for_positions(
      RunTimeModel(mechanism_), [&](int i, int j) { slopes[i] = along_velocity(j); },
      [&](int i, int j) {
        const double turn[3] = {along_velocity(j), along_velocity(j + 1), along_velocity(j + 2)};
        half_product(state_.q + i, turn, slopes + i);
        if (q == nullptr) return;
        double change[4];
        half_product(q + i, state_.v + j, change);
        dense::add(4, 1, change, slopes + i);
      });
  if (q != nullptr && stabilised_) lengthen_quaternions(q, slopes);
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
