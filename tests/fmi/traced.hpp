// Has numbers that record their operations: they make tapes of hand-written functions.
#pragma once

#include <vector>

#include "fmu_src/mechanism/tape.hpp"

namespace mechfmu {

/// Steps of one function, in order.
class Recorder {
 public:
  /// Records the operation with its operands.
  int apply(Operation operation, int a) { return add(operation, here() - a); }
  int apply(Operation operation, int a, int b) { return add(operation, here() - a, here() - b); }
  int add(Operation operation, int a, int b = 0) {
    steps_.push_back(packed(operation, a, b));
    return static_cast<int>(steps_.size()) - 1;
  }
  int number(double value) {
    numbers_.push_back(value);
    return add(Operation::number, static_cast<int>(numbers_.size()) - 1);
  }
  void result(int step) { results_.push_back(step); }
  Tape tape() const {
    return {static_cast<int>(steps_.size()), steps_.data(), numbers_.data(), static_cast<int>(results_.size()),
            results_.data()};
  }

 private:
  int here() const { return static_cast<int>(steps_.size()); }

  std::vector<Tape::Step> steps_;
  std::vector<double> numbers_;
  std::vector<int> results_;
};

struct Traced {
  Recorder* recorder;
  int step;

  friend Traced operator+(Traced a, Traced b) { return a.with(Operation::add, b); }
  friend Traced operator-(Traced a, Traced b) { return a.with(Operation::subtract, b); }
  friend Traced operator*(Traced a, Traced b) { return a.with(Operation::multiply, b); }
  friend Traced operator/(Traced a, Traced b) { return a.with(Operation::divide, b); }
  friend Traced operator-(Traced a) { return {a.recorder, a.recorder->apply(Operation::negate, a.step)}; }
  friend Traced operator*(double a, Traced b) { return Traced{b.recorder, b.recorder->number(a)} * b; }
  friend Traced operator-(Traced a, double b) { return a - Traced{a.recorder, a.recorder->number(b)}; }
  friend Traced atan2(Traced a, Traced b) { return a.with(Operation::atan2, b); }
  friend Traced sqrt(Traced a) { return {a.recorder, a.recorder->apply(Operation::sqrt, a.step)}; }

 private:
  Traced with(Operation operation, Traced b) const { return {recorder, recorder->apply(operation, step, b.step)}; }
};

/// Is an argument of a Point, by its place in mechanism/tape.cpp.
struct TracedArgument {
  Recorder* recorder;
  int argument;
  Traced operator[](int i) const { return {recorder, recorder->add(Operation::argument, argument, i)}; }
};

/// Holds what a hand-written function may read of a Point.
struct TracedPoint {
  explicit TracedPoint(Recorder& r)
      : q{&r, 1}, v{&r, 2}, inputs{&r, 3}, parameters{&r, 4}, acceleration{&r, 5}, multipliers{&r, 6}, preimage{&r, 9} {
  }
  TracedArgument q, v, inputs, parameters, acceleration, multipliers, preimage;
};

/// Results in their order, written by `function(point, results)`.
template <int count, class Function>
void record(Recorder& recorder, Function&& function) {
  Traced results[count]{};
  function(TracedPoint(recorder), results);
  for (const Traced& result : results) recorder.result(result.step);
}

}  // namespace mechfmu
