// Declares what the parts of the consistent start share: the equations at a position, moves of positions, and the way
// onto the constraints. It runs during initialisation only, so it may allocate. Small mechanisms are solved by dense
// orthogonal decompositions, sparse ones by factors with pivots of their own (start_sparse.cpp).
//
// Moves, rates and all columns are counted in the coordinates' nominal sizes, rounded to powers of two (Work::unit), as
// in unit_free.hpp. Norms, ranks and null vectors then add up and compare metres and radians in the same way in
// whatever units a mechanism is written, and to the same bits if these differ by powers of two. Only the metric knows
// masses: it says which of all moves onto the rows is the smallest. Mechanisms take and give SI: positions q,
// velocities v.
#pragma once

#include <Eigen/Core>

#include "constraints/choice.hpp"
#include "linear/pivoting.hpp"
#include "linear/products.hpp"
#include "linear/tolerances.hpp"
#include "mechanism/position_rates.hpp"
#include "start.hpp"

namespace mechfmu {

class SparseSplit;
struct StartTape;

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Shows numbers in the arena as Eigen sees them.
using HeldVector = Eigen::Map<VectorXd>;

/// From so many velocities on, damped moves come from eigenvalues, which cost less than singular values.
inline constexpr int damped_by_eigenvalues_from = 40;

/// From so many velocities on, the start is found by sparse factors.
inline constexpr int sparse_start_from = 120;

/// Holds a matrix as a list of its nonzeros.
class Entries {
 public:
  Entries(int rows, int columns, int room) : rows_(rows), columns_(columns), row_(room), column_(room), value_(room) {}

  void add(int row, int column, double value) {
    if (value == 0) return;
    row_[count_] = row;
    column_[count_] = column;
    value_[count_++] = value;
  }
  /// Adds the nonzeros of a dense matrix from row `first_row` on.
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
  /// Returns 1/length of each row, or 1 for a row of zeros. Residuals times these numbers are distances.
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

/// Makes numbers between −1 and 1 without order, the same every time.
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

  bool is_sparse() const { return s.velocities >= sparse_start_from; }

  /// Says which equations positions have to fulfil; for `with_guesses`, also what `missed` shall be.
  enum Rows { always, at_start, with_guesses };

  /// Is a place where rows that are independent elsewhere become dependent in the columns that may move. Rows and
  /// columns are dimensionless().
  struct Fold {
    bool found = false;  ///< is true if it is the solution
    bool near = false;   ///< is true if the solution is near it
    VectorXd q;
    MatrixXd Y;           ///< combinations of the rows whose slopes vanish, normalised
    MatrixXd H;           ///< their second derivatives along N, one after the other
    MatrixXd directions;  ///< moves that stay on such places
    VectorXd gap;         ///< Yᵀf there
  };

  void locate(double time, const double* parameters, const double* inputs);
  /// Gets what start values say. Returns false if one is not finite, or no rotation; the message names it.
  bool guess(VectorXd& q, VectorXd& v, Message&);

  /// Checks the conditions on an assembled position.
  bool conditions_hold(const VectorXd& q, Message&);
  /// Is true if M, and with `rows` C, c_t and what is open too, are numbers at q. Else the message says what is none,
  /// or which condition on the position is to blame.
  bool has_values(const VectorXd& q, bool rows, Message&);

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

  /// Returns Δ with J Δ = −f, for rows of length one, smallest in the metric G. It is that of least squares where J is
  /// rank-deficient (if the start is sparse: of as many rows as are independent). Only columns that are not fixed move.
  /// `lengths` are the lengths of the rows, if they are not to be taken from J.
  VectorXd smallest_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed,
                         const VectorXd* lengths = nullptr) const;
  /// Returns null vectors of J with zeros at the fixed columns, orthonormal.
  MatrixXd null_space(const Entries& J, const bool* fixed) const;
  /// Returns μ with Jᵀ μ as near to `slope` as it goes, in the columns that are not fixed.
  VectorXd multipliers(const Entries& J, const VectorXd& slope, const bool* fixed) const;
  int rank(const Entries& J, const bool* without) const;
  /// Returns the rank of rows that are at most as long as one, counting pivots above the level.
  int rank_at(double level, const Entries& J, const bool* without) const;
  /// Cuts J without fixed columns at a level of its singular values. J's rows are at most as long as one. N are null
  /// vectors of what is above the level, orthonormal, Y are combinations of the rows that are not above, and
  /// `particular` is the x above with J x = −f.
  struct Cut {
    MatrixXd N, Y;
    VectorXd particular;
  };
  Cut cut(const Entries& J, const VectorXd& f, const bool* fixed, double level) const {
    return cut(J, f, fixed, level, J.rows());
  }
  /// Cuts J likewise, but takes at most `most` of the values above the level.
  Cut cut(const Entries& J, const VectorXd& f, const bool* fixed, double level, int most) const;

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

