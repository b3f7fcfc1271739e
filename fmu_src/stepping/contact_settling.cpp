// Moves positions and velocities onto the rows that hold, and out of gaps that were passed.
#include "contact_changes.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/tolerances.hpp"
#include "mechanism/model.hpp"
#include "mechanism/position_rates.hpp"

namespace mechfmu {

using contacts::Law;

/// Lets the directions of slips in space follow the slips: a step keeps the side that it began with. A slip that has
/// just begun is below the errors of a step, which would turn it: it keeps its first direction until it is clear of
/// them. A fast slip needs hardly any direction beside it.
void ContactChanges::renew_slides(State& state) const {
  for (int g = 0; g < rows_.groups(); ++g) {
    if (rows_.kind(g).law == Law::bilateral || rows_.kind(g).tangential != 2 || !slides(state, g)) continue;
    const int a = rows_.tangent(g);
    const double s_1 = rows_.speed(a), s_2 = rows_.speed(a + 1), length = std::sqrt(s_1 * s_1 + s_2 * s_2);
    const double least = slip_of_direction * speed_size(state, a);
    if (!(length > clear_slip * least)) continue;
    const double size = least * (least / length) / length;
    state.slide[a] = s_1 * size;
    state.slide[a + 1] = s_2 * size;
  }
}

bool ContactChanges::settle(const Point& p, State& state, Message& message) {
  moved_ = false;
  if (!any_acts(state)) return true;
  if (!rows_.evaluate(p, message)) return false;
  renew_slides(state);
  hold_rows(state);
  return true;
}

/// Moves positions and velocities onto the rows that hold.
void ContactChanges::hold_rows(State& state) {
  list_held_rows(state);
  if (held_count_ == 0) return;
  factor_held_rows();
  empty_held_gaps(state);
  stop_held_rows(state);
}

/// Moves positions out of gaps that a step of fixed length has passed.
void ContactChanges::push_out(State& state) {
  held_count_ = 0;
  for (int g = 0; g < rows_.groups(); ++g) {
    if (rows_.has_gap(g) && rows_.gap(g) < -touch(state, g)) held_rows_[held_count_++] = rows_.first(g);
  }
  if (held_count_ == 0) return;
  factor_held_rows();
  empty_held_gaps(state);
}

void ContactChanges::list_held_rows(const State& state) {
  held_count_ = 0;
  for (int i = 0; i < rows_.rows(); ++i) {
    if (state.held[i] != 0) held_rows_[held_count_++] = i;
  }
}

/// Returns the mobilities of the listed rows, in memory that `system_` factors, with their sizes without constraints.
WritableColumns<> ContactChanges::held_mobilities() {
  const WritableColumns<> system = system_.matrix(held_count_);
  for (int j = 0; j < held_count_; ++j) {
    sizes_[j] = rows_.free_mobility(held_rows_[j]);
    for (int i = 0; i < held_count_; ++i) system(i, j) = rows_.mobility(held_rows_[i], held_rows_[j]);
  }
  return system;
}

void ContactChanges::factor_held_rows() {
  held_mobilities();
  system_.factor(sizes_.data());
}

/// Moves positions until the gaps of the listed rows are zero.
void ContactChanges::empty_held_gaps(State& state) {
  if (put_onto_held_rows([&](int row) { return gap_of(state, row); }))
    move(RunTimeModel(mechanism_), delta_.data(), state.q);
}

/// Changes velocities until the speeds of the listed rows are zero.
void ContactChanges::stop_held_rows(State& state) {
  if (put_onto_held_rows([this](int row) { return rows_.speed(row); }))
    dense::add(mechanism_.sizes.velocities, 1, delta_.data(), state.v);
}

/// Finds the move that closes what the rows leave open. Returns false if nothing is open.
template <class Open>
bool ContactChanges::put_onto_held_rows(Open&& open) {
  bool any = false;
  for (int i = 0; i < held_count_; ++i) {
    numbers_[i] = -open(held_rows_[i]);
    any = any || numbers_[i] != 0;
  }
  if (!any) return false;
  system_.solve(numbers_.data());
  dense::fill(mechanism_.sizes.velocities, 0, delta_.data());
  for (int i = 0; i < held_count_; ++i)
    dense::add(mechanism_.sizes.velocities, numbers_[i], rows_.response(held_rows_[i]), delta_.data());
  return moved_ = true;
}

/// Returns the gap of a normal row, 0 of other rows. At the start rounding is no gap, so that fixed values hold
/// exactly.
double ContactChanges::gap_of(const State& state, int row) const {
  for (int g = 0; g < rows_.groups(); ++g) {
    if (!rows_.has_gap(g) || rows_.first(g) != row) continue;
    return begins_ && std::fabs(rows_.gap(g)) <= rounding_of_gaps * gap_size(state, g) ? 0 : rows_.gap(g);
  }
  return 0;
}

}  // namespace mechfmu
