// Goes through the tiers.
#include "solver.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu::contacts {

Solver::Solver(Arena& arena, const Sizes& sizes)
    : search_(arena, sizes), smoothed_(arena, sizes), path_(arena, sizes), x_(arena, sizes.rows), w_(arena, sizes.rows),
      modes_(arena, sizes.groups), idle_(arena, sizes.groups), unsettled_(arena, sizes.groups) {}

Outcome Solver::solve(const Problem& problem, const GroupMode* present, Effort effort) {
  search_.equations.reset_work();
  tier_ = Tier::none;
  proved_ = false;
  for (int i = 0; i < problem.groups; ++i) idle_[i] = unsettled_[i] = 0;
  if (!search_.problem.take(problem)) {
    const int unmoved = search_.problem.unmoved();
    proved_ = unmoved >= 0;
    for (int i = 0; i < problem.groups; ++i) {
      modes_[i] = {Mode::open, {1, 0}};
      unsettled_[i] = static_cast<char>(unmoved < 0 || i == unmoved);
    }
    dense::fill(problem.rows(), 0, x_.data());
    dense::copy(problem.rows(), problem.q, w_.data());
    return unmoved >= 0 ? Outcome::no_solution : Outcome::not_converged;
  }
  const Outcome outcome = search_for_solution(present, effort);
  const Scaled& scaled = search_.problem;
  scaled.results_out(problem, search_.modes.data(), search_.x.data(), modes_.data(), x_.data(), w_.data());
  if (outcome != Outcome::solved) {
    tell_unsettled(problem);
    return outcome;
  }
  const double allowed = law_tolerance * scaled.size(search_.x.data());
  for (int i = 0; i < scaled.members(); ++i) {
    const Member& g = scaled.member(i);
    idle_[g.group] =
        static_cast<char>(g.normal && search_.modes[i].mode == Mode::open && std::fabs(search_.w[g.first]) <= allowed);
  }
  return outcome;
}

Outcome Solver::search_for_solution(const GroupMode* present, Effort effort) {
  Scaled& problem = search_.problem;
  double *x = search_.x.data(), *w = search_.w.data();
  const auto begin = [&] {
    dense::fill(problem.rows(), 0, x);
    problem.speeds(x, w);
    if (present != nullptr) problem.modes_in(present, search_.modes.data());
    else problem.read_modes(x, w, search_.modes.data());
  };

  tier_ = Tier::present_modes;
  begin();
  if (problem.members() == 0) return Outcome::solved;
  if (present != nullptr && active_set(search_, 1)) return Outcome::solved;

  constexpr int rounds = 12;
  tier_ = Tier::active_set;
  problem.soften(softness[0]);
  begin();
  if (active_set(search_, rounds) && finish(search_)) return Outcome::solved;

  bool to_infinity_once = false;
  const Tier planar[] = {Tier::path, Tier::smoothed}, spatial[] = {Tier::smoothed, Tier::path};
  const int levels = effort == Effort::all ? static_cast<int>(sizeof softness / sizeof softness[0]) : 1;
  for (search_.level = 0; search_.level < levels && search_.equations.work() < most_work; ++search_.level) {
    for (const Tier tier : problem.in_space() ? spatial : planar) {
      if (tier == Tier::path && effort == Effort::no_paths) continue;
      tier_ = tier;
      problem.soften(softness[search_.level]);
      const Found found = tier == Tier::path ? path_.find(search_) : smoothed_.find(search_);
      if (found == Found::solution) return Outcome::solved;
      to_infinity_once = to_infinity_once || found == Found::none;
    }
  }

  tier_ = Tier::enumeration;
  problem.soften(0);
  const Found found = enumerate(search_);
  if (found == Found::solution) return Outcome::solved;
  proved_ = found == Found::none;
  return proved_ || to_infinity_once ? Outcome::no_solution : Outcome::not_converged;
}

/// Looks for the laws that are broken where the search ended.
void Solver::tell_unsettled(const Problem& problem) {
  Scaled& scaled = search_.problem;
  scaled.soften(0);
  scaled.speeds(search_.x.data(), search_.w.data());
  const double *x = search_.x.data(), *w = search_.w.data();
  const double allowed = law_tolerance * scaled.size(x);
  bool any = false;
  for (int i = 0; i < scaled.members(); ++i) {
    if (scaled.open_law(scaled.member(i), x, w) <= allowed) continue;
    unsettled_[scaled.member(i).group] = 1;
    any = true;
  }
  for (int i = 0; i < problem.groups && !any; ++i) unsettled_[i] = 1;
}

}  // namespace mechfmu::contacts
