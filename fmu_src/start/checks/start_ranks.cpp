// Finds the ranks of the constraints.
#include "start_ranks.hpp"

#include <algorithm>

#include "constraints/priorities.hpp"
#include "linear/sparse_split.hpp"
#include "start/algebra/decompositions.hpp"

namespace mechfmu {

StartRanks::StartRanks(Arena& arena, RoundedLoops& rows)
    : w_(rows), squares_(held(arena, rows.s.rows())),
      pivoting_(arena, rows.s.rows(), rows.s.velocities, rows.s.C_nonzeros),
      redundant_(arena.zeros<int>(rows.s.rows() + 1), rows.s.rows() + 1) {}

ConsistentStart::Ranks StartRanks::at(const double* q) {
  w_.some_q = VectorXd::Map(q, w_.s.positions);
  w_.matrices(w_.some_q);
  w_.find_metric_diagonal(w_.some_v);
  w_.some_v.array() /= w_.unit.array().square();  // Pivoting asks for SI
  ConsistentStart::Ranks result;
  const Pattern& pattern = w_.mechanism.C;
  squares_.setZero();
  for (int e = 0; e < pattern.nonzeros; ++e) {
    squares_[pattern.row[e]] += w_.C_values[e] * w_.C_values[e] / w_.some_v[pattern.column[e]];
  }
  const auto vanishes = [&](int row) { return std::sqrt(squares_[row]) <= rank_tolerance * w_.row_lengths[row]; };
  const auto rank = [&](int rows) {
    pivoting_.clear();
    for (int e = 0; e < pattern.nonzeros; ++e) {
      if (pattern.row[e] < rows && !vanishes(pattern.row[e])) {
        pivoting_.set(pattern.row[e], pattern.column[e], w_.C_values[e]);
      }
    }
    pivoting_.scale_columns(w_.some_v.data());
    return pivoting_.eliminate(priorities(w_.mechanism), w_.s.velocities);
  };
  result.position = rank(w_.s.position_rows);
  result.all = rank(w_.s.rows());
  redundant_.setOnes();
  for (int i = 0; i < result.all; ++i) redundant_[pivoting_.row(i)] = 0;
  return result;
}

ConsistentStart::Ranks StartRanks::strong(const double* q) {
  const VectorXd place = VectorXd::Map(q, w_.s.positions);
  VectorXd sizes;
  const Entries J = w_.by_units(place, w_.s.rows(), sizes);
  Arena memory;
  SparseSplit split(memory, w_.s.rows(), w_.s.velocities, J.count());
  sparse_start::split(J, w_.weak_level(), w_.s.rows(), split);
  redundant_.setOnes();
  for (int i = 0; i < split.rank(); ++i) redundant_[split.row(i)] = 0;
  ConsistentStart::Ranks result;
  result.position = w_.strong_rank(place, w_.s.position_rows, w_.weak_level());
  result.all = split.rank();
  return result;
}

ConsistentStart::Ranks StartRanks::generic(const double* q) {
  ConsistentStart::Ranks most = at(q);
  const VectorXd start = VectorXd::Map(q, w_.s.positions);
  ConsistentStart::Ranks strong_here = strong(q);
  const MatrixXd shared = w_.sharing;
  w_.sharing.resize(0, 0);
  w_.matrices(start);
  const Entries metric = w_.metric();
  const MatrixXd N = w_.null_space(w_.position_slopes(start, StartEquations::always), nullptr);
  Scatter scatter;
  VectorXd nearby = start;
  for (int trial = 0; trial < 4 && N.cols() > 0; ++trial) {
    VectorXd candidate = w_.beside(start, N, scatter);
    if (!w_.close(metric, StartEquations::always, candidate)) continue;
    const ConsistentStart::Ranks there = at(candidate.data());
    const ConsistentStart::Ranks strong_there = strong(candidate.data());
    strong_here.position = std::max(strong_here.position, strong_there.position);
    strong_here.all = std::max(strong_here.all, strong_there.all);
    if (there.all > most.all || there.position > most.position) nearby = candidate;
    most.all = there.all > most.all ? there.all : most.all;
    most.position = there.position > most.position ? there.position : most.position;
  }
  at(nearby.data());  // finds which rows are redundant where C is regular
  w_.sharing = shared;
  const bool weak = w_.closure_tolerance > 0 && strong_here.position > 0 && strong_here.position < most.position;
  return weak && w_.follows_weak_rows(start, strong_here.position) ? strong_here : most;
}

int StartRanks::generic_nonlinear(const double* q_found) {
  const int rows = w_.s.nonlinear_rows, trials = 4;
  if (rows == 0) return 0;
  const VectorXd q = VectorXd::Map(q_found, w_.s.positions),
                 sizes = VectorXd::Map(w_.mechanism.rate_nominal, w_.s.velocities);
  w_.matrices(q);
  Scatter scatter;
  int most = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const VectorXd v = scatter.column(w_.s.velocities).cwiseProduct(sizes);
    const MatrixXd J = w_.velocity_slopes(q, v).dense();
    Entries C(w_.s.rows(), w_.s.velocities, w_.s.C_nonzeros);
    w_.add_constraints(0, w_.s.rows(), C);
    MatrixXd free = J.middleRows(w_.s.rows(), rows) * w_.null_space(C, nullptr);
    if (!free.allFinite()) continue;
    for (int i = 0; i < rows; ++i) {
      const double length = free.row(i).norm(), whole = J.row(w_.s.rows() + i).norm();
      if (length > rank_tolerance * whole) free.row(i) /= length;
      else free.row(i).setZero();
    }
    most = std::max(most, free.size() > 0 ? rank_of(free, rank_tolerance) : 0);
  }
  return most;
}

}  // namespace mechfmu
