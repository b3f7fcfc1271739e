// A mechanism whose positions and velocities somebody else integrates, as in model exchange. Nothing is projected then;
// what leads back is in the rates (fitting.hpp).
#include "linear/dense.hpp"
#include "mechanism/kinematics.hpp"
#include "simulation.hpp"

namespace mechfmu {

bool Simulation::make_fitting() {
  if (fitting_ == nullptr) fitting_ = memory_.make<Fitting>(memory_, mechanism_);
  return memory_.ok();
}

bool Simulation::integrate_outside() {
  const bool made = make_fitting();
  outside_ = fitting_;
  return made;
}

/// Whether there are velocities next to the integrator's that fit; found once.
bool Simulation::fits() {
  if (outside_ == nullptr) return true;
  if (!known_.fitted) {
    known_.fitted = true;
    fitting_->share_rows(*state_.rounded != 0);
    known_.fits = fitting_->fit(at_state(), settings().drift_gain_1, message_);
  }
  return known_.fits;
}

const double* Simulation::velocity_rates() {
  const double* found = accelerations();
  if (outside_ == nullptr || found == nullptr) return found;
  double* result = velocity_rates_.data();
  dense::copy(mechanism_.sizes.velocities, found, result);
  dense::add(mechanism_.sizes.velocities, settings().drift_gain_1, outside_->correction(), result);
  return result;
}

const double* Simulation::velocity_rate_slopes() {
  const double* found = acceleration_slopes();
  if (led_ == nullptr) return found;
  double* result = velocity_rate_slopes_.data();
  dense::copy(mechanism_.sizes.velocities, found, result);
  dense::add(mechanism_.sizes.velocities, settings().drift_gain_1, led_->correction_slopes(), result);
  return result;
}

void Simulation::move_to(double time) {
  if (*state_.time == time) return;
  *state_.time = time;
  if (mechanism_.input_time >= 0) state_.inputs[mechanism_.input_time] = time;
  moved();
}

void Simulation::place(const double* q, const double* v) {
  dense::copy(mechanism_.sizes.positions, q, state_.q);
  dense::copy(mechanism_.sizes.velocities, v, state_.v);
  moved();
}

bool Simulation::complete_step() {
  ++*state_.steps;
  if (mechanism_.sizes.angles > 0) {
    unwrapping_.follow(at_state(), state_.angles);
    moved();
  }
  if (!changing_conditions_hold() || !check_agreement(*state_.time)) return false;
  if (mechanism_.sizes.loads == 0) return true;
  if (!find_accelerations()) return false;
  dense::copy(mechanism_.sizes.loads, accelerations_.loads(), state_.loads);
  return true;
}

/// d|q|²/dt = K (1 − |q|²) |q|²
void Simulation::lengthen_quaternions(double* position_rate) const {
  const double gain = settings().drift_gain_1;
  for_positions(
      RunTimeModel(mechanism_), [](int, int) {},
      [&](int i, int) {
        const double* q = state_.q + i;
        dense::add(4, gain / 2 * (1 - dense::dot(4, q, q)), q, position_rate + i);
      });
}

/// What that changes by with the position.
void Simulation::lengthen_quaternions(const double* position_change, double* rate_change) const {
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
