// Turns a solution of a softened problem into one of the given problem.
#include "finish.hpp"

#include "active_set.hpp"
#include "linear/dense.hpp"

namespace mechfmu::contacts {

bool finish(Search& search) {
  Scaled& problem = search.problem;
  double *x = search.x.data(), *w = search.w.data();
  const double epsilon = problem.softness();
  problem.soften(0);
  dense::copy(problem.rows(), x, search.kept_x.data());
  search.copy_modes(search.modes, search.kept_modes);
  if (active_set(search, 1)) return true;
  if (epsilon > 0) {
    search.copy_modes(search.kept_modes, search.modes);
    dense::copy(problem.rows(), search.kept_x.data(), x);
    if (search.equations.settle_near(search.modes.data(), x, w, epsilon) && problem.laws_hold(x, w)) return true;
  }
  dense::copy(problem.rows(), search.kept_x.data(), x);
  problem.speeds(x, w);
  search.copy_modes(search.kept_modes, search.modes);
  problem.read_modes(x, w, search.modes.data());
  constexpr int last_rounds = 3;
  return active_set(search, last_rounds);
}

}  // namespace mechfmu::contacts
