// Holds the variables of an instance: the importer's values, those in force, and the sources of computed values.
//
// Reads are lazy and the order of calls never shows. While instantiated, values are start values. In initialization
// mode the start is assembled when a computed value is first asked for. In step mode a set is staged: it can be read
// back at once, but until the next step computed values belong to the values in force at the end of the last step. In
// event mode new values are taken in when a computed value is first asked for, or at the mode's end. Values that are
// set between communication points, in a step's intermediate update, are taken in when the callback returns. In
// continuous-time mode new values hold at once, and nothing is projected.
#pragma once

#include <cstddef>
#include <cstdint>

#include "messenger.hpp"
#include "simulation/simulation.hpp"
#include "variable_table.hpp"

namespace mechfmu {

enum class Standard { fmi2, fmi3 };

/// An instance is made from these three.
struct InstanceModel {
  const Mechanism& mechanism;
  const VariableTable& variables;
  StepperFactory make_stepper;

  /// True if all coordinates and rates are variables.
  bool has_all_states() const;
};

/// An importer says these wishes when it instantiates.
struct Wishes {
  bool model_exchange = false;  ///< is true for model exchange, false for co-simulation
  /// Asks the importer between communication points, at `time`; true: the step shall end at `end`.
  using Update = bool (*)(const Wishes&, double time, bool inputs_wanted, bool may_return, double& end);
  bool event_mode = false;
  bool early_return = false;                 ///< a step may end before it was to
  Update update = nullptr;                   ///< translates to the importer's callback; nullptr: there is none
  void (*callback)() = nullptr;              ///< the importer's, cast back by `update`
  void* environment = nullptr;               ///< handed back to the importer
  const std::uint32_t* variables = nullptr;  ///< variables to ask for or set in the callback; read at instantiation
                                             ///< only
  std::size_t variable_count = 0;
};

inline bool is_tolerance(const VariableRow& row) {
  return row.source == Source::solver_number && row.index == tolerance_index;
}

class Values : public Messenger {
 public:
  Mode mode() const { return mode_; }
  double last_time() const { return consistent_ ? simulation_.time() : start_time_; }

  // Nothing is set unless everything in the call can be. In FMI 3 an array has as many values as components, one after
  // the other.
  /// Checks that a call brings or wants as many values as its variables have.
  Status check_count(const std::uint32_t* references, std::size_t count, std::size_t values);
  Status get_numbers(const std::uint32_t* references, std::size_t count, double* values);
  Status set_numbers(const std::uint32_t* references, std::size_t count, const double* values);
  /// Says how inputs go on from their values in the coming step only: by the next step they have the set values again.
  Status set_input_derivatives(const std::uint32_t* references, std::size_t count, const std::int32_t* orders,
                               const double* values);
  /// Gets or sets enumerations, which have 32 bits in FMI 2 and 64 in FMI 3.
  template <class Integer>
  Status get_items(const std::uint32_t* references, std::size_t count, Integer* values);
  template <class Integer>
  Status set_items(const std::uint32_t* references, std::size_t count, const Integer* values);
  /// Serves calls for types that no variable has.
  Status no_variables(std::size_t count, const char* type);

 protected:
  Values(Arena&&, Standard, const InstanceModel&, const char* name, const Log&, const Wishes&);
  ~Values() = default;
  void set_defaults();
  /// Returns the status of a call that has succeeded: Status::warning if the simulation has warnings, which are then
  /// told, whether logging is on or off.
  Status succeed();

  const VariableRow* find(std::uint32_t reference) const;
  int row_number(const VariableRow& row) const { return static_cast<int>(&row - variables_.rows); }
  int components(const VariableRow& row) const { return standard_ == Standard::fmi3 ? row.components : 1; }
  Status check(const std::uint32_t* references, std::size_t count, const void* values, bool choices = false);
  bool may_set(const VariableRow&) const;
  Status refuse_set(const VariableRow&);

  // Values in force, and where computed values come from, are in values_in_force.cpp.
  bool read(const VariableRow&, double& value);
  bool compute(const VariableRow&, double& value);
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
  /// Hands all set values to the simulation; returns true if a parameter changed.
  bool take_over();
  /// Takes new values in while running, with their consequences: positions and tangent velocities fit the new values
  /// (in step mode the step itself fits them to inputs). If it returns false, they cannot be used, the log says why,
  /// and all is as it was.
  bool take_in();
  /// Takes new values in and lets contacts change that are due, in event mode. If it returns false, the log says why,
  /// and all is as it was.
  bool event_is_met();
  /// Undoes take_in(), or inputs set between communication points: all is as if nothing had been taken in.
  void put_back();
  bool same_state(const double* state) const;
  bool refuse_event();

  bool is_state(const VariableRow& row) const {
    return wishes_.model_exchange && (row.source == Source::position || row.source == Source::velocity);
  }

  // Moves of states are collected, from where the simulation is or all of them anew, and made at once.
  void stay();
  void move(const VariableRow&, double value);
  void take_place();

  // limits.cpp
  Status check_limits(const VariableRow&, double value);
  Status refuse_beyond(const VariableRow&, double value, const double* bound);
  /// If it returns false, the log says which parameter does not.
  bool calculated_parameters_lie_inside();

  Standard standard_;
  const VariableTable& variables_;
  Simulation simulation_;
  Wishes wishes_;
  const bool states_have_starts_;  ///< all coordinates and rates are variables

  Mode mode_ = Mode::instantiated;
  bool consistent_ = false;         ///< the simulation holds an assembled state
  bool staged_ = true;              ///< something was set that the simulation has not been told
  bool tolerance_was_set_ = false;  ///< solver.tolerance was set: it goes before set-up's
  double setup_tolerance_ = 0;      ///< 0: none was given
  double start_time_ = 0;
  bool inputs_wanted_ = false;  ///< in the callback: there is something left of the step for which they can be set
  bool states_jumped_ = false;  ///< in event mode, and the importer has not been told

  Buffer<dynamic> set_values_;  ///< by row, in the variables' units, exactly as set
  IndexBuffer settable_;        ///< rows that can be set
  int settable_count_ = 0;
  Buffer<dynamic> moved_;     ///< positions and velocities that the importer sets
  IndexBuffer intermediate_;  ///< by row: 1 if it may be asked for or set between communication points
  Buffer<dynamic> before_;    ///< the simulation's state before new values were taken in
};

}  // namespace mechfmu
