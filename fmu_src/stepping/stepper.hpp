// What moves a state through time: a motion (equations in their unknowns) under an integrator.
#pragma once

#include "mechanism/message.hpp"
#include "mechanism/state.hpp"

namespace mechfmu {

/// Looks on while a state is integrated.
class StepWatcher {
 public:
  virtual ~StepWatcher() = default;
  /// An internal step was accepted, and the state is at its end, `end` or before. May set inputs and move `end` nearer,
  /// at most to the state's time. False: the integration cannot go on; the message says why.
  virtual bool accepted(double& end, Message&) = 0;
};

class Stepper {
 public:
  /// The state's q, v are consistent and new: choose the basis, set u.
  virtual bool start(State&, Message&) = 0;
  /// Integrates to `end` exactly. False: the message says why; the state is what it was, but for what `watcher` (if
  /// there is one) has set.
  virtual bool advance(State&, double end, StepWatcher* watcher, Message&) = 0;
  /// The state or its parameters were changed from outside: nothing remembered holds.
  virtual void forget() = 0;

 protected:
  ~Stepper() = default;  // a stepper lies in an arena
};

/// Makes a stepper for these settings in an arena, which tells if memory was short.
using StepperFactory = Stepper* (*)(Arena&, const Mechanism&, const Settings&);

/// Any member of the families, sizes at run time.
Stepper* make_run_time_stepper(Arena&, const Mechanism&, const Settings&);

}  // namespace mechfmu
