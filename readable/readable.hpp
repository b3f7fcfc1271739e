// Writes expressions as formulas that a reader recognises.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "equations/equations.hpp"
#include "trigonometric.hpp"

namespace mechfmu {

/// Holds expressions of a mechanism's symbols as quotients of trigonometric polynomials, and writes them as text.
class Readable {
 public:
  explicit Readable(const Symbols& symbols);

  /// Returns one quotient for each element of a column, or none if it is too large. An expression that is no such
  /// quotient (a root, a power, a choice) counts as a symbol.
  std::vector<std::optional<Quotient>> quotients(const casadi::SX& column);

  std::string text(const Quotient& value) const { return text_of(value, names_); }
  std::string text_of_zeros(const Trigonometric& value) const { return mechfmu::text_of_zeros(value, names_); }

 private:
  int symbol(const std::string& name);
  Symbols symbols_;
  std::vector<std::vector<int>> of_argument_;  ///< symbols by argument and element of functions of Symbols::all()
  std::vector<std::string> names_;
};

}  // namespace mechfmu
