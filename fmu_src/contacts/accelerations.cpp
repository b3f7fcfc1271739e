// Puts sliding contacts into the problem, solves it, and takes them out again.
#include "accelerations.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu::contacts {

Accelerations::Accelerations(Arena& arena, const Sizes& sizes, Solver& solver)
    : solver_(solver), reduced_(arena, sizes.groups), present_(arena, sizes.groups), modes_(arena, sizes.groups),
      kept_modes_(arena, sizes.groups), place_(arena, sizes.groups), row_(arena, sizes.rows),
      slides_(arena, sizes.groups), let_go_(arena, sizes.groups), at_bound_(arena, sizes.groups),
      H_(arena, sizes.rows, sizes.rows), A_(arena, sizes.freedoms, sizes.rows), B_(arena, sizes.freedoms, sizes.rows),
      q_(arena, sizes.rows), mobility_(arena, sizes.rows), x_(arena, sizes.rows), w_(arena, sizes.rows),
      kept_x_(arena, sizes.rows), kept_w_(arena, sizes.rows) {}

/// Lists the rows that laws are solved for, and writes their numbers.
void Accelerations::reduce(const Problem& problem, const double* rest, const GroupMode* likely) {
  const int all = problem.H.rows(), freedoms = problem.A.data() != nullptr ? problem.A.rows() : 0;
  has_A_ = freedoms > 0;
  groups_ = rows_ = 0;
  dense::copy(all, problem.q, w_.data());
  for (int i = 0, a = 0; i < problem.groups; a += problem.group[i++].rows()) {
    Group g = problem.group[i];
    const double* s = modes_[i].direction;
    place_[i] = -1;
    if (slides_[i] && g.law == Law::capacity) {
      for (int k = 0; k < g.tangential; ++k) dense::add(all, -g.capacity * s[k], problem.H.column(a + k), w_.data());
      continue;
    }
    if (slides_[i]) g = Group::limit();
    if (rest != nullptr && !let_go_[i]) {
      g.friction *= rest[i];
      g.capacity *= rest[i];
    }
    for (int k = 0; k < g.rows(); ++k) row_[rows_ + k] = a + k;
    rows_ += g.rows();
    place_[i] = groups_;
    present_[groups_] = likely != nullptr && !slides_[i] && !let_go_[i] ? likely[i] : modes_[i];
    if (slides_[i] && modes_[i].mode == Mode::slip) present_[groups_].mode = Mode::stick;
    reduced_[groups_++] = g;
  }
  H_.reshape(rows_);
  A_.reshape(freedoms);
  B_.reshape(freedoms);
  for (int j = 0; j < rows_; ++j) {
    q_[j] = w_[row_[j]];
    for (int i = 0; i < rows_; ++i) H_(i, j) = problem.H(row_[i], row_[j]);
    if (problem.free_mobility != nullptr) mobility_[j] = problem.free_mobility[row_[j]];
    if (!has_A_) continue;
    const ColumnsView<>& B = problem.B.data() != nullptr ? problem.B : problem.A;
    dense::copy(freedoms, problem.A.column(row_[j]), A_.column(j));
    dense::copy(freedoms, B.column(row_[j]), B_.column(j));
  }
  for (int i = 0, a = 0; i < problem.groups; a += problem.group[i++].rows()) {
    const Group& g = problem.group[i];
    if (!slides_[i] || g.law == Law::capacity) continue;
    int j = 0;
    while (row_[j] != a) ++j;
    const ColumnsView<>& B = problem.B.data() != nullptr ? problem.B : problem.A;
    for (int k = 0; k < g.tangential; ++k) {
      const double part = -g.friction * modes_[i].direction[k];
      for (int r = 0; r < rows_; ++r) H_(r, j) += part * problem.H(row_[r], a + 1 + k);
      if (has_A_) dense::add(freedoms, part, B.column(a + 1 + k), B_.column(j));
    }
  }
}

/// Writes forces and accelerations of all rows.
void Accelerations::take(const Problem& problem) {
  const int all = problem.H.rows();
  dense::fill(all, 0, x_.data());
  for (int j = 0; j < rows_; ++j) x_[row_[j]] = solver_.x()[j];
  for (int i = 0, a = 0; i < problem.groups; a += problem.group[i++].rows()) {
    const Group& g = problem.group[i];
    if (!slides_[i]) {
      modes_[i] = solver_.modes()[place_[i]];
      continue;
    }
    const bool pressed = g.law == Law::capacity || solver_.modes()[place_[i]].mode != Mode::open;
    modes_[i].mode = pressed ? Mode::slip : Mode::open;
    const int tangent = a + (g.has_normal() ? 1 : 0);
    const double radius = g.has_normal() ? g.friction * x_[a] : g.capacity;
    for (int k = 0; k < g.tangential; ++k) x_[tangent + k] = -radius * modes_[i].direction[k];
  }
  dense::copy(all, problem.q, w_.data());
  for (int j = 0; j < all; ++j)
    if (x_[j] != 0) dense::add(all, x_[j], problem.H.column(j), w_.data());
}

