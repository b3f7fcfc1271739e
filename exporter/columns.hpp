// Columns of expressions, also where they are empty.
#pragma once

#include <string>
#include <vector>

#include <casadi/casadi.hpp>

namespace mechfmu {

/// Entries below each other.
inline casadi::SX column(const std::vector<casadi::SX>& entries) {
  return entries.empty() ? casadi::SX(0, 1) : casadi::SX::vertcat(entries);
}

/// A new symbol for each name.
inline casadi::SX column_of_symbols(const std::vector<std::string>& names) {
  std::vector<casadi::SXElem> symbols;
  for (const std::string& name : names) symbols.push_back(casadi::SXElem::sym(name));
  return symbols.empty() ? casadi::SX(0, 1) : casadi::SX(symbols);
}

}  // namespace mechfmu
