// Finds constraints that can never hold together: their rows are the same wherever the mechanism is, yet they want
// different numbers. If an assembly fails for another reason, rows may become dependent where it came to, but not
// elsewhere.
#include "contradictions.hpp"

#include "constraints/priorities.hpp"
#include "linear/sparse_split.hpp"
#include "mechanism/telling.hpp"

namespace mechfmu {

namespace {

/// Is, among the rows that others imply, the one that is open most where these others are closed.
struct Contradiction {
  VectorXd multipliers;  ///< multipliers of all rows at length one, 1 for the dependent row; empty: none
  int row = -1;
  double open = 0, distance = 0;  ///< residual of the row, and of the row at length one
};

}  // namespace

bool tell_contradiction(StartEquations& w, const VectorXd& reached, const VectorXd* velocity, Message& message) {
  const int rows = velocity == nullptr ? w.s.position_rows : w.s.rows();
  const auto contradiction_at = [&](const VectorXd& q) {
    w.matrices(q);
    Entries J(rows, w.s.velocities, w.s.C_nonzeros);
    w.add_constraints(0, rows, J);
    const VectorXd f = velocity == nullptr ? w.violation(q, StartEquations::always)
                                           : VectorXd(J.times(w.in_units(*velocity)) + w.c_t.head(rows));
    Arena memory;
    SparseSplit split(memory, rows, w.s.velocities, J.count());
    for (int e = 0; e < J.count(); ++e) split.set(J.row(e), J.column(e), J.value(e));
    const VectorXd weights = J.weights();
    Contradiction worst;
    if (split.split(priorities(w.mechanism), rows, nullptr) < 0) return worst;
    for (int d = split.rank(); d < rows; ++d) {
      const int row = split.row(d);
      VectorXd slope = VectorXd::Zero(w.s.velocities), multipliers(rows);
      for (int e = 0; e < J.count(); ++e) {
        if (J.row(e) == row) slope[J.column(e)] = J.value(e);
      }
      split.multipliers(slope.data(), multipliers.data());
      const double open = f[row] - multipliers.dot(f);
      const double size = std::fabs(f[row]) + multipliers.cwiseProduct(f).cwiseAbs().sum();
      if (!(std::fabs(open) > open_tolerance * size) || !(std::fabs(open) * weights[row] > worst.distance)) continue;
      worst = {-multipliers, row, open, std::fabs(open) * weights[row]};
      worst.multipliers[row] = 1;
      worst.multipliers = worst.multipliers.cwiseQuotient(weights) * weights[row];
    }
    return worst;
  };
  const Contradiction here = contradiction_at(reached);
  if (here.row < 0) return false;
  Scatter scatter;
  for (int trial = 0; trial < 3; ++trial) {
    const VectorXd elsewhere = w.moved(reached, 0.3 * scatter.column(w.s.velocities).cwiseProduct(w.scales(reached)));
    const Contradiction there = contradiction_at(elsewhere);
    const bool same = there.row == here.row &&
                      (there.multipliers - here.multipliers).norm() < same_contradiction * here.multipliers.norm();
    if (!same || (velocity == nullptr && std::fabs(there.open - here.open) > same_opening * std::fabs(here.open)))
      return false;
  }
  RowList named;
  for (int i = 0; i < rows; ++i) {
    if (std::fabs(here.multipliers[i]) > same_contradiction) named.add(i);
  }
  message.fail("The ");
  named.tell(w.mechanism, message);
  message.add(" can never hold together at t = %.9g s: wherever the mechanism is, where the others hold, %sthe ",
              w.point.time, velocity == nullptr ? "" : "the rate of ");
  tell_row(w.mechanism, here.row, message);
  message.add(" is open by ");
  tell_residual(w.mechanism, here.row, velocity == nullptr ? 0 : 1, std::fabs(here.open), message);
  message.add(". Remove one of them, or let them agree.");
  return true;
}

}  // namespace mechfmu
