// Lists CasADi's scalar operations, once: in C++ and on tapes.
#include "derivation/program/program_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <stdexcept>

namespace mechfmu {

using enum casadi::Operation;

namespace {

/// How an operation is written, $0, $1, $2 standing for the operands, and what it is in a tape.
struct Meaning {
  const char* text;
  Operation on_tape;
};

/// Comparisons give 0 or 1 as doubles.
const Meaning& meaning_of(casadi_int operation) {
  static const std::map<casadi_int, Meaning> table = {
      {OP_ADD, {"$0 + $1", Operation::add}},
      {OP_SUB, {"$0 - $1", Operation::subtract}},
      {OP_MUL, {"$0 * $1", Operation::multiply}},
      {OP_DIV, {"$0 / $1", Operation::divide}},
      {OP_NEG, {"-$0", Operation::negate}},
      {OP_INV, {"1.0 / $0", Operation::invert}},
      {OP_SQ, {"$0 * $0", Operation::square}},
      {OP_TWICE, {"2.0 * $0", Operation::twice}},
      {OP_EXP, {"exp($0)", Operation::exp}},
      {OP_LOG, {"log($0)", Operation::log}},
      {OP_EXPM1, {"expm1($0)", Operation::expm1}},
      {OP_LOG1P, {"log1p($0)", Operation::log1p}},
      {OP_POW, {"pow($0, $1)", Operation::power}},
      {OP_CONSTPOW, {"pow($0, $1)", Operation::power}},
      {OP_SQRT, {"sqrt($0)", Operation::sqrt}},
      {OP_HYPOT, {"hypot($0, $1)", Operation::hypot}},
      {OP_SIN, {"sin($0)", Operation::sin}},
      {OP_COS, {"cos($0)", Operation::cos}},
      {OP_TAN, {"tan($0)", Operation::tan}},
      {OP_ASIN, {"asin($0)", Operation::asin}},
      {OP_ACOS, {"acos($0)", Operation::acos}},
      {OP_ATAN, {"atan($0)", Operation::atan}},
      {OP_ATAN2, {"atan2($0, $1)", Operation::atan2}},
      {OP_SINH, {"sinh($0)", Operation::sinh}},
      {OP_COSH, {"cosh($0)", Operation::cosh}},
      {OP_TANH, {"tanh($0)", Operation::tanh}},
      {OP_ASINH, {"asinh($0)", Operation::asinh}},
      {OP_ACOSH, {"acosh($0)", Operation::acosh}},
      {OP_ATANH, {"atanh($0)", Operation::atanh}},
      {OP_ERF, {"erf($0)", Operation::erf}},
      {OP_FLOOR, {"floor($0)", Operation::floor}},
      {OP_CEIL, {"ceil($0)", Operation::ceil}},
      {OP_FMOD, {"fmod($0, $1)", Operation::fmod}},
      {OP_REMAINDER, {"remainder($0, $1)", Operation::remainder}},
      {OP_FABS, {"fabs($0)", Operation::abs}},
      {OP_COPYSIGN, {"copysign($0, $1)", Operation::copysign}},
      {OP_SIGN, {"sign($0)", Operation::sign}},
      {OP_FMIN, {"($0 < $1 ? $0 : $1)", Operation::min}},
      {OP_FMAX, {"($0 > $1 ? $0 : $1)", Operation::max}},
      {OP_LT, {"double($0 < $1)", Operation::less}},
      {OP_LE, {"double($0 <= $1)", Operation::less_or_equal}},
      {OP_EQ, {"double($0 == $1)", Operation::equal}},
      {OP_NE, {"double($0 != $1)", Operation::not_equal}},
      {OP_NOT, {"double($0 == 0.0)", Operation::negation}},
      {OP_AND, {"double($0 != 0.0 && $1 != 0.0)", Operation::conjunction}},
      {OP_OR, {"double($0 != 0.0 || $1 != 0.0)", Operation::disjunction}},
      {OP_IF_ELSE_ZERO, {"($0 != 0.0 ? $1 : 0.0)", Operation::if_else_zero}},
      {op_select, {"($0 != 0.0 ? $1 : $2)", Operation::select}},
  };
  const auto found = table.find(operation);
  if (found == table.end()) throw std::logic_error("no C++ for CasADi's operation " + std::to_string(operation));
  return found->second;
}

}  // namespace

std::string number_text(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "(-INFINITY)";
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return std::signbit(value) ? "(" + text + ")" : text;
}

std::string literal(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string operation_text(const Node& value, const std::vector<std::string>& operands) {
  std::string result;
  for (const char* c = meaning_of(value.operation).text; *c; ++c) {
    if (*c == '$') result += operands.at(static_cast<std::size_t>(*++c - '0'));
    else result += *c;
  }
  return result;
}

Operation operation_on_tape(const Node& value) { return meaning_of(value.operation).on_tape; }

const std::vector<HelperFunction>& helper_functions() {
  static const std::vector<HelperFunction> table = {
      {"sign(", "inline double sign(double x) { return double(x > 0.0) - double(x < 0.0); }\n"},
  };
  return table;
}

}  // namespace mechfmu
