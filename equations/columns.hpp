// Makes columns of expressions, which may be empty.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <casadi/casadi.hpp>

namespace mechfmu {

/// Returns the entries below each other.
inline casadi::SX column(const std::vector<casadi::SX>& entries) {
  return entries.empty() ? casadi::SX(0, 1) : casadi::SX::vertcat(entries);
}

/// Returns the entries below each other, with zeros written out.
inline casadi::SX dense_column(const std::vector<casadi::SX>& entries) { return casadi::SX::densify(column(entries)); }

/// Returns a matrix's entries below each other, column by column, without those that are zero by structure.
inline casadi::SX nonzeros(const casadi::SX& matrix) {
  return matrix.nnz() == 0 ? casadi::SX(0, 1) : casadi::SX(matrix.nonzeros());
}

/// Returns a new symbol for each name.
inline casadi::SX column_of_symbols(const std::vector<std::string>& names) {
  std::vector<casadi::SXElem> symbols;
  for (const std::string& name : names) symbols.push_back(casadi::SXElem::sym(name));
  return symbols.empty() ? casadi::SX(0, 1) : casadi::SX(symbols);
}

/// Knows the symbols of a column by their places. Derivatives of expressions that contain few of many symbols cost no
/// more than these few.
class Places {
 public:
  explicit Places(const casadi::SX& column) : count_(column.numel()) {
    for (casadi_int i = 0; i < count_; ++i) place_.emplace(column(i).scalar().get(), i);
  }

  bool any_in(const casadi::SX& expression) const { return !within(expression).second.empty(); }

  /// Returns the derivatives by all symbols of the column; entries are there only if they are not zero.
  casadi::SX jacobian(const casadi::SX& expression) const {
    const auto [symbols, places] = within(expression);
    const casadi::SX slopes = casadi::SX::sparsify(casadi::SX::jacobian(expression, symbols));
    std::vector<casadi_int> columns;
    for (const casadi_int j : slopes.sparsity().get_col()) columns.push_back(places[static_cast<std::size_t>(j)]);
    const casadi::Sparsity pattern =
        casadi::Sparsity::triplet(expression.numel(), count_, slopes.sparsity().get_row(), columns);
    return casadi::SX(pattern, casadi::SX(slopes.nonzeros()));
  }

  /// Returns the derivative along a direction of the column.
  casadi::SX slope(const casadi::SX& expression, const casadi::SX& direction) const {
    const auto [symbols, places] = within(expression);
    std::vector<casadi::SX> along;
    for (const casadi_int place : places) along.push_back(direction(place));
    return casadi::SX::jtimes(expression, symbols, column(along));
  }

 private:
  /// Returns the symbols that an expression contains, in the column's order, and their places.
  std::pair<casadi::SX, std::vector<casadi_int>> within(const casadi::SX& expression) const {
    std::vector<std::pair<casadi_int, casadi::SX>> found;
    for (const casadi::SX& symbol : casadi::SX::symvar(expression))
      if (const auto place = place_.find(symbol.scalar().get()); place != place_.end())
        found.emplace_back(place->second, symbol);
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::pair<std::vector<casadi::SX>, std::vector<casadi_int>> result;
    for (const auto& [place, symbol] : found) {
      result.first.push_back(symbol);
      result.second.push_back(place);
    }
    return {column(result.first), result.second};
  }

  casadi_int count_;
  std::unordered_map<const casadi::SXNode*, casadi_int> place_;
};

}  // namespace mechfmu
