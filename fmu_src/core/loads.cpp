// Newton's method for reaction-dependent loads; docs/method.md, friction.
#include "loads.hpp"

#include <cmath>

#include "dense.hpp"
#include "pivoting.hpp"

namespace mechfmu {

namespace {

constexpr double round_off = 1e-15, close_enough = 1e-12;  ///< of the loads' size
constexpr double distinct = 1e-6;                          ///< two solutions, relative to the loads' size
constexpr int most_iterations = 60;

}  // namespace

Loads::Loads(const Mechanism& m)
    : mechanism_(m), count_(m.sizes.loads), n_(m.sizes.velocities), rows_(m.sizes.all_rows()), loads_(count_),
      trial_(count_), other_(count_), F_(count_), G_(count_ * count_), matrix_(count_ * count_), step_(count_),
      derivatives_(count_ * (n_ + rows_ + count_)), acceleration_(n_), multipliers_(rows_), pivot_(count_) {}

bool Loads::ok() const {
  return loads_.ok() && trial_.ok() && other_.ok() && F_.ok() && G_.ok() && matrix_.ok() && step_.ok() &&
         derivatives_.ok() && acceleration_.ok() && multipliers_.ok() && pivot_.ok();
}

bool Loads::solve(const Point& p, double* acceleration, double* multipliers, const double* A, const double* Lambda,
                  Message& message) {
  v_dot_0_ = acceleration;
  lambda_0_ = multipliers;
  A_ = A;
  Lambda_ = Lambda;
  dense::copy(count_, p.loads, loads_.data());
  Found found = newton(p, loads_.data());
  if (!found.converged) {  // once more from what the loads would be without their own forces
    dense::fill(count_, 0, loads_.data());
    residual(p, loads_.data());
    dense::add(count_, -1, F_.data(), loads_.data());
    found = newton(p, loads_.data());
  }
  slopes(p, loads_.data());
  const bool may_jam = this->may_jam();
  if (!found.converged && !may_jam) {
    return message.fail("The load of '%s' cannot be found at t = %.9g s: what it depends on changes too abruptly, and "
                        "%.3g (SI) stay open. Make its friction set in more gently.",
                        mechanism_.load_names[found.worst], p.time, found.residual);
  }
  if (may_jam) {
    if (!found.converged || another_solution(p)) return fail_jammed(p.time, message);
    residual(p, loads_.data());
    slopes(p, loads_.data());
  }
  for (int j = 0; j < count_; ++j) {
    dense::add(n_, loads_[j], A + j * n_, acceleration);
    dense::add(rows_, loads_[j], Lambda + j * rows_, multipliers);
  }
  return true;
}

void Loads::respond_to(const double* by_formulas, double* acceleration, double* multipliers,
                       const double* A, const double* Lambda, double* change) {
  if (count_ == 0) return;
  const double* D = derivatives_.data();
  dense::copy(count_, by_formulas, change);
  for (int k = 0; k < n_; ++k) dense::add(count_, acceleration[k], D + k * count_, change);
  for (int k = 0; k < rows_; ++k) dense::add(count_, multipliers[k], D + (n_ + k) * count_, change);
  factor_slopes();
  dense::solve(count_, matrix_.data(), pivot_.data(), change);
  for (int j = 0; j < count_; ++j) {
    dense::add(n_, change[j], A + j * n_, acceleration);
    dense::add(rows_, change[j], Lambda + j * rows_, multipliers);
  }
}

/// F = L − φ; returns its largest entry.
double Loads::residual(const Point& p, const double* loads) {
  dense::copy(n_, v_dot_0_, acceleration_.data());
  dense::copy(rows_, lambda_0_, multipliers_.data());
  for (int j = 0; j < count_; ++j) {
    dense::add(n_, loads[j], A_ + j * n_, acceleration_.data());
    dense::add(rows_, loads[j], Lambda_ + j * rows_, multipliers_.data());
  }
  Point at = p;
  at.acceleration = acceleration_.data();
  at.multipliers = multipliers_.data();
  at.loads = loads;
  mechanism_.loads(at, F_.data());
  scale_ = dense::largest(count_, loads) + dense::largest(count_, F_.data()) +
           dense::largest(rows_, multipliers_.data());
  for (int i = 0; i < count_; ++i) F_[i] = loads[i] - F_[i];
  return dense::largest(count_, F_.data());
}

/// G at the loads of the last residual().
void Loads::slopes(const Point& p, const double* loads) {
  Point at = p;
  at.acceleration = acceleration_.data();
  at.multipliers = multipliers_.data();
  at.loads = loads;
  double* D = derivatives_.data();
  mechanism_.load_slopes(at, D);
  for (int i = 0; i < count_ * (n_ + rows_ + count_); ++i) {
    if (!(std::fabs(D[i]) < 1e300)) D[i] = 0;  // the length of a force that vanishes has no slope
  }
  const double *by_loads = D + count_ * (n_ + rows_), *by_multipliers = D + count_ * n_;
  inertia_scale_ = 0;
  for (int i = 0; i < count_; ++i) {
    double sum = 0;
    for (int k = 0; k < n_; ++k) sum += std::fabs(D[i + k * count_] * acceleration_[k]);
    dense::raise(inertia_scale_, sum);
  }
  dense::copy(count_ * count_, by_loads, G_.data());
  for (int j = 0; j < count_; ++j) {
    double* G = G_.data() + j * count_;
    for (int k = 0; k < n_; ++k) dense::add(count_, A_[k + j * n_], D + k * count_, G);
    for (int k = 0; k < rows_; ++k) dense::add(count_, Lambda_[k + j * rows_], by_multipliers + k * count_, G);
  }
}

/// 1 − G, factored; returns the quality of its pivots.
double Loads::factor_slopes() {
  for (int i = 0; i < count_ * count_; ++i) matrix_[i] = -G_[i];
  for (int i = 0; i < count_; ++i) matrix_[i + i * count_] += 1;
  return dense::factor(count_, matrix_.data(), pivot_.data());
}

/// Damped; where a step does not help, at the kink of a length, one of L ← φ(L).
Loads::Found Loads::newton(const Point& p, double* loads) {
  double size = residual(p, loads);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    // Loads that are but the rounding of forces which cancel have no size of their own: then it is one newton, or more
    // where inertia forces are among what cancels.
    if (size <= round_off * (1 + scale_)) return {true, size, 0};
    if (!(size < 1e300)) break;
    slopes(p, loads);
    dense::copy(count_, F_.data(), step_.data());
    const bool regular = factor_slopes() > rank_tolerance;
    if (regular) dense::solve(count_, matrix_.data(), pivot_.data(), step_.data());
    const bool at_end = size <= close_enough * (1 + scale_ + inertia_scale_);
    double length = 1, reached = size;
    for (int halvings = 0; halvings < (at_end ? 1 : 8); ++halvings, length /= 2) {
      dense::copy(count_, loads, trial_.data());
      dense::add(count_, -length, step_.data(), trial_.data());
      reached = residual(p, trial_.data());
      if (reached < (1 - length / 4) * size) break;
    }
    if (reached < size) {
      dense::copy(count_, trial_.data(), loads);
      size = reached;
      continue;
    }
    size = residual(p, loads);
    if (at_end) return {true, size, 0};
    dense::add(count_, -1, F_.data(), loads);
    size = residual(p, loads);
  }
  int worst = 0;
  for (int i = 1; i < count_; ++i) {
    if (!(std::fabs(F_[i]) <= std::fabs(F_[worst]))) worst = i;
  }
  return {false, size, worst};
}

