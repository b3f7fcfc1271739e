// Keeps the digits of angles that go on turning: the state has such an angle within about a turn, and its whole turns
// beside it. The mechanism knows the turns as inputs. Periodic functions of an angle never see the turns.
#pragma once

#include <cmath>

#include "mechanism.hpp"
#include "state.hpp"

namespace mechfmu {

inline constexpr double turn = 6.283185307179586477;            // rounded
inline constexpr double rest_of_turn = 2.4492935982947064e-16;  // 2π − turn

/// Angles that are nearer to zero have no whole turns beside them, so that an angle that swings about half a turn stays
/// as it is.
inline constexpr double near_zero = 4;

/// Returns the whole turns of an angle that are kept beside it.
inline double turns_of(double angle) {
  return std::fabs(angle) > near_zero ? std::round((angle - std::remainder(angle, turn)) / turn) : 0;
}

/// Takes whole turns out of angles that have gone too far, when a step is accepted. Returns true if there were some:
/// then the numbers of q have changed, but the position has not.
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

/// Adds the whole turns to the positions.
inline void add_turns(const Mechanism& mechanism, const double* turns, double* q) {
  for (int i = 0; i < mechanism.sizes.turning; ++i) q[mechanism.turning[i]] += turn * turns[i];
}

}  // namespace mechfmu