  /// Takes the Δ that minimise |J Δ + f|² + μ |Δ|², with |Δ| in the metric (Levenberg, Marquardt), and returns the
  /// largest that largest_move allows. If J is nearly singular, a shortened Newton step would run far along directions
  /// that J hardly sees.
  VectorXd damped_move(const Entries& J, const VectorXd& f, const Entries& metric, const bool* fixed,
                       const VectorXd& q) const;

  template <class Damped>
  VectorXd largest_of(const Damped& damped, const VectorXd& q) const;

  /// Runs damped Newton steps onto the rows, each the smallest in the metric. Returns whether they converged; q is the
  /// best reached. With `met`, for rows at_start, it finds a dead point to rounding.
  /// It gives up after most_closing_steps, or when `patience` steps have not halved what is open. (Starts that were
  /// found did so in 3 steps at most.)
  static constexpr int most_closing_steps = 200, usual_patience = 12;
  bool close(const Entries& metric, Rows, VectorXd& q, Fold* met = nullptr, int patience = usual_patience);
  /// Does this to the end of its way, even if that is not on the rows.
  bool close_or_approach(const Entries& metric, Rows rows, VectorXd& q, Fold* met = nullptr) {
    return close(metric, rows, q, met, most_closing_steps);
  }

  /// Closes the rows from places around the guess, ever further away. If none leads onto the rows, q is where they are
  /// least open.
  static constexpr int nearby_trials = 24;
  bool close_from_nearby(const Entries& metric, Rows, const VectorXd& guess, VectorXd& q, Fold* met = nullptr);

  /// Returns the row that is most open, or -1 if all are closed. Position rows come first. Residuals are compared with
  /// what moving the coordinates by their own size would change, here or where `seen` was. If nothing moves a position
  /// row, they are compared with what it would change the rows of the same unit by.
  int open_row(const Entries& J, const VectorXd& f, const VectorXd& scales, const VectorXd& seen = VectorXd()) const;

  // These functions are for loops whose data are rounded; start_sharing.cpp.

  /// Returns the level up to which pivots of rows of C by_units() are what rounded data leave.
  double weak_level() const;
  /// Returns the first rows of C, divided by the sizes of their units, with columns times the coordinates' scales.
  Entries by_units(const VectorXd& q, int rows, VectorXd& sizes);
  int strong_rank(const VectorXd& q, int rows, double level);
  /// Returns the most that position rows leave open, divided by their sizes.
  double misfit(const VectorXd& q, VectorXd* by_row = nullptr);
  /// Makes violation() and the slopes, from here on, those of at most `most` rows, which share what the others leave
  /// open.
  bool share_rows(const VectorXd& q, int most);
  /// Runs close() with such rows. If it returns false, it did not close them, and rows share as before.
  bool close_shared(const Entries& metric, Rows, int most, VectorXd& q);
  /// Is true if all rows follow from `r` of them within the closure tolerance far along the motion.
  bool follows_weak_rows(const VectorXd& q, int r);
  /// Is true if more rows look independent than are: data are rounded.
  bool has_weak_rows(const VectorXd& q);
  /// Is true if pivots tell independent rows from what rounded data leave of others.
  bool has_gap(const VectorXd& q);
  /// Is true if what rows that share leave open at q is what rounded data do, here and along the motion.
  bool fits(const VectorXd& q);
  /// Moves q from a place to where rows fit as nearly as they go, if that is within the closure tolerance. From then on
  /// they share.
  bool fit(const Entries& metric, const VectorXd& from, VectorXd& q);
  /// Is true if rows depend on each other along the motion, too.
  bool stays_dependent(const VectorXd& q);
  /// Holds what rows make of data that are less accurate than the closure tolerance says.
  struct Looser {
    VectorXd place;        ///< position at which rows are as near as they go
    double accuracy = 0;   ///< accuracy of data that are wrong by what the rows leave open
    double tolerance = 0;  ///< closure tolerance with which they are accepted; 0 if there is none
  };
  bool find_looser(const Entries& metric, const VectorXd& first, Looser& found);
  /// Returns the singular values of the rows at q, divided by the largest.
  VectorXd strengths(const VectorXd& q);
  double weakest(const VectorXd& q);
  void tell_strengths(const VectorXd& q, Message&);
  /// Adds that the rows leave no motion at q, but would if data were less accurate.
  void tell_lock(const VectorXd& q, const Looser&, Message&);
  /// Is true if rows that depend on others disagree by what errors of data explain. The message names the rows, and a
  /// tolerance.
  bool tell_tolerance(const Entries& metric, const VectorXd& first, Message&);
  bool shares() const { return sharing.size() > 0; }

