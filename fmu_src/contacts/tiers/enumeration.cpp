// Tries all modes.
#include "enumeration.hpp"

#include "linear/dense.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu::contacts {

namespace {

constexpr int most_combinations = 1024;
constexpr GroupMode choices[] = {
    {Mode::open, {1, 0}}, {Mode::stick, {1, 0}}, {Mode::slip, {1, 0}}, {Mode::slip, {-1, 0}}};

/// Returns the first of the choices that a member has.
int first_choice(const Member& g) { return g.normal ? 0 : 1; }
/// Returns how many choices it has.
int choices_of(const Member& g) { return g.holds ? 1 : (g.normal ? 2 : 1) + (g.tangential > 0 ? 2 : 0); }

}  // namespace

int combinations(const Scaled& problem) {
  if (problem.in_space()) return 0;
  int all = 1;
  for (int i = 0; i < problem.members(); ++i) {
    all *= choices_of(problem.member(i));
    if (all > most_combinations) return 0;
  }
  return all;
}

Found enumerate(Search& search) {
  const Scaled& problem = search.problem;
  const int all = combinations(problem);
  if (all == 0) return Found::nothing;
  double *x = search.x.data(), *w = search.w.data();
  int fewest_broken = problem.members() + 1;
  for (int number = 0; number < all; ++number) {
    for (int i = 0, rest = number; i < problem.members(); ++i) {
      const int count = choices_of(problem.member(i));
      search.modes[i] = choices[first_choice(problem.member(i)) + rest % count];
      rest /= count;
    }
    if (!search.equations.settle(search.modes.data(), x, w)) continue;
    int broken = 0;
    const double allowed = law_tolerance * problem.size(x);
    for (int i = 0; i < problem.members(); ++i)
      if (problem.open_law(problem.member(i), x, w) > allowed) ++broken;
    if (problem.laws_hold(x, w)) return Found::solution;
    if (broken >= fewest_broken) continue;
    fewest_broken = broken;
    dense::copy(problem.rows(), x, search.kept_x.data());
  }
  // The modes that break fewest laws tell which groups have no solution.
  if (fewest_broken <= problem.members()) dense::copy(problem.rows(), search.kept_x.data(), x);
  return Found::none;
}

}  // namespace mechfmu::contacts
