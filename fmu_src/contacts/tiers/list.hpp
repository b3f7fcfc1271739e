// This file has the tiers of the solver in their order. All begin where the search is, and look for a solution of the
// given problem.
//   1. The present modes, if the caller has them, are kept where they can be, also where there are other solutions.
//   2. The active set works on a softened problem.
//   3. The path and the smoothed laws take one softness after the other. In the plane, the path's pieces are straight,
//   so
//      that it comes first; in space, smoothed laws are cheaper.
//   4. The enumeration tries all modes, if there are few and none in space. It also proves that there is no solution.
// All end in the finish, which solves the equations of modes without softness and looks at every law.
#pragma once

#include "active_set.hpp"
#include "enumeration.hpp"
#include "finish.hpp"
#include "path.hpp"
#include "smoothed.hpp"

namespace mechfmu::contacts {

enum class Tier : unsigned char { none, present_modes, active_set, path, smoothed, enumeration };

}  // namespace mechfmu::contacts
