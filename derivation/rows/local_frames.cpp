// Finds constrained points: rows and local coordinates that hang together.
#include "derivation/rows/local_frames.hpp"

#include <algorithm>
#include <map>

#include "equations/connected.hpp"

namespace mechfmu {

using casadi::SX;

LocalFrames local_frames_of(const Equations& equations) {
  LocalFrames frames;
  const auto& rows = equations.constraints;
  const auto has_some = [](const ConstraintEquation& row) { return !row.local.empty(); };
  if (std::none_of(rows.begin(), rows.end(), has_some)) return frames;
  const auto row_count = static_cast<std::size_t>(equations.count(Level::position) + equations.count(Level::velocity));
  std::map<std::string, std::size_t> by_formula;
  struct Entry {
    std::size_t row, local;
    SX slope;
  };
  std::vector<Entry> entries;
  for (std::size_t row = 0; row < row_count; ++row) {
    if (rows[row].local.empty()) {
      entries.push_back({row, frames.names.size(), SX(1)});
      frames.names.push_back(rows[row].name);
      frames.values.emplace_back();
    }
    for (const LocalCoordinateEquation& local : rows[row].local) {
      const auto [known, fresh] = by_formula.try_emplace(local.formula, frames.names.size());
      if (fresh) {
        frames.names.push_back(local.formula);
        frames.values.push_back(local.value);
      }
      entries.push_back({row, known->second, local.slope});
    }
  }
  frames.C_hat = SX::zeros(static_cast<casadi_int>(row_count), frames.count());
  std::vector<casadi_int> at_row, at_local;
  for (const Entry& entry : entries) {
    at_row.push_back(static_cast<casadi_int>(entry.row));
    at_local.push_back(static_cast<casadi_int>(entry.local));
    frames.C_hat(at_row.back(), at_local.back()) = entry.slope;
  }
  const std::vector<Connected> points =
      connected(casadi::Sparsity::triplet(frames.C_hat.size1(), frames.C_hat.size2(), at_row, at_local));
  frames.points.resize(frames.names.size());
  frames.row_points.resize(row_count);
  for (std::size_t point = 0; point < points.size(); ++point) {
    for (const casadi_int row : points[point].rows)
      frames.row_points[static_cast<std::size_t>(row)] = static_cast<int>(point);
    for (const casadi_int local : points[point].columns)
      frames.points[static_cast<std::size_t>(local)] = static_cast<int>(point);
  }
  return frames;
}

}  // namespace mechfmu
