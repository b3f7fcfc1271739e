// Holds one FMU instance, for FMI 2 and FMI 3 alike: the state of the FMI state machine, and the steps of its life.
// fmi2.cpp and fmi3.cpp only translate their standards' calls into these. These classes build on each other:
//
//   Messenger      tells the importer (messenger.hpp)
//   Values         holds variables as the importer set them, and the simulation behind them (values.hpp)
//   Derivatives    computes derivatives of variables (derivatives.hpp)
//   ModelExchange  serves states and events, for importers that integrate (model_exchange.hpp)
//   Instance       is the state machine: here; a communication step in step.cpp, saved states in saved_state.cpp
#pragma once

#include <cmath>

#include "default_arithmetic.hpp"
#include "model_exchange.hpp"

namespace mechfmu {

/// A saved state as the importer holds it; see saved_state.cpp.
struct SavedState;

class Instance : public ModelExchange {
 public:
  using Model = InstanceModel;
  using Standard = mechfmu::Standard;

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

  Status set_up(bool tolerance_defined, double tolerance, double start_time, bool stop_defined, double stop_time);
  Status enter_initialization();
  Status exit_initialization();
  /// Says how a step has ended.
  struct Ending {
    bool early = false;  ///< before it was to: the importer, asked in the step, wanted it so, or there is an event
    bool event = false;  ///< contacts change there, or have changed on the way, and the importer wants to know
  };
  Status do_step(double communication_point, double step_size, Ending* = nullptr);
  /// The values set in event mode hold from here on.
  Status enter_step_mode();
  Status reset();

  Status terminate();

  // These functions, in saved_state.cpp, serve the whole state.
  Status save(void** state);
  Status restore(const void* state);
  Status discard(void** state);
  Status serialized_size(const void* state, std::size_t* size);
  Status serialize(const void* state, void* bytes, std::size_t size);
  Status deserialize(const void* bytes, std::size_t size, void** state);

 private:
  friend Arena;
  Instance(Arena&&, Standard, const Model&, const char* name, const Log&, const Wishes&);
  void set_defaults();
  class OnTheWay;
  Mode next(const AllowedCall& call) const {
    return mode_ == Mode::initialization && call.next == Mode::step && wishes_.event_mode ? Mode::event : call.next;
  }
  Status refuse(const AllowedCall&);

  // saved_state.cpp has these functions.
  std::size_t saved_size() const;
  const SavedState* recognise(const void* state);

  const DefaultArithmetic* arithmetic_ = nullptr;  ///< in force while an entry point is served
  bool set_up_ = false;                            ///< FMI 2: setupExperiment was called
  bool stop_defined_ = false;                      ///< not part of a saved state: another run may end elsewhere
  double stop_time_ = 0;
};

}  // namespace mechfmu
