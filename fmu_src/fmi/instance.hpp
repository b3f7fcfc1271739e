// One FMU instance, the same for FMI 2 and FMI 3: values as the importer set them, the simulation behind them, the
// state of the FMI state machine, and messages. fmi2.cpp and fmi3.cpp only translate their standards' calls into these.
//
// Reads are lazy and the order of calls never shows. While instantiated, values are start values. In initialization
// mode the start is assembled when a computed value is first asked for. In step mode a set is staged: it can be read
// back at once, but computed values belong to what was in force at the end of the last step, until the next step. In
// event mode what was set is taken in when a computed value is first asked for, or at the mode's end. What is set
// between communication points, in a step's intermediate update, is taken in when the callback returns.
//
// In model exchange the importer integrates: coordinates and rates are its states (instance_exchange.cpp). Event mode
// is the same; in continuous-time mode what was set holds at once, and nothing is projected.
#pragma once

#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdint>

#include "allowed_calls.hpp"
#include "default_arithmetic.hpp"
#include "linear/buffer.hpp"
#include "log_category.hpp"
#include "simulation/simulation.hpp"
#include "variable_table.hpp"

namespace mechfmu {

/// Where messages go. Errors are told whether logging is on or off (FMI 3.0.3 says so; in FMI 2 loggingOn is about
/// debug messages): who did not ask for messages still learns why something failed. So are warnings that a call returns
/// as its status. Others are for those who asked.
struct Log {
  using Write = void (*)(const Log&, const char* instance_name, Status, const char* text);
  Write write = nullptr;             ///< translates to the importer's callback
  void (*callback)() = nullptr;      ///< the importer's, cast back by `write`
  void* environment = nullptr;       ///< handed back to the importer
  bool on[log_category_count] = {};  ///< categories that were asked for

  void turn_all(bool asked) {
    for (bool& category : on) category = asked;
  }
};

/// What an importer said at instantiation that it will make use of.
struct Wishes {
  bool model_exchange = false;  ///< instead of co-simulation
  /// Asks the importer between communication points, at `time`; true: the step shall end at `end`.
  using Update = bool (*)(const Wishes&, double time, bool inputs_wanted, bool may_return, double& end);
  bool event_mode = false;
  bool early_return = false;                 ///< a step may end before it was to
  Update update = nullptr;                   ///< translates to the importer's callback; nullptr: there is none
  void (*callback)() = nullptr;              ///< the importer's, cast back by `update`
  void* environment = nullptr;               ///< handed back to the importer
  const std::uint32_t* variables = nullptr;  ///< that it may ask for or set in the callback; read at instantiation only
  std::size_t variable_count = 0;
};

/// A saved state as the importer holds it; see saved_state.cpp.
struct SavedState;

class Instance {
 public:
  enum class Standard { fmi2, fmi3 };

  /// What an instance is made from.
  struct Model {
    const Mechanism& mechanism;
    const VariableTable& variables;
    StepperFactory make_stepper;
  };

  /// nullptr when the name or the token is wrong or memory is short; the log says which.
  static Instance* create(Standard, const Model&, const char* name, const char* token, const Log&, const Wishes& = {});
  static void destroy(Instance*);

  /// The one guard: `work` runs if the table of allowed calls permits it. An error leads to the error state.
  template <class Work>
  Status guarded(const AllowedCall& call, Work&& work) {
    const DefaultArithmetic arithmetic;
    arithmetic_ = &arithmetic;
    call_ = call.name;
    const bool allowed = call.allowed_in(mode_, wishes_.model_exchange) && (wishes_.event_mode || !call.of_event_mode);
    const Status status = allowed ? work() : refuse(call);
    if (status >= Status::error) {
      mode_ = standard_ == Standard::fmi2 ? Mode::error : Mode::terminated;
    } else if (call.next != Mode::unchanged) {
      mode_ = next(call);
    }
    return status;
  }

  Mode mode() const { return mode_; }
  double last_time() const { return consistent_ ? simulation_.time() : start_time_; }

  // Life.
  Status set_up(bool tolerance_defined, double tolerance, double start_time, bool stop_defined, double stop_time);
  Status enter_initialization();
  Status exit_initialization();
  /// `returned_early` is told whether the importer, asked in the step, had it end before.
  Status do_step(double communication_point, double step_size, bool* returned_early = nullptr);
  /// The values set in event mode hold from here on.
  Status enter_step_mode();
  Status reset();

