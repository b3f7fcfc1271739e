// A mechanism whose positions and velocities somebody else integrates, as in model exchange. Nothing is projected
// then: violations decay as f̈ + K_v ḟ + K_p f = 0 (Blajer, Bestle and Schiehlen 1994, (34)), which leaves q̇ = A v as it
// is, so that rates are the derivatives of coordinates exactly. (Blajer 1993, (4.6a), corrects q̇ and would part them.)
#include "dense.hpp"
#include "kinematics.hpp"
#include "products.hpp"
#include "simulation.hpp"

namespace mechfmu {

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
    unwrapping_.follow(here(), state_.angles);
    moved();
  }
  if (mechanism_.sizes.loads == 0) return true;
  if (!find_accelerations()) return false;
  dense::copy(mechanism_.sizes.loads, accelerations_.loads(), state_.loads);
  return true;
}

/// K_v (C v + c_t) + K_p f, after position() has evaluated M, C and c_t at this point.
const double* Simulation::feedback(const Point& p) {
  const Sizes& s = mechanism_.sizes;
  const Settings gains = settings();
  double* feedback = feedback_.data();
  if (!mechanism_.character.rheonomic) dense::fill(s.rows(), 0, c_t_.data());
  mechanism_.violation(p, f_.data());
  dense::fill(s.all_rows(), 0, feedback);
  times(mechanism_.C, C_.data(), p.v, feedback);
  for (int i = 0; i < s.rows(); ++i) feedback[i] = gains.drift_gain_1 * (feedback[i] + c_t_[i]);
  for (int i = 0; i < s.position_rows; ++i) feedback[i] += gains.drift_gain_0 * f_[i];
  return feedback;
}

/// d|q|²/dt = K_v (1 − |q|²) |q|²
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
