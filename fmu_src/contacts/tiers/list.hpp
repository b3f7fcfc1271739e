// The tiers of the solver, in their order. Each begins where the search is and ends with a solution of the given problem,
// or without one:
//   1. the present modes, if the caller has them. They are kept where they can be, also where there are other solutions;
//   2. the active set on a softened problem;
//   3. the path and the smoothed laws, for one softness after the other. In the plane, the path's pieces are straight, so
//      that it comes first; in space, smoothed laws are cheaper;
//   4. the enumeration of all modes, if there are few and none in space. It also proves that there is no solution.
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
