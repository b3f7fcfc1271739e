// The language of formulas: its functions, reading a text into a tree, evaluating and writing the tree.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diagnostics.hpp"

namespace mechfmu {

/// How a function treats the dimensions of its arguments.
enum class DimensionRule {
  pure,    ///< sin, exp, …: plain numbers in, a plain number out
  alike,   ///< max, abs, …: all alike in, the same out
  ratio,   ///< atan2: both alike in, a plain number out
  sign,    ///< anything in, a plain number out
  root,    ///< sqrt: half the dimension
  choice,  ///< if(condition, a, b): a and b alike
  rate,    ///< der: a second less
};

/// A function of the language.
struct LanguageFunction {
  const char* name;
  int least, most;  ///< number of arguments
  DimensionRule rule;
  double (*evaluate)(std::span<const double>);  ///< null: not a function of numbers alone
};

/// All functions of the language.
std::span<const LanguageFunction> language_functions();

/// The function of that name, or null.
const LanguageFunction* find_language_function(const std::string& name);

/// A plain number as a formula.
Expression number_expression(double number, const Place& place);

/// Reads a formula; `characters` gives the place of each byte of the text and of its end. A syntax error is added to
/// the diagnostics.
std::optional<Expression> parse_expression(const std::string& text, const std::vector<Place>& characters,
                                           Diagnostics& diagnostics);

/// Value of a formula (SI), given values by name and the file's functions. None if something in it has no
/// value: an unknown name, a derivative, a table.
std::optional<double> evaluate(const Expression& expression, const std::map<std::string, double>& values = {},
                               const std::vector<Function>& functions = {});

/// Every name and function of [functions] in a formula, once each, in the order of their places; not `pi`, not the
/// language's functions.
std::vector<const Expression*> names_used(const Expression& expression);

/// The formula as text, with the parentheses it needs.
std::string to_text(const Expression& expression);

}  // namespace mechfmu
