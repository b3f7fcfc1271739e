// Finds coordinates that cannot move: their rows of a null space of C vanish wherever the rows of C are as independent
// as they get.
#include "start_work.hpp"

namespace mechfmu {

void ConsistentStart::immobile(double time, const double* parameters, const double* inputs, const double* q,
                               const bool* counted, bool* velocities, bool* rows) {
  Work& w = *work_;
  w.locate(time, parameters, inputs);
  const VectorXd start = VectorXd::Map(q, w.s.positions);
  w.matrices(start);
  const Entries metric = w.metric();
  const MatrixXd free = w.null_space(w.position_slopes(start, Work::always), nullptr);
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
    if (!w.close(metric, Work::always, nearby)) continue;
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
