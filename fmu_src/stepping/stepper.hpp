// A stepper moves a state through time: it is a motion (equations in their unknowns) under an integrator.
#pragma once

#include "mechanism/message.hpp"
#include "mechanism/state.hpp"

namespace mechfmu {

/// A watcher looks on while a state is integrated.
class StepWatcher {
 public:
  virtual ~StepWatcher() = default;
  /// Is called when an internal step was accepted and the state is at the step's end, which is `end` or before. It may
  /// set inputs and move `end` nearer, at most to the state's time. Returns false if the integration cannot go on; the
  /// message says why.
  virtual bool accepted(double& end, Message&) = 0;
  /// Is true if the integration shall end where rows come or go, before they do: Stepper::meet_event() lets them.
  /// (Steps of fixed length do not end there.)
  virtual bool stops_at_events() const { return false; }
};

class Changes;

class Stepper {
 public:
  /// Chooses the basis and sets u. The state's q and v are consistent and new.
  virtual bool start(State&, Message&) = 0;
  /// Integrates to `end` exactly. Returns false if it cannot, and the message says why; then the state is as it was,
  /// but for what `watcher` (if there is one) has set.
  virtual bool advance(State&, double end, StepWatcher* watcher, Message&) = 0;
  /// Lets rows come and go where an integration has ended for this, or where inputs have changed.
  virtual bool meet_event(State&, Message&) = 0;
  /// Returns what follows rows that come and go; nullptr if there are none.
  virtual Changes* changes() = 0;
  /// Forgets what is remembered, because the state or its parameters were changed from outside.
  virtual void forget() = 0;

 protected:
  ~Stepper() = default;  // a stepper lies in an arena
};

/// Makes a stepper for these settings in an arena, which tells if memory was short.
using StepperFactory = Stepper* (*)(Arena&, const Mechanism&, const Settings&);

/// Makes a stepper of any members of the families, with sizes at run time.
Stepper* make_run_time_stepper(Arena&, const Mechanism&, const Settings&);

}  // namespace mechfmu