/// The spectral radius of |G| is one or more: not so if (1 − |G|) x = 1 has a positive solution.
bool Loads::may_jam() {
  for (int i = 0; i < count_ * count_; ++i) matrix_[i] = -std::fabs(G_[i]);
  for (int i = 0; i < count_; ++i) matrix_[i + i * count_] += 1;
  dense::fill(count_, 1, step_.data());
  if (!(dense::factor(count_, matrix_.data(), pivot_.data()) > rank_tolerance)) return true;
  dense::solve(count_, matrix_.data(), pivot_.data(), step_.data());
  for (int i = 0; i < count_; ++i) {
    if (!(step_[i] > 0)) return true;
  }
  return false;
}

/// Seeks one that has a reaction the other way round: load i is a length, so −φ_i, linear, may also be its value.
bool Loads::another_solution(const Point& p) {
  const double scale = scale_;
  for (int i = 0; i < count_; ++i) {
    for (int k = 0; k < count_; ++k) {
      const double sign = k == i ? 1 : -1;  // (1 − G)_k L = (1 − G)_k L*, but (1 + G)_i L = −(1 − G)_i L*
      double right = loads_[k];
      for (int j = 0; j < count_; ++j) {
        matrix_[k + j * count_] = (j == k ? 1 : 0) + sign * G_[k + j * count_];
        right -= G_[k + j * count_] * loads_[j];
      }
      other_[k] = -sign * right;
    }
    if (!(dense::factor(count_, matrix_.data(), pivot_.data()) > rank_tolerance)) continue;
    dense::solve(count_, matrix_.data(), pivot_.data(), other_.data());
    if (!newton(p, other_.data()).converged) continue;
    for (int k = 0; k < count_; ++k) {
      if (std::fabs(other_[k] - loads_[k]) > distinct * scale) return true;
    }
    residual(p, loads_.data());
    slopes(p, loads_.data());
  }
  return false;
}

bool Loads::fail_jammed(double time, Message& message) const {
  const auto gain = [this](int i) {
    double sum = 0;
    for (int j = 0; j < count_; ++j) sum += std::fabs(G_[i + j * count_]);
    return sum;
  };
  int largest = 0;
  for (int i = 1; i < count_; ++i) {
    if (gain(i) > gain(largest)) largest = i;
  }
  message.fail("The mechanism jams at t = %.9g s: the friction of", time);
  for (int i = 0, named = 0; i < count_; ++i) {
    if (i != largest && !(gain(i) >= 1)) continue;
    message.add("%s '%s'", named++ == 0 ? "" : ",", mechanism_.load_names[i]);
  }
  message.add(" raises the reactions that it comes from so much that no motion agrees with them, or more than one. "
              "Lower its coefficient, or guide the parts over a longer distance.");
  return false;
}

}  // namespace mechfmu
