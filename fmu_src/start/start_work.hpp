// What the parts of the consistent start share: the equations at a position, moves of positions, and the way onto the
// constraints. Runs during initialisation only: it may allocate. Small mechanisms are solved by dense orthogonal
// decompositions, large ones by sparse factors with pivots of their own (start_large.cpp).
//
// Moves, rates and all columns are counted in the coordinates' nominal sizes, rounded to powers of two (Work::unit), as
// in unit_free.hpp: norms, ranks and null vectors then add up and compare metres and radians in the same way in
// whatever units a mechanism is written, and to the same bits where these differ by powers of two. Only the metric
// knows masses: it says which of all moves onto the rows is the smallest. What mechanisms take and give is in SI:
// positions q, velocities v.
#pragma once

#include <Eigen/Core>

#include "constraints/choice.hpp"
#include "linear/pivoting.hpp"
#include "linear/products.hpp"
#include "mechanism/kinematics.hpp"
#include "start.hpp"

namespace mechfmu {

class SparseSplit;
struct StartTape;

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Numbers in the arena, as Eigen sees them.
using HeldVector = Eigen::Map<VectorXd>;

/// From as many velocities on damped moves come from eigenvalues, which cost less than singular values.
inline constexpr int damped_by_eigenvalues_from = 40;

/// From as many velocities on the start is that of a large mechanism.
inline constexpr int large_start_from = 120;

/// A matrix by its nonzeros.
class Entries {
 public:
  Entries(int rows, int columns, int room) : rows_(rows), columns_(columns), row_(room), column_(room), value_(room) {}

  void add(int row, int column, double value) {
    if (value == 0) return;
    row_[count_] = row;
    column_[count_] = column;
    value_[count_++] = value;
  }
  /// Those of a dense matrix from `first_row` on.
  void add(const MatrixXd& block, int first_row) {
    for (int j = 0; j < block.cols(); ++j) {
      for (int i = 0; i < block.rows(); ++i) add(first_row + i, j, block(i, j));
    }
  }
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int count() const { return count_; }
  int row(int e) const { return row_[e]; }
  int column(int e) const { return column_[e]; }
  double value(int e) const { return value_[e]; }

  MatrixXd dense() const {
    MatrixXd result = MatrixXd::Zero(rows_, columns_);
    for (int e = 0; e < count_; ++e) result(row_[e], column_[e]) = value_[e];
    return result;
  }
  VectorXd times(const VectorXd& x) const {
    VectorXd result = VectorXd::Zero(rows_);
    for (int e = 0; e < count_; ++e) result[row_[e]] += value_[e] * x[column_[e]];
    return result;
  }
  VectorXd transposed_times(const VectorXd& y) const {
    VectorXd result = VectorXd::Zero(columns_);
    for (int e = 0; e < count_; ++e) result[column_[e]] += value_[e] * y[row_[e]];
    return result;
  }
  double largest() const { return dense::largest(count_, value_.data()); }
  /// What makes residuals distances: rows of length one.
  VectorXd weights() const {
    VectorXd result = VectorXd::Zero(rows_);
    for (int e = 0; e < count_; ++e) result[row_[e]] += value_[e] * value_[e];
    for (double& one : result) one = one > 0 ? 1 / std::sqrt(one) : 1;
    return result;
  }
  Entries scaled(const VectorXd& weights) const {
    Entries result(rows_, columns_, count_);
    for (int e = 0; e < count_; ++e) result.add(row_[e], column_[e], value_[e] * weights[row_[e]]);
    return result;
  }

 private:
  int rows_, columns_, count_ = 0;
  Eigen::VectorXi row_, column_;
  VectorXd value_;
};

/// Numbers between −1 and 1 without order, the same every time.
class Scatter {
 public:
  VectorXd column(int count) {
    VectorXd result(count);
    for (double& number : result) {
      seed_ = seed_ * 1664525u + 1013904223u;
      number = static_cast<double>(seed_ >> 8) / 8388608.0 - 1;
    }
    return result;
  }

 private:
  unsigned seed_ = 1;
};

struct ConsistentStart::Work {
  Work(Arena&, const Mechanism&);

  bool is_large() const { return s.velocities >= large_start_from; }

  /// Which equations positions have to fulfil; `with_guesses`: and what `missed` shall be, too.
  enum Rows { always, at_start, with_guesses };

