// A function of the mechanism as data: its operations in order. It serves where the function's derivative along some
// direction is asked for; derivatives are exact (forward automatic differentiation) and cost no compiled code.
#pragma once

#include "mechanism.hpp"

namespace mechfmu {

/// What a step of a tape does with earlier values a, b and c.
enum class Operation : short {
  number,    ///< numbers[a]
  argument,  ///< element b of argument a (core/tape.cpp)
  add, subtract, multiply, divide, negate, invert, square, twice,
  exp, log, expm1, log1p, power, sqrt, hypot,
  sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, asinh, acosh, atanh, erf,
  floor, ceil, fmod, remainder, abs, copysign, sign, min, max,
  less, less_or_equal, equal, not_equal, negation, conjunction, disjunction,
  if_else_zero,  ///< a ? b : 0
  select,        ///< a ? b : c
};

/// What a tape returns at `at`, and what that changes by along `along`, whose arrays that are nullptr are zero.
/// `values` and `slopes`: one number for each step, scratch; `results` gets the slopes of the tape's results.
void differentiate(const Tape& tape, const Point& at, const Point& along, double* values, double* slopes,
                   double* results);

}  // namespace mechfmu
