// Chooses the rows of C that are kept and the columns that are independent. These columns are E* in Blajer 1993,
// section 5.
#pragma once

#include "linear/columns.hpp"
#include "linear/pivoting.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/message.hpp"
#include "mechanism/state.hpp"

namespace mechfmu {

/// Holds the choice in force, decoded from the state. It changes at accepted steps only. One part of it also changes
/// where pivots become small: the order of the rows and dependent columns of a sparse C_d, which is the order of their
/// pivots.
class Choice {
 public:
  Choice(Arena& arena, const Sizes& s)
      : independent(arena, s.degrees_of_freedom()), dependent(arena, s.rank), rows(arena, s.rank),
        row_slot(arena, s.rows()), column_slot(arena, s.velocities), sizes_(s),
        pivoting_(arena, s.rows(), s.velocities, s.C_nonzeros) {}

  IndexBuffer independent;  ///< k columns; their unit vectors make E*
  IndexBuffer dependent;    ///< the other columns; they make C_d
  IndexBuffer rows;         ///< independent rows of C, the kept ones
  IndexBuffer row_slot;     ///< has for each row of C its place in `rows`, or -1
  IndexBuffer column_slot;  ///< has for each column its place in `dependent`, or -1 - its place in `independent`
  const double* covectors = nullptr;  ///< E*, n × k, of a carried basis

  void take_from(const State&);
  void store(State&) const;

  /// Chooses rows and columns by pivoting on C itself, where nothing is known before. Rows come in the order in which
  /// they may be kept (docs/method.md, redundancy). `metric` has a positive number for each column. Returns false if
  /// the rank of C is lower than it should be.
  bool by_pivoting(const Mechanism&, const double* C, const double* metric);

  /// Chooses only the rows again, for the columns in force: where C has redundant rows, those kept may become dependent
  /// while others are not. V and u do not depend on the choice of rows. Leaves everything as it is where C is nearly
  /// singular.
  void renew_rows(const Mechanism&, const double* C, const double* metric);

  /// Takes these columns for E*. Rows and dependent columns have no order after that.
  void take_independent(const int* columns);

  /// Is true if E* has these columns, in any order.
  bool has_independent(const int* columns) const;

  /// Is true if the i-th row and the i-th dependent column meet in the i-th pivot of C_d, and few nonzeros fill in.
  bool ordered() const { return ordered_; }
  /// Finds such an order for the rows and columns in force. `nominal` has the nominal sizes of the columns. Returns
  /// false if C_d is singular.
  bool order(const Pattern& pattern, const double* C, const double* nominal);

  /// Is true if something has changed since take_from() or store().
  bool unsaved() const { return unsaved_; }

 private:
  void take(const Pattern&, const double* C, bool kept_rows_only);
  void fill_slots();
  bool ordered_ = false;
  mutable bool unsaved_ = false;
  Sizes sizes_;
  Pivoting pivoting_;
};

/// Finds a positive number for each column, the square of its scale. It is M_ii, or for a coordinate without inertia
/// the smallest M_ii that others have, all counted in their nominal sizes. (Blajer uses 1/(M⁻¹)_ii. Any positive
/// scaling serves, and M may be singular here.)
void column_metric(const Pattern& pattern, const double* M, const double* nominal, double* metric);

/// Applies the projective criterion of Blajer 1993, (5.4)–(5.5), in sequence, as a pivoted Gram–Schmidt process on the
/// k-vectors g_i = W_dᵀ k_i √metric_i. (The paper's separate sines fail for k ≥ 2: the best unit vectors may be
/// dependent together.) `picked` receives the k best columns, and `quality` the smallest pivot of the choice in force.
/// Returns the smallest pivot of the best columns. `scratch` has room for n·k numbers.
double best_columns(int n, int k, ColumnsView<> W, const double* metric, const int* in_force, int* picked,
                    double* quality, double* scratch);

/// Says which columns shall be independent: those that the author prefers, while their smallest pivot is large enough
/// beside that of the best ones, else those in force, likewise. It depends on W_d and the choice in force alone, so
/// that a step that is repeated from a saved state finds the same columns.
class ChosenColumns {
 public:
  ChosenColumns(Arena&, const Mechanism&);

  /// Finds the columns at W_d. `in_force` = nullptr means that there are none yet. Returns false if those in force
  /// stay. `scratch` has room for n·k numbers.
  bool find(ColumnsView<> W, const double* metric, const Choice* in_force, double* scratch);
  const int* columns() const { return columns_; }

 private:
  bool has_preference() const { return preferred_count_ == k_ && k_ > 0; }

  int n_, k_, preferred_count_ = 0;
  IndexBuffer best_, tried_, preferred_;
  const int* columns_ = nullptr;
};

}  // namespace mechfmu
