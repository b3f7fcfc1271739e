// A tape is a function of the mechanism as data: its operations in order. It serves if somebody asks for the function's
// derivative along some direction; derivatives are exact (forward automatic differentiation) and cost no compiled code.
#pragma once

#include "mechanism.hpp"

namespace mechfmu {

/// A step of a tape applies one of these operations to the values of the steps that are a and b steps back.
enum class Operation : unsigned char {
  number,    ///< numbers[a]
  argument,  ///< element b of argument a (mechanism/tape.cpp)
  add,
  subtract,
  multiply,
  divide,
  negate,
  invert,
  square,
  twice,
  exp,
  log,
  expm1,
  log1p,
  power,
  sqrt,
  hypot,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  erf,
  floor,
  ceil,
  fmod,
  remainder,
  abs,
  copysign,
  sign,
  min,
  max,
  less,
  less_or_equal,
  equal,
  not_equal,
  negation,
  conjunction,
  disjunction,
  if_else_zero,  ///< a ? b : 0
  select,        ///< a ? b : c, in programs only: on a tape it takes four steps
};

/// A step has 64 bits: the operation, then the operands, 28 bits each. Mechanisms with many bodies have many steps, and
/// FMUs are smaller with distances than with places.
constexpr int operand_bits = 28;
constexpr unsigned long long largest_operand = (1ull << operand_bits) - 1;
constexpr Tape::Step packed(Operation operation, int a, int b) {
  return static_cast<Tape::Step>(operation) << 2 * operand_bits | static_cast<Tape::Step>(a) << operand_bits |
         static_cast<Tape::Step>(b);
}
constexpr Operation operation_of(Tape::Step step) { return static_cast<Operation>(step >> 2 * operand_bits); }
constexpr int first_operand(Tape::Step step) { return static_cast<int>(step >> operand_bits & largest_operand); }
constexpr int second_operand(Tape::Step step) { return static_cast<int>(step & largest_operand); }

/// Differentiates a tape's results at `at` along `direction`; arrays of `direction` that are nullptr are zero. `values`
/// and `slopes` are scratch, one number for each step; `results` gets the slopes of the tape's results.
void differentiate(const Tape& tape, const Point& at, const Point& direction, double* values, double* slopes,
                   double* results);

}  // namespace mechfmu
