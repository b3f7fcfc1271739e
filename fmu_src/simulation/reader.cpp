// Computes values of a motion at the present state.
#include "reader.hpp"

#include <algorithm>
#include <cmath>

#include "constraints/choice.hpp"
#include "constraints/priorities.hpp"
#include "linear/dense.hpp"
#include "linear/products.hpp"
#include "mechanism/drift.hpp"
#include "mechanism/position_rates.hpp"
#include "mechanism/whole_turns.hpp"
#include "stepping/member_facts.hpp"

namespace mechfmu {

int Reader::count_outputs(const Mechanism& m) {
  int count = 0;
  for (int g = 0; g < m.group_count; ++g) count += m.groups[g].count;
  return count;
}

Reader::Reader(Arena& arena, const Mechanism& m)
    : Present(arena, m), accelerations_(arena, m), agreement_(arena, m), nonlinear_(arena, m),
      positions_(arena, m.sizes.positions), guesses_(arena, m.sizes.positions + m.sizes.velocities),
      f_(arena, m.sizes.position_rows), velocity_rows_(arena, m.sizes.rows()), outputs_(arena, count_outputs(m)),
      position_rates_(arena, m.sizes.positions), velocity_rates_(arena, m.sizes.velocities),
      metric_(arena, m.sizes.velocities), lengths_(arena, m.sizes.rows()), gaps_(arena, m.sizes.contacts),
      speeds_(arena, m.sizes.changing_rows), feedback_(arena, m.sizes.contacts > 0 ? m.sizes.all_rows() : 0),
      pivoting_(arena, m.sizes.rows(), m.sizes.velocities, m.sizes.C_nonzeros) {}

const double* Reader::position_guesses() {
  Point p;
  p.time = *state_.time;
  p.inputs = state_.inputs;
  p.parameters = parameters();
  p.context = mechanism_.context;
  mechanism_.guess(p, guesses_.data(), guesses_.data() + mechanism_.sizes.positions);
  add_turns(mechanism_, state_.turns, guesses_.data());
  return guesses_.data();
}

const double* Reader::velocity_guesses() { return position_guesses() + mechanism_.sizes.positions; }

const double* Reader::position_rate_guesses() {
  const double* q = position_guesses();
  rates(RunTimeModel(mechanism_), q, q + mechanism_.sizes.positions, position_rates_.data());
  return position_rates_.data();
}

bool Reader::find_accelerations() {
  if (known_.accelerations) return true;
  if (!fits()) return false;
  const Point p = here();
  mechanism_.position(p, M_.data(), C_.data(), c_t_.data());
  accelerations_.share_rows(*state_.rounded != 0);
  const bool led = outside_ != nullptr && p.held != nullptr;
  if (led) {
    mechanism_.gaps(p, gaps_.data());
    mechanism_.contact_speeds(p, speeds_.data());
    dense::fill(mechanism_.sizes.all_rows(), 0, feedback_.data());
    lead_rows_back(gaps_.data(), speeds_.data(), feedback_.data());
  }
  known_.accelerations = accelerations_.solve(p, M_.data(), led ? feedback_.data() : nullptr, message_);
  const bool compared = outside_ == nullptr && mechanism_.sizes.acceleration_rows > 0;
  if (known_.accelerations && compared) {
    known_.accelerations =
        agreement_.hold_accelerations(p, accelerations_.rows(), accelerations_.find_open(),
                                      accelerations_.acceleration(), settings().closure_tolerance, message_);
  }
  return known_.accelerations;
}

void Reader::lead_rows_back(const double* gaps, const double* speeds, double* gamma) const {
  const double gain = settings().drift_gain_1;
  for (int g = 0, row = 0; g < mechanism_.sizes.contacts; ++g) {
    for (int k = 0; k < mechanism_.contacts[g].rows(); ++k, ++row) {
      if (state_.held[row] == 0) continue;
      const bool gap = k == 0 && mechanism_.has_gap[g];
      gamma[mechanism_.sizes.lasting_rows() + row] +=
          gap ? gain * (2 * speeds[row] + gain * gaps[g]) : gain * speeds[row];
    }
  }
}

const double* Reader::accelerations() { return find_accelerations() ? accelerations_.acceleration() : nullptr; }

const double* Reader::loads() { return find_accelerations() ? accelerations_.loads() : nullptr; }

const double* Reader::positions() const {
  if (outside_ != nullptr || mechanism_.sizes.turning == 0) return state_.q;
  if (!known_.positions) {
    dense::copy(mechanism_.sizes.positions, state_.q, positions_.data());
    add_turns(mechanism_, state_.turns, positions_.data());
    known_.positions = true;
  }
  return positions_.data();
}

const double* Reader::position_rates() {
  if (!fits()) return nullptr;
  const double* v = outside_ != nullptr ? outside_->led_back() : state_.v;
  rates(RunTimeModel(mechanism_), state_.q, v, position_rates_.data());
  if (outside_ != nullptr) lengthen_quaternions(position_rates_.data());
  const Sizes& s = mechanism_.sizes;
  if (s.states() == 0) return position_rates_.data();
  const double* of_states = outputs(state_rate_group);
  if (of_states == nullptr) return nullptr;
  dense::copy(s.states(), of_states, position_rates_.data() + s.first_state());
  return position_rates_.data();
}

const double* Reader::multipliers() {
  if (!find_accelerations()) return nullptr;
  if (!known_.spread) accelerations_.spread_multipliers();
  known_.spread = true;
  return accelerations_.multipliers();
}

const double* Reader::outputs(int group) {
  double* values = outputs_of(group, outputs_.data());
  if (known_.groups >> group & 1) return values;
  if (!fits()) return nullptr;
  Point p = here();
  if (mechanism_.groups[group].needs_acceleration) {
    if (!solved(p)) return nullptr;
  }
  mechanism_.groups[group].evaluate(p, values);
  known_.groups |= 1u << group;
  return values;
}

double* Reader::outputs_of(int group, double* all) const {
  for (int g = 0; g < group; ++g) all += mechanism_.groups[g].count;
  return all;
}

bool Reader::solved(Point& p) {
  p.multipliers = multipliers();
  p.acceleration = accelerations();
  p.loads = accelerations_.loads();
  return p.multipliers != nullptr && p.acceleration != nullptr;
}

double Reader::position_violation() {
  mechanism_.violation(at_state(), f_.data());
  return dense::largest(mechanism_.sizes.position_rows, f_.data());
}

double Reader::velocity_violation() {
  const int rows = mechanism_.sizes.rows();
  dense::fill(rows, 0, c_t_.data());
  mechanism_.position(at_state(), M_.data(), C_.data(), c_t_.data());
  times(mechanism_.C, C_.data(), state_.v, velocity_rows_.data());
  dense::add(rows, 1, c_t_.data(), velocity_rows_.data());
  double violation = dense::largest(rows, velocity_rows_.data());
  if (mechanism_.sizes.nonlinear_rows > 0) {
    nonlinear_.evaluate(at_state());
    dense::raise(violation, dense::largest(mechanism_.sizes.nonlinear_rows, nonlinear_.residuals()));
  }
  return violation;
}

double Reader::acceleration_violation() {
  if (!find_accelerations()) return std::nan("");
  return dense::largest(mechanism_.sizes.all_rows(), accelerations_.find_open());
}

double Reader::closure_gap() {
  mechanism_.position(at_state(), M_.data(), C_.data(), c_t_.data());
  return agreement_.gap(at_state(), C_.data());
}

bool Reader::has_tangent_velocities() const {
  const Settings set = settings();
  return outside_ == nullptr && set.tangent_basis < basis_count &&
         static_cast<Drift>(set.drift_correction) != Drift::baumgarte;
}

bool Reader::has_choice() const { return has_tangent_velocities() && chooses_coordinates(settings().tangent_basis); }

bool Reader::is_independent(int velocity) const {
  if (mechanism_.sizes.rank == 0) return true;
  for (int j = 0; has_choice() && j < mechanism_.sizes.degrees_of_freedom(); ++j) {
    if (state_.independent[j] == velocity) return true;
  }
  return false;
}

double Reader::basis_quality() {
  const int rank = mechanism_.sizes.rank;
  if (rank == 0) return 1;
  const bool chosen = has_choice();
  const auto kept = [&](int row) {
    return !chosen || std::find(state_.rows, state_.rows + rank, row) != state_.rows + rank;
  };
  mechanism_.position(at_state(), M_.data(), C_.data(), c_t_.data());
  column_metric(mechanism_.M, M_.data(), mechanism_.nominal, metric_.data());
  find_row_lengths();
  const Pattern& pattern = mechanism_.C;
  pivoting_.clear();
  for (int e = 0; e < pattern.nonzeros; ++e) {
    const int i = pattern.row[e], j = pattern.column[e];
    if (!is_independent(j) && kept(i)) pivoting_.set(i, j, C_[e]);
  }
  pivoting_.scale_columns(metric_.data());
  const int found =
      chosen ? pivoting_.eliminate({}, rank, 0) : pivoting_.eliminate(priorities(mechanism_), rank, rank_tolerance);
  if (found < rank) return 0;
  double smallest = 1;
  for (int i = 0; i < rank; ++i) {
    const int row = pivoting_.row(i);
    smallest = std::fmin(smallest, pivoting_.pivot(i) * pivoting_.size(row) / lengths_[mechanism_.same_unit[row]]);
  }
  return smallest;
}

/// Finds how long the rows of C get that have the same unit, with columns in the metric; the first of them has the
/// number. (A row of its own may vanish at a singular position.) A number or an angle changes at least by what moves
/// the heaviest coordinate by its nominal size.
void Reader::find_row_lengths() {
  const Pattern& pattern = mechanism_.C;
  const int rows = mechanism_.sizes.rows();
  dense::fill(rows, 0, lengths_.data());
  for (int e = 0; e < pattern.nonzeros; ++e) lengths_[pattern.row[e]] += C_[e] * C_[e] / metric_[pattern.column[e]];
  double narrowest = beyond_all;
  for (int j = 0; j < mechanism_.sizes.velocities; ++j) {
    narrowest = std::fmin(narrowest, 1 / (std::sqrt(metric_[j]) * mechanism_.nominal[j]));
  }
  for (int i = 0; i < rows; ++i) {
    lengths_[i] = std::fmax(std::sqrt(lengths_[i]), mechanism_.bare[i] ? narrowest : 0);
    dense::raise(lengths_[mechanism_.same_unit[i]], lengths_[i]);
  }
}

const double* Reader::velocity_rates() {
  const double* found = accelerations();
  if (outside_ == nullptr || found == nullptr) return found;
  double* result = velocity_rates_.data();
  dense::copy(mechanism_.sizes.velocities, found, result);
  dense::add(mechanism_.sizes.velocities, 1, outside_->decay(), result);
  return result;
}

/// d|q|²/dt = K (1 − |q|²) |q|²
void Reader::lengthen_quaternions(double* position_rate) const {
  const double gain = settings().drift_gain_1;
  for_positions(
      RunTimeModel(mechanism_), [](int, int) {},
      [&](int i, int) {
        const double* q = state_.q + i;
        dense::add(4, gain / 2 * (1 - dense::dot(4, q, q)), q, position_rate + i);
      });
}

}  // namespace mechfmu
