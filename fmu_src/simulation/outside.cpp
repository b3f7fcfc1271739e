// Serves mechanisms whose positions and velocities somebody else integrates, as in model exchange. Nothing is projected
// then; the rates lead back to the constraints (fitting.hpp).
#include "linear/dense.hpp"
#include "simulation.hpp"
#include "stepping/changes.hpp"

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
  if (mechanism_.sizes.indicators() > 0) {
    stepper_->changes()->follow_slips(here(), state_);
    moved();
    if (indicators() == nullptr) return false;
  }
  if (mechanism_.sizes.loads == 0) return true;
  if (!find_accelerations()) return false;
  dense::copy(mechanism_.sizes.loads, accelerations_.loads(), state_.loads);
  return true;
}

bool Simulation::is_at_event() {
  const double* found = indicators();
  bool event = false;
  for (int i = 0; found != nullptr && i < mechanism_.sizes.indicators(); ++i) event = event || !(found[i] > 0);
  return event;
}

/// Lets rows come and go, and branches of formulas change, where an indicator is not positive. The integrator's state
/// is put onto all constraints before, and onto the rows that hold afterwards.
bool Simulation::meet_event_outside() {
  const double* found = indicators();
  Changes& changes = *stepper_->changes();
  if (found == nullptr) return false;
  if (!changes.notice(state_, found)) return true;
  dense::copy(state_.size(), state_.data(), saved_.data());
  const bool done = refuse(fit_outside() && changes.pass_outside(at_state(), state_, message_) && fit_outside() &&
                           changes.settle(at_state(), state_, message_) && (moved(), raise_indicators()));
  const int evaluations = changes.take_evaluations();
  if (done) *state_.evaluations += evaluations;
  moved();
  return done;
}

bool Simulation::settle_contacts() {
  if (mechanism_.sizes.contacts == 0 || !stepper_->changes()->any_acts(state_)) return true;
  dense::copy(state_.size(), state_.data(), saved_.data());
  const bool done =
      refuse(fit_outside() && stepper_->changes()->settle_outside(at_state(), state_, message_) && fit_outside());
  stepper_->changes()->take_evaluations();
  moved();
  return done;
}

/// Puts positions onto their constraints, and takes the velocities that fit.
bool Simulation::fit_outside() {
  moved();
  if (!project()) return false;
  moved();
  if (!fits()) return false;
  dense::copy(mechanism_.sizes.velocities, outside_->velocity(), state_.v);
  moved();
  return true;
}

/// Returns the point with the loads of the last accelerations.
Point Simulation::here_with_loads() {
  Point p = here();
  p.loads = accelerations_.loads();
  return p;
}

/// Makes all indicators positive for an integrator outside.
bool Simulation::raise_indicators() {
  if (outside_ == nullptr || mechanism_.sizes.indicators() == 0) return true;
  if (mechanism_.sizes.switches > 0) {
    stepper_->changes()->choose_branches(here(), state_);
    moved();
  }
  if (!find_accelerations()) return false;
  stepper_->changes()->raise_indicators(here_with_loads(), state_,
                                        accelerations_.multipliers() + mechanism_.sizes.lasting_rows());
  known_.indicators = false;
  return true;
}

}  // namespace mechfmu
