// The words that descriptions are made of: places in the text, units, formulas, start values.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mechfmu {

/// A place in a mechanism file, both counted from 1.
struct Place {
  std::string file;
  int line = 1;
  int column = 1;
  std::string within = {};  ///< which copy of the text is meant: "in repeat 'legs' with i = 2", "in part 'left'"
};

/// Exponents of the SI base units kg, m, s, A, K, mol, cd; doubles, since sqrt halves them.
/// rad counts as 1 here: it appears in shown units only.
struct Dimension {
  std::array<double, 7> exponents{};
  bool operator==(const Dimension&) const = default;
};

/// A unit as written: SI value = factor * value + offset.
struct Unit {
  std::string text;  ///< as the author wrote it, "N.m.s/rad"; empty: dimensionless
  Dimension dimension;
  int radian = 0;  ///< exponent of rad, for UnitDefinitions only
  double factor = 1;
  double offset = 0;
};

/// A formula as a tree. Every node knows its place, so that later stages can point at it too.
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

/// A number the author gave, possibly as a formula.
struct Value {
  Expression expression;          ///< SI
  std::optional<double> written;  ///< the plain number in the declared unit, if it was one
};

/// [functions]: a formula of its arguments, or a table read by a twice continuously differentiable cubic.
struct Function {
  std::string name, description;
  Place place;
  std::vector<std::string> arguments;  ///< formula
  std::optional<Expression> formula;
  std::vector<std::array<double, 2>> table;  ///< or points, ascending
  std::optional<Expression> period;          ///< table only; constant
  enum class Beyond { hold, line } beyond = Beyond::hold;
};

/// A start value: held exactly if fixed, otherwise a guess.
struct Start {
  Value value;
  bool fixed = false;
  bool calculated = false;  ///< depends on parameters: not settable
  Place place;
};

/// What a coordinate and its rate are large or small against, SI, where the author says so.
struct Nominal {
  std::optional<double> size, rate;
};

}  // namespace mechfmu
