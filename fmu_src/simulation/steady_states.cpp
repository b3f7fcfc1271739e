// Finds states that start where their rates are zero, and how this start changes with parameters.
#include <cmath>

#include "linear/dense.hpp"
#include "linear/finite.hpp"
#include "linear/newton.hpp"
#include "linear/tolerances.hpp"
#include "slopes.hpp"

namespace mechfmu {

/// Replaces x, numbers for all states, by the changes of steady states that change their rates by x; others stay.
bool Slopes::solve_for_steady(double* x) {
  const Sizes& s = mechanism_.sizes;
  int count = 0;
  for (int i = 0; i < s.states(); ++i) count += mechanism_.steady[i];
  Arena memory(Arena::of_instance);
  IndexBuffer state(memory, count), pivots(memory, count);
  Buffer<dynamic> turn(memory, s.positions), change(memory, count);
  RunTimeColumns J(memory, count, count);
  if (!memory.ok()) return message_.fail("Out of memory.");
  for (int i = 0, k = 0; i < s.states(); ++i) {
    if (mechanism_.steady[i]) state[k++] = i;
  }
  for (int j = 0; j < count; ++j) {
    dense::fill(s.positions, 0, turn.data());
    turn[s.first_state() + state[j]] = 1;
    if (!differentiate({0, turn.data()})) return false;
    const double* slopes = output_slopes(state_rate_group);
    if (slopes == nullptr) return false;
    for (int i = 0; i < count; ++i) J(i, j) = slopes[state[i]];
    change[j] = x[state[j]];
  }
  if (!dense::factor(count, J.data(), pivots.data()))
    return message_.fail("their rates do not depend on them where the search is");
  dense::solve(count, J.data(), pivots.data(), change.data());
  dense::fill(s.states(), 0, x);
  for (int j = 0; j < count; ++j) x[state[j]] = change[j];
  return true;
}

bool Slopes::find_steady_states() {
  if (mechanism_.steady == nullptr) return true;
  constexpr int most_iterations = 100;
  constexpr double longest_step = 10;  // It is counted in sizes of states.
  const Sizes& s = mechanism_.sizes;
  Message why;
  NewtonSteps steps(newton_rules::onto_rows);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    moved();
    const double* rates = outputs(state_rate_group);
    if (rates == nullptr) return false;
    for (int i = 0; i < s.states(); ++i) steady_[i] = -rates[i];
    if (!solve_for_steady(steady_.data())) {
      why = message_;
      break;
    }
    double size = 0;
    for_states(RunTimeModel(mechanism_), [&](int i, int k) {
      dense::raise(size, std::fabs(steady_[i - s.first_state()]) / (mechanism_.nominal[k] + std::fabs(state_.q[i])));
    });
    if (!is_finite(size)) break;
    steps.take(size);
    dense::add(s.states(), size > longest_step ? longest_step / size : 1, steady_.data(), state_.q + s.first_state());
    moved();
    if (steps.ended()) return true;
  }
  message_.fail("No steady start was found for ");
  const char* between = "";
  for (int i = 0; i < s.states(); ++i) {
    if (!mechanism_.steady[i]) continue;
    message_.add("%s'%s'", between, mechanism_.position_names[s.first_state() + i]);
    between = ", ";
  }
  message_.add(": %s. Give a guess that is nearer to it, or start values.",
               why.text[0] != 0 ? why.text : "the search does not come to an end");
  return false;
}

/// Adds the changes of steady states to those of the start along a direction, of which all else is known.
bool Slopes::differentiate_steady_states(const Direction& direction) {
  const Sizes& s = mechanism_.sizes;
  if (!differentiate(direction)) return false;
  const double* slopes = output_slopes(state_rate_group);
  if (slopes == nullptr) return false;
  for (int i = 0; i < s.states(); ++i) steady_[i] = -slopes[i];
  if (!solve_for_steady(steady_.data())) return false;
  dense::add(s.states(), 1, steady_.data(), start_q_slopes_.data() + s.first_state());
  return true;
}

}  // namespace mechfmu
