// One mechanism in motion: parameters and inputs in force, consistent start, steps, and everything that can be read,
// computed when it is first asked for.
#pragma once

#include "constraints/agreement.hpp"
#include "constraints/fitting.hpp"
#include "constraints/projection.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/message.hpp"
#include "mechanism/settings.hpp"
#include "mechanism/state.hpp"
#include "mechanism/unwrapping.hpp"
#include "reactions/accelerations.hpp"
#include "start/start.hpp"
#include "stepping/stepper.hpp"

namespace mechfmu {

class Simulation {
 public:
  /// Takes everything that steps will need from the arena; check ok().
  Simulation(Arena&, const Mechanism&, const Settings&, StepperFactory);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  /// False: memory was short.
  bool ok() const { return memory_.ok() && stepper_memory_.ok(); }

  const Mechanism& mechanism() const { return mechanism_; }
  /// Why the last call that returned false or nullptr failed.
  const Message& message() const { return message_; }
  /// The warnings of assemble(), advance() and what leads to it, until the caller has told them. Those of a call that
  /// fails are void.
  void clear_warnings() { message_.clear_warnings(); }

  Settings settings() const { return state_.get_settings(); }
  /// Before assemble(). False: out of memory.
  bool use(const Settings&);

  /// Values in force, SI.
  const double* parameters();
  /// The author's, and the time of the inputs where the mechanism has it (which is set here, not by callers).
  const double* inputs() const { return state_.inputs; }
  void set_parameter(int index, double value);
  void set_input(int index, double value);
  /// How an input goes on from its value in the coming advance(), and in that alone: orders 1 to
  /// most_input_derivatives. Of no effect on inputs that drive motions: their rates are inputs of their own. When the
  /// advance has ended, the inputs in force are those of its end.
  void set_input_derivative(int index, int order, double value);
  bool inputs_vary() const { return *state_.input_order > 0; }

  /// What the parameters say of positions or velocities at the start: held, or guesses.
  const double* position_guesses();
  const double* velocity_guesses();

  /// The consistent start at `time` from the guesses.
  bool assemble(double time);
  bool assembled() const { return *state_.assembled != 0; }
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

  // Integrated from outside, as in model exchange (simulation_outside.cpp): q and v are the integrator's.
  /// From now on everything belongs to the velocities that fit next to v, and the rates of q and v lead back onto the
  /// constraints (fitting.hpp), with the settings' drift_gain_1. False: out of memory.
  bool integrate_outside();
  void move_to(double time);
  void place(const double* q, const double* v);
  /// The integrator goes on from here: turns of angles are counted, loads are looked for from those found here.
  bool complete_step();
  /// The integrator has asked for derivatives. (Who only looks at values, or looks again, does not count.)
  void count_evaluation() { ++*state_.evaluations; }

  double time() const { return *state_.time; }
  const double* positions() const;                       ///< q with whole turns
  const double* velocities() const { return state_.v; }  ///< v
  const double* accelerations();                         ///< nullptr: singular
  const double* loads();                                 ///< likewise
  const double* position_rates();                        ///< q̇, nullptr likewise
  const double* velocity_rates();                        ///< of v: accelerations, but from outside; nullptr likewise
  const double* position_rate_guesses();                 ///< q̇ of the guesses
  const double* multipliers();                           ///< nullptr likewise
  const double* outputs(int group);                      ///< nullptr likewise
  /// A direction of time, positions, velocities, inputs and parameters; nullptr: they stay.
  struct Direction {
    double time = 0;
    const double *q = nullptr, *v = nullptr, *inputs = nullptr, *parameters = nullptr;
  };
  /// What q̇, v̇, λ and outputs change by along a direction, whose arrays must outlive the reading of outputs. False:
  /// singular. The slopes are those of the last direction.
  bool differentiate(const Direction&);
  /// The same along the motion, inputs held.
  bool differentiate_by_time();
  /// Fills in what calculated parameters change by with the others.
  void differentiate_calculated(double* parameters);
  /// The same of what assemble() has found, along a direction of time, parameters and inputs.
  ConsistentStart::Derivative differentiate_start(double time, const double* parameters, const double* inputs);
  /// The same where inputs that drive motions, or parameters, move positions and velocities, as adopt_inputs() and
  /// adopt_parameters() do; q and v of the direction are added to that, `freely` or not.
  bool differentiate_jump(const Direction&, bool freely);
  /// The same as differentiate() would give if the motion were integrated from outside: with time and states the
  /// velocities that fit change, and what leads back. The first call allocates.
  bool differentiate_freely(const Direction&);
  const double* position_slopes() const { return direction_.q; }
  const double* velocity_slopes() const { return direction_.v; }
  const double* parameter_slopes() const { return direction_.parameters; }  ///< nullptr: they stay
  const double* rate_slopes();
  const double* velocity_rate_slopes();
  const double* acceleration_slopes() const { return solved_slopes_.data(); }
  const double* multiplier_slopes() const { return acceleration_slopes() + mechanism_.sizes.velocities; }
  const double* output_slopes(int group);
  double position_violation();      ///< largest |f_p|, dropped rows too
  double velocity_violation();      ///< largest |C v + c_t|
  double acceleration_violation();  ///< largest |C_a v̇ + γ|; NaN: singular
  double closure_gap();             ///< position_violation against the sizes of rows
  double steps() const { return *state_.steps; }
  double rejected_steps() const { return *state_.rejected_steps; }
  double evaluations() const { return *state_.evaluations; }
  double basis_switches() const { return *state_.basis_switches; }

