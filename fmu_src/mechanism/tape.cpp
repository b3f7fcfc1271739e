// Differentiates a tape automatically, forward.
#include "tape.hpp"

#include <cmath>

namespace mechfmu {

namespace {

/// Arguments count these members of Point. They have the order of the exporter's Symbols::all(), then `preimage`.
constexpr const double* Point::* arguments[] = {
    nullptr,
    &Point::q,
    &Point::v,
    &Point::inputs,
    &Point::parameters,
    &Point::acceleration,
    &Point::multipliers,
    &Point::angles,
    &Point::loads,
    &Point::slide,
    &Point::preimage};

double element(const Point& p, int argument, int index) {
  if (argument == 0) return p.time;
  const double* values = p.*arguments[argument];
  return values == nullptr ? 0 : values[index];
}

/// Returns slope · change, or 0 if nothing changes: slopes may be infinite there.
double times(double slope, double change) { return change == 0 ? 0 : slope * change; }

constexpr double two_by_root_pi = 1.1283791670955126;

struct Dual {
  double value, slope;
};

Dual evaluate(Operation operation, Dual a, Dual b) {
  const double x = a.value, y = b.value;
  const auto of_one = [&](double value, double slope) { return Dual{value, times(slope, a.slope)}; };
  const auto of_two = [&](double value, double by_a, double by_b) {
    return Dual{value, times(by_a, a.slope) + times(by_b, b.slope)};
  };
  const auto constant = [](double value) { return Dual{value, 0}; };
  switch (operation) {
    case Operation::add: return {x + y, a.slope + b.slope};
    case Operation::subtract: return {x - y, a.slope - b.slope};
    case Operation::multiply: return of_two(x * y, y, x);
    case Operation::divide: return of_two(x / y, 1 / y, -x / y / y);
    case Operation::negate: return {-x, -a.slope};
    case Operation::invert: return of_one(1 / x, -1 / x / x);
    case Operation::square: return of_one(x * x, 2 * x);
    case Operation::twice: return {2 * x, 2 * a.slope};
    case Operation::exp: return of_one(std::exp(x), std::exp(x));
    case Operation::log: return of_one(std::log(x), 1 / x);
    case Operation::expm1: return of_one(std::expm1(x), std::exp(x));
    case Operation::log1p: return of_one(std::log1p(x), 1 / (1 + x));
    case Operation::power: {
      const double value = std::pow(x, y);
      return of_two(value, y == 0 ? 0 : y * std::pow(x, y - 1), b.slope == 0 ? 0 : value * std::log(x));
    }
    case Operation::sqrt: return of_one(std::sqrt(x), 0.5 / std::sqrt(x));
    case Operation::hypot: return of_two(std::hypot(x, y), x / std::hypot(x, y), y / std::hypot(x, y));
    case Operation::sin: return of_one(std::sin(x), std::cos(x));
    case Operation::cos: return of_one(std::cos(x), -std::sin(x));
    case Operation::tan: return of_one(std::tan(x), 1 + std::tan(x) * std::tan(x));
    case Operation::asin: return of_one(std::asin(x), 1 / std::sqrt((1 - x) * (1 + x)));
    case Operation::acos: return of_one(std::acos(x), -1 / std::sqrt((1 - x) * (1 + x)));
    case Operation::atan: return of_one(std::atan(x), 1 / (1 + x * x));
    case Operation::atan2: return of_two(std::atan2(x, y), y / (x * x + y * y), -x / (x * x + y * y));
    case Operation::sinh: return of_one(std::sinh(x), std::cosh(x));
    case Operation::cosh: return of_one(std::cosh(x), std::sinh(x));
    case Operation::tanh: return of_one(std::tanh(x), 1 - std::tanh(x) * std::tanh(x));
    case Operation::asinh: return of_one(std::asinh(x), 1 / std::sqrt(x * x + 1));
    case Operation::acosh: return of_one(std::acosh(x), 1 / std::sqrt((x - 1) * (x + 1)));
    case Operation::atanh: return of_one(std::atanh(x), 1 / ((1 - x) * (1 + x)));
    case Operation::erf: return of_one(std::erf(x), two_by_root_pi * std::exp(-x * x));
    case Operation::floor: return constant(std::floor(x));
    case Operation::ceil: return constant(std::ceil(x));
    case Operation::fmod: return of_two(std::fmod(x, y), 1, -std::trunc(x / y));
    case Operation::remainder: return of_two(std::remainder(x, y), 1, (std::remainder(x, y) - x) / y);
    case Operation::abs: return of_one(std::fabs(x), (x > 0) - (x < 0));
    case Operation::copysign: return of_one(std::copysign(x, y), std::signbit(x) == std::signbit(y) ? 1 : -1);
    case Operation::sign: return constant((x > 0) - (x < 0));
    case Operation::min: return x < y ? a : b;
    case Operation::max: return x > y ? a : b;
    case Operation::less: return constant(x < y);
    case Operation::less_or_equal: return constant(x <= y);
    case Operation::equal: return constant(x == y);
    case Operation::not_equal: return constant(x != y);
    case Operation::negation: return constant(x == 0);
    case Operation::conjunction: return constant(x != 0 && y != 0);
    case Operation::disjunction: return constant(x != 0 || y != 0);
    case Operation::if_else_zero: return x != 0 ? b : Dual{0, 0};
    case Operation::select:
    case Operation::number:
    case Operation::argument: break;
  }
  return {0, 0};
}

}  // namespace

void differentiate(const Tape& tape, const Point& at, const Point& direction, double* values, double* slopes,
                   double* results) {
  for (int i = 0; i < tape.step_count; ++i) {
    const auto dual = [&](int back) { return Dual{values[i - back], slopes[i - back]}; };
    const Tape::Step step = tape.steps[i];
    const Operation operation = operation_of(step);
    const int a = first_operand(step), b = second_operand(step);
    Dual result;
    switch (operation) {
      case Operation::number: result = {tape.numbers[a], 0}; break;
      case Operation::argument: result = {element(at, a, b), element(direction, a, b)}; break;
      default: result = evaluate(operation, dual(a), dual(b));
    }
    values[i] = result.value;
    slopes[i] = result.slope;
  }
  for (int i = 0; i < tape.result_count; ++i) results[i] = slopes[tape.results[i]];
}

}  // namespace mechfmu
