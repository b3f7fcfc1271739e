// The active set: modes are tried, and where their laws fail, the projection of x − w says which modes come next. This
// is the semi-smooth Newton method of Alart and Curnier (1991), but each round solves the equations of its modes to
// rounding: where modes are right, their solution is.
#pragma once

#include "contacts/search.hpp"

namespace mechfmu::contacts {

/// Tries the modes of the search and those that follow from them. Modes, x and w are the solution if there is one among
/// them; otherwise they are where the rounds ended.
bool active_set(Search&, int rounds);

}  // namespace mechfmu::contacts
