// Finds constrained points: rows and local coordinates that hang together.
#include "local_frames.hpp"

#include <algorithm>
#include <map>

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
  // Numbers of points go down until every entry joins a row and a local coordinate of one point.
  frames.points.resize(frames.names.size());
  frames.row_points.resize(row_count);
  for (std::size_t row = 0; row < row_count; ++row) frames.row_points[row] = static_cast<int>(row);
  std::fill(frames.points.begin(), frames.points.end(), static_cast<int>(row_count));
  for (bool changed = true; changed;) {
    changed = false;
    for (const Entry& entry : entries) {
      int &a = frames.row_points[entry.row], &b = frames.points[entry.local];
      changed = changed || a != b;
      a = b = std::min(a, b);
    }
  }
  for (const Entry& entry : entries)
    frames.C_hat(static_cast<casadi_int>(entry.row), static_cast<casadi_int>(entry.local)) = entry.slope;
  // Points are numbered from 0 on without gaps.
  std::map<int, int> number;
  for (const int point : frames.row_points) number.try_emplace(point, static_cast<int>(number.size()));
  for (std::vector<int>* list : {&frames.points, &frames.row_points})
    for (int& point : *list) point = number.at(point);
  return frames;
}

}  // namespace mechfmu
