// Finds what everything that the start is made of changes by along a direction of parameters and inputs, and with moves
// of positions. All changes come from one tape, Mechanism::start, and those of forces from Mechanism::balance.
//
// Moves, δ of velocities and what acts along them are counted in StartEquations::unit; v is in SI. If rounded rows
// share (rounded_loops.cpp), J and f are what they share. How they share is held, since a change of it acts on what is
// left open only.
#pragma once

#include "mechanism/start_tape.hpp"
#include "mechanism/tape.hpp"
#include "start/rows/start_equations.hpp"
#include "start/start.hpp"

namespace mechfmu {

class StartChanges {
 public:
  StartChanges(StartEquations&, const ConsistentStart::Direction&);

  /// Returns the changes of everything that the start is made of, along the direction with positions moved, or by the
  /// move alone. The result holds until the next call.
  StartTape at(const VectorXd& q, const VectorXd& v, const VectorXd& move) { return evaluate(q, v, move, true); }
  StartTape slopes_along(const VectorXd& q, const VectorXd& v, const VectorXd& move);
  StartTape evaluate(const VectorXd& q, const VectorXd& v, const VectorXd& move, bool explicitly);
  /// Returns the changes by rates that change.
  StartTape by_rates(const VectorXd& q, const VectorXd& v, const VectorXd& change_of_v);
  void run(const Tape& tape, const Point& here, const VectorXd& move, bool explicitly, VectorXd& results);

  /// Returns how the guess moves, from q′ of a quaternion as a rotation, before it is normalised.
  VectorXd guess_moves(const VectorXd& guess);

  /// Returns G′ x for StartEquations::metric(), after matrices(). This is M′ x, and if M alone is no metric, that of
  /// what was added, too.
  VectorXd metric_change(const double* M_change, const VectorXd& x) const;
  /// Returns the change of StartEquations::metric_diagonal(). Coordinates without inertia have the smallest of the
  /// others (column_metric).
  VectorXd diagonal_change(const double* M_change) const;

  /// Holds what the guesses count that are not among the positions, and its change with the guess.
  struct Guesses {
    VectorXd weights, change;
  };
  /// Finds w = c / Σ s_j²/D_j after matrices() at the guess, with D the diagonal of the metric.
  Guesses weigh(const MatrixXd& slopes, const StartTape& of_guess) const;

  /// Returns the change of the distance's slope (∂d/∂q)ᵀ x, x = G d, for moves of q and of the guess: x′ = G d′ + G′ d.
  VectorXd slope_change(const VectorXd& q, const VectorXd& guess, const VectorXd& move, const VectorXd& gamma,
                        const Entries& G, const VectorXd& force, const VectorXd& force_change) const;

  /// Returns J′ᵀ μ of the rows of positions; the next function has those of velocities.
  VectorXd pull_of_positions(const StartTape& parts, const VectorXd& mu) const;
  VectorXd pull_of_velocities(const StartTape& parts, const VectorXd& nu) const;
  VectorXd pull_of_nonlinear(const StartTape& parts, const VectorXd& nu) const;
  VectorXd pull(const double* C_change, int own, const double* further_change, int further, const VectorXd& mu) const;

  /// Returns what rows that share make of residuals f. The next function does this for what acts along the rows: if
  /// rows share, Sᵀ μ acts along those that are shared.
  VectorXd shared(VectorXd f) const;
  VectorXd of_all_rows(VectorXd mu) const;

  VectorXd position_rows_change(const StartTape& parts) const;
  /// Returns the change of C v + c_t and of r while v stays as it is.
  VectorXd velocity_rows_change(const StartTape& parts, const VectorXd& v) const;

  /// Is true if rows of positions, or what chooses among positions, depend on the direction.
  bool occur(const VectorXd& q);

  /// Returns the largest number of the direction.
  double seed() const { return seed_; }

 private:
  StartEquations& w_;
  const Mechanism& m_;
  const Sizes& s_;
  const ConsistentStart::Direction& direction_;
  VectorXd values_, slopes_;  ///< values and slopes of a tape's steps
  VectorXd turn_, results_;
  VectorXd still_;
  double seed_ = 0;
};

}  // namespace mechfmu
