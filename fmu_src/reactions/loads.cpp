// This file has Newton's method for loads; see docs/method.md, friction and unknowns without inertia.
#include "loads.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/powers_of_two.hpp"
#include "linear/tolerances.hpp"
#include "mechanism/telling.hpp"

namespace mechfmu {

namespace {

constexpr int most_iterations = 60, most_halvings = 8, most_halvings_of_unknowns = 30;

/// Measures how far loads are from their values. Frictions are measured by F, which is in their units and means
/// something also where J does not, because the length that it belongs to is only rounding. Unknowns are measured by
/// Newton's step.
void measure_distance(int count, int frictions, const double* F, const double* step, double* distance) {
  dense::copy(frictions, F, distance);
  dense::copy(count - frictions, step + frictions, distance + frictions);
}

}  // namespace

Loads::Loads(Arena& arena, const Mechanism& m)
    : mechanism_(m), count_(m.sizes.loads), frictions_(m.sizes.loads - m.sizes.unknowns), n_(m.sizes.velocities),
      rows_(m.sizes.all_rows()), loads_(arena, count_), trial_(arena, count_), other_(arena, count_),
      starts_(arena, count_), F_(arena, count_), J_(arena, count_, count_), G_(arena, frictions_, frictions_),
      matrix_(arena, count_, count_), row_scale_(arena, count_), column_scale_(arena, count_), sizes_(arena, count_),
      step_(arena, count_), next_(arena, count_), derivatives_(arena, count_, n_ + rows_ + count_),
      weights_(arena, count_), acceleration_(arena, n_), multipliers_(arena, rows_), pivot_(arena, count_) {}

bool Loads::solve(const Point& p, LoadResponse& response, double* acceleration, double* multipliers, Message& message) {
  mechanism_.load_starts(p, starts_.data());
  dense::copy(count_, p.loads, loads_.data());
  trouble_.clear();
  bool begun = true;
  for (int i = 0; i < count_; ++i) begun = begun && !(is_sought(i) && loads_[i] == 0);
  if (!begun) begin_sought(p, response);
  Found found = newton(p, response, loads_.data());
  if (found.ending != Ending::converged) {
    begin_again(p, response);
    found = newton(p, response, loads_.data());
  }
  if (found.ending == Ending::impossible) return message.fail("%s", trouble_.text);
  const bool converged = found.ending == Ending::converged;
  if (!converged && residual(p, response, loads_.data())) slopes(p, response, loads_.data());
  // Friction makes all loads undetermined if the unknowns follow from their own equations.
  const bool may_jam = (found.ending != Ending::undetermined || (frictions_ > 0 && find_gains())) && this->may_jam();
  if (!converged && !may_jam) return fail(p.time, found, message);
  if (may_jam && (!converged || another_solution(p, response))) return fail_jammed(p.time, message);
  dense::copy(n_, acceleration_.data(), acceleration);
  dense::copy(rows_, multipliers_.data(), multipliers);
  return true;
}

void Loads::respond_to(const double* by_formulas, const LoadResponse& response, double* acceleration,
                       double* multipliers, double* change) {
  if (count_ == 0) return;
  for (int i = 0; i < count_; ++i) change[i] = -by_formulas[i];
  for (int k = 0; k < n_; ++k) dense::add(count_, -acceleration[k], derivatives_.column(k), change);
  for (int k = 0; k < rows_; ++k) dense::add(count_, -multipliers[k], derivatives_.column(n_ + k), change);
  join_slopes(response);
  factor();
  correction(change);
  for (int j = 0; j < count_; ++j) {
    dense::add(n_, change[j], response.A().column(j), acceleration);
    dense::add(rows_, change[j], response.Lambda().column(j), multipliers);
  }
}

/// Finds F, v̇ and λ. Returns false if v̇ and λ do not follow from the loads.
bool Loads::residual(const Point& p, LoadResponse& response, const double* loads) {
  if (!response.follow(loads, acceleration_.data(), multipliers_.data(), trouble_)) return false;
  Point at = p;
  at.acceleration = acceleration_.data();
  at.multipliers = multipliers_.data();
  at.loads = loads;
  mechanism_.loads(at, F_.data());
  double formulas = 0;
  for (int i = 0; i < frictions_; ++i) dense::raise(formulas, std::fabs(loads[i] - F_[i]));
  scale_ = dense::largest(frictions_, loads) + formulas + dense::largest(rows_, multipliers_.data());
  return true;
}

/// Finds J at the loads of the last residual().
void Loads::slopes(const Point& p, LoadResponse& response, const double* loads) {
  response.slopes(loads, acceleration_.data(), multipliers_.data());
  Point at = p;
  at.acceleration = acceleration_.data();
  at.multipliers = multipliers_.data();
  at.loads = loads;
  RunTimeColumns& D = derivatives_;
  mechanism_.load_slopes(at, D.data());
  for (int k = 0; k < n_ + rows_ + count_; ++k) {
    for (int i = 0; i < count_; ++i) {
      if (is_finite(D(i, k))) continue;
      const bool of_itself = k == n_ + rows_ + i && !is_unknown(i);  // F is L − φ
      D(i, k) = of_itself ? 1 : 0;                                   // the length of a force that vanishes has no slope
    }
  }
  double by_inertia = 0;
  for (int i = 0; i < frictions_; ++i) {
    double sum = 0;
    for (int k = 0; k < n_; ++k) sum += std::fabs(D(i, k) * acceleration_[k]);
    dense::raise(by_inertia, sum);
  }
  join_slopes(response);
  measure(loads, by_inertia);
}

/// Computes J = F_L + F_v̇ A + F_λ Λ.
void Loads::join_slopes(const LoadResponse& response) {
  const RunTimeColumns& D = derivatives_;
  dense::copy(count_ * count_, D.column(n_ + rows_), J_.data());
  for (int j = 0; j < count_; ++j) {
    double* J = J_.column(j);
    const double *A = response.A().column(j), *Lambda = response.Lambda().column(j);
    for (int k = 0; k < n_; ++k) dense::add(count_, A[k], D.column(k), J);
    for (int k = 0; k < rows_; ++k) dense::add(count_, Lambda[k], D.column(n_ + k), J);
  }
}

/// Finds the sizes of loads. Loads of friction that are only the rounding of forces which cancel have no size of their
/// own: then their size is that of weights, or more if inertia forces are among what cancels. The start and the nominal
/// size of an unknown also tell its size.
void Loads::measure(const double* loads, double by_inertia) {
  for (int i = 0; i < count_; ++i) {
    const double own = is_unknown(i) ? std::fmax(std::fabs(loads[i]), std::fabs(starts_[i])) : scale_ + by_inertia;
    weights_[i] = is_unknown(i) ? std::fmax(own, mechanism_.load_nominal[i]) : mechanism_.load_nominal[i] + own;
  }
}

/// Factors matrix_ and returns the quality of its pivots.
double Loads::factor_judged(int size) {
  dense::column_sizes(size, matrix_.data(), sizes_.data());
  return dense::factor_judged(size, matrix_.data(), pivot_.data(), sizes_.data());
}

/// Factors J. Rows and columns are brought to the size one before, since they measure different things; the size of a
/// row is its change by nominal sizes. Returns the quality of the pivots.
double Loads::factor() {
  for (int i = 0; i < count_; ++i) {
    double size = 0;
    for (int j = 0; j < count_; ++j) {
      dense::raise(size, std::fabs(J_(i, j)) * power_of_two(mechanism_.load_nominal[j]));
    }
    row_scale_[i] = size > 0 ? 1 / size : 1;
  }
  for (int j = 0; j < count_; ++j) {
    double size = 0;
    for (int i = 0; i < count_; ++i) dense::raise(size, std::fabs(row_scale_[i] * J_(i, j)));
    column_scale_[j] = size > 0 ? 1 / size : 1;
    for (int i = 0; i < count_; ++i) matrix_(i, j) = row_scale_[i] * J_(i, j) * column_scale_[j];
  }
  return factor_judged(count_);
}

/// Solves x ← J⁻¹ x.
void Loads::correction(double* x) {
  for (int i = 0; i < count_; ++i) x[i] *= row_scale_[i];
  dense::solve(count_, matrix_.data(), pivot_.data(), x);
  for (int i = 0; i < count_; ++i) x[i] *= column_scale_[i];
}

double Loads::largest(const double* step) const {
  double size = 0;
  for (int i = 0; i < count_; ++i) dense::raise(size, std::fabs(step[i]) / weights_[i]);
  return size;
}

/// Returns how far loads are from their values, as a step with the rules of frictions and of unknowns.
NewtonStep Loads::judged(const double* distance) const {
  NewtonStep result;
  for (int i = 0; i < count_; ++i) {
    result.add(std::fabs(distance[i]) / weights_[i],
               is_unknown(i) ? newton_rules::onto_unknowns : newton_rules::onto_frictions);
  }
  return result;
}

/// Goes so far on the step that the next step, with the same J, becomes shorter (Deuflhard's natural criterion,
/// which does not ask what residuals measure). The loads there are trial_. Returns false if it becomes shorter nowhere.
bool Loads::shorten_step(const Point& p, LoadResponse& response, const double* loads) {
  const bool unknowns = frictions_ < count_;
  const int halvings = unknowns ? most_halvings_of_unknowns : most_halvings;
  measure_distance(count_, frictions_, F_.data(), step_.data(), next_.data());
  const double size = largest(next_.data());
  double length = unknowns && size > longest_step_of_unknowns ? longest_step_of_unknowns / size : 1, reached = size;
  for (int i = 0; i < halvings; ++i, length /= 2) {
    dense::copy(count_, loads, trial_.data());
    dense::add(count_, -length, step_.data(), trial_.data());
    reached = size;
    if (!residual(p, response, trial_.data())) continue;
    dense::copy(count_, F_.data(), next_.data());
    if (regular_) correction(next_.data());
    dense::copy(frictions_, F_.data(), next_.data());
    reached = largest(next_.data());
    if (reached < (1 - length / 4) * size) break;
  }
  return reached < size;
}

/// Goes the whole step, to trial_, where residuals cannot judge it. Returns false if v̇ and λ do not follow there.
bool Loads::take_whole_step(const Point& p, LoadResponse& response, const double* loads) {
  dense::copy(count_, loads, trial_.data());
  dense::add(count_, -1, step_.data(), trial_.data());
  return residual(p, response, trial_.data());
}

/// Searches the loads by Newton's steps. If no part of a step helps, at the kink of a length, friction takes a step of
/// L ← φ(L).
Loads::Found Loads::newton(const Point& p, LoadResponse& response, double* loads) {
  constexpr Found found{Ending::converged, 0, 0};
  bool moved_aside = false;
  NewtonSteps steps;
  if (!residual(p, response, loads)) return {Ending::impossible, 0, 0};
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    slopes(p, response, loads);
    regular_ = factor() > rank_tolerance;
    if (!regular_ && frictions_ < count_) {
      if (moved_aside) return open(F_.data(), Ending::undetermined);
      moved_aside = true;
      leave_undetermined(loads);
      if (!residual(p, response, loads)) return {Ending::impossible, 0, 0};
      continue;
    }
    dense::copy(count_, F_.data(), step_.data());
    if (regular_) correction(step_.data());
    if (!is_finite(largest(step_.data()))) return open(step_.data(), Ending::open);
    measure_distance(count_, frictions_, F_.data(), step_.data(), next_.data());
    steps.take(judged(next_.data()));
    if (steps.ended()) return found;
    if (steps.at_rounding() ? take_whole_step(p, response, loads) : shorten_step(p, response, loads)) {
      dense::copy(count_, trial_.data(), loads);
      continue;
    }
    residual(p, response, loads);
    if (steps.at_rounding()) return found;
    if (frictions_ == 0) break;
    dense::add(frictions_, -1, F_.data(), loads);
    if (!residual(p, response, loads)) break;
  }
  return steps.at_rounding() ? found : open(step_.data(), Ending::open);
}