  /// A place where rows that are independent elsewhere become dependent in the columns that may move. Rows and columns
  /// dimensionless().
  struct Fold {
    bool found = false;  ///< it is the solution
    bool near = false;   ///< the solution is close to it
    VectorXd q;
    MatrixXd Y;      ///< combinations of the rows whose slopes vanish, normalised
    MatrixXd H;      ///< their second derivatives along N, one after the other
    MatrixXd along;  ///< moves that stay on such places
    VectorXd gap;    ///< Yᵀf there
  };

  void locate(double time, const double* parameters, const double* inputs);
  /// What start values say; false: the message names one that is not finite, or no rotation.
  bool guess(VectorXd& q, VectorXd& v, Message&);

  /// Conditions on an assembled position.
  bool conditions_hold(const VectorXd& q, Message&);
  /// Whether M, and with `rows` C, c_t and what is open too, are numbers at q. False: the message says what is none, or
  /// which condition on the position is to blame.
  bool has_values(const VectorXd& q, bool rows, Message&);

  int position_rows(Rows rows) const {
    return s.position_rows + (rows == always ? 0 : s.start_position_rows) +
           (rows == with_guesses ? s.start_guess_rows : 0);
  }
  /// f_p and, at the start, the further rows.
  VectorXd violation(const VectorXd& q, Rows);
  /// M and C at q. Allocates nothing.
  void matrices(const VectorXd& q);
  /// The first rows of C, position rows shared, after matrices(q); or of what has other values in its place.
  void add_rows(int count, Entries& to) const { add_rows(C_values.data(), count, to); }
  void add_rows(const double* values, int count, Entries& to) const;
  /// Rows of C, after matrices(q).
  void add_constraints(int first, int count, Entries& to, int first_row = 0) const {
    add_constraints(C_values.data(), first, count, to, first_row);
  }
  void add_constraints(const double* values, int first, int count, Entries& to, int first_row) const;
  /// Further rows at the start: their derivatives by moves, which the mechanism gives in SI.
  MatrixXd by_moves(const MatrixXd& slopes) const { return slopes * unit.asDiagonal(); }
  /// The derivative of violation() by moves, after matrices(q).
  Entries position_slopes(const VectorXd& q, Rows);
  /// Derivatives of C v + c_t and, further, of the start's rows by rates, after matrices(q). v in SI.
  Entries velocity_slopes(const VectorXd& q, const VectorXd& v);
  /// The metric of moves: M, with something positive for coordinates without inertia.
  Entries metric() const;
  static constexpr double share_of_diagonal = 1e-3;  ///< what is added where M is not definite
  bool mass_is_definite() const;
  /// Of a nominal size in its unit.
  double nominal_square(int j) const {
    const double size = is_turned(model, j) ? 1 : mechanism.nominal[j] / unit[j];
    return size * size;
  }
  /// Its diagonal, after matrices(q). The first allocates nothing.
  void find_metric_diagonal(Eigen::Ref<VectorXd> result) const;
  VectorXd metric_diagonal() const;
  /// All of M, after matrices(q), with multiples of the columns' metric on its diagonal.
  Entries mass_matrix(double multiple = 0) const;

  /// Δ with J Δ = −f, rows of length one, smallest in the metric G: least squares where J is rank-deficient (of a large
  /// mechanism: for as many rows as are independent). Only columns not fixed move.
  /// `lengths`: of the rows, where they are not to be taken from J.
  VectorXd smallest_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed,
                         const VectorXd* lengths = nullptr) const;
  /// Null vectors of J with zeros at the fixed columns, orthonormal.
  MatrixXd null_space(const Entries& J, const bool* fixed) const;
  /// μ with Jᵀ μ as near to `slope` as it goes, in the columns that are not fixed.
  VectorXd multipliers(const Entries& J, const VectorXd& slope, const bool* fixed) const;
  int rank(const Entries& J, const bool* without) const;
  /// The same of rows at most as long as one, counting pivots above the level.
  int rank_at(double level, const Entries& J, const bool* without) const;
  /// J without fixed columns at a level of its singular values, its rows at most as long as one: null vectors of what
  /// is above, orthonormal, combinations of rows that are not, and the x above with J x = −f.
  struct Cut {
    MatrixXd N, Y;
    VectorXd particular;
  };
  Cut cut(const Entries& J, const VectorXd& f, const bool* fixed, double level) const {
    return cut(J, f, fixed, level, J.rows());
  }
  /// Of the values above the level so many at most.
  Cut cut(const Entries& J, const VectorXd& f, const bool* fixed, double level, int most) const;

