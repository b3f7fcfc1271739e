// What moves a state through time: a motion (equations in their unknowns) under an integrator.
#pragma once

#include "message.hpp"
#include "state.hpp"

namespace mechfmu {

class Stepper {
 public:
  virtual ~Stepper() = default;
  /// The state's q, v are consistent and new: choose the basis, set u.
  virtual bool start(State&, Message&) = 0;
  /// Integrates to `end` exactly. False: the message says why; the state is what it was.
  virtual bool advance(State&, double end, Message&) = 0;
  /// The state or its parameters were changed from outside: nothing remembered holds.
  virtual void forget() = 0;
};

/// Makes a stepper for these settings; nullptr: out of memory.
using StepperFactory = Stepper* (*)(const Mechanism&, const Settings&);

/// Any member of the families, sizes at run time.
Stepper* make_run_time_stepper(const Mechanism&, const Settings&);

}  // namespace mechfmu
