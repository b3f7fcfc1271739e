// Follows smoothed laws to the laws.
#include "smoothed.hpp"

#include <cmath>

#include "active_set.hpp"
#include "finish.hpp"
#include "linear/dense.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu::contacts {

namespace {
constexpr double small_residual = 0.05;  // relative to σ: the place is near enough to the curve
}  // namespace

Smoothed::Smoothed(Arena& arena, const Sizes& sizes)
    : slopes_(arena, sizes.groups), last_(arena, sizes.groups), F_(arena, sizes.rows + sizes.groups),
      z_(arena, sizes.rows + sizes.groups), trial_(arena, sizes.rows + sizes.groups) {}

/// The square root is spectral: Z = ((l_1 + l_2)/2, (l_2 − l_1)/2 n) with the roots l of X² + Y² + 2 σ² e, and its
/// derivative is the inverse of Z's arrow matrix, times those of X and Y.
void Smoothed::Cone::evaluate(int size, double sigma) {
  const int d = size - 1;
  double square = 2 * sigma * sigma, Q[most] = {}, length = 0, Z[most] = {};
  for (int k = 0; k <= d; ++k) square += X[k] * X[k] + Y[k] * Y[k];
  for (int k = 1; k <= d; ++k) {
    Q[k] = 2 * (X[0] * X[k] + Y[0] * Y[k]);
    length += Q[k] * Q[k];
  }
  length = std::sqrt(length);
  const double l_1 = std::sqrt(std::fmax(square - length, tiny)), l_2 = std::sqrt(square + length);
  Z[0] = (l_1 + l_2) / 2;
  for (int k = 1; k <= d; ++k) Z[k] = length > 0 ? (l_2 - l_1) / 2 * Q[k] / length : 0;
  for (int k = 0; k <= d; ++k) F[k] = X[k] + Y[k] - Z[k];

  double inverse[most][most];
  const double determinant = l_1 * l_2;
  inverse[0][0] = Z[0] / determinant;
  for (int k = 1; k <= d; ++k) {
    inverse[0][k] = inverse[k][0] = -Z[k] / determinant;
    for (int l = 1; l <= d; ++l) inverse[k][l] = (k == l ? 1 / Z[0] : 0) + Z[k] * Z[l] / (Z[0] * determinant);
  }
  const auto arrow = [](const double* v, int r, int c) { return r == c ? v[0] : r == 0 ? v[c] : c == 0 ? v[r] : 0; };
  for (int k = 0; k <= d; ++k) {
    for (int l = 0; l <= d; ++l) {
      by_X[k][l] = by_Y[k][l] = k == l ? 1 : 0;
      for (int r = 0; r <= d; ++r) {
        by_X[k][l] -= inverse[k][r] * arrow(X, r, l);
        by_Y[k][l] -= inverse[k][r] * arrow(Y, r, l);
      }
    }
  }
}

/// Returns where the k-th equation of a member stands. The unknown y of a capacity, and its equation, come last.
int Smoothed::row(const Member& g, int bound, int k) const {
  return g.normal ? g.first + k : k == 0 ? bound : g.first + k - 1;
}

/// Evaluates the equations of a member; returns the sum of their squares.
double Smoothed::evaluate_member(Search& search, int member, int bound, const double* z, Slopes* slopes) {
  const Member& g = search.problem.member(member);
  const double* w = search.w.data();
  if (g.holds) {
    F_[g.first] = w[g.first];
    return F_[g.first] * F_[g.first];
  }
  const int d = g.tangential;
  const double factor = g.normal && d > 0 ? g.friction : 1;
  const double *x_t = z + g.tangent(), *w_t = w + g.tangent();
  double speed = sigma_ * sigma_;
  for (int k = 0; k < d; ++k) speed += w_t[k] * w_t[k];
  speed = std::sqrt(speed);
  Cone cone{};
  cone.X[0] = g.normal ? factor * z[g.first] : g.capacity;
  cone.Y[0] = g.normal ? w[g.first] + (d > 0 ? factor * speed : 0) : z[bound];
  for (int k = 1; k <= d; ++k) {
    cone.X[k] = x_t[k - 1];
    cone.Y[k] = factor * w_t[k - 1];
  }
  cone.evaluate(1 + d, sigma_);
  double squares = 0;
  for (int k = 0; k <= d; ++k) {
    F_[row(g, bound, k)] = cone.F[k];
    squares += cone.F[k] * cone.F[k];
  }
  for (int k = 0; slopes != nullptr && k <= d; ++k) {
    slopes->bound[k] = cone.by_Y[k][0];
    slopes->own[k][0] = factor * cone.by_X[k][0];
    slopes->speed[k][0] = cone.by_Y[k][0];
    for (int l = 1; l <= d; ++l) {
      slopes->own[k][l] = cone.by_X[k][l];
      slopes->speed[k][l] =
          g.normal ? factor * (cone.by_Y[k][l] + cone.by_Y[k][0] * w_t[l - 1] / speed) : cone.by_Y[k][l];
    }
  }
  return squares;
}

