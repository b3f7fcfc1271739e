// Every tier ends in the finish, which goes from a solution of the softened problem to one of the given problem. Its
// modes are tried; then Newton's method with the softened matrix goes on, for modes whose own equations depend on each
// other; then a few rounds of the active set. All laws hold for each solution that it finds.
#pragma once

#include "contacts/search.hpp"

namespace mechfmu::contacts {

/// Begins at the modes and the x of the search. The problem is not soft any more afterwards.
bool finish(Search&);

}  // namespace mechfmu::contacts
