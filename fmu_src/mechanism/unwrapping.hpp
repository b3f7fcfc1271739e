// Counts the turns of angles from step to step, if the position tells them up to whole turns only. Such angles belong
// to joints that close loops. The state keeps the unwrapped angles; the functions of a mechanism take the values
// nearest to Point::angles.
#pragma once

#include <cmath>

#include "linear/buffer.hpp"
#include "linear/dense.hpp"
#include "mechanism.hpp"
#include "whole_turns.hpp"

namespace mechfmu {

class Unwrapping {
 public:
  Unwrapping(Arena& arena, const Mechanism& mechanism)
      : mechanism_(mechanism), count_(mechanism.sizes.angles), raw_(arena, count_), rates_(arena, count_),
        guesses_(arena, count_), last_(arena, count_), last_rates_(arena, count_), expected_(arena, count_) {}

  /// Begins with the angles that are nearest to the guesses of the start values.
  void start(const Point& p, double* angles) {
    if (count_ == 0) return;
    read(p);
    for (int i = 0; i < count_; ++i) angles[i] = nearest(i, guesses_[i]);
  }
  /// Finds the angles that are nearest to the old ones, after the position was corrected.
  void follow(const Point& p, double* angles) {
    if (count_ == 0) return;
    read(p);
    for (int i = 0; i < count_; ++i) angles[i] = nearest(i, angles[i]);
  }

  /// Begins a step at this point, where the angles are these.
  void begin(const Point& p, const double* angles) {
    read(p);
    begin_ = p.time;
    dense::copy(count_, angles, last_.data());
    dense::copy(count_, rates_.data(), last_rates_.data());
    expect(p.time);
  }
  /// Estimates the angles at another time of the step; an error below half a turn does no harm.
  void expect(double time) {
    for (int i = 0; i < count_; ++i) expected_[i] = last_[i] + (time - begin_) * last_rates_[i];
  }
  const double* expected() const { return expected_.data(); }
  /// Ends a step here: up to whole turns, angles change by their mean rate times the step. Returns false if an angle
  /// has other turns than expected.
  bool end(const Point& p, double* angles) {
    read(p);
    bool as_expected = true;
    for (int i = 0; i < count_; ++i) {
      angles[i] = nearest(i, last_[i] + (p.time - begin_) * (last_rates_[i] + rates_[i]) / 2);
      as_expected = as_expected && angles[i] == nearest(i, expected_[i]);
    }
    return as_expected;
  }

 private:
  void read(const Point& p) { mechanism_.angles(p, raw_.data(), rates_.data(), guesses_.data()); }
  double nearest(int i, double wanted) const { return raw_[i] + turn * std::floor((wanted - raw_[i]) / turn + 0.5); }

  const Mechanism& mechanism_;
  int count_;
  double begin_ = 0;
  Buffer<dynamic> raw_, rates_, guesses_, last_, last_rates_, expected_;
};

}  // namespace mechfmu