/// Evaluates all equations at z, writes x and w, and returns the length of the residuals.
double Smoothed::evaluate(Search& search, const double* z, bool slopes) {
  dense::copy(rows_, z, search.x.data());
  search.problem.speeds(search.x.data(), search.w.data());
  double squares = 0;
  int bound = rows_;
  for (int i = 0; i < search.problem.members(); ++i) {
    squares += evaluate_member(search, i, bound, z, slopes ? &slopes_[i] : nullptr);
    const Member& g = search.problem.member(i);
    if (!g.normal && !g.holds) ++bound;
  }
  return std::sqrt(squares);
}

/// Writes the matrix of Newton's method and its right side.
void Smoothed::fill(Search& search) {
  ModeEquations& equations = search.equations;
  equations.clear(size_);
  const RunTimeColumns& H = search.problem.H();
  for (int i = 0; i < size_; ++i) equations.residual(i) = F_[i];
  int bound = rows_;
  for (int i = 0; i < search.problem.members(); ++i) {
    const Member& g = search.problem.member(i);
    if (g.holds) {
      for (int j = 0; j < rows_; ++j) equations.J(g.first, j) = H(g.first, j);
      continue;
    }
    const Slopes& slopes = slopes_[i];
    const int skipped = g.normal ? 0 : 1;
    for (int k = 0; k <= g.tangential; ++k) {
      const int r = row(g, bound, k);
      for (int j = 0; j < rows_; ++j) {
        double sum = 0;
        for (int l = skipped; l <= g.tangential; ++l) sum += slopes.speed[k][l] * H(g.first + l - skipped, j);
        equations.J(r, j) = sum;
      }
      for (int l = skipped; l <= g.tangential; ++l) equations.J(r, g.first + l - skipped) += slopes.own[k][l];
      if (!g.normal) equations.J(r, bound) = slopes.bound[k];
    }
    if (!g.normal) ++bound;
  }
}

/// Takes steps of Newton's method at the present σ, and returns their number, or −1 where there are none.
int Smoothed::converge(Search& search) {
  constexpr int most_steps = 8, halvings = 9;
  double open = evaluate(search, z_.data(), true);
  int steps = 0;
  for (; steps < most_steps && open > small_residual * sigma_; ++steps, ++steps_) {
    fill(search);
    if (!search.equations.step()) return -1;
    double part = 1, left = 0;
    bool shorter = false;
    for (int h = 0; h < halvings && !shorter; ++h, part /= 2) {
      for (int i = 0; i < size_; ++i) trial_[i] = z_[i] + part * search.equations.y()[i];
      left = evaluate(search, trial_.data(), false);
      shorter = left <= (1 - enough_descent * part) * open;
    }
    if (!shorter && left > 2 * open) break;
    dense::copy(size_, trial_.data(), z_.data());
    open = evaluate(search, z_.data(), true);
  }
  return steps;
}

/// Tries the modes that z says, if they are new.
bool Smoothed::try_modes(Search& search, bool always) {
  Scaled& problem = search.problem;
  dense::copy(rows_, z_.data(), search.x.data());
  problem.speeds(search.x.data(), search.w.data());
  problem.read_modes(search.x.data(), search.w.data(), search.modes.data());
  bool same = has_last_ && !always;
  for (int i = 0; i < problem.members() && same; ++i) same = search.modes[i].mode == last_[i].mode;
  if (same) return false;
  search.copy_modes(search.modes, last_);
  has_last_ = true;
  const double softness = problem.softness();
  constexpr int rounds = 3;
  if (active_set(search, rounds) && finish(search)) return true;
  problem.soften(softness);
  return false;
}

Found Smoothed::find(Search& search) {
  Scaled& problem = search.problem;
  constexpr int most_levels = 60, most_steps = 150;
  rows_ = size_ = problem.rows();
  dense::fill(rows_, 0, z_.data());
  const double size = problem.size(z_.data());
  for (int i = 0; i < problem.members(); ++i) {
    const Member& g = problem.member(i);
    if (g.normal) z_[g.first] = std::fmax(size, -problem.q()[g.first]);
    if (!g.normal && !g.holds) z_[size_++] = size;
  }
  has_last_ = false;
  steps_ = 0;
  sigma_ = size;
  for (int level = 0; level < most_levels && steps_ < most_steps; ++level) {
    const int steps = converge(search);
    if (steps < 0) return Found::nothing;
    if (try_modes(search, level % 6 == 5)) return Found::solution;
    if (sigma_ < smallest_smoothing * problem.size(z_.data())) break;
    sigma_ *= steps <= 1 ? 0.05 : steps <= 3 ? 0.2 : 0.5;
  }
  return Found::nothing;
}

}  // namespace mechfmu::contacts
