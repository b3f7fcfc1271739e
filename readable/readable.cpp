// Turns CasADi's operations into quotients of trigonometric polynomials.
#include "readable.hpp"

#include <algorithm>
#include <cmath>

#include "derivation/program/program.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"

namespace mechfmu {

using casadi::SX;
using enum casadi::Operation;

namespace {

constexpr std::size_t longest_name = 120;  ///< characters of an expression that counts as a symbol
constexpr double highest_power = 8;        ///< largest power that is multiplied out

Quotient product_of_equals(const Quotient& base, int count) {
  Quotient result = Trigonometric::number(1);
  for (int i = 0; i < count; ++i) result = result * base;
  return result;
}

/// Returns a constant small whole number, or none.
std::optional<int> small_exponent(const Quotient& exponent) {
  const Trigonometric& number = exponent.numerator();
  if (number.zero()) return 0;
  if (!exponent.denominators().empty() || !number.monomial()) return {};
  if (!number.terms().begin()->first.powers.empty()) return {};
  const double value = number.terms().begin()->second.real();
  if (value != std::round(value) || std::fabs(value) > highest_power) return {};
  return static_cast<int>(value);
}

/// Returns the result of an operation if it is again a quotient of trigonometric polynomials, else none.
std::optional<Quotient> closed(const Node& node, const Quotient& a, const Quotient& b) {
  const Quotient one = Trigonometric::number(1);
  const auto of_angle = [&](auto wave) -> std::optional<Quotient> {
    if (!a.denominators().empty()) return {};
    const auto result = wave(a.numerator());
    return result ? std::optional<Quotient>(*result) : std::nullopt;
  };
  switch (node.operation) {
    case OP_CONST: return Quotient(Trigonometric::number(std::fabs(node.number) < rounded_zero ? 0 : node.number));
    case OP_ADD: return a + b;
    case OP_SUB: return a + -b;
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    case OP_NEG: return -a;
    case OP_INV: return one / a;
    case OP_SQ: return a * a;
    case OP_TWICE: return a + a;
    case OP_POW:
    case OP_CONSTPOW:
      if (const auto exponent = small_exponent(b)) {
        const Quotient power = product_of_equals(a, std::abs(*exponent));
        return *exponent < 0 ? one / power : power;
      }
      return {};
    case OP_SIN: return of_angle(Trigonometric::sine);
    case OP_COS: return of_angle(Trigonometric::cosine);
    case OP_TAN: {
      const auto sine = of_angle(Trigonometric::sine), cosine = of_angle(Trigonometric::cosine);
      return sine && cosine ? std::optional<Quotient>(*sine / *cosine) : std::nullopt;
    }
    default: return {};
  }
}

std::string call_text(const Node& node, const std::vector<std::string>& operands) {
  const auto operation = static_cast<unsigned char>(node.operation);
  std::string text;
  if (node.operation == op_select) text = "if(" + operands[0] + ", " + operands[1] + ", " + operands[2] + ")";
  else if (operands.size() == 1) text = casadi::casadi_math<double>::print(operation, operands[0]);
  else text = casadi::casadi_math<double>::print(operation, operands[0], operands[1]);
  if (text.size() > longest_name) throw TooLong();
  return text;
}

}  // namespace

Readable::Readable(const Symbols& symbols) : symbols_(symbols) {
  // Parameters come before coordinates, so that products begin with parameters and angles with coordinates.
  const std::vector<SX> arguments = symbols.all();
  of_argument_.resize(arguments.size());
  const auto enter = [&](std::size_t argument) {
    for (const casadi::SXElem& element : arguments[argument].nonzeros())
      of_argument_[argument].push_back(symbol(element.name()));
  };
  constexpr std::size_t time = 0, inputs = 3, parameters = 4;
  for (const std::size_t first : {parameters, inputs, time}) enter(first);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (of_argument_[i].empty()) enter(i);
}

int Readable::symbol(const std::string& name) {
  const auto known = std::find(names_.begin(), names_.end(), name);
  if (known == names_.end()) {
    names_.push_back(name);
    return static_cast<int>(names_.size()) - 1;
  }
  return static_cast<int>(known - names_.begin());
}

std::vector<std::optional<Quotient>> Readable::quotients(const SX& column) {
  const Program program(casadi::Function("readable", symbols_.all(), {SX::densify(column)}));
  std::vector<std::optional<Quotient>> values;
  for (const Node& node : program.values()) {
    if (node.operation == OP_INPUT) {
      values.emplace_back(Trigonometric::symbol(
          of_argument_[static_cast<std::size_t>(node.argument)][static_cast<std::size_t>(node.element)]));
      continue;
    }
    std::vector<Quotient> operands;
    bool readable = true;
    for (const int operand : node.operands) {
      if (operand < 0) break;
      const auto& value = values[static_cast<std::size_t>(operand)];
      readable = readable && value.has_value();
      operands.push_back(value.value_or(Quotient()));
    }
    values.emplace_back();
    if (!readable) continue;
    try {
      const std::size_t count = operands.size();
      operands.resize(3);
      values.back() = closed(node, operands[0], operands[1]);
      if (values.back()) continue;
      std::vector<std::string> texts;
      for (std::size_t i = 0; i < count; ++i) texts.push_back(text(operands[i]));
      values.back() = Quotient(Trigonometric::symbol(symbol(call_text(node, texts))));
    } catch (const TooLong&) {
    } catch (const std::domain_error&) {}
  }
  std::vector<std::optional<Quotient>> result(static_cast<std::size_t>(column.numel()), Quotient());
  for (const Result& of : program.results())
    result[static_cast<std::size_t>(of.element)] = values[static_cast<std::size_t>(of.value)];
  return result;
}

}  // namespace mechfmu
