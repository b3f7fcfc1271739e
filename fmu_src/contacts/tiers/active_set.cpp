// Goes from modes to modes.
#include "active_set.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu::contacts {

namespace {

bool same_modes(int members, const Array<GroupMode>& a, const Array<GroupMode>& b) {
  for (int i = 0; i < members; ++i) {
    if (a[i].mode != b[i].mode) return false;
    if (a[i].mode != Mode::slip) continue;
    if (std::hypot(a[i].direction[0] - b[i].direction[0], a[i].direction[1] - b[i].direction[1]) > same_direction)
      return false;
  }
  return true;
}

}  // namespace

bool active_set(Search& search, int rounds) {
  Scaled& problem = search.problem;
  double *x = search.x.data(), *w = search.w.data();
  for (int round = 0; round < rounds; ++round) {
    search.copy_modes(search.modes, search.trial);
    if (search.equations.settle(search.trial.data(), x, w) && problem.laws_hold(x, w)) {
      search.copy_modes(search.trial, search.modes);
      return true;
    }
    if (!is_finite(dense::largest(problem.rows(), x))) return false;
    problem.speeds(x, w);
    search.copy_modes(search.trial, search.next);
    problem.read_modes(x, w, search.next.data());
    if (same_modes(problem.members(), search.next, search.modes)) return false;
    search.copy_modes(search.next, search.modes);
  }
  return false;
}

}  // namespace mechfmu::contacts
