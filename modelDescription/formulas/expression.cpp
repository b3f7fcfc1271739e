// Has the functions of the language, evaluates formulas, and writes them as text.
#include "expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace mechfmu {

namespace {

using Arguments = std::span<const double>;
constexpr int any_number = 1000;

const LanguageFunction functions_of_the_language[] = {
    {"sin", 1, 1, DimensionRule::pure, [](Arguments x) { return std::sin(x[0]); }},
    {"cos", 1, 1, DimensionRule::pure, [](Arguments x) { return std::cos(x[0]); }},
    {"tan", 1, 1, DimensionRule::pure, [](Arguments x) { return std::tan(x[0]); }},
    {"asin", 1, 1, DimensionRule::pure, [](Arguments x) { return std::asin(x[0]); }},
    {"acos", 1, 1, DimensionRule::pure, [](Arguments x) { return std::acos(x[0]); }},
    {"atan", 1, 1, DimensionRule::pure, [](Arguments x) { return std::atan(x[0]); }},
    {"atan2", 2, 2, DimensionRule::ratio, [](Arguments x) { return std::atan2(x[0], x[1]); }},
    {"sqrt", 1, 1, DimensionRule::root, [](Arguments x) { return std::sqrt(x[0]); }},
    {"exp", 1, 1, DimensionRule::pure, [](Arguments x) { return std::exp(x[0]); }},
    {"log", 1, 1, DimensionRule::pure, [](Arguments x) { return std::log(x[0]); }},
    {"tanh", 1, 1, DimensionRule::pure, [](Arguments x) { return std::tanh(x[0]); }},
    {"abs", 1, 1, DimensionRule::alike, [](Arguments x) { return std::abs(x[0]); }},
    {"sign", 1, 1, DimensionRule::sign, [](Arguments x) { return double((x[0] > 0) - (x[0] < 0)); }},
    {"min", 2, any_number, DimensionRule::alike, [](Arguments x) { return *std::min_element(x.begin(), x.end()); }},
    {"max", 2, any_number, DimensionRule::alike, [](Arguments x) { return *std::max_element(x.begin(), x.end()); }},
    // The result has the sign of the second argument, so that angles wrap the same way on both sides of zero.
    {"mod", 2, 2, DimensionRule::alike, [](Arguments x) { return x[0] - x[1] * std::floor(x[0] / x[1]); }},
    {"if", 3, 3, DimensionRule::choice, [](Arguments x) { return x[0] != 0 ? x[1] : x[2]; }},
    {"der", 1, 2, DimensionRule::rate, nullptr},
};

struct Operator {
  const char* name;
  int rank;  // says how strongly an operator binds in text
  double (*evaluate)(Arguments);
};

const Operator operators[] = {
    {"or", 0, [](Arguments x) { return double(x[0] != 0 || x[1] != 0); }},
    {"and", 1, [](Arguments x) { return double(x[0] != 0 && x[1] != 0); }},
    {"not", 2, [](Arguments x) { return double(x[0] == 0); }},
    {"<", 3, [](Arguments x) { return double(x[0] < x[1]); }},
    {"<=", 3, [](Arguments x) { return double(x[0] <= x[1]); }},
    {">", 3, [](Arguments x) { return double(x[0] > x[1]); }},
    {">=", 3, [](Arguments x) { return double(x[0] >= x[1]); }},
    {"==", 3, [](Arguments x) { return double(x[0] == x[1]); }},
    {"!=", 3, [](Arguments x) { return double(x[0] != x[1]); }},
    {"+", 4, [](Arguments x) { return x[0] + x[1]; }},
    {"-", 4, [](Arguments x) { return x[0] - x[1]; }},
    {"*", 5, [](Arguments x) { return x[0] * x[1]; }},
    {"/", 5, [](Arguments x) { return x[0] / x[1]; }},
    {"neg", 6, [](Arguments x) { return -x[0]; }},
    {"^", 7, [](Arguments x) { return std::pow(x[0], x[1]); }},
};

const Operator* find_operator(const std::string& name) {
  for (const Operator& one : operators)
    if (name == one.name) return &one;
  return nullptr;
}

constexpr int product_rank = 5, sign_rank = 6, atom_rank = 8;

int rank_of(const Expression& expression) {
  if (expression.kind == Expression::Kind::number) return expression.number < 0 ? sign_rank : atom_rank;
  const Operator* one = expression.kind == Expression::Kind::operation ? find_operator(expression.name) : nullptr;
  return one ? one->rank : atom_rank;
}

std::string to_text(const Expression& expression, int least_rank) {
  const std::string text = to_text(expression);
  return rank_of(expression) < least_rank ? "(" + text + ")" : text;
}

void collect_names(const Expression& expression, std::vector<const Expression*>& names) {
  const bool symbol = expression.kind == Expression::Kind::symbol && expression.name != "pi";
  const bool call = expression.kind == Expression::Kind::operation && !find_operator(expression.name) &&
                    !find_language_function(expression.name);
  const auto same = [&](const Expression* known) { return known->name == expression.name; };
  if ((symbol || call) && std::none_of(names.begin(), names.end(), same)) names.push_back(&expression);
  for (const Expression& argument : expression.arguments) collect_names(argument, names);
}

}  // namespace