  // Event mode.
  Status enter_event_mode();
  // Model exchange. States are coordinates, then rates, each in the order of the variables.
  Status set_time(double time);
  Status set_states(const double* states, std::size_t count);
  Status get_states(double* states, std::size_t count);
  /// Discard: they do not exist there, as the log says; the importer may try elsewhere.
  Status get_state_derivatives(double* derivatives, std::size_t count);
  Status get_nominals(double* nominals, std::size_t count);
  Status get_event_indicators(std::size_t count);
  int state_count() const { return state_count_; }
  Status complete_integrator_step();
  /// The values set in event mode hold from here on; tells whether continuous states jumped by them. (In co-simulation
  /// there are none, and the values wait for the mode's end.)
  Status update_discrete_states(bool& states_changed);
  Status enter_continuous_time();
  Status terminate();

  /// Of setDebugLogging: no categories are all of them.
  Status set_logging(bool on, std::size_t count, const char* const* categories);

  // Values. Nothing is set unless everything in the call can be. In FMI 3 an array has as many values as components,
  // one after the other.
  /// The values that a call brings or wants are as many as its variables have.
  Status check_count(const std::uint32_t* references, std::size_t count, std::size_t values);
  Status get_numbers(const std::uint32_t* references, std::size_t count, double* values);
  Status set_numbers(const std::uint32_t* references, std::size_t count, const double* values);
  /// How inputs go on from their values in the coming step, and in that alone: by the next they are what was set again.
  Status set_input_derivatives(const std::uint32_t* references, std::size_t count, const std::int32_t* orders,
                               const double* values);
  /// Of outputs by time, inputs held: the first of all, the second of those whose first is a variable, of others 0. In
  /// FMI 2 and 3 `orders` are 32 bits wide.
  Status get_derivatives(const std::uint32_t* references, std::size_t count, const std::int32_t* orders,
                         double* values);
  /// Variables of a call and an array of their values.
  struct Request {
    const std::uint32_t* references;
    std::size_t count;
    const double* values;
  };
  /// What computed values change by along the knowns' values: time, inputs and parameters, after initialization states
  /// too. The unknowns' values are not used. Discard: there is no such derivative, as the log says.
  Status directional_derivative(const Request& unknowns, const Request& knowns, double* sensitivity);
  /// What the sum of the unknowns, weighted with their values, changes by with each known, whose values are not used.
  Status adjoint_derivative(const Request& unknowns, const Request& knowns, double* sensitivity);
  /// Enumerations: of 32 bits in FMI 2, of 64 in FMI 3.
  template <class Integer>
  Status get_items(const std::uint32_t* references, std::size_t count, Integer* values);
  template <class Integer>
  Status set_items(const std::uint32_t* references, std::size_t count, const Integer* values);
  /// For the types of which there are no variables.
  Status no_variables(std::size_t count, const char* type);

  // The whole state; saved_state.cpp.
  Status save(void** state);
  Status restore(const void* state);
  Status discard(void** state);
  Status serialized_size(const void* state, std::size_t* size);
  Status serialize(const void* state, void* bytes, std::size_t size);
  Status deserialize(const void* bytes, std::size_t size, void** state);

  /// Tells the log and returns Status::error: a failing function ends with `return fail(…)`.
  [[gnu::format(gnu_printf, 2, 3)]] Status fail(const char* format, ...);
  /// The same with Status::discard, where there are no values, but may be elsewhere.
  [[gnu::format(gnu_printf, 2, 3)]] Status refrain(const char* format, ...);
  /// Tells those who asked for warnings what is ignored, or what to know, in a call that succeeds. Its status stays OK,
  /// since some importers take a warning during set-up for a failure.
  [[gnu::format(gnu_printf, 2, 3)]] void warn(const char* format, ...);
  /// Of a call that has succeeded: Status::warning if the simulation has warnings, which are then told, whether logging
  /// is on or off.
  Status succeed();

 private:
  friend Arena;
  Instance(Arena&&, Standard, const Model&, const char* name, const Log&, const Wishes&);
  bool ok() const { return simulation_.ok(); }
  class IntermediateUpdate;
  Mode next(const AllowedCall& call) const {
    return mode_ == Mode::initialization && call.next == Mode::step && wishes_.event_mode ? Mode::event : call.next;
  }
  Status refuse(const AllowedCall&);
  void tell(Status, const char* text);
  void write(Status, const char* text);
  Status tell(Status, const char* format, std::va_list);
  void set_defaults();

  /// How far an importer's clock may differ from ours: sums of many steps round differently. Relative to the time, and
  /// a millionth of the step; a real mistake, a step left out or done twice, is of the order of the step itself.
  static double clock_tolerance(double time, double step_size) { return 1e-9 * std::fabs(time) + 1e-6 * step_size; }

  // instance_exchange.cpp
  void list_states();
  // Moves of states are collected, from where the simulation is or all of them anew, and made at once.
  void stay();
  void move(const VariableRow&, double value);
  void take_place();
  Status check_states(const void* values, std::size_t count);

