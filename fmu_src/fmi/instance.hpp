// One FMU instance, the same for FMI 2 and FMI 3: values as the importer set them, the simulation behind them, the
// state of the FMI state machine, and messages. fmi2.cpp and fmi3.cpp only translate their standards' calls into these.
//
// Reads are lazy and the order of calls never shows. While instantiated, values are start values. In initialization
// mode the start is assembled when a computed value is first asked for. In step mode a set is staged: it can be read
// back at once, but computed values belong to what was in force at the end of the last step, until the next step.
#pragma once

#include <cstddef>
#include <cstdint>

#include "allowed_calls.hpp"
#include "core/buffer.hpp"
#include "core/simulation.hpp"
#include "log_category.hpp"
#include "variable_table.hpp"

namespace mechfmu {

/// Statuses in the order that both standards give them.
enum class Status { ok, warning, discard, error, fatal };

/// Where messages go. Errors are told whether logging is on or off (FMI 3.0.3 says so; in FMI 2 loggingOn is about debug
/// messages): who did not ask for messages still learns why something failed. Warnings are for those who asked.
struct Log {
  using Write = void (*)(const Log&, const char* instance_name, Status, const char* text);
  Write write = nullptr;         ///< translates to the importer's callback
  void (*callback)() = nullptr;  ///< the importer's, cast back by `write`
  void* environment = nullptr;   ///< handed back to the importer
  bool on = false;               ///< logging was asked for
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
  static Instance* create(Standard, const Model&, const char* name, const char* token, const Log&);
  static void destroy(Instance*);

  /// The one guard: `work` runs if the table of allowed calls permits it. An error leads to the error state.
  template <class Work>
  Status guarded(const AllowedCall& call, Work&& work) {
    call_ = call.name;
    const Status status = call.allowed_in(mode_) ? work() : refuse(call);
    if (status >= Status::error) {
      mode_ = standard_ == Standard::fmi2 ? Mode::error : Mode::terminated;
    } else if (call.next != Mode::unchanged) {
      mode_ = call.next;
    }
    return status;
  }

  Mode mode() const { return mode_; }
  double last_time() const { return consistent_ ? simulation_.time() : start_time_; }

  // Life.
  Status set_up(bool tolerance_defined, double tolerance, double start_time, bool stop_defined, double stop_time);
  Status enter_initialization();
  Status exit_initialization();
  Status do_step(double communication_point, double step_size);
  Status reset();
  /// Of setDebugLogging: no categories are all of them.
  Status set_logging(bool on, std::size_t count, const char* const* categories);

  // Values. Nothing is set unless everything in the call can be.
  Status get_numbers(const std::uint32_t* references, std::size_t count, double* values);
  Status set_numbers(const std::uint32_t* references, std::size_t count, const double* values);
  Status get_texts(const std::uint32_t* references, std::size_t count, const char** values);
  Status set_texts(const std::uint32_t* references, std::size_t count, const char* const* values);
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

 private:
  Instance(Standard, const Model&, const Log&);
  bool ok() const;
  Status refuse(const AllowedCall&);
  void set_defaults();

  // instance_values.cpp
  const VariableRow* find(std::uint32_t reference) const;
  Status check(const std::uint32_t* references, std::size_t count, const void* values, bool texts);
  bool may_set(const VariableRow&) const;
  Status refuse_set(const VariableRow&);
  bool read(const VariableRow&, double& value);
  double start_value(const VariableRow&);
  double shown_tolerance() const;
  Settings settings() const;
  bool computed_values_exist();
  bool assemble();
  /// Hands what was set to the simulation; true if a parameter changed.
  bool take_over();

  // saved_state.cpp
  std::size_t saved_size() const;
  const SavedState* recognise(const void* state);

  Standard standard_;
  const VariableTable& variables_;
  Simulation simulation_;
  Log log_;
  char* name_ = nullptr;
  const char* call_ = "";  ///< the entry point being served, for messages

  // State of the FMI state machine and what the importer said.
  Mode mode_ = Mode::instantiated;
  bool set_up_ = false;             ///< FMI 2: setupExperiment was called
  bool consistent_ = false;         ///< the simulation holds an assembled state
  bool staged_ = true;              ///< something was set that the simulation has not been told
  bool tolerance_was_set_ = false;  ///< solver.tolerance was set: it goes before set-up's
  double setup_tolerance_ = 0;      ///< 0: none was given
  double start_time_ = 0;
  bool stop_defined_ = false;       ///< not part of a saved state: another run may end elsewhere
  double stop_time_ = 0;

  Buffer<dynamic> set_values_;  ///< by row, in the variables' units, exactly as set
  IndexBuffer settable_;        ///< rows that can be set
  int settable_count_ = 0;
  Buffer<dynamic> before_;      ///< the simulation's state before a step that takes new values over
};

}  // namespace mechfmu