Outcome Accelerations::solve(const Problem& problem, const double* rest, const GroupMode* present,
                             const GroupMode* likely) {
  for (int i = 0; i < problem.groups; ++i) {
    modes_[i] = present[i];
    slides_[i] = static_cast<char>(
        present[i].mode == Mode::slip && problem.group[i].law != Law::bilateral && problem.group[i].tangential > 0);
    let_go_[i] = 0;
  }
  for (;;) {
    const Outcome outcome = solve_reduced(problem, rest, likely);
    if (outcome != Outcome::solved) return outcome;
    bool again = false;
    for (int i = 0; i < problem.groups; ++i) {
      if (slides_[i] || let_go_[i] || rest == nullptr || !(rest[i] > 1)) continue;
      if (solver_.modes()[place_[i]].mode != Mode::slip) continue;
      let_go_[i] = 1;
      modes_[i] = solver_.modes()[place_[i]];
      again = true;
    }
    if (!again) break;
  }
  take(problem);
  stick_at_rest(problem, rest);
  return Outcome::solved;
}

Outcome Accelerations::solve_reduced(const Problem& problem, const double* rest, const GroupMode* likely) {
  reduce(problem, rest, likely);
  Problem reduced;
  reduced.groups = groups_;
  reduced.group = reduced_.data();
  reduced.H = H_;
  reduced.q = q_.data();
  if (has_A_) reduced.A = A_;
  if (has_A_) reduced.B = B_;
  if (problem.free_mobility != nullptr) reduced.free_mobility = mobility_.data();
  return solver_.solve(reduced, present_.data());
}

/// Is true if a group's tangential rows have no acceleration: what is left of it is rounding of its parts.
bool Accelerations::rests(const Problem& problem, int group, int first) const {
  const Group& g = problem.group[group];
  double largest = 0, parts = 0;
  for (int a = first + (g.has_normal() ? 1 : 0); a < first + g.rows(); ++a) {
    double sum = std::fabs(problem.q[a]);
    for (int j = 0; j < problem.H.rows(); ++j) sum += std::fabs(problem.H(a, j) * x_[j]);
    dense::raise(parts, sum);
    dense::raise(largest, std::fabs(w_[a]));
  }
  return largest <= rounding_of_rest * parts;
}

void Accelerations::stick_at_rest(const Problem& problem, const double* rest) {
  const int all = problem.H.rows();
  const auto list = [&](const auto& take_group) {
    for (int i = 0, a = 0; i < problem.groups; a += problem.group[i++].rows()) take_group(i, a);
  };
  bool any = false;
  list([&](int i, int a) {
    at_bound_[i] = static_cast<char>(!slides_[i] && modes_[i].mode == Mode::slip && rests(problem, i, a));
    any = any || at_bound_[i] != 0;
  });
  if (!any) return;
  const auto exchange = [&](bool keep) {
    dense::copy(all, keep ? x_.data() : kept_x_.data(), keep ? kept_x_.data() : x_.data());
    dense::copy(all, keep ? w_.data() : kept_w_.data(), keep ? kept_w_.data() : w_.data());
    for (int i = 0; i < problem.groups; ++i) (keep ? kept_modes_ : modes_)[i] = (keep ? modes_ : kept_modes_)[i];
  };
  exchange(true);
  for (int i = 0; i < problem.groups; ++i) slides_[i] = static_cast<char>(slides_[i] || at_bound_[i]);
  for (int tried = 0; tried < problem.groups; ++tried) {
    if (!at_bound_[tried]) continue;
    slides_[tried] = 0;
    modes_[tried].mode = Mode::stick;
    bool keeps = solve_reduced(problem, rest) == Outcome::solved;
    if (keeps) take(problem);
    list([&](int i, int a) {
      if (!keeps || !at_bound_[i]) return;
      keeps = modes_[i].mode == (slides_[i] ? Mode::slip : Mode::stick) && rests(problem, i, a);
    });
    if (keeps) {
      exchange(true);
    } else {
      exchange(false);
      slides_[tried] = 1;
    }
  }
}

}  // namespace mechfmu::contacts
