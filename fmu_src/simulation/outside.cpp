// Serves mechanisms whose positions and velocities somebody else integrates, as in model exchange. Nothing is projected
// then; the rates lead back to the constraints (fitting.hpp).
#include "linear/dense.hpp"
#include "simulation.hpp"

namespace mechfmu {

bool Simulation::integrate_outside() {
  const bool made = make_fitting();
  outside_ = fitting_;
  return made;
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

}  // namespace mechfmu
