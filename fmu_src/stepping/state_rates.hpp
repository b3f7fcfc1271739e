// The rates of the file's states, and their derivatives: states are positions that no velocity moves.
#pragma once

#include "linear/buffer.hpp"
#include "linear/dense.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/tape.hpp"

namespace mechfmu {

class StateRates {
 public:
  StateRates(Arena& arena, const Mechanism& m)
      : mechanism_(m), count_(m.sizes.states()), at_q_(arena, count_ > 0 ? m.sizes.positions : 0),
        at_v_(arena, count_ > 0 ? m.sizes.velocities : 0), q_turn_(arena, count_ > 0 ? m.sizes.positions : 0),
        v_turn_(arena, count_ > 0 ? m.sizes.velocities : 0), tape_values_(arena, tape_length()),
        tape_slopes_(arena, tape_length()) {}

  /// Writes the rates at a point, whose q and v are set, and loads if there are some.
  void find(const Point& p, double* rates) const {
    if (count_ > 0) group().evaluate(p, rates);
  }

  /// Notes the point at which the equations are linearised.
  void linearise_at(const Point& p) {
    if (!exact()) return;
    dense::copy(mechanism_.sizes.positions, p.q, at_q_.data());
    dense::copy(mechanism_.sizes.velocities, p.v, at_v_.data());
    at_ = p;
    at_.q = at_q_.data();
    at_.v = at_v_.data();
  }
  /// Puts exact derivatives in place of differences, where the point was moved by a variable's change to `p`: the
  /// differences of large rates that nearly cancel, as those of stiff states do, have few digits. `q_slopes` are the
  /// derivatives of q, if they are known.
  void sharpen(const Point& p, double change, const double* q_slopes, double* rate_slopes) {
    if (!exact()) return;
    for (int i = 0; i < mechanism_.sizes.positions; ++i)
      q_turn_[i] = q_slopes != nullptr ? q_slopes[i] : (p.q[i] - at_q_[i]) / change;
    for (int i = 0; i < mechanism_.sizes.velocities; ++i) v_turn_[i] = (p.v[i] - at_v_[i]) / change;
    Point direction;
    direction.q = q_turn_.data();
    direction.v = v_turn_.data();
    differentiate(group().tape, at_, direction, tape_values_.data(), tape_slopes_.data(), rate_slopes);
  }

 private:
  const OutputGroup& group() const { return mechanism_.groups[state_rate_group]; }
  /// Is false if loads change the rates, whose derivatives are not known.
  bool exact() const { return count_ > 0 && !group().needs_acceleration; }
  int tape_length() const { return count_ > 0 ? group().tape.step_count : 0; }

  const Mechanism& mechanism_;
  int count_;
  Point at_;
  Buffer<dynamic> at_q_, at_v_, q_turn_, v_turn_, tape_values_, tape_slopes_;
};

}  // namespace mechfmu
