// Defines the words that descriptions are made of: places in the text, units, formulas, start values.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mechfmu {

/// Is a place in a mechanism file. Line and column count from 1.
struct Place {
  std::string file;
  int line = 1;
  int column = 1;
  std::string within = {};  ///< says which copy of the text is meant: "in repeat 'legs' with i = 2", "in part 'left'"
  bool operator==(const Place&) const = default;
};

/// Holds the exponents of the SI base units kg, m, s, A, K, mol, cd. They are doubles, since sqrt halves them. rad
/// counts as 1 here: it appears in shown units only.
struct Dimension {
  std::array<double, 7> exponents{};
  bool operator==(const Dimension&) const = default;
};

/// Is a unit as the file writes it: SI value = factor * value + offset.
struct Unit {
  std::string text;  ///< as the author writes it, "N.m.s/rad"; empty if dimensionless
  Dimension dimension;
  int radian = 0;  ///< exponent of rad, for UnitDefinitions only
  double factor = 1;
  double offset = 0;
};

/// Is a formula as a tree. Every node knows its place, so that later stages can also point at it.
struct Expression {
  enum class Kind {
    number,     ///< `number`, SI
    symbol,     ///< `name`: parameter, input, coordinate, definition, output, "time" or "pi"
    operation,  ///< `name` is an operator ("+", "-", "*", "/", "^", "neg", "<", "<=", ">", ">=", "==",
                ///< "!=", "and", "or", "not") or a function of the language ("sin", "if", "der", …) or of [functions]
  };
  Kind kind = Kind::number;
  double number = 0;
  std::string name;
  std::vector<Expression> arguments;
  Place place;
};

/// Is a number that the author gives, possibly as a formula.
struct Value {
  Expression expression;          ///< SI
  std::optional<double> written;  ///< the plain number in the declared unit, if the author gives one
};

/// Is an entry of [functions]: a formula of its arguments, or a table that a twice continuously differentiable cubic
/// interpolates.
struct Function {
  std::string name, description;
  Place place;
  std::vector<std::string> arguments;  ///< arguments of a formula
  std::optional<Expression> formula;
  std::vector<std::array<double, 2>> table;  ///< points of a table, x ascending
  std::optional<Expression> period;          ///< period of a table; constant
  enum class Beyond { hold, line } beyond = Beyond::hold;
};

/// Is a start value: it is held exactly if it is fixed, otherwise it is a guess.
struct Start {
  Value value;
  bool fixed = false;
  bool calculated = false;  ///< is true if it depends on parameters; then it cannot be set
  Place place;
};

/// Says between which values a coordinate stays. One of them at least is there.
struct CoordinateLimits {
  std::optional<Value> lower, upper;
  Expression restitution;  ///< 0 if the file gives none
  Place place;
};

/// Holds the sizes to which a coordinate and its rate are compared, SI, if the author gives them.
struct Nominal {
  std::optional<double> size, rate;
};

}  // namespace mechfmu
