// A simulation is one mechanism in motion: its consistent start, its steps, and changes from outside. These classes
// build on each other:
//
//   Present       holds parameters, inputs and the state (present.hpp)
//   Reader        computes values there when they are first asked for (reader.hpp)
//   Slopes        computes their derivatives (slopes.hpp)
//   Simulation    moves it: here, and in outside.cpp for motions that are integrated from outside
#pragma once

#include "constraints/projection.hpp"
#include "mechanism/unwrapping.hpp"
#include "slopes.hpp"
#include "stepping/stepper.hpp"

namespace mechfmu {

class Simulation : public Slopes {
 public:
  /// Takes everything that steps will need from the arena; check ok().
  Simulation(Arena&, const Mechanism&, const Settings&, StepperFactory);
  /// Is false if memory was short.
  bool ok() const { return memory_.ok() && stepper_memory_.ok(); }

  /// Takes these settings; call it before assemble(). Returns false if there is no memory.
  bool use(const Settings&);
  void set_parameter(int index, double value);

  /// Finds the consistent start at `time` from the guesses.
  bool assemble(double time);
  /// Integrates to `end` exactly. If it returns false, the state is what it was before the call, except for inputs that
  /// `watcher` set.
  bool advance(double end, StepWatcher* watcher = nullptr);
  /// Takes over parameters that were changed while running: q is projected with them, v is kept, u = W_dᵀ M v. If it
  /// returns false, the old state stays.
  bool adopt_parameters();
  /// Takes over inputs that were changed while running: they hold from now on. If they move constraints, position and
  /// velocity follow their jump; u stays, as if the jump had taken no time, and so does the step size. advance() begins
  /// with this. If it returns false, the state has to be restored.
  bool adopt_inputs();

  // Rows come and go at events.
  /// Is true if advance() has ended where rows come or go, for a watcher that stops there, and meet_event() was not
  /// called since.
  bool waits_at_event() const { return mechanism_.sizes.contacts > 0 && *state_.put_off != 0; }
  /// Lets rows come and go at the present state: where advance() has ended for this, where inputs have changed, or
  /// where an integrator outside has found indicators that are not positive. If it returns false, the old state stays.
  bool meet_event();
  bool meet_waiting_event() { return !waits_at_event() || meet_event(); }
  /// Returns the indicators of events, two for each group of rows that come and go, then one for each switch: they are
  /// positive while nothing changes. Returns nullptr if they cannot be found.
  const double* indicators();

  /// Warns at the end of a run since `start_time` of coordinates that have moved little: the tolerance, which is
  /// relative to their nominal sizes, may not have resolved their motion.
  void warn_of_small_ranges(double start_time);

  // Integrated from outside, as in model exchange (outside.cpp): q and v are the integrator's.
  /// From now on everything belongs to the velocities that fit next to v, and the rates of q and v lead back onto the
  /// constraints (fitting.hpp), with the settings' drift_gain_1. False: out of memory.
  bool integrate_outside();
  void move_to(double time);
  void place(const double* q, const double* v);
  /// Says that the integrator goes on from here: turns of angles are counted, the search for loads begins with those
  /// found here, and slips in space have the directions that they have here.
  bool complete_step();
  /// Is true if an indicator is not positive.
  bool is_at_event();
  /// Puts positions and velocities onto the rows that hold, as they are with the present parameters.
  bool settle_contacts();
  /// Counts an evaluation: the integrator has asked for derivatives. (A caller who only looks at values, or looks
  /// again, does not count.)
  void count_evaluation() { ++*state_.evaluations; }

  void restore(const double* state);
  /// Goes back to the state after construction: the caller sets parameters and inputs again.
  void reset();

 private:
  void begin_course();
  void end_course();
  bool project();
  bool meet_event_outside();
  bool fit_outside();
  bool raise_indicators();
  Point here_with_loads();
  void start_turns();
  void start_loads();
  bool conditions_hold(Condition::When when, bool changing_only = false);
  bool changing_conditions_hold();
  bool check_ideal();
  bool check_drift();
  bool check_partitioning();
  bool check_ranks();
  bool check_finite();
  bool notice_rounding();
  bool check_agreement(double since);
  bool refuse(bool done);

  StepperFactory make_stepper_;
  Settings initial_;
  Arena stepper_memory_{Arena::of_instance};  ///< the stepper lies here; another one replaces it when settings change
  Stepper* stepper_;
  Settings stepper_settings_;
  Projection projection_;
  Unwrapping unwrapping_;
  Buffer<dynamic> saved_, condition_values_, indicators_;
};

/// A simulation that has an arena of its own serves those who run it outside an FMU.
class StandaloneSimulation : private OwnMemory, public Simulation {
 public:
  StandaloneSimulation(const Mechanism& m, const Settings& settings, StepperFactory factory)
      : OwnMemory(Arena::of_instance), Simulation(memory, m, settings, factory) {}
};

}  // namespace mechfmu
