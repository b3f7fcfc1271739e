// Turns formulas into symbolic expressions: there is one entry for every operation of the language.
#include "translate.hpp"

#include <numbers>
#include <stdexcept>

#include "spline.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

/// Returns a number as a condition: derivatives of a choice must not flow through it.
SX condition(const SX& value) { return value.scalar().is_boolean() ? value : value != 0; }

/// Returns a choice. The branch that is not taken has no influence, even where it is not a number, neither on the value
/// nor on the derivatives: both are selections.
SX choice(const SX& test, const SX& yes, const SX& no) {
  if (test.is_constant()) return static_cast<double>(test) != 0 ? yes : no;
  return SX::if_else(test, yes, no);
}

/// Returns x^n for a whole number by squaring, so that derivatives at x = 0 are right.
SX whole_power(const SX& base, int exponent) {
  if (exponent < 0) return 1 / whole_power(base, -exponent);
  if (exponent == 0) return 1;
  if (exponent == 1) return base;
  const SX half = SX::sq(whole_power(base, exponent / 2));
  return exponent % 2 == 0 ? half : base * half;
}

SX power(const SX& base, const SX& exponent) {
  constexpr double most_multiplied = 64;
  if (exponent.is_constant()) {
    const double number = static_cast<double>(exponent);
    if (number == std::floor(number) && std::abs(number) <= most_multiplied)
      return whole_power(base, static_cast<int>(number));
  }
  return SX::pow(base, exponent);
}

/// Returns the least or the greatest value, by choices.
SX extreme(const std::vector<SX>& values, bool greatest) {
  SX result = values.at(0);
  for (std::size_t i = 1; i < values.size(); ++i)
    result = greatest ? choice(result < values[i], values[i], result) : choice(values[i] < result, values[i], result);
  return result;
}

using Values = const std::vector<SX>&;

const std::map<std::string, SX (*)(Values)>& operations() {
  static const std::map<std::string, SX (*)(Values)> table = {
      {"+", [](Values x) -> SX { return x.at(0) + x.at(1); }},
      {"-", [](Values x) -> SX { return x.at(0) - x.at(1); }},
      {"*", [](Values x) -> SX { return x.at(0) * x.at(1); }},
      {"/", [](Values x) -> SX { return x.at(0) / x.at(1); }},
      {"^", [](Values x) -> SX { return power(x.at(0), x.at(1)); }},
      {"neg", [](Values x) -> SX { return -x.at(0); }},
      {"<", [](Values x) -> SX { return x.at(0) < x.at(1); }},
      {"<=", [](Values x) -> SX { return x.at(0) <= x.at(1); }},
      {">", [](Values x) -> SX { return x.at(0) > x.at(1); }},
      {">=", [](Values x) -> SX { return x.at(0) >= x.at(1); }},
      {"==", [](Values x) -> SX { return x.at(0) == x.at(1); }},
      {"!=", [](Values x) -> SX { return x.at(0) != x.at(1); }},
      // These take zeros and ones and have no slopes.
      {"and", [](Values x) -> SX { return x.at(0) * x.at(1); }},
      {"or", [](Values x) -> SX { return x.at(0) + x.at(1) != 0; }},
      {"not", [](Values x) -> SX { return x.at(0) == 0; }},
      {"sin", [](Values x) -> SX { return SX::sin(x.at(0)); }},
      {"cos", [](Values x) -> SX { return SX::cos(x.at(0)); }},
      {"tan", [](Values x) -> SX { return SX::tan(x.at(0)); }},
      {"asin", [](Values x) -> SX { return SX::asin(x.at(0)); }},
      {"acos", [](Values x) -> SX { return SX::acos(x.at(0)); }},
      {"atan", [](Values x) -> SX { return SX::atan(x.at(0)); }},
      {"atan2", [](Values x) -> SX { return SX::atan2(x.at(0), x.at(1)); }},
      {"sqrt", [](Values x) -> SX { return SX::sqrt(x.at(0)); }},
      {"exp", [](Values x) -> SX { return SX::exp(x.at(0)); }},
      {"log", [](Values x) -> SX { return SX::log(x.at(0)); }},
      {"tanh", [](Values x) -> SX { return SX::tanh(x.at(0)); }},
      {"abs", [](Values x) -> SX { return SX::abs(x.at(0)); }},
      {"sign", [](Values x) -> SX { return SX::sign(x.at(0)); }},
      {"min", [](Values x) -> SX { return extreme(x, false); }},
      {"max", [](Values x) -> SX { return extreme(x, true); }},
      {"mod", [](Values x) -> SX { return x.at(0) - x.at(1) * SX::floor(x.at(0) / x.at(1)); }},
      {"if", [](Values x) -> SX { return choice(condition(x.at(0)), x.at(1), x.at(2)); }},
  };
  return table;
}

}  // namespace

Translator::Translator(const std::vector<Function>& functions, Rates rates) : rates_(std::move(rates)) {
  for (const Function& function : functions) functions_[function.name] = &function;
  define("pi", std::numbers::pi);
}

SX Translator::operator()(const Expression& formula) { return translate(formula, nullptr); }
SX Translator::operator()(const Expression& formula, const Names& own) { return translate(formula, &own); }

SX Translator::translate(const Expression& node, const Names* arguments) {
  if (node.kind == Expression::Kind::number) return node.number;
  if (node.kind == Expression::Kind::symbol) return symbol(node, arguments);

  std::vector<SX> values;
  for (const Expression& argument : node.arguments) values.push_back(translate(argument, arguments));
  if (node.name == "der") return rates_(values.at(0));
  if (const auto operation = operations().find(node.name); operation != operations().end())
    return operation->second(values);
  if (const auto function = functions_.find(node.name); function != functions_.end())
    return call(*function->second, values);
  throw std::logic_error("no operation " + node.name);
}

SX Translator::symbol(const Expression& node, const Names* arguments) {
  if (arguments) {
    if (const auto found = arguments->find(node.name); found != arguments->end()) return found->second;
  }
  if (const auto found = known_.find(node.name); found != known_.end()) return found->second;
  const auto formula = formulas_.find(node.name);
  if (formula == formulas_.end()) throw std::logic_error("no meaning of the name " + node.name);
  const Expression* value = formula->second;
  formulas_.erase(formula);  // a name that needs itself has no meaning
  return known_[node.name] = translate(*value, nullptr);
}

SX Translator::call(const Function& function, const std::vector<SX>& values) {
  if (!function.formula) return table(function, values.at(0));
  if (values.size() != function.arguments.size()) throw std::logic_error("arguments of " + function.name);
  Names arguments;
  for (std::size_t i = 0; i < values.size(); ++i) arguments[function.arguments[i]] = values[i];
  return translate(*function.formula, &arguments);
}

SX Translator::table(const Function& function, const SX& argument) {
  if (!function.period) return evaluate_spline(natural_spline(function.table, function.beyond), argument, {});
  const double period = static_cast<double>(translate(*function.period, nullptr));
  return evaluate_spline(periodic_spline(function.table, period), argument, period);
}

}  // namespace mechfmu
