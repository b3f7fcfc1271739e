// Finds groups as components of the graph in which an entry joins its row and its column.
#include "connected.hpp"

#include <algorithm>

namespace mechfmu {

std::vector<Connected> connected(const casadi::Sparsity& pattern) {
  using casadi::Sparsity;
  const casadi_int rows = pattern.size1();
  const Sparsity graph =
      Sparsity::blockcat({{Sparsity::diag(rows), pattern}, {pattern.T(), Sparsity::diag(pattern.size2())}});
  std::vector<casadi_int> index, offset;
  graph.scc(index, offset);
  std::vector<std::vector<casadi_int>> components;
  for (std::size_t i = 0; i + 1 < offset.size(); ++i) {
    components.emplace_back(index.begin() + offset[i], index.begin() + offset[i + 1]);
    std::sort(components.back().begin(), components.back().end());
  }
  std::sort(components.begin(), components.end());
  std::vector<Connected> result;
  for (const std::vector<casadi_int>& component : components) {
    Connected& group = result.emplace_back();
    for (const casadi_int node : component) {
      if (node < rows) group.rows.push_back(node);
      else group.columns.push_back(node - rows);
    }
  }
  return result;
}

}  // namespace mechfmu