std::span<const LanguageFunction> language_functions() { return functions_of_the_language; }

const LanguageFunction* find_language_function(const std::string& name) {
  for (const LanguageFunction& function : functions_of_the_language)
    if (name == function.name) return &function;
  return nullptr;
}

Expression number_expression(double number, const Place& place) {
  return {Expression::Kind::number, number, "", {}, place};
}

std::optional<double> evaluate(const Expression& expression, const std::map<std::string, double>& values,
                               const std::vector<Function>& functions) {
  if (expression.kind == Expression::Kind::number) return expression.number;
  if (expression.kind == Expression::Kind::symbol) {
    if (expression.name == "pi") return std::numbers::pi;
    const auto found = values.find(expression.name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<double> arguments;
  for (const Expression& argument : expression.arguments) {
    const std::optional<double> value = evaluate(argument, values, functions);
    if (!value) return std::nullopt;
    arguments.push_back(*value);
  }
  if (const Operator* one = find_operator(expression.name)) return one->evaluate(arguments);
  if (const LanguageFunction* function = find_language_function(expression.name))
    return function->evaluate ? std::optional(function->evaluate(arguments)) : std::nullopt;
  for (const Function& function : functions) {
    const bool fits = function.name == expression.name && function.arguments.size() == arguments.size();
    if (!fits || !function.formula) continue;
    std::map<std::string, double> inner = values;
    for (std::size_t i = 0; i < arguments.size(); ++i) inner[function.arguments[i]] = arguments[i];
    return evaluate(*function.formula, inner, functions);
  }
  return std::nullopt;
}

std::vector<const Expression*> names_used(const Expression& expression) {
  std::vector<const Expression*> names;
  collect_names(expression, names);
  return names;
}

std::string to_text(const Expression& expression) {
  if (expression.kind == Expression::Kind::number) {
    char digits[32];
    const auto [end, code] = std::to_chars(digits, digits + sizeof digits, expression.number);
    return std::string(digits, end);
  }
  if (expression.kind == Expression::Kind::symbol) return expression.name;
  const std::vector<Expression>& arguments = expression.arguments;
  if (expression.name == "neg") return "-" + to_text(arguments[0], rank_of(expression));
  if (expression.name == "not") return "not " + to_text(arguments[0], rank_of(expression));
  if (const Operator* one = find_operator(expression.name)) {
    // a - (b - c) needs its parentheses, (a - b) - c does not. For powers it is the other way round.
    const bool to_the_right = expression.name == "^";
    const std::string gap = one->rank < product_rank ? " " : "";
    return to_text(arguments[0], one->rank + to_the_right) + gap + expression.name + gap +
           to_text(arguments[1], to_the_right ? sign_rank : one->rank + 1);
  }
  std::string text = expression.name + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i > 0 ? ", " : "") + to_text(arguments[i]);
  return text + ")";
}

}  // namespace mechfmu
