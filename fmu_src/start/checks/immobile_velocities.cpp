// Finds coordinates that cannot move, or not independently of each other: their rows of a null space of C vanish, or
// depend on each other, wherever the rows of C are as independent as they get.
#include "immobile_velocities.hpp"

#include <algorithm>

namespace mechfmu {

namespace {

/// Returns how many of these rows of N, from the first one on, are independent.
int independent_rows(const MatrixXd& N, const int* rows, int count) {
  MatrixXd basis(N.cols(), count);
  for (int i = 0; i < count; ++i) {
    VectorXd row = N.row(rows[i]).transpose();
    for (int twice = 0; twice < 2; ++twice) row -= basis.leftCols(i) * (basis.leftCols(i).transpose() * row);
    if (!(row.norm() > unmoved)) return i;
    basis.col(i) = row.normalized();
  }
  return count;
}

}  // namespace

int generically_independent(StartClosing& w, const double* q, const int* velocities, int count) {
  const VectorXd start = VectorXd::Map(q, w.s.positions);
  w.matrices(start);
  const Entries metric = w.metric();
  const MatrixXd free = w.null_space(w.position_slopes(start, StartEquations::always), nullptr);
  Scatter scatter;
  int most = 0;
  for (int trial = 0; trial < 5 && most < count; ++trial) {
    VectorXd place = start;
    if (trial > 0) {
      if (free.cols() == 0) break;
      place = w.beside(start, free, scatter);
      if (!w.close(metric, StartEquations::always, place)) continue;
    }
    w.matrices(place);
    Entries C(w.s.rows(), w.s.velocities, w.s.C_nonzeros);
    w.add_constraints(0, w.s.rows(), C);
    const MatrixXd N = w.null_space(C, nullptr);
    const bool regular = N.cols() == w.s.degrees_of_freedom();  // else the rows leave more free than elsewhere
    if (regular) most = std::max(most, independent_rows(N, velocities, count));
  }
  return most;
}

void find_immobile(StartClosing& w, const double* q, const bool* counted, bool* velocities, bool* rows) {
  const VectorXd start = VectorXd::Map(q, w.s.positions);
  w.matrices(start);
  const Entries metric = w.metric();
  const MatrixXd free = w.null_space(w.position_slopes(start, StartEquations::always), nullptr);
  const auto counted_rows = [&](const VectorXd& at) {
    w.matrices(at);
    Entries all(w.s.rows(), w.s.velocities, w.s.C_nonzeros), C = all;
    w.add_constraints(0, w.s.rows(), all);
    for (int e = 0; e < all.count(); ++e) {
      if (counted[all.row(e)]) C.add(all.row(e), all.column(e), all.value(e));
    }
    return C;
  };
  Scatter scatter;
  VectorXd regular = start;
  MatrixXd N = w.null_space(counted_rows(start), nullptr);
  VectorXd moves = N.rowwise().norm();
  for (int trial = 0; trial < 4 && free.cols() > 0; ++trial) {
    VectorXd nearby = w.beside(start, free, scatter);
    if (!w.close(metric, StartEquations::always, nearby)) continue;
    const MatrixXd there = w.null_space(counted_rows(nearby), nullptr);
    if (there.cols() > N.cols()) continue;
    if (there.cols() < N.cols()) moves.setZero(), N = there, regular = nearby;
    moves = moves.cwiseMax(there.rowwise().norm());
  }
  const Entries C = counted_rows(regular);
  const VectorXd lengths = C.weights().cwiseInverse();
  for (int i = 0; i < w.s.rows(); ++i) rows[i] = false;
  for (int j = 0; j < w.s.velocities; ++j) {
    velocities[j] = moves[j] < unmoved;
    if (!velocities[j]) continue;
    const VectorXd parts =
        w.multipliers(C, VectorXd::Unit(w.s.velocities, j), nullptr).cwiseProduct(lengths).cwiseAbs();
    for (int i = 0; i < w.s.rows(); ++i) rows[i] = rows[i] || parts[i] > unmoved * parts.maxCoeff();
  }
}

}  // namespace mechfmu
