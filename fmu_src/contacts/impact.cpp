// Solves impacts, and keeps their energy from growing.
#include "impact.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu::contacts {

Impact::Impact(Arena& arena, const Sizes& sizes, Solver& solver)
    : solver_(solver), q_(arena, sizes.rows), x_(arena, sizes.rows), speed_(arena, sizes.rows),
      modes_(arena, sizes.groups), tried_(arena, sizes.groups), idle_(arena, sizes.groups) {}

/// Tries a scale of e. Results are kept where it works: another tier might find another solution later.
bool Impact::attempt(const Problem& problem, const double* restitution, const GroupMode* present, double scale) {
  const int rows = problem.H.rows();
  dense::copy(rows, problem.q, q_.data());
  for (int i = 0, a = 0; i < problem.groups; a += problem.group[i++].rows())
    if (problem.group[i].has_normal() && q_[a] < 0) q_[a] *= 1 + scale * restitution[i];
  Problem with_rebound = problem;
  with_rebound.q = q_.data();
  outcome_ = solver_.solve(with_rebound, present, scale > 0 ? Solver::Effort::no_paths : Solver::Effort::all);
  if (outcome_ != Outcome::solved) return false;
  double gain = 0, size = tiny;
  for (int a = 0; a < rows; ++a) {
    const double after = solver_.w()[a] - q_[a] + problem.q[a];
    gain += solver_.x()[a] * (problem.q[a] + after);
    size += std::fabs(solver_.x()[a]) * (std::fabs(problem.q[a]) + std::fabs(after));
  }
  if (scale > 0 && !(gain <= rounding_of_energy * size)) return false;
  gain_ = gain / 2;
  scale_ = scale;
  take(problem);
  return true;
}

/// Keeps what the solver found.
void Impact::take(const Problem& problem) {
  const int rows = problem.H.rows();
  dense::copy(rows, solver_.x(), x_.data());
  dense::copy(rows, problem.q, speed_.data());
  for (int j = 0; j < rows; ++j)
    if (x_[j] != 0) dense::add(rows, x_[j], problem.H.column(j), speed_.data());
  for (int i = 0, a = 0; i < problem.groups; a += problem.group[i++].rows()) {
    modes_[i] = solver_.modes()[i];
    // A row that has rebounded leaves, also without an impulse.
    idle_[i] = static_cast<char>(solver_.idle(i) && !(problem.q[a] < 0 && q_[a] < problem.q[a]));
  }
}

Outcome Impact::solve(const Problem& problem, const double* restitution, const GroupMode* present) {
  bool rebounds = false;
  for (int i = 0, a = 0; i < problem.groups; a += problem.group[i++].rows())
    rebounds = rebounds || (problem.group[i].has_normal() && problem.q[a] < 0 && restitution[i] > 0);
  if (rebounds && attempt(problem, restitution, present, 1)) return Outcome::solved;
  constexpr int halvings = 20, halvings_in_vain = 7;
  double works = 0, fails = 1;
  for (int k = 0; rebounds && k < halvings && (works > 0 || k < halvings_in_vain); ++k) {
    const double middle = (works + fails) / 2;
    (attempt(problem, restitution, present, middle) ? works : fails) = middle;
  }
  if (works > 0) return Outcome::solved;
  scale_ = rebounds ? 0 : 1;
  const double scale = scale_;
  const bool solved = attempt(problem, restitution, present, 0);
  scale_ = scale;
  return solved ? Outcome::solved : outcome_;
}

Outcome Impact::without_collision(const Problem& problem, const bool* pressed) {
  for (const Mode mode : {Mode::stick, Mode::slip}) {
    for (int i = 0, a = 0; i < problem.groups; a += problem.group[i++].rows()) {
      const Group& g = problem.group[i];
      tried_[i] = {g.has_normal() && !pressed[i] ? Mode::open : mode, {1, 0}};
      const int tangent = a + (g.has_normal() ? 1 : 0), count = g.law == Law::bilateral ? 0 : g.tangential;
      const double s_1 = count > 0 ? problem.q[tangent] : 0, s_2 = count == 2 ? problem.q[tangent + 1] : 0;
      const double length = std::sqrt(s_1 * s_1 + s_2 * s_2);
      if (length > 0) tried_[i] = {tried_[i].mode, {s_1 / length, s_2 / length}};
      else if (mode == Mode::slip && tried_[i].mode == Mode::slip) tried_[i].mode = Mode::stick;
    }
    outcome_ = solver_.solve(problem, tried_.data(), Solver::Effort::no_paths);
    if (outcome_ != Outcome::solved || solver_.tier() != Tier::present_modes) continue;
    bool pushed = false;
    gain_ = 0;
    for (int a = 0; a < problem.H.rows(); ++a) {
      gain_ += solver_.x()[a] * (problem.q[a] + solver_.w()[a]) / 2;
      pushed = pushed || solver_.x()[a] != 0;
    }
    if (!pushed) continue;
    scale_ = 1;
    dense::copy(problem.H.rows(), problem.q, q_.data());
    take(problem);
    return Outcome::solved;
  }
  return Outcome::no_solution;
}

}  // namespace mechfmu::contacts
