// Assembles and solves the equations of modes.
#include "mode_equations.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu::contacts {

namespace {
int most_unknowns(const Sizes& sizes) { return sizes.rows + sizes.groups + 1; }
int longest_row(const Sizes& sizes) { return sizes.rows > sizes.freedoms ? sizes.rows : sizes.freedoms; }
}  // namespace

ModeEquations::ModeEquations(Arena& arena, const Sizes& sizes, Scaled& problem)
    : problem_(problem), J_(arena, most_unknowns(sizes), most_unknowns(sizes)),
      LU_(arena, most_unknowns(sizes), most_unknowns(sizes)), rows_of_(arena, longest_row(sizes), sizes.rows),
      qr_(arena, longest_row(sizes), sizes.rows), pivot_(arena, most_unknowns(sizes)), order_(arena, sizes.rows),
      place_(arena, sizes.rows), first_unknown_(arena, sizes.groups), equation_(arena, sizes.rows),
      unknown_(arena, sizes.rows), residual_(arena, most_unknowns(sizes)), y_(arena, most_unknowns(sizes)),
      column_(arena, longest_row(sizes)), null_(arena, sizes.rows), condition_(arena, sizes.rows) {}

// --- Assembly --------------------------------------------------------------------------------------------------------

/// Lists equations and unknowns; the r-th of both belong to the same row, or the same angle.
void ModeEquations::list(const GroupMode* modes, const double* x) {
  n_ = 0;
  for (int i = 0; i < problem_.members(); ++i) {
    const Member& g = problem_.member(i);
    first_unknown_[i] = n_;
    if (modes[i].mode == Mode::open) continue;
    if (modes[i].mode == Mode::stick) {
      for (int k = 0; k < g.rows(); ++k, ++n_) equation_[n_] = unknown_[n_] = {i, g.first + k, 1, {1, 0, 0}, false};
      continue;
    }
    const double* s = modes[i].direction;
    if (g.normal) {
      equation_[n_] = {i, g.first, 1, {1, 0, 0}, false};
      unknown_[n_++] = {i, g.first, g.rows(), {1, -g.friction * s[0], -g.friction * s[1]}, false};
    }
    if (g.tangential == 2) {
      const double radius = g.normal ? g.friction * x[g.first] : g.capacity;
      equation_[n_] = {i, g.tangent(), 2, {-s[1], s[0], 0}, true};
      unknown_[n_++] = {i, g.tangent(), 2, {radius * s[1], -radius * s[0], 0}, true};
    }
  }
}

void ModeEquations::take_residuals(const double* w) {
  for (int r = 0; r < n_; ++r) {
    const Combination& e = equation_[r];
    residual_[r] = 0;
    if (angles_held_ && e.across) continue;
    for (int k = 0; k < e.count; ++k) residual_[r] += e.part[k] * w[e.first + k];
  }
}

void ModeEquations::fill(const GroupMode* modes, const double* w, int border, bool angles_held) {
  angles_held_ = angles_held;
  clear(n_ + border);
  take_residuals(w);
  for (int c = 0; c < n_; ++c) {
    const Combination& u = unknown_[c];
    if (angles_held && u.across) {
      J_(c, c) = 1;
      continue;
    }
    const double* moved = problem_.H().column(u.first);
    if (u.count > 1) {
      dense::fill(problem_.rows(), 0, column_.data());
      for (int k = 0; k < u.count; ++k)
        dense::add(problem_.rows(), u.part[k], problem_.H().column(u.first + k), column_.data());
      moved = column_.data();
    }
    for (int r = 0; r < n_; ++r) {
      const Combination& e = equation_[r];
      if (angles_held && e.across) continue;
      double sum = e.part[0] * moved[e.first];
      if (e.count == 2) sum += e.part[1] * moved[e.first + 1];
      J_(r, c) = sum;
    }
    // s' turns, too.
    if (u.across) J_(c, c) -= problem_.tangential(problem_.member(u.member), w).part_in(modes[u.member].direction);
  }
}