  // These functions are for dead points; start_dead_points.cpp.

  /// Begins the search from a guess: finds what rows at_start and moves are measured by.
  void measure_from(const VectorXd& guess);
  /// Raises the sizes of rows by those of their derivatives J at q.
  void measure(const Entries& J, const VectorXd& q);
  /// Returns rows divided by their largest length seen, with columns divided by the roots of the metric's diagonal.
  Entries dimensionless(const Entries& J) const;
  VectorXd dimensionless(const VectorXd& f) const { return f.cwiseQuotient(longest.head(f.size())); }
  /// Returns the derivatives of position_slopes(q, at_start) along a move.
  Entries bent_slopes(const VectorXd& q, const VectorXd& move);
  /// Returns such derivatives from what the start's tape found.
  Entries slope_changes(const StartTape&) const;
  /// Moves q onto the dead point next to it, where singular values at and below `level` vanish. Returns true if the
  /// rows hold there.
  bool deflate(double level, VectorXd& q, Fold& met);
  /// Returns a level between the singular values that shrink from one Newton step to the next, and those that do not.
  double level_between(const Entries& J_before, const Entries& J, double step) const;
  /// Looks for a dead point where the search has ended.
  void settle(VectorXd& q, Fold& met);
  /// Finds again what the search that ended at q has met: whether rows share, and whether q is a dead point.
  void recall(const VectorXd& guess, const VectorXd& q);
  /// Returns false if rows hold positions but no rates, since their slopes vanish there. The message names them.
  bool check_slopes(const VectorXd& q, Message&);
  /// Holds the slopes of rows that velocities have to fulfil, at q and elsewhere, and their largest lengths in the
  /// metric at q. Rows that are not linear have those at v.
  struct VelocityRows {
    Entries seen[3];
    VectorXd lengths;
  };
  VelocityRows velocity_rows(const VectorXd& guess, const VectorXd& q, const VectorXd& v);
  bool find_limit(int fixed, VectorXd& q, double& beyond);
  Eigen::VectorXi responsible(const VectorXd& q);
  /// Is true if a fixed value lies beyond what the mechanism can reach from q; adds how far it goes.
  bool tell_limit(const VectorXd& q, Message&);
  /// Is true if rates stay open by `open` since q is a dead point; the message says which.
  bool tell_dead_point(const VectorXd& q, const VectorXd& v, const VectorXd& open, const VectorXd& lengths, Message&);
  /// Warns of large rates near a dead point.
  void warn_near(const VectorXd& v, Message&);
  /// Names the rows that y is made of, in a list. Returns how many they are.
  int tell_rows(const VectorXd& y, int count, Message&) const;

  /// Holds what guesses of coordinates that are not among the positions are missed by, and its derivatives by moves.
  struct Missed {
    VectorXd by;
    MatrixXd slopes;
  };
  Missed missed(const VectorXd& q);
  /// Returns what the squares of `missed` count in the distance, given its slopes at the guess and the metric.
  static VectorXd guess_weights(const MatrixXd& slopes, const VectorXd& metric_diagonal);
  /// Returns half the square of the distance of q from the guesses: the start makes it small.
  double distance(const VectorXd& guess, const Entries& metric, const VectorXd& weights, const VectorXd& q);
  bool close_in_valley(const Entries& metric, const VectorXd& q, const VectorXd& step, VectorXd& trial);
  /// Moves q so that it agrees with these guesses: the assembly is sought from there.
  void follow_guesses(VectorXd& q);
  /// Takes back whole turns that lead away from the guesses.
  void unwind(const VectorXd& guess, VectorXd& q);
  /// Returns false if a joint is assembled the wrong way round; the message names it.
  bool check_branches(const VectorXd& q, Message&);
  /// Moves from the guess onto the rows, then along them to the nearest point.
  bool approach(const VectorXd& guess, VectorXd& q, Message&);
  /// Moves from an assembled q to where forces balance at rest; equilibrium.cpp.
  bool balance(const VectorXd& guess, VectorXd& q, Message&);
  /// Finds the directions left free there, those along which forces balance, and the sizes of reactions.
  void equilibrium_at(const VectorXd& q, MatrixXd& N, MatrixXd& L, VectorXd& mu);

