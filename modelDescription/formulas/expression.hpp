// Is the language of formulas: it has functions, reads a text into a tree, evaluates the tree, and writes it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diagnostics.hpp"

namespace mechfmu {

/// Says how a function treats the dimensions of its arguments.
enum class DimensionRule {
  pure,    ///< sin, exp, …: take plain numbers and return one
  alike,   ///< max, abs, …: take one dimension and return it
  ratio,   ///< atan2: takes one dimension and returns a plain number
  sign,    ///< sign: takes any dimension and returns a plain number
  root,    ///< sqrt: returns half the dimension
  choice,  ///< if(condition, a, b): a and b have one dimension
  rate,    ///< der: divides by seconds
};

/// Is a function of the language.
struct LanguageFunction {
  const char* name;
  int least, most;  ///< number of arguments
  DimensionRule rule;
  double (*evaluate)(std::span<const double>);  ///< null if it is not a function of numbers alone
};

/// Returns all functions of the language.
std::span<const LanguageFunction> language_functions();

/// Returns the function of that name, or null.
const LanguageFunction* find_language_function(const std::string& name);

/// Returns a plain number as a formula.
Expression number_expression(double number, const Place& place);

/// Reads a formula; `characters` has the place of each byte of the text and of its end. A syntax error is added to the
/// diagnostics.
std::optional<Expression> parse_expression(const std::string& text, const std::vector<Place>& characters,
                                           Diagnostics& diagnostics);

/// Returns the value of a formula (SI), given values by name and the file's functions. Returns none if a part has no
/// value: an unknown name, a derivative, a table.
std::optional<double> evaluate(const Expression& expression, const std::map<std::string, double>& values = {},
                               const std::vector<Function>& functions = {});

/// Returns every name and every function of [functions] in a formula once, in the order of their places. It leaves out
/// `pi` and the functions of the language.
std::vector<const Expression*> names_used(const Expression& expression);
/// A formula that is gone after the call cannot be asked: what is returned points into it.
std::vector<const Expression*> names_used(Expression&&) = delete;

/// Returns the formula as text, with the parentheses that it needs.
std::string to_text(const Expression& expression);

}  // namespace mechfmu
