// One mechanism in motion: consistent start, steps, and what is changed from outside. What it is built on:
//
//   Present       where the motion is: parameters, inputs, state (present.hpp)
//   Reader        values there, computed when first asked for (reader.hpp)
//   Slopes        what they change by (slopes.hpp)
//   Simulation    what moves it: here, and for motions that are integrated from outside in outside.cpp
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
  /// False: memory was short.
  bool ok() const { return memory_.ok() && stepper_memory_.ok(); }

  /// Before assemble(). False: out of memory.
  bool use(const Settings&);
  void set_parameter(int index, double value);

  /// Finds the consistent start at `time` from the guesses.
  bool assemble(double time);
  /// Integrates to `end` exactly. False: the state is what it was before the call, but for inputs that `watcher` set.
  bool advance(double end, StepWatcher* watcher = nullptr);
  /// Parameters were changed while running: q is projected with them, v kept, u = W_dᵀ M v. False: the old state stays.
  bool adopt_parameters();
  /// Inputs were changed while running: they hold from now on. Where they move constraints, position and velocity
  /// follow their jump: u stays, as if it had taken no time, and so does the step size. advance() begins with this.
  /// False: the state has to be restored.
  bool adopt_inputs();

  /// At the end of a run since `start_time`: warns of coordinates that have moved so little that the tolerance, which
  /// is relative to their nominal sizes, may not have resolved it.
  void warn_of_small_ranges(double start_time);

  // Integrated from outside, as in model exchange (outside.cpp): q and v are the integrator's.
  /// From now on everything belongs to the velocities that fit next to v, and the rates of q and v lead back onto the
  /// constraints (fitting.hpp), with the settings' drift_gain_1. False: out of memory.
  bool integrate_outside();
  void move_to(double time);
  void place(const double* q, const double* v);
  /// The integrator goes on from here: turns of angles are counted, loads are looked for from those found here.
  bool complete_step();
  /// The integrator has asked for derivatives. (Who only looks at values, or looks again, does not count.)
  void count_evaluation() { ++*state_.evaluations; }

  void restore(const double* state);
  /// As after construction: the caller sets parameters and inputs again.
  void reset();

 private:
  void begin_course();
  void end_course();
  bool project();
  void start_turns();
  void start_loads();
  bool conditions_hold(Condition::When when, bool changing_only = false);
  bool changing_conditions_hold();
  bool check_ideal();
  bool check_ranks();
  bool check_finite();
  bool notice_rounding();
  bool check_agreement(double since);
  bool refuse(bool done);

  StepperFactory make_stepper_;
  Settings initial_;
  Arena stepper_memory_{Arena::of_instance};  ///< where the stepper lies, which changes with the settings
  Stepper* stepper_;
  Settings stepper_settings_;
  Projection projection_;
  Unwrapping unwrapping_;
  Buffer<dynamic> saved_, condition_values_;
};

/// A simulation with an arena of its own, for those who run it outside an FMU.
class StandaloneSimulation : private OwnMemory, public Simulation {
 public:
  StandaloneSimulation(const Mechanism& m, const Settings& settings, StepperFactory factory)
      : OwnMemory(Arena::of_instance), Simulation(memory, m, settings, factory) {}
};

}  // namespace mechfmu