  /// Says of rows of positions why they stay open; start_messages.cpp has this and what follows. q is where close() and
  /// close_from_nearby() found the rows least open, or where they are least open with nothing fixed, if even that is
  /// open. Returns false.
  bool fail_assembly(const VectorXd& guess, VectorXd& q, Message&);
  /// Says of rows of velocities why they stay open. J holds the mechanism's rows, then those of the start; `worst` is
  /// one of them. Returns false.
  bool fail_velocities(const Entries& J, const VectorXd& open, int worst, const VectorXd& guess,
                       const VectorXd& reached, Message&) const;
  /// Says that a row of velocities is open by this.
  void tell_open_rate(int row, double open, Message&) const;
  /// Is true if fixed values ask for more than the mechanism's rows, the first of J, leave free.
  bool over_determined(const Entries& J, int own_rows, const bool* fixed) const;
  bool over_determined_near(const Entries& metric, const VectorXd& assembled);
  /// Adds "'x' (start 1 m, reached 2 m)" for the coordinate of velocity j.
  void tell(int j, bool of_velocities, const VectorXd& guess, const VectorXd& reached, Message&) const;
  void tell_fixed(bool of_velocities, const VectorXd& guess, const VectorXd& reached, const double* f, Message&) const;

  /// Is true if constraints can never hold together, where an assembly has failed, and says which
  /// (start_contradictions.cpp). If `velocity` is given, this is about their rates.
  bool tell_contradiction(const VectorXd& reached, const VectorXd* velocity, Message&);

  const Mechanism& mechanism;
  Sizes s;
  RunTimeModel model;
  Point point;
  HeldVector stage, M_values, C_values, c_t;
  HeldVector unit;                                  ///< unit of moves and rates, by velocity, in SI
  HeldVector rank_place, rank_scale, rank_squares;  ///< memory of ranks(), which must not allocate
  HeldVector row_lengths;                           ///< lengths of rows of C in the metric, the largest at any start
  HeldVector angles;                                ///< begins with the guesses that the angles shall be near to
  VectorXd given;                                   ///< positions by start values, for messages
  VectorXd wanted;                                  ///< value that `missed` shall have, in rows with_guesses
  VectorXd longest;  ///< largest lengths seen of rows at_start, in the metric: at a dead point a row has none
  VectorXd reach;    ///< most that moves by the coordinates' scales changed these rows by
  VectorXd widths;   ///< roots of the metric's diagonal
  Fold fold;         ///< dead point that the last start has met
  double closure_tolerance = 0;
  MatrixXd sharing;  ///< for each position row, what it is made of; empty: of itself
  Pivoting pivoting;
  Eigen::Map<Eigen::VectorXi> redundant;
};

/// Returns null vectors of J with zeros at the fixed columns, orthonormal.
MatrixXd null_space(const MatrixXd& J, const bool* fixed);

/// Returns the columns that are not fixed.
Eigen::VectorXi free_columns(int count, const bool* fixed);

/// Finds moves by sparse factors (start_sparse.cpp).
namespace sparse_start {
/// Returns the smallest move. It leaves out rows without entries longer than `shortest` in the metric, and none if this
/// is 0.
VectorXd smallest_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed, double shortest);
/// Returns the Δ that minimises |J Δ + f|² + μ |Δ|², with |Δ| in the metric G. `mu` is relative to G's largest entry.
VectorXd damped_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed, double mu);
MatrixXd null_space(const Entries& J, const bool* fixed);
VectorXd multipliers(const Entries& J, const VectorXd& slope, const bool* fixed);
/// Returns the rank of the rows with entries larger than `shortest`.
int rank(const Entries& J, const bool* without, double shortest = 0, double tolerance = rank_tolerance);
/// Splits J, whose rows are at most as long as one, with at most `most` pivots above the level.
void split(const Entries& J, double level, int most, SparseSplit&);
ConsistentStart::Work::Cut cut(const Entries& J, const VectorXd& f, const bool* fixed, double level, int most);
}  // namespace sparse_start

/// Returns what moving the coordinates by these sizes changes the rows by at most.
VectorXd row_reach(const Entries& J, const VectorXd& scales);

}  // namespace mechfmu
