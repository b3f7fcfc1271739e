// Finds dimensions of operators and functions.
#include <set>
#include <utility>

#include "expression_check.hpp"

namespace mechfmu {

Measure Checker::alike(const Expression& expression, const Measure& first, const Measure& second,
                       const std::string& verb) {
  if (first.kind == Measure::Kind::unknown || second.kind == Measure::Kind::unknown) return {};
  if (!first.is_quantity() && !second.is_quantity()) {
    const bool differ = first.has_dimension() && second.has_dimension() && first.dimension != second.dimension;
    return differ ? Measure::number() : first.has_dimension() ? first : second;
  }
  if (!first.is_quantity()) return second;
  if (!second.is_quantity() || first.dimension == second.dimension) return first;
  return fail(expression,
              readable(first.dimension) + " and " + readable(second.dimension) + " cannot be " + verb + " in " +
                  in_quotes(to_text(expression)),
              dimension_repair(first, second));
}

bool Checker::pure(const Expression& argument, const Measure& measure, const std::string& function) {
  if (!measure.is_quantity() || measure.dimension == Dimension{}) return true;
  const std::string text = to_text(argument);
  const bool is_time = argument.kind == Expression::Kind::symbol && argument.name == "time";
  fail(argument,
       function + " wants a plain number or an angle, but " + in_quotes(text) + " is in " + readable(measure.dimension),
       is_time ? "write " + function + "(1*time), or multiply it by a parameter in rad/s"
               : "divide it by a quantity in " + readable(measure.dimension));
  return false;
}

Measure Checker::operation(const Expression& expression, const Usage& usage, int order) {
  const std::string& name = expression.name;
  if (name == "der") return derivative(expression, usage, order);
  if (const LanguageFunction* function = find_language_function(name))
    return language_call(expression, *function, usage, order);
  static const std::set<std::string> comparisons = {"<", "<=", ">", ">=", "==", "!="};
  if (name == "and" || name == "or" || name == "not") {
    for (const Expression& argument : expression.arguments) measure(argument, usage, order);
    return Measure::number();
  }
  if (name == "neg") return measure(expression.arguments[0], usage, order);
  const bool comparison = comparisons.count(name) > 0;
  const bool binary = comparison || name == "+" || name == "-" || name == "*" || name == "/" || name == "^";
  if (!binary) return user_call(expression, usage, order);

  const Measure first = measure(expression.arguments[0], usage, order);
  const Measure second = measure(expression.arguments[1], usage, order);
  if (first.kind == Measure::Kind::unknown || second.kind == Measure::Kind::unknown) return {};
  if (name == "+") return alike(expression, first, second, "added");
  if (name == "-") return alike(expression, first, second, "subtracted");
  if (comparisons.count(name)) return alike(expression, first, second, "compared");
  if (name == "^") return power_of(expression, first, second);
  if (!first.has_dimension() && !second.has_dimension()) return Measure::number();
  const Dimension product = name == "*" ? first.dimension * second.dimension : first.dimension / second.dimension;
  return first.is_quantity() && second.is_quantity() ? Measure::quantity(product) : Measure::scaled(product);
}

Measure Checker::power_of(const Expression& expression, const Measure& base, const Measure& exponent) {
  const Expression& written = expression.arguments[1];
  if (!pure(written, exponent, "an exponent")) return {};
  if (!base.has_dimension()) return exponent.has_dimension() ? Measure::quantity({}) : Measure::number();
  if (base.dimension == Dimension{}) return base;
  const std::optional<double> constant = evaluate(written);
  if (constant) return base.with(power(base.dimension, *constant));
  if (!base.is_quantity()) return Measure::quantity({});
  return fail(expression,
              "the exponent " + in_quotes(to_text(written)) + " of a quantity in " + readable(base.dimension) +
                  " must be a constant number",
              "write the number, or divide the base by a quantity in " + readable(base.dimension));
}

Measure Checker::derivative(const Expression& expression, const Usage& usage, int order) {
  Usage inside = usage;
  if (order + 1 > usage.derivatives) {
    fail(expression, usage.what + derivatives_text(usage),
         usage.derivatives == 0 ? "write it without derivatives" : "remove a der(…)");
    inside.derivatives = order + 2;  // The rest is checked without repeating the message.
  }
  const Measure argument = measure(expression.arguments[0], inside, order + 1);
  return argument.with(argument.dimension / time_dimension());
}

Measure Checker::language_call(const Expression& expression, const LanguageFunction& function, const Usage& usage,
                               int order) {
  const std::string& name = expression.name;
  std::vector<Measure> measures;
  for (const Expression& argument : expression.arguments) measures.push_back(measure(argument, usage, order));
  for (const Measure& one : measures)
    if (one.kind == Measure::Kind::unknown && function.rule != DimensionRule::choice) return {};

  const auto plain = [](const Measure& one) { return one.has_dimension() ? Measure::quantity({}) : one; };
  switch (function.rule) {
    case DimensionRule::pure: return pure(expression.arguments[0], measures[0], name) ? plain(measures[0]) : Measure{};
    case DimensionRule::sign: return plain(measures[0]);
    case DimensionRule::root: return measures[0].with(power(measures[0].dimension, 0.5));
    case DimensionRule::choice: return alike(expression, measures[1], measures[2], "the two results");
    case DimensionRule::alike:
    case DimensionRule::ratio: {
      Measure all = measures[0];
      for (const Measure& one : measures) all = alike(expression, all, one, "compared");
      return function.rule == DimensionRule::ratio ? plain(all) : all;
    }
    case DimensionRule::rate: break;
  }
  return derivative(expression, usage, order);
}

Measure Checker::user_call(const Expression& expression, const Usage& usage, int order) {
  const std::string& name = expression.name;
  std::vector<Measure> measures;
  for (const Expression& argument : expression.arguments) measures.push_back(measure(argument, usage, order));
  Name* entry = names_.find(name);
  if (!entry) {
    std::vector<std::string> candidates = names_.of_kinds({NameKind::function});
    for (const LanguageFunction& function : language_functions()) candidates.push_back(function.name);
    return fail(expression, "unknown function " + in_quotes(name),
                suggestion(name, candidates, "declare it in [functions], or use one of the language"));
  }
  if (entry->kind != NameKind::function)
    return fail(expression, in_quotes(name) + " is " + kind_text(entry->kind) + ", not a function",
                "write " + name + "*(…) to multiply");
  if (entry->broken) return {};

  const Function& function = description_.functions[entry->index];
  const std::size_t wanted = function.formula ? function.arguments.size() : 1;
  if (measures.size() != wanted)
    return fail(expression,
                in_quotes(name) + " wants " + std::to_string(wanted) + (wanted == 1 ? " argument" : " arguments") +
                    ", not " + std::to_string(measures.size()),
                "correct the arguments of the function declared at " + to_text(function.place));
  if (!function.formula) return Measure::number();  // A table's numbers fit any dimension, as bare numbers do.

  // Functions have no dimensions of their own: each call checks the formula with those of its arguments.
  std::map<std::string, Measure> arguments;
  for (std::size_t i = 0; i < wanted; ++i) arguments[function.arguments[i]] = measures[i];
  Diagnostics inside;
  Diagnostics* outside = std::exchange(diagnostics_, &inside);
  const auto* outer_arguments = std::exchange(arguments_, &arguments);
  const Measure result = measure(*function.formula, parameter_usage("the function " + in_quotes(name)), 0);
  diagnostics_ = outside;
  arguments_ = outer_arguments;
  if (inside.empty()) return result;
  const Diagnostic& first = inside.list().front();
  return fail(expression,
              "with these arguments of " + in_quotes(name) + " its formula fails at " + to_text(first.place) + ": " +
                  first.problem,
              first.repair);
}

}  // namespace mechfmu