  VectorXd moved(const VectorXd& q, const VectorXd& delta) const;
  /// Moves and rates in SI, and back.
  VectorXd in_SI(const VectorXd& x) const { return x.cwiseProduct(unit); }
  VectorXd in_units(const VectorXd& x) const { return x.cwiseQuotient(unit); }
  /// Largest part of its coordinate's scale that a move changes; NaN if one of the numbers is.
  double size_of(const VectorXd& delta, const VectorXd& q) const;
  /// A place near q along directions N, each time another: aside by this part of the coordinates' scales at most.
  VectorXd beside(const VectorXd& q, const MatrixXd& N, Scatter&, double part = 1e-2) const;
  VectorXd difference_from(const VectorXd& guess, const VectorXd& q) const;
  /// N + |q| by velocity.
  VectorXd scales(const VectorXd& q) const;

  /// Of the Δ that minimise |J Δ + f|² + μ |Δ|², |Δ| in the metric (Levenberg, Marquardt), the largest that
  /// largest_move allows. Where J is nearly singular a shortened Newton step would run far along directions that J
  /// hardly sees.
  VectorXd damped_move(const Entries& J, const VectorXd& f, const Entries& metric, const bool* fixed,
                       const VectorXd& q) const;

  template <class Damped>
  VectorXd largest_of(const Damped& damped, const VectorXd& q) const;

  /// Damped Newton onto the rows, each step the smallest in the metric. Returns whether it converged; q is the best
  /// reached. With `met`, of rows at_start, a dead point is found to rounding.
  /// It gives up after as many steps, or when `patience` of them have not halved what is open. (Starts that were found
  /// did so in 3 steps at most.)
  static constexpr int most_closing_steps = 200, usual_patience = 12;
  bool close(const Entries& metric, Rows, VectorXd& q, Fold* met = nullptr, int patience = usual_patience);
  /// To the end of its way, also where that is not on the rows.
  bool close_or_approach(const Entries& metric, Rows rows, VectorXd& q, Fold* met = nullptr) {
    return close(metric, rows, q, met, most_closing_steps);
  }

  /// The same from places around the guess, ever further away; if none leads onto the rows, q is where they are least
  /// open.
  static constexpr int nearby_trials = 24;
  bool close_from_nearby(const Entries& metric, Rows, const VectorXd& guess, VectorXd& q, Fold* met = nullptr);

  /// The row that is most open; -1: all are closed. Position rows come first. Residuals are compared with what moving
  /// the coordinates by their own size would change, here or where `seen` was; of a position row that nothing moves,
  /// what it would change the rows of the same unit.
  int open_row(const Entries& J, const VectorXd& f, const VectorXd& scales, const VectorXd& seen = VectorXd()) const;

  // Loops whose data are rounded; start_sharing.cpp.

  /// Pivots of rows of C by_units() up to here are what rounded data leave.
  double weak_level() const;
  /// The first rows of C divided by the sizes of their units, columns by the coordinates' scales.
  Entries by_units(const VectorXd& q, int rows, VectorXd& sizes);
  int strong_rank(const VectorXd& q, int rows, double level);
  /// What position rows leave open, of their sizes: the most.
  double misfit(const VectorXd& q, VectorXd* by_row = nullptr);
  /// From here on violation() and the slopes are those of at most `most` rows, which share what the others leave open.
  bool share_rows(const VectorXd& q, int most);
  /// close() with them; false: it did not, and rows share as before.
  bool close_shared(const Entries& metric, Rows, int most, VectorXd& q);
  /// Whether all rows follow from `r` of them within the closure tolerance far along the motion.
  bool follows_weak_rows(const VectorXd& q, int r);
  /// Whether more rows look independent than are: data are rounded.
  bool has_weak_rows(const VectorXd& q);
  /// Whether pivots tell independent rows from what rounded data leave of others.
  bool has_gap(const VectorXd& q);
  /// Whether what rows that share leave open at q is what rounded data do, here and along the motion.
  bool fits(const VectorXd& q);
  /// Moves q from a place to where rows fit as nearly as they go, if that is within the closure tolerance; from then on
  /// they share.
  bool fit(const Entries& metric, const VectorXd& from, VectorXd& q);
  /// Whether they depend on each other along the motion, too.
  bool stays_dependent(const VectorXd& q);
  /// What rows make of data that are less accurate than the closure tolerance says.
  struct Looser {
    VectorXd place;        ///< where they are as near as they go
    double accuracy = 0;   ///< of data that are wrong by what they leave open
    double tolerance = 0;  ///< with which they are accepted; 0: none
  };
  bool find_looser(const Entries& metric, const VectorXd& first, Looser& found);
  /// Singular values of the rows at q, divided by the largest.
  VectorXd strengths(const VectorXd& q);
  double weakest(const VectorXd& q);
  void tell_strengths(const VectorXd& q, Message&);
  /// Adds that the rows leave no motion at q, but would if data were less accurate.
  void tell_lock(const VectorXd& q, const Looser&, Message&);
  /// Whether rows that depend on others disagree by what errors of data explain; the message names them, and a
  /// tolerance.
  bool tell_tolerance(const Entries& metric, const VectorXd& first, Message&);
  bool shares() const { return sharing.size() > 0; }