int ModeEquations::assemble(const GroupMode* modes, const double* x, const double* w, int border) {
  list(modes, x);
  fill(modes, w, border, false);
  return n_;
}

void ModeEquations::clear(int size) {
  size_ = size;
  J_.reshape(size);
  dense::fill(size * size, 0, J_.data());
  dense::fill(size, 0, residual_.data());
}

double ModeEquations::largest_residual() const { return dense::largest(size_, residual_.data()); }

bool ModeEquations::step() {
  ++work_;
  dense::copy(size_ * size_, J_.data(), LU_.data());
  if (!dense::factor(size_, LU_.data(), pivot_.data())) return false;
  for (int i = 0; i < size_; ++i) y_[i] = -residual_[i];
  dense::solve(size_, LU_.data(), pivot_.data(), y_.data());
  return is_finite(dense::largest(size_, y_.data()));
}

// --- Motion along unknowns -------------------------------------------------------------------------------------------

bool ModeEquations::turns(const GroupMode* modes) const {
  for (int i = 0; i < problem_.members(); ++i)
    if (modes[i].mode == Mode::slip && problem_.member(i).tangential == 2) return true;
  return false;
}

double ModeEquations::turn(const GroupMode* modes, const double* y) const {
  double largest = 0;
  for (int i = 0; i < problem_.members(); ++i) {
    const Member& g = problem_.member(i);
    if (modes[i].mode == Mode::slip && g.tangential == 2)
      dense::raise(largest, std::fabs(y[first_unknown_[i] + (g.normal ? 1 : 0)]));
  }
  return largest;
}

void ModeEquations::advance(GroupMode* modes, const double* y, double h, double* x) const {
  for (int i = 0; i < problem_.members(); ++i) {
    const Member& g = problem_.member(i);
    const double* own = y + first_unknown_[i];
    if (modes[i].mode == Mode::stick)
      for (int k = 0; k < g.rows(); ++k) x[g.first + k] += h * own[k];
    if (modes[i].mode != Mode::slip) continue;
    if (g.normal) x[g.first] += h * own[0];
    if (g.tangential < 2) continue;
    const double angle = h * own[g.normal ? 1 : 0], c = std::cos(angle), s = std::sin(angle);
    double* d = modes[i].direction;
    const double a = c * d[0] - s * d[1], b = s * d[0] + c * d[1], length = std::sqrt(a * a + b * b);
    d[0] = a / length;
    d[1] = b / length;
  }
  let_slip(modes, x);
}

void ModeEquations::let_slip(const GroupMode* modes, double* x) const {
  for (int i = 0; i < problem_.members(); ++i) {
    const Member& g = problem_.member(i);
    if (modes[i].mode != Mode::slip) continue;
    const double radius = g.normal ? g.friction * x[g.first] : g.capacity;
    for (int k = 0; k < g.tangential; ++k) x[g.tangent() + k] = -radius * modes[i].direction[k];
  }
}

void ModeEquations::rate(const GroupMode* modes, const double* x, const double* y, double* dx) const {
  dense::fill(problem_.rows(), 0, dx);
  for (int i = 0; i < problem_.members(); ++i) {
    const Member& g = problem_.member(i);
    const double* own = y + first_unknown_[i];
    if (modes[i].mode == Mode::stick) dense::copy(g.rows(), own, dx + g.first);
    if (modes[i].mode != Mode::slip) continue;
    const double* s = modes[i].direction;
    if (g.normal) dx[g.first] = own[0];
    for (int k = 0; g.normal && k < g.tangential; ++k) dx[g.tangent() + k] = -g.friction * own[0] * s[k];
    if (g.tangential < 2) continue;
    const double across = (g.normal ? g.friction * x[g.first] : g.capacity) * own[g.normal ? 1 : 0];
    dx[g.tangent()] += across * s[1];
    dx[g.tangent() + 1] -= across * s[0];
  }
}

