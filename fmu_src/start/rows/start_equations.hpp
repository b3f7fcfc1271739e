// Declares the equations of the start at a position: rows and their slopes, the metric, and moves of positions.
//
// Moves, rates and all columns are counted in the coordinates' nominal sizes, rounded to powers of two
// (StartEquations::unit), as in unit_free.hpp. Norms, ranks and null vectors then add up and compare metres and radians
// in the same way in whatever units a mechanism is written, and to the same bits if these differ by powers of two. Only
// the metric knows masses: it says which of all moves onto the rows is the smallest. Mechanisms take and give SI:
// positions q, velocities v.
#pragma once

#include "linear/arena.hpp"
#include "linear/tolerances.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/message.hpp"
#include "mechanism/position_rates.hpp"
#include "start/algebra/entries.hpp"
#include "start/algebra/start_sparse.hpp"

namespace mechfmu {

/// Shows numbers in the arena as Eigen sees them.
using HeldVector = Eigen::Map<VectorXd>;

inline HeldVector held(Arena& arena, int size) { return {arena.zeros<double>(size), size}; }

struct StartEquations {
  StartEquations(Arena&, const Mechanism&);

  bool is_sparse() const { return s.velocities >= sparse_start_from; }

  /// Says which equations positions have to fulfil; for `with_guesses`, also what `missed` shall be.
  enum Rows { always, at_start, with_guesses };

  void locate(double time, const double* parameters, const double* inputs);
  /// Gets what start values say. Returns false if one is not finite, or no rotation; the message names it.
  bool guess(VectorXd& q, VectorXd& v, Message&);

  int position_rows(Rows rows) const {
    return s.position_rows + (rows == always ? 0 : s.start_position_rows) +
           (rows == with_guesses ? s.start_guess_rows : 0);
  }
  /// Returns f_p and, at the start, the further rows.
  VectorXd violation(const VectorXd& q, Rows);
  /// Finds M and C at q. It allocates nothing.
  void matrices(const Eigen::Ref<const VectorXd>& q);
  /// Adds the first rows of C, with position rows shared, after matrices(q). The second form adds other values in place
  /// of C.
  void add_rows(int count, Entries& to) const { add_rows(C_values.data(), count, to); }
  void add_rows(const double* values, int count, Entries& to) const;
  /// Adds rows of C, after matrices(q).
  void add_constraints(int first, int count, Entries& to, int first_row = 0) const {
    add_constraints(C_values.data(), first, count, to, first_row);
  }
  void add_constraints(const double* values, int first, int count, Entries& to, int first_row) const;
  /// Returns the derivatives by moves of further rows at the start. The mechanism gives them in SI.
  MatrixXd by_moves(const MatrixXd& slopes) const { return slopes * unit.asDiagonal(); }
  /// Returns the derivative of violation() by moves, after matrices(q).
  Entries position_slopes(const VectorXd& q, Rows);
  /// Returns the derivatives by rates of C v + c_t, of f_v and, further, of the start's rows, after matrices(q). v is
  /// in SI.
  Entries velocity_slopes(const VectorXd& q, const VectorXd& v);
  /// Returns the metric of moves: M, with something positive for coordinates without inertia.
  Entries metric() const;
  bool mass_is_definite() const;
  /// Returns the square of a nominal size in its unit.
  double nominal_square(int j) const {
    const double size = is_turned(model, j) ? 1 : mechanism.nominal[j] / unit[j];
    return size * size;
  }
  /// Finds the metric's diagonal, after matrices(q). The first form allocates nothing.
  void find_metric_diagonal(Eigen::Ref<VectorXd> result) const;
  VectorXd metric_diagonal() const;
  /// Returns all of M, after matrices(q), with multiples of the columns' metric on its diagonal.
  Entries mass_matrix(double multiple = 0) const;

  bool shares() const { return sharing.size() > 0; }

  // These functions are in start_values.cpp.

  /// Checks the conditions on an assembled position.
  bool conditions_hold(const VectorXd& q, Message&);
  /// Is true if M, and with `rows` C, c_t and what is open too, are numbers at q. Else the message says what is none,
  /// or which condition on the position is to blame.
  bool has_values(const VectorXd& q, bool rows, Message&);

  /// Returns the row that is most open, or -1 if all are closed. Position rows come first. Residuals are compared with
  /// what moving the coordinates by their own size would change, here or where `seen` was. If nothing moves a position
  /// row, they are compared with what it would change the rows of the same unit by.
  int open_row(const Entries& J, const VectorXd& f, const VectorXd& scales, const VectorXd& seen = VectorXd()) const;

  /// Holds what guesses of coordinates that are not among the positions are missed by, and its derivatives by moves.
  struct Missed {
    VectorXd by;
    MatrixXd slopes;
  };
  Missed missed(const VectorXd& q);
  /// Returns what the squares of `missed` count in the distance, given its slopes at the guess and the metric.
  static VectorXd guess_weights(const MatrixXd& slopes, const VectorXd& metric_diagonal);
  VectorXd moved(const VectorXd& q, const VectorXd& delta) const;
  /// Returns moves and rates in SI; in_units() goes back.
  VectorXd in_SI(const VectorXd& x) const { return x.cwiseProduct(unit); }
  VectorXd in_units(const VectorXd& x) const { return x.cwiseQuotient(unit); }
  /// Returns the largest part of its coordinate's scale that a move changes, or NaN if one of the numbers is.
  double size_of(const VectorXd& delta, const VectorXd& q) const;
  /// Returns a place near q along directions N, each time another. It is aside by this part of the coordinates' scales
  /// at most.
  VectorXd beside(const VectorXd& q, const MatrixXd& N, Scatter&, double part = place_beside) const;
  VectorXd difference_from(const VectorXd& guess, const VectorXd& q) const;
  /// Returns the nominal size plus |q| for each velocity.
  VectorXd scales(const VectorXd& q) const;

  const Mechanism& mechanism;
  Sizes s;
  RunTimeModel model;
  Point point;
  HeldVector stage, M_values, C_values, c_t;
  HeldVector unit;            ///< unit of moves and rates, by velocity, in SI
  HeldVector some_q, some_v;  ///< memory of what must not allocate
  HeldVector angles;          ///< begins with the guesses that the angles shall be near to
  VectorXd wanted;            ///< value that `missed` shall have, in rows with_guesses
  MatrixXd sharing;           ///< for each position row, what it is made of; empty: of itself
};

}  // namespace mechfmu
