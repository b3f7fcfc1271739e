// Units and meanings of rows, as tables.
#include "derivation/program/told.hpp"

#include <algorithm>

#include "equations/columns.hpp"

namespace mechfmu {

namespace {

class Units {
 public:
  explicit Units(std::vector<Unit>& units) : units_(units) {}
  int index(const Unit& unit) {
    const auto same = [&](const Unit& other) {
      return other.text == unit.text && other.factor == unit.factor && other.offset == unit.offset;
    };
    const auto known = std::find_if(units_.begin(), units_.end(), same);
    if (known != units_.end()) return static_cast<int>(known - units_.begin());
    units_.push_back(unit);
    return static_cast<int>(units_.size()) - 1;
  }

 private:
  std::vector<Unit>& units_;
};

/// The first row of each group, and one past the last group: neighbours of one meaning are a group.
std::vector<std::size_t> groups(const Equations& equations) {
  const std::vector<ConstraintEquation>& rows = equations.constraints;
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (i == 0 || rows[i].meaning.text.empty() || rows[i].meaning.text != rows[i - 1].meaning.text) first.push_back(i);
  first.push_back(rows.size());
  return first;
}

}  // namespace

ToldTables told_tables(const Equations& equations) {
  ToldTables result;
  Units units(result.units);
  const auto list = [&](const auto& all, const auto& unit) {
    for (const auto& one : all) result.units_of.push_back(units.index(unit(one)));
  };
  const auto shown = [](const Shown& one) { return one.unit; };
  const auto own = [](const auto& one) { return one.unit; };
  list(equations.positions, shown);
  list(equations.velocities, shown);
  list(equations.all_rows(), own);
  list(equations.start_positions, own);
  list(equations.start_velocities, own);
  list(equations.loads, own);
  list(equations.loads, [](const LoadEquation& load) { return load.residual_unit; });
  for (const ConstraintEquation& row : equations.all_rows()) result.driven.push_back(row.driven);
  const std::vector<std::size_t> first = groups(equations);
  int length = 0;
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    const ConstraintEquation& row = equations.constraints[first[i]];
    if (row.meaning.text.empty()) continue;
    result.rows.push_back({static_cast<int>(first[i]), static_cast<int>(first[i + 1] - first[i]), row.meaning.gap,
                           units.index(row.unit), row.meaning.text, length});
    length += static_cast<int>(row.meaning.lengths.size());
  }
  return result;
}

casadi::SX told_lengths(const Equations& equations) {
  std::vector<casadi::SX> lengths;
  const std::vector<std::size_t> first = groups(equations);
  for (std::size_t i = 0; i + 1 < first.size(); ++i)
    for (const casadi::SX& length : equations.constraints[first[i]].meaning.lengths) lengths.push_back(length);
  return column(lengths);
}

}  // namespace mechfmu