// --- Solution to rounding --------------------------------------------------------------------------------------------

bool ModeEquations::settle(GroupMode* modes, double* x, double* w) {
  dense::fill(problem_.rows(), 0, x);
  let_slip(modes, x);
  return converge(modes, x, w, 0);
}

bool ModeEquations::settle_near(GroupMode* modes, double* x, double* w, double epsilon) {
  return converge(modes, x, w, epsilon);
}

bool ModeEquations::converge(GroupMode* modes, double* x, double* w, double epsilon) {
  const bool curved = turns(modes);
  const int most_passes = epsilon > 0 ? 30 : 14;
  problem_.speeds(x, w);
  double moved = 0;
  for (int pass = 0, quiet = 0; pass < most_passes; ++pass) {
    const bool anew = pass == 0 || curved;
    if (anew) {
      if (epsilon > 0) problem_.soften(epsilon);
      list(modes, x);
      // Directions may be far off before there are forces.
      fill(modes, w, 0, epsilon == 0 && curved && pass == 0);
      problem_.soften(0);
    } else {
      take_residuals(w);
    }
    if (n_ == 0) return true;
    const double open = dense::largest(n_, residual_.data()), size = problem_.size(x);
    const bool still = !curved || kept_ == Kept::all || moved <= settled_modes * size;
    if (pass > 0 && still && open <= exact_modes * size) break;
    if (pass > 0 && still && open <= settled_modes * size && ++quiet > 2) break;
    if (anew && !factor(x)) return false;
    right_side(anew);
    dense::solve(n_, LU_.data(), pivot_.data(), y_.data());
    moved = dense::largest(n_, y_.data());
    if (!is_finite(moved)) return false;
    const double turned = turn(modes, y_.data());
    constexpr double largest_turn = 0.7;
    advance(modes, y_.data(), turned > largest_turn ? largest_turn / turned : 1, x);
    problem_.speeds(x, w);
  }
  list(modes, x);
  angles_held_ = false;
  take_residuals(w);
  return dense::largest(n_, residual_.data()) <= rounding_of_laws * problem_.size(x);
}

bool ModeEquations::factor(const double* x) {
  ++work_;
  dense::copy(n_ * n_, J_.data(), LU_.data());
  double largest = 0, quality = 1;
  const bool regular = dense::factor(n_, LU_.data(), pivot_.data(), nullptr, [&](int, double size) {
    dense::raise(largest, size);
    quality = std::fmin(quality, size / largest);
  });
  kept_ = Kept::all;
  if (regular && quality >= independent_modes) return true;
  return (problem_.has_A() && factor_kept(Kept::rows_of_A, x)) || factor_kept(Kept::rows_of_J, x);
}

bool ModeEquations::factor_kept(Kept kept, const double* x) {
  ++work_;
  kept_ = kept;
  LU_.reshape(n_);
  dense::fill(n_ * n_, 0, LU_.data());
  if (!(kept == Kept::rows_of_A ? keep_rows_of_A(x) : keep_rows_of_J(x))) return false;
  double largest = 0, quality = 1;
  const bool regular = dense::factor(n_, LU_.data(), pivot_.data(), nullptr, [&](int, double size) {
    dense::raise(largest, size);
    quality = std::fmin(quality, size / largest);
  });
  return regular && (kept == Kept::rows_of_J || quality >= independent_modes);
}

