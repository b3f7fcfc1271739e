// Inputs within a step are constant. If derivatives were given for the step, they are polynomials,
//   u(t) = u₀ + u₁ (t − t₀) + u₂/2 (t − t₀)² + u₃/6 (t − t₀)³,
// with t₀ at the step's beginning. With derivatives up to order m, the error of the inputs within steps of H, and so
// the error of the motion, is of the order H^(m+1).
#pragma once

#include "linear/buffer.hpp"
#include "linear/dense.hpp"
#include "state.hpp"

namespace mechfmu {

class InputCourse {
 public:
  InputCourse(Arena& arena, const Sizes& sizes) : count_(sizes.inputs), values_(arena, sizes.inputs) {}

  /// Returns the array that holds the inputs from now on.
  const double* attach(const State& state) {
    state_ = &state;
    varies_ = *state.course_order > 0;
    at(*state.time);
    return varies_ ? values_.data() : state.inputs;
  }
  /// Sets the inputs for this time. Call it before they are read at another time.
  void at(double time) {
    if (varies_) evaluate(time);
  }
  /// Puts the inputs of the state's time into the state, when a step is accepted.
  void settle(State& state) {
    at(*state.time);
    if (varies_) dense::copy(count_, values_.data(), state.inputs);
  }

 private:
  void evaluate(double time) {
    const double since = time - *state_->course_begin;
    dense::fill(count_, 0, values_.data());
    for (int order = static_cast<int>(*state_->course_order); order > 0; --order) {
      const double* derivatives = state_->input_derivatives + (order - 1) * count_;
      for (int i = 0; i < count_; ++i) values_[i] = (values_[i] + derivatives[i]) * since / order;
    }
    dense::add(count_, 1, state_->course_values, values_.data());
  }

  int count_;
  bool varies_ = false;
  const State* state_ = nullptr;
  Buffer<dynamic> values_;
};

}  // namespace mechfmu