  // Dead points; start_dead_points.cpp.

  /// Begins the search from a guess: what rows at_start and moves are measured by.
  void measure_from(const VectorXd& guess);
  /// Raises the sizes of rows by those of their derivatives J at q.
  void measure(const Entries& J, const VectorXd& q);
  /// Rows by their largest length seen, columns by the roots of the metric's diagonal.
  Entries dimensionless(const Entries& J) const;
  VectorXd dimensionless(const VectorXd& f) const { return f.cwiseQuotient(longest.head(f.size())); }
  /// Derivatives of position_slopes(q, at_start) along a move.
  Entries bent_slopes(const VectorXd& q, const VectorXd& move);
  /// The same from what the start's tape found.
  Entries slope_changes(const StartTape&) const;
  /// Onto the dead point next to q, where singular values at and below `level` vanish. True: there the rows hold.
  bool deflate(double level, VectorXd& q, Fold& met);
  /// Between the singular values that shrink from one Newton step to the next, and those that do not.
  double level_between(const Entries& J_before, const Entries& J, double step) const;
  /// Looks for a dead point where the search has ended.
  void settle(VectorXd& q, Fold& met);
  /// Finds again what the search that ended at q has met: whether rows share, and whether q is a dead point.
  void recall(const VectorXd& guess, const VectorXd& q);
  /// False: the message names rows that hold positions but, since their slopes vanish there, no rates.
  bool check_slopes(const VectorXd& q, Message&);
  /// The rows that velocities have to fulfil, at q and elsewhere, and their largest lengths in the metric at q.
  struct VelocityRows {
    Entries seen[3];
    VectorXd lengths;
  };
  VelocityRows velocity_rows(const VectorXd& guess, const VectorXd& q);
  bool find_limit(int fixed, VectorXd& q, double& beyond);
  Eigen::VectorXi responsible(const VectorXd& q);
  /// Whether a fixed value lies beyond what the mechanism can reach from q; adds how far it goes.
  bool tell_limit(const VectorXd& q, Message&);
  /// Whether rates stay open by `open` since q is a dead point; the message says which.
  bool tell_dead_point(const VectorXd& q, const VectorXd& v, const VectorXd& open, const VectorXd& lengths, Message&);
  /// Warns of large rates near a dead point.
  void warn_near(const VectorXd& v, Message&);
  /// Names the rows that y is made of, in a list; returns how many.
  int tell_rows(const VectorXd& y, int count, Message&) const;

  /// What guesses of coordinates that are not among the positions are missed by, and its derivatives by moves.
  struct Missed {
    VectorXd by;
    MatrixXd slopes;
  };
  Missed missed(const VectorXd& q);
  /// What the squares of `missed` count in the distance, given its slopes at the guess and the metric: so much that
  /// these guesses are met as far as the assembly lets them.
  static constexpr double insistence = 1e4;
  static VectorXd guess_weights(const MatrixXd& slopes, const VectorXd& metric_diagonal);
  /// Of q from the guesses, half its square: what the start makes small.
  double distance(const VectorXd& guess, const Entries& metric, const VectorXd& weights, const VectorXd& q);
  bool close_in_valley(const Entries& metric, const VectorXd& q, const VectorXd& step, VectorXd& trial);
  /// Moves q so that it agrees with them: where the assembly is sought from.
  void follow_guesses(VectorXd& q);
  /// Takes whole turns away from the guesses back.
  void unwind(const VectorXd& guess, VectorXd& q);
  /// False: the message names a joint that is assembled the wrong way round.
  bool check_branches(const VectorXd& q, Message&);
  /// From the guess onto the rows, then along them to the nearest point.
  bool approach(const VectorXd& guess, VectorXd& q, Message&);
  /// From an assembled q to where forces balance at rest; equilibrium.cpp.
  bool balance(const VectorXd& guess, VectorXd& q, Message&);
  /// There: the directions left free, those along which forces balance, and the sizes of reactions.
  void equilibrium_at(const VectorXd& q, MatrixXd& N, MatrixXd& L, VectorXd& mu);