/// Writes a condition for redundant rows to a row of LU. It says which of all solutions is meant. (J + ε D) x = b keeps
/// Zᵀ D x = 0 for ε → 0, with Zᵀ J = 0: the share that equal small compliances of the contacts would choose. This is
/// the least norm of the forces if nothing slips. If something slips, even the motion depends on it, so that it must be
/// a limit that is defined. Angles have no compliance, since friction acts along the slip.
bool ModeEquations::add_condition(int row, int dependent, const double* x) {
  for (int i = 0; i < rank_; ++i) null_[i] = -qr_.R(i, dependent);
  qr_.solve_R(null_.data());
  double sum = 0, largest = 0;
  const auto take = [&](int i, double part) {
    const Combination& e = equation_[place_[order_[i]]];
    if (e.across) return;
    const double softened = part * problem_.member(e.member).compliance;
    LU_(row, place_[order_[i]]) = softened;
    sum += softened * x[e.first];
    dense::raise(largest, std::fabs(softened));
  };
  for (int i = 0; i < rank_; ++i) take(i, null_[i]);
  take(dependent, 1);
  if (!(largest > 0)) return false;
  for (int c = 0; c < n_; ++c) LU_(row, c) /= largest;
  condition_[row] = -sum / largest;
  return true;
}

/// Keeps as many equations as J has independent rows.
bool ModeEquations::keep_rows_of_J(const double* x) {
  products_ = n_;
  rows_of_.reshape(n_);
  for (int r = 0; r < n_; ++r) {
    place_[r] = r;
    for (int c = 0; c < n_; ++c) rows_of_(c, r) = J_(r, c);
  }
  rank_ = qr_.factor_pivoted(n_, n_, rows_of_, order_.data(), independent_modes);
  for (int i = 0; i < rank_; ++i)
    for (int c = 0; c < n_; ++c) LU_(i, c) = J_(order_[i], c);
  for (int e = rank_; rank_ >= 0 && e < n_; ++e)
    if (!add_condition(e, e, x)) return false;
  return rank_ >= 0;
}

/// Keeps as many equations as the rows themselves are independent: with A_R of the equations, A_R P = Q [R_1 R_2 ; 0
/// 0], A_Rᵀ B_C y = b becomes Q_1ᵀ B_C y = R_1^{-T} (Pᵀ b)_1, which has the condition of A and not its square.
/// Equations of angles stay as they are.
bool ModeEquations::keep_rows_of_A(const double* x) {
  const int k = problem_.freedoms();
  rows_of_.reshape(k);
  products_ = 0;
  for (int r = 0; r < n_; ++r) {
    if (equation_[r].across) continue;
    dense::copy(k, problem_.A().column(equation_[r].first), rows_of_.column(products_));
    place_[products_++] = r;
  }
  rank_ = qr_.factor_pivoted(k, products_, rows_of_, order_.data(), rank_tolerance);
  if (rank_ < 0) return false;
  for (int c = 0; c < n_; ++c) {
    const Combination& u = unknown_[c];
    if (angles_held_ && u.across) continue;
    dense::fill(k, 0, column_.data());
    for (int i = 0; i < u.count; ++i) dense::add(k, u.part[i], problem_.B().column(u.first + i), column_.data());
    qr_.apply_Q_transposed(column_.data());
    for (int i = 0; i < rank_; ++i) LU_(i, c) = column_[i];
  }
  for (int e = rank_; e < products_; ++e)
    if (!add_condition(e, e, x)) return false;
  for (int r = 0, row = products_; r < n_; ++r) {
    if (!equation_[r].across) continue;
    for (int c = 0; c < n_; ++c) LU_(row, c) = J_(r, c);
    ++row;
  }
  return true;
}

/// Writes the right side to y. Conditions hold to rounding once they have been solved.
void ModeEquations::right_side(bool with_conditions) {
  for (int i = 0; i < n_; ++i) y_[i] = -residual_[i];
  if (kept_ == Kept::all) return;
  for (int i = 0; i < rank_; ++i) y_[i] = -residual_[place_[order_[i]]];
  if (kept_ == Kept::rows_of_A) qr_.solve_R_transposed(y_.data());
  for (int i = rank_; i < products_; ++i) y_[i] = with_conditions ? condition_[i] : 0;
  for (int r = 0, row = products_; kept_ == Kept::rows_of_A && r < n_; ++r)
    if (equation_[r].across) y_[row++] = -residual_[r];
}

}  // namespace mechfmu::contacts