  /// The whole state as numbers. Nothing else is state.
  int state_size() const { return state_.size(); }
  const double* state() const { return state_.data(); }
  void restore(const double* state);
  /// As after construction: the caller sets parameters and inputs again.
  void reset();

 private:
  void stale() { known_ = Known{}; }
  /// Everything but the parameters is new.
  void moved() {
    const Known parameters{known_.calculated, known_.prepared};
    known_ = parameters;
  }
  Point here();
  Point at_state();
  bool fits();
  Point along_direction() const;
  bool differentiate(const Direction&, const Fitting* led);
  bool make_fitting();
  Point along() const;
  void begin_course();
  void end_course();
  bool project();
  void start_turns();
  void start_loads();
  bool find_accelerations();
  bool solved(Point&);
  Accelerations::Changes balance_changes(Point at, const Point& along);
  void share_by_loads(const Point& at);
  double* outputs_of(int group, double* all) const;
  void lengthen_quaternions(double* position_rate) const;
  void lengthen_quaternions(const double* position_change, double* rate_change) const;
  bool conditions_hold(Condition::When, bool changing_only = false);
  bool changing_conditions_hold();
  bool check_ideal();
  bool check_ranks();
  bool check_finite();
  bool notice_rounding();
  bool check_agreement(double since);
  bool refuse(bool done);

  const Mechanism& mechanism_;
  StepperFactory make_stepper_;
  Settings initial_;
  Arena& memory_;
  Arena stepper_memory_;  ///< where the stepper lies, which changes with the settings
  State state_;
  Stepper* stepper_;
  Settings stepper_settings_;
  ConsistentStart start_;
  Accelerations accelerations_;
  Projection projection_;
  Agreement agreement_;
  Unwrapping unwrapping_;
  Message message_;
  mutable Buffer<dynamic> positions_;
  Buffer<dynamic> guesses_, work_, M_, C_, c_t_, f_, velocity_rows_, saved_, calculated_, outputs_, position_rates_,
      velocity_rates_;
  Buffer<dynamic> tape_values_, tape_slopes_, balance_slopes_, kept_balance_slopes_, kept_multipliers_, load_turn_,
      solved_slopes_, output_slopes_, rate_slopes_, velocity_rate_slopes_, carrier_, start_slopes_, moves_,
      start_q_slopes_, start_v_slopes_, condition_values_;
  Direction direction_;
  Fitting* fitting_ = nullptr;        ///< of a motion that is integrated from outside, or driven by inputs
  const Fitting* outside_ = nullptr;  ///< the same, integrated from outside
  const Fitting* led_ = nullptr;      ///< the same: slopes are of what is led back by it

  /// What has been computed for the present state.
  struct Known {
    bool calculated = false, prepared = false;
    mutable bool positions = false;
    bool fitted = false, fits = true, accelerations = false, spread = false, slopes_by_time = false;
    unsigned groups = 0, group_slopes = 0;
  } known_;
};

/// A simulation with an arena of its own, for those who run it outside an FMU.
class StandaloneSimulation : private OwnMemory, public Simulation {
 public:
  StandaloneSimulation(const Mechanism& m, const Settings& settings, StepperFactory factory)
      : Simulation(memory, m, settings, factory) {}
};

}  // namespace mechfmu
