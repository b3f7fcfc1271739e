// Finds dependencies by connected components (input_dependencies.hpp). The nearest values have the graph of the motion,
// with the place from which the distance is measured as its right-hand side.
#include "nearest_dependencies.hpp"

#include <algorithm>
#include <numeric>

#include "derivation/input_dependencies.hpp"

namespace mechfmu {

using casadi::Sparsity;
using casadi::SX;

namespace {

SX without_columns(const SX& matrix, const std::vector<bool>& which) {
  const SX shown = SX::sparsify(matrix);
  const std::vector<casadi_int> row = shown.sparsity().get_row(), column = shown.sparsity().get_col();
  std::vector<casadi_int> rows, columns;
  std::vector<casadi::SXElem> values;
  for (std::size_t e = 0; e < row.size(); ++e) {
    if (which[static_cast<std::size_t>(column[e])]) continue;
    rows.push_back(row[e]);
    columns.push_back(column[e]);
    values.push_back(shown.nonzeros()[e]);
  }
  return SX::triplet(rows, columns, SX(values), shown.size1(), shown.size2());
}

/// Marks columns of a pattern to which its rows leave no freedom: those of a component of the graph that has as many
/// independent rows as columns.
std::vector<bool> determined_by(const Sparsity& rows) {
  std::vector<bool> result(static_cast<std::size_t>(rows.size2()));
  std::vector<casadi_int> index, offset, mapping;
  const Sparsity graph = Sparsity::mtimes(rows.T(), rows) + Sparsity::diag(rows.size2());
  std::vector<casadi_int> all(static_cast<std::size_t>(rows.size1()));
  std::iota(all.begin(), all.end(), 0);
  const casadi_int count = graph.scc(index, offset);
  for (casadi_int c = 0; c < count; ++c) {
    const auto at = [&](casadi_int k) { return index.begin() + offset[static_cast<std::size_t>(k)]; };
    const std::vector<casadi_int> columns(at(c), at(c + 1));
    if (Sparsity::sprank(rows.sub(all, columns, mapping)) < static_cast<casadi_int>(columns.size())) continue;
    for (const casadi_int j : columns) result[static_cast<std::size_t>(j)] = true;
  }
  return result;
}

}  // namespace

NearestDependencies::NearestDependencies(const Derivation& d, const Knowns& knowns)
    : d_(d), knowns_(knowns), s_(d.equations.symbols), equations_(d.equations) {
  equations_.symbols.inputs = knowns.column();
  equations_.turning.clear();   // The position of a turning coordinate tells its dependencies.
  equations_.switches.clear();  // Their sides are among the knowns.
  for (casadi_int i = 0; i < s_.v.numel(); ++i) velocities_of_.push_back({i});
  none_.resize(velocities_of_.size());
  for (const Quaternion& quaternion : d.equations.quaternions) {  // Ascending order keeps those before in place.
    const auto first = velocities_of_.begin() + quaternion.position;
    const std::vector<casadi_int> three = {quaternion.velocity, quaternion.velocity + 1, quaternion.velocity + 2};
    velocities_of_.insert(velocities_of_.erase(first, first + 3), 4, three);
  }
  velocities_of_.resize(static_cast<std::size_t>(s_.positions().numel()));
}

SX NearestDependencies::along_velocities(const SX& f) const {
  return SX::mtimes(SX::jacobian(f, s_.q), SX::jacobian(s_.q_rate, s_.v));
}

void NearestDependencies::assemble(KnownState& state) const { assemble(state, SX(0, 1), SX(0, s_.v.numel()), none_); }

void NearestDependencies::make_consistent(KnownState& state) const {
  make_consistent(state, SX(0, 1), SX(0, s_.v.numel()), none_);
}

void NearestDependencies::assemble(KnownState& state, const SX& f, const SX& F, const std::vector<bool>& fixed) const {
  const SX C_p = SX(d_.C, d_.stages.C)(casadi::Slice(0, d_.sizes.position_rows), casadi::Slice());
  meet(state, SX::vertcat({d_.violation(s_.all()).front(), f}), SX::vertcat({C_p, F}), fixed,
       d_.sizes.position_rank < Sparsity::sprank(C_p.sparsity()));
}

void NearestDependencies::meet(KnownState& state, const SX& f, const SX& F, const std::vector<bool>& fixed,
                               bool redundant) const {
  SX from = SX::zeros(s_.v.numel(), 1);
  for (std::size_t i = 0; i < velocities_of_.size(); ++i) {
    for (const casadi_int v : velocities_of_[i]) from(v) += s_.q(static_cast<casadi_int>(i));
  }
  const std::vector<Known> found = nearest(state, &KnownState::positions, from, F, f, fixed, redundant);
  for (std::size_t i = 0; i < velocities_of_.size(); ++i) {
    if (velocities_of_[i].empty()) continue;  // a state stays
    KnownUnion all;
    for (const casadi_int v : velocities_of_[i]) all.join(found[static_cast<std::size_t>(v)]);
    state.positions[i] = all.known();
  }
}

void NearestDependencies::make_consistent(KnownState& state, const SX& r, const SX& R,
                                          const std::vector<bool>& fixed) const {
  const SX C = SX(d_.C, d_.stages.C), f = d_.nonlinear(s_.all()).front(),
           rows = SX::vertcat({C, SX::sparsify(SX::jacobian(f, s_.v))});
  state.velocities = nearest(state, &KnownState::velocities, s_.v, SX::vertcat({rows, R}),
                             SX::vertcat({SX::mtimes(C, s_.v) + SX::densify(SX(d_.stages.c_t)), f, r}), fixed,
                             d_.sizes.rank + d_.sizes.nonlinear_rank < Sparsity::sprank(rows.sparsity()));
}

void NearestDependencies::collide(KnownState& state, const SX& modes) const {
  std::vector<SX> speeds{SX(d_.C, d_.stages.C)};
  for (const ContactEquation& contact : d_.equations.contacts) {
    if (contact.has_gap()) speeds.push_back(along_velocities(contact.gap));
    if (!contact.speed.is_empty()) speeds.push_back(SX::jacobian(contact.speed, s_.v));
    for (const SX& slip : contact.slips) speeds.push_back(SX::jacobian(slip, s_.v));
  }
  const SX rows = SX::vertcat(speeds);
  // Loads are forces, and finite: no impact sees them.
  const SX without_loads = SX::substitute(modes, s_.loads, SX::zeros(s_.loads.size()));
  state.velocities =
      nearest(state, &KnownState::velocities, s_.v, rows, SX::mtimes(rows, s_.v) + without_loads, none_, true);
}

/// Returns dependencies of the nearest values in the metric M subject to rows C. Fixed values stay. Values that the
/// rows then determine have no choice: neither their origin nor the metric matters. (If rows are redundant, counting
/// cannot tell what they determine.) The rest has the graph of the motion, with the place from which the distance is
/// measured as its right-hand side.
std::vector<Known> NearestDependencies::nearest(const KnownState& state, std::vector<Known> KnownState::* values,
                                                const SX& from, const SX& C, const SX& residual,
                                                const std::vector<bool>& fixed, bool redundant) const {
  Equations stage = equations_;
  stage.outputs.clear();
  stage.loads.clear();
  const casadi_int n = C.size2();
  const SX free_C = without_columns(C, fixed);
  const std::vector<bool> determined = redundant ? std::vector<bool>(fixed.size()) : determined_by(free_C.sparsity());
  const auto is_determined = [&](std::size_t i) {  // The number i is a position or a velocity.
    if (values == &KnownState::velocities) return static_cast<bool>(determined[i]);
    return !velocities_of_[i].empty() &&
           std::all_of(velocities_of_[i].begin(), velocities_of_[i].end(),
                       [&](casadi_int v) { return determined[static_cast<std::size_t>(v)]; });
  };
  KnownState given = state, reached = state;
  for (std::size_t i = 0; i < (given.*values).size(); ++i)
    if (is_determined(i)) (given.*values)[i] = {};
  const DependencySets by_rows = dependency_sets(stage, SX(n, n), free_C, free_C.T(), SX::zeros(n, 1), residual);
  std::vector<Known> found = each_of(by_rows.accelerations, knowns_.translate(by_rows.sets, given));
  for (std::size_t i = 0; i < (reached.*values).size(); ++i) {
    if (!is_determined(i)) continue;
    KnownUnion both;
    both.join((state.*values)[i]);
    const std::vector<casadi_int> own =
        values == &KnownState::velocities ? std::vector<casadi_int>{static_cast<casadi_int>(i)} : velocities_of_[i];
    for (const casadi_int v : own) both.join(found[static_cast<std::size_t>(v)]);
    (reached.*values)[i] = both.known();
  }

  const SX open_C = without_columns(free_C, determined);
  const SX M = metric(free_C);
  SX start = from;
  std::vector<bool> away = fixed;
  for (std::size_t i = 0; i < away.size(); ++i) away[i] = away[i] || determined[i];
  const std::vector<casadi_int> rows = M.sparsity().get_row(), columns = M.sparsity().get_col();
  const auto pull = [&](casadi_int j, casadi_int l, std::size_t entry) {  // How far it comes pulls the others.
    if (determined[static_cast<std::size_t>(j)]) start(l) += SX(M.nonzeros()[entry]) + from(j);
  };
  for (std::size_t e = 0; e < rows.size(); ++e) {
    if (rows[e] == columns[e]) continue;
    pull(columns[e], rows[e], e);
    pull(rows[e], columns[e], e);
  }
  const SX open_M = without_columns(without_columns(M, away).T(), away);
  const DependencySets by_distance = dependency_sets(stage, open_M, open_C, open_C.T(), start, residual);
  const std::vector<Known> nearest = each_of(by_distance.accelerations, knowns_.translate(by_distance.sets, reached));
  for (std::size_t j = 0; j < found.size(); ++j)
    if (!determined[j]) found[j] = nearest[j];
  return found;
}

/// Returns M without the inertias of coordinates that nothing couples to others: these simply start at their start
/// values.
SX NearestDependencies::metric(const SX& C) const {
  SX M(d_.M, d_.stages.M);
  const std::vector<casadi_int> row = d_.M.get_row(), column = d_.M.get_col();
  std::vector<bool> coupled(static_cast<std::size_t>(M.size1()), false);
  for (const casadi_int i : C.sparsity().get_col()) coupled[static_cast<std::size_t>(i)] = true;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == column[i]) continue;
    coupled[static_cast<std::size_t>(row[i])] = coupled[static_cast<std::size_t>(column[i])] = true;
  }
  for (casadi_int i = 0; i < M.size1(); ++i) {
    if (!coupled[static_cast<std::size_t>(i)] && M.has_nz(i, i)) M(i, i) = 0;
  }
  return SX::sparsify(M);
}

}  // namespace mechfmu