  // What is said of rows that stay open; start_messages.cpp.
  /// Of positions: q is where close() and close_from_nearby() found them least open; where they are least open with
  /// nothing fixed, if even that is open. Returns false.
  bool fail_assembly(const VectorXd& guess, VectorXd& q, Message&);
  /// Of velocities: J holds the mechanism's rows, then those of the start; `worst` is one of them. Returns false.
  bool fail_velocities(const Entries& J, const VectorXd& open, int worst, const VectorXd& guess,
                       const VectorXd& reached, Message&) const;
  /// Whether fixed values ask for more than the mechanism's rows, the first of J, leave free.
  bool over_determined(const Entries& J, int own_rows, const bool* fixed) const;
  bool over_determined_near(const Entries& metric, const VectorXd& assembled);
  /// Adds "'x' (start 1 m, reached 2 m)" for the coordinate of velocity j.
  void tell(int j, bool of_velocities, const VectorXd& guess, const VectorXd& reached, Message&) const;
  void tell_fixed(bool of_velocities, const VectorXd& guess, const VectorXd& reached, const double* f, Message&) const;

  /// Where an assembly has failed: whether constraints can never hold together, and which (start_contradictions.cpp).
  /// `velocity`, if given: their rates.
  bool tell_contradiction(const VectorXd& reached, const VectorXd* velocity, Message&);

  const Mechanism& mechanism;
  Sizes s;
  RunTimeModel model;
  Point point;
  HeldVector stage, M_values, C_values, c_t;
  HeldVector unit;                                  ///< of moves and rates, by velocity
  HeldVector rank_place, rank_scale, rank_squares;  ///< of ranks(), which must not allocate
  HeldVector row_lengths;                           ///< of rows of C in the metric, the largest that starts have seen
  HeldVector angles;                                ///< guesses first, which the angles shall be near to
  VectorXd given;                                   ///< what start values say of the positions, for messages
  VectorXd wanted;                                  ///< of `missed`, in rows with_guesses
  VectorXd longest;  ///< largest lengths seen of rows at_start, in the metric: at a dead point a row has none
  VectorXd reach;    ///< the largest that moves by the coordinates' scales changed them by
  VectorXd widths;   ///< roots of the metric's diagonal
  Fold fold;         ///< that the last start has met
  double closure_tolerance = 0;
  MatrixXd sharing;  ///< of position rows: what each is made of; empty: itself
  Pivoting pivoting;
  Eigen::Map<Eigen::VectorXi> redundant;
};

/// Null vectors of J with zeros at the fixed columns, orthonormal.
MatrixXd null_space(const MatrixXd& J, const bool* fixed);

/// Columns that are not fixed.
Eigen::VectorXi free_columns(int count, const bool* fixed);

/// Moves of a large mechanism by sparse factors (start_large.cpp).
namespace large {
/// `shortest`: rows without longer entries in the metric are left out; 0: none is.
VectorXd smallest_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed, double shortest);
/// The Δ that minimises |J Δ + f|² + μ |Δ|², |Δ| in the metric G; `mu` relative to G's largest entry.
VectorXd damped_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed, double mu);
MatrixXd null_space(const Entries& J, const bool* fixed);
VectorXd multipliers(const Entries& J, const VectorXd& slope, const bool* fixed);
/// Of rows with entries larger than `shortest`.
int rank(const Entries& J, const bool* without, double shortest = 0, double tolerance = rank_tolerance);
/// At most so many pivots above the level, of rows at most as long as one.
void split(const Entries& J, double level, int most, SparseSplit&);
ConsistentStart::Work::Cut cut(const Entries& J, const VectorXd& f, const bool* fixed, double level, int most);
}  // namespace large

/// What moving the coordinates by these sizes changes the rows by at most.
VectorXd row_reach(const Entries& J, const VectorXd& scales);

}  // namespace mechfmu
