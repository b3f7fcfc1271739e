// Declares how loops are assembled whose data are rounded: rows share what others leave open. This is the last of the
// layers by which the start comes onto its rows: what uses them all takes a RoundedLoops.
#pragma once

#include "start_closing.hpp"

namespace mechfmu {

struct RoundedLoops : StartClosing {
  using StartClosing::StartClosing;

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

  /// Finds again what the search that ended at q has met: whether rows share, and whether q is a dead point.
  void recall(const VectorXd& guess, const VectorXd& q);

  double closure_tolerance = 0;
};

}  // namespace mechfmu
