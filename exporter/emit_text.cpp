// The one list of CasADi's scalar operations in C++.
#include "emit_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <stdexcept>

namespace mechfmu {

using namespace casadi;

namespace {

/// $0, $1, $2 stand for the operands. Comparisons give 0 or 1 as doubles.
const std::map<casadi_int, const char*>& patterns() {
  static const std::map<casadi_int, const char*> table = {
      {OP_ADD, "$0 + $1"},
      {OP_SUB, "$0 - $1"},
      {OP_MUL, "$0 * $1"},
      {OP_DIV, "$0 / $1"},
      {OP_NEG, "-$0"},
      {OP_INV, "1.0 / $0"},
      {OP_SQ, "$0 * $0"},
      {OP_TWICE, "2.0 * $0"},
      {OP_EXP, "exp($0)"},
      {OP_LOG, "log($0)"},
      {OP_EXPM1, "expm1($0)"},
      {OP_LOG1P, "log1p($0)"},
      {OP_POW, "pow($0, $1)"},
      {OP_CONSTPOW, "pow($0, $1)"},
      {OP_SQRT, "sqrt($0)"},
      {OP_HYPOT, "hypot($0, $1)"},
      {OP_SIN, "sin($0)"},
      {OP_COS, "cos($0)"},
      {OP_TAN, "tan($0)"},
      {OP_ASIN, "asin($0)"},
      {OP_ACOS, "acos($0)"},
      {OP_ATAN, "atan($0)"},
      {OP_ATAN2, "atan2($0, $1)"},
      {OP_SINH, "sinh($0)"},
      {OP_COSH, "cosh($0)"},
      {OP_TANH, "tanh($0)"},
      {OP_ASINH, "asinh($0)"},
      {OP_ACOSH, "acosh($0)"},
      {OP_ATANH, "atanh($0)"},
      {OP_ERF, "erf($0)"},
      {OP_FLOOR, "floor($0)"},
      {OP_CEIL, "ceil($0)"},
      {OP_FMOD, "fmod($0, $1)"},
      {OP_REMAINDER, "remainder($0, $1)"},
      {OP_FABS, "fabs($0)"},
      {OP_COPYSIGN, "copysign($0, $1)"},
      {OP_SIGN, "sign($0)"},
      {OP_FMIN, "($0 < $1 ? $0 : $1)"},
      {OP_FMAX, "($0 > $1 ? $0 : $1)"},
      {OP_LT, "double($0 < $1)"},
      {OP_LE, "double($0 <= $1)"},
      {OP_EQ, "double($0 == $1)"},
      {OP_NE, "double($0 != $1)"},
      {OP_NOT, "double($0 == 0.0)"},
      {OP_AND, "double($0 != 0.0 && $1 != 0.0)"},
      {OP_OR, "double($0 != 0.0 || $1 != 0.0)"},
      {OP_IF_ELSE_ZERO, "($0 != 0.0 ? $1 : 0.0)"},
      {op_select, "($0 != 0.0 ? $1 : $2)"},
  };
  return table;
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
  const auto pattern = patterns().find(value.operation);
  if (pattern == patterns().end())
    throw std::logic_error("no C++ for CasADi's operation " + std::to_string(value.operation));
  std::string result;
  for (const char* c = pattern->second; *c; ++c) {
    if (*c == '$')
      result += operands.at(static_cast<std::size_t>(*++c - '0'));
    else
      result += *c;
  }
  return result;
}

const std::vector<HelperFunction>& helper_functions() {
  static const std::vector<HelperFunction> table = {
      {"sign(", "inline double sign(double x) { return double(x > 0.0) - double(x < 0.0); }\n"},
  };
  return table;
}

}  // namespace mechfmu
