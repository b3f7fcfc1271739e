// Conditions of a mechanism (Condition in mechanism.hpp): those that numbers of a file cannot tell while it is read,
// since parameters, inputs or positions decide them.
#pragma once

#include "mechanism.hpp"
#include "message.hpp"

namespace mechfmu {

/// Judges one. False: the message says what does not hold, without a point at its end; `when`: "", or " at t = 0 s".
bool condition_holds(const Condition&, double number, double other, const char* when, Message&);

/// Judges those of one time at `point`; with `changing_only` those that change between steps. `values`: room for two
/// numbers of each condition. False: the message names the first that does not hold, and what to do.
bool conditions_hold(const Mechanism&, const Point& point, Condition::When when, bool changing_only, double* values,
                     Message&);

}  // namespace mechfmu
