// The tiers of the solver share this: the problem without units, the equations of modes, and where the search is.
#pragma once

#include "mode_equations.hpp"
#include "scaled.hpp"

namespace mechfmu::contacts {

/// A search ends after about so many factorisations. Problems that were solved needed up to 17 000, but for many
/// redundant contacts with μ from 1 to 100.
inline constexpr int most_work = 40000;

/// A tier says one of these.
enum class Found : unsigned char {
  solution,  ///< modes whose equations, solved to rounding, keep all laws
  none,      ///< there is no solution
  nothing,   ///< nothing is known
};

struct Search {
  Search(Arena& arena, const Sizes& sizes)
      : problem(arena, sizes), equations(arena, sizes, problem), x(arena, sizes.rows), w(arena, sizes.rows),
        kept_x(arena, sizes.rows), modes(arena, sizes.groups), trial(arena, sizes.groups), next(arena, sizes.groups),
        kept_modes(arena, sizes.groups) {}

  void copy_modes(const Array<GroupMode>& from, Array<GroupMode>& to) const {
    for (int i = 0; i < problem.members(); ++i) to[i] = from[i];
  }

  Scaled problem;
  ModeEquations equations;
  int level = 0;  ///< position in `softness` of what softens the problem
  Buffer<dynamic> x, w, kept_x;
  Array<GroupMode> modes;  ///< the place of the search; the solution at the end
  Array<GroupMode> trial, next, kept_modes;
};

}  // namespace mechfmu::contacts