Loads::Found Loads::open(const double* step, Ending ending) const {
  int worst = 0;
  for (int i = 1; i < count_; ++i) {
    if (!(std::fabs(step[i]) / weights_[i] <= std::fabs(step[worst]) / weights_[worst])) worst = i;
  }
  return {ending, worst, std::fabs(F_[worst])};
}

/// Moves unknowns a little aside. Newton's method goes on there if an equation does not change with its unknowns, as
/// p |p| at zero.
void Loads::leave_undetermined(double* loads) const {
  for (int i = frictions_; i < count_; ++i) loads[i] += step_aside * weights_[i];
}

/// Lets accelerations that are sought begin with those that the mechanism has without the rows that are not linear in
/// them.
void Loads::begin_sought(const Point& p, LoadResponse& response) {
  for (int i = 0; i < count_; ++i) loads_[i] = is_sought(i) ? 0 : loads_[i];
  if (!response.follow_without_sought(loads_.data(), acceleration_.data(), multipliers_.data(), trouble_)) return;
  Point at = p;
  at.acceleration = acceleration_.data();
  at.multipliers = multipliers_.data();
  at.loads = loads_.data();
  mechanism_.loads(at, F_.data());  // s − v̇, with s = 0
  for (int i = 0; i < count_; ++i) loads_[i] = is_sought(i) ? -F_[i] : loads_[i];
}

/// Begins again from the unknowns' starts, and from the values that frictions would have without their own forces.
void Loads::begin_again(const Point& p, LoadResponse& response) {
  dense::copy(count_, starts_.data(), loads_.data());
  begin_sought(p, response);
  if (frictions_ > 0 && residual(p, response, loads_.data())) dense::add(frictions_, -1, F_.data(), loads_.data());
}

}  // namespace mechfmu