  // instance_values.cpp
  const VariableRow* find(std::uint32_t reference) const;
  int row_number(const VariableRow& row) const { return static_cast<int>(&row - variables_.rows); }
  int components(const VariableRow& row) const { return standard_ == Standard::fmi3 ? row.components : 1; }
  Status check(const std::uint32_t* references, std::size_t count, const void* values, bool choices = false);
  bool may_set(const VariableRow&) const;
  Status refuse_set(const VariableRow&);
  bool read(const VariableRow&, double& value);
  bool compute(const VariableRow&, double& value);
  bool read_derivative(const VariableRow&, int order, double& value);
  double start_value(const VariableRow&);
  /// A coordinate or rate whose start can be set while instantiated (FMI: initial = approx), as the states of model
  /// exchange are.
  bool has_start(const VariableRow& row) const {
    return states_have_starts_ && (row.source == Source::position || row.source == Source::velocity);
  }
  bool start_has_effect(const VariableRow& state) const;
  double value_in_force(int row) const;
  double shown_tolerance() const;
  double file_tolerance() const;
  Settings settings() const;
  bool computed_values_exist();
  bool assemble();
  /// Hands what was set to the simulation; true if a parameter changed.
  bool take_over();
  /// The same while running, with what follows from it: positions and tangent velocities fit the new values (in step
  /// mode the step itself fits them to inputs). False: they cannot be used, the log says why, and all is as it was.
  bool take_in();
  /// After take_in(), or inputs set between communication points: as if nothing had been taken in.
  void put_back();
  bool same_motion(const double* state) const;

  // instance_limits.cpp
  Status check_limits(const VariableRow&, double value);
  Status refuse_beyond(const VariableRow&, double value, const double* bound);
  /// False: the log says which does not.
  bool calculated_parameters_lie_inside();

  // instance_derivatives.cpp
  std::size_t value_count(const Request& request) const;
  Status check_derivative(const Request& unknowns, const Request& knowns);
  static int direction_size(const Sizes& s) { return s.inputs + s.positions + s.velocities + s.parameters; }
  bool is_state(const VariableRow& row) const {
    return wishes_.model_exchange && (row.source == Source::position || row.source == Source::velocity);
  }
  bool has_derivatives_by(const VariableRow&) const;
  template <class Take>
  Status derive(const Request& unknowns, Take&& take);
  ConsistentStart::Derivative differentiate();
  bool read_slope(const VariableRow&, double& slope);
  Status difference(const Request& unknowns, double* derivatives);
  double time_seed() const;
  double first_difference();
  bool values_beside(const double* origin, double step, const Request& unknowns, double* values);

  // saved_state.cpp
  std::size_t saved_size() const;
  const SavedState* recognise(const void* state);

  Arena memory_;  ///< in which the instance lies itself
  Standard standard_;
  const VariableTable& variables_;
  Simulation simulation_;
  Log log_;
  Wishes wishes_;
  const bool states_have_starts_;  ///< all coordinates and rates are variables
  Array<char> name_;
  const char* call_ = "";                          ///< the entry point being served, for messages
  const DefaultArithmetic* arithmetic_ = nullptr;  ///< in force while it is served

  // State of the FMI state machine and what the importer said.
  Mode mode_ = Mode::instantiated;
  bool set_up_ = false;             ///< FMI 2: setupExperiment was called
  bool consistent_ = false;         ///< the simulation holds an assembled state
  bool staged_ = true;              ///< something was set that the simulation has not been told
  bool tolerance_was_set_ = false;  ///< solver.tolerance was set: it goes before set-up's
  double setup_tolerance_ = 0;      ///< 0: none was given
  double start_time_ = 0;
  bool inputs_wanted_ = false;  ///< in the callback: there is something left of the step for which they can be set
  bool stop_defined_ = false;   ///< not part of a saved state: another run may end elsewhere
  double stop_time_ = 0;

  Buffer<dynamic> set_values_;  ///< by row, in the variables' units, exactly as set
  IndexBuffer settable_;        ///< rows that can be set
  int settable_count_ = 0;
  IndexBuffer states_;  ///< rows of the continuous states, in model exchange
  int state_count_ = 0;
  Buffer<dynamic> moved_;             ///< positions and velocities that the importer sets
  bool states_jumped_ = false;        ///< in event mode, and the importer has not been told
  double earliest_time_ = 0;          ///< before which an importer does not go back
  double completed_time_ = 0;         ///< of the last completed step, or of an event since
  IndexBuffer intermediate_;          ///< by row: 1 if it may be asked for or set between communication points
  Buffer<dynamic> direction_;         ///< of a derivative, by row, in the variables' units
  Buffer<dynamic> motion_direction_;  ///< the same of inputs, positions, velocities and parameters, SI
  Buffer<dynamic> before_;            ///< the simulation's state before new values were taken in
};

}  // namespace mechfmu
