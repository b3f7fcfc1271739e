// Angles that go on turning keep their digits: the state has them within a turn or so, and whole turns beside them,
// which the mechanism knows as inputs. What is periodic in an angle never sees the turns.
#pragma once

#include <cmath>

#include "mechanism.hpp"
#include "state.hpp"

namespace mechfmu {

inline constexpr double turn = 6.283185307179586477;            // rounded
inline constexpr double rest_of_turn = 2.4492935982947064e-16;  // 2π − turn

/// Angles within this of zero have no whole turns beside them, so that one that swings about half a turn is left alone.
inline constexpr double near_zero = 4;

/// That are beside an angle, of all of it.
inline double turns_of(double angle) {
  return std::fabs(angle) > near_zero ? std::round((angle - std::remainder(angle, turn)) / turn) : 0;
}

/// At an accepted step: takes whole turns out of angles that have gone too far. True if there were some: q is another
/// one then, though the same position.
inline bool count_turns(const Mechanism& mechanism, State& state) {
  bool found = false;
  const int count = mechanism.sizes.turning;
  for (int i = 0; i < count; ++i) {
    double& angle = state.q[mechanism.turning[i]];
    const double turns = turns_of(angle);
    if (turns == 0) continue;
    angle = std::remainder(angle, turn) - turns * rest_of_turn;
    state.turns[i] += turns;
    if (*state.course_order > 0) state.course_values[mechanism.sizes.inputs - count + i] += turns;
    found = true;
  }
  return found;
}

/// Positions with their turns.
inline void add_turns(const Mechanism& mechanism, const double* turns, double* q) {
  for (int i = 0; i < mechanism.sizes.turning; ++i) q[mechanism.turning[i]] += turn * turns[i];
}

}  // namespace mechfmu
