// Closes velocity constraints that are not linear in the velocities.
#include "nonlinear_rows.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/tolerances.hpp"
#include "mechanism/telling.hpp"

namespace mechfmu {

NonlinearRows::NonlinearRows(Arena& arena, const Mechanism& m)
    : mechanism_(m), count_(m.sizes.nonlinear_rows), n_(m.sizes.velocities), f_(arena, count_), alpha_(arena, count_),
      step_(arena, count_), change_(arena, count_ > 0 ? n_ : 0), sizes_(arena, count_), F_(arena, n_, count_),
      X_(arena, n_, count_), G_(arena, count_, count_), pivoting_(arena, count_, count_, count_ * count_),
      pivot_(arena, count_) {}

bool NonlinearRows::solve(const double* open, double* x) {
  const auto slope = [this](int i, int j) { return dense::dot(n_, row(i), direction(j)); };
  for (int i = 0; i < count_; ++i) sizes_[i] = std::sqrt(std::fabs(slope(i, i)));
  pivoting_.clear();
  for (int j = 0; j < count_; ++j) {
    for (int i = 0; i < count_; ++i) {
      const double size = sizes_[i] * sizes_[j];
      if (size > 0) pivoting_.set(i, j, slope(i, j) / size);
    }
  }
  const int rank = mechanism_.sizes.nonlinear_rank;
  if (pivoting_.eliminate({}, rank) < rank) return false;
  const auto G = G_.packed(rank);
  for (int j = 0; j < rank; ++j) {
    for (int i = 0; i < rank; ++i) G(i, j) = slope(pivoting_.row(i), pivoting_.column(j));
    sizes_[j] = -open[pivoting_.row(j)];
  }
  if (!dense::factor(rank, G.data(), pivot_.data())) return false;
  dense::solve(rank, G.data(), pivot_.data(), sizes_.data());
  dense::fill(count_, 0, x);
  for (int j = 0; j < rank; ++j) x[pivoting_.column(j)] = sizes_[j];
  return true;
}

bool NonlinearRows::close_along(Point p, double* v, Message& message) {
  constexpr int most_iterations = 30;
  p.v = v;
  dense::fill(count_, 0, alpha_.data());
  NewtonSteps steps(newton_rules::onto_rates);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    evaluate(p);
    if (!solve(f_.data(), step_.data())) return fail(p, message);
    dense::fill(n_, 0, change_.data());
    for (int i = 0; i < count_; ++i) dense::add(n_, step_[i], direction(i), change_.data());
    double size = 0;
    for (int j = 0; j < n_; ++j) {
      dense::raise(size, std::fabs(change_[j]) / (mechanism_.rate_nominal[j] + std::fabs(v[j])));
    }
    steps.take(size);
    if (!steps.shrinks()) return size < newton_rules::onto_rates.rounding || fail(p, message);
    dense::add(n_, 1, change_.data(), v);
    dense::add(count_, 1, step_.data(), alpha_.data());
    if (size < newton_rules::onto_rates.exact) return true;
  }
  return fail(p, message);
}

/// Names the row that is most open, as far as its own direction can tell; if there is none, the row that nothing
/// changes. Returns false.
bool NonlinearRows::fail(const Point& p, Message& message) const {
  int worst = 0;
  double largest = -1;
  for (int i = 0; i < count_; ++i) {
    const double slope = std::fabs(dense::dot(n_, row(i), direction(i)));
    const double open = slope > 0 ? std::fabs(f_[i]) / std::sqrt(slope) : beyond_all;
    if (open > largest) largest = open, worst = i;
  }
  const int place = mechanism_.sizes.rows() + worst;
  message.fail("The ");
  tell_row(mechanism_, place, message);
  message.add(" cannot be fulfilled at t = %.9g s: it stays open by ", p.time);
  tell_residual(mechanism_, place, 1, f_[worst], message);
  message.add(
      ", and its derivatives by the rates vanish there or depend on those of other constraints. Where that is, more than "
      "one motion is possible, or none.");
  return false;
}

}  // namespace mechfmu
