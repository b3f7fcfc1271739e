// Judges conditions of a mechanism (Condition in mechanism.hpp) that cannot be judged while a file is read, since
// parameters, inputs or positions decide them.
#pragma once

#include "mechanism.hpp"
#include "message.hpp"

namespace mechfmu {

/// Judges one condition. If it returns false, the message says what does not hold, without a full stop; `when` is "" or
/// " at t = 0 s".
bool condition_holds(const Condition&, double number, double other, const char* when, Message&);

/// Judges the conditions of one time at `point`; with `changing_only` only those that change between steps. `values`
/// has room for two numbers of each condition. If it returns false, the message names the first condition that does not
/// hold, and the repair.
bool conditions_hold(const Mechanism&, const Point& point, Condition::When when, bool changing_only, double* values,
                     Message&);

}  // namespace mechfmu
