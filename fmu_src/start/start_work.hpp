// Declares what the parts of the consistent start share: the way onto the constraints and along them. It runs during
// initialisation only, so it may allocate.
#pragma once

#include "linear/pivoting.hpp"
#include "start.hpp"
#include "start_moves.hpp"

namespace mechfmu {

struct StartTape;

struct ConsistentStart::Work : StartMoves {
  Work(Arena&, const Mechanism&);

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

  /// Checks the conditions on an assembled position.
  bool conditions_hold(const VectorXd& q, Message&);
  /// Is true if M, and with `rows` C, c_t and what is open too, are numbers at q. Else the message says what is none,
  /// or which condition on the position is to blame.
  bool has_values(const VectorXd& q, bool rows, Message&);

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

  HeldVector rank_squares;  ///< memory of ranks(), which must not allocate
  HeldVector row_lengths;   ///< lengths of rows of C in the metric, the largest at any start
  VectorXd given;           ///< positions by start values, for messages
  VectorXd longest;         ///< largest lengths seen of rows at_start, in the metric: at a dead point a row has none
  VectorXd reach;           ///< most that moves by the coordinates' scales changed these rows by
  VectorXd widths;          ///< roots of the metric's diagonal
  Fold fold;                ///< dead point that the last start has met
  double closure_tolerance = 0;
  Pivoting pivoting;
  Eigen::Map<Eigen::VectorXi> redundant;
};

}  // namespace mechfmu
