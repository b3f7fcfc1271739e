// Checks that constraints agree with each other. Rows that depend on others are dropped from the motion, and nothing in
// the motion looks at them again. This class compares them with what the kept rows make of them: at the start and after
// every accepted step, for positions, velocities and accelerations; docs/method.md, redundancy. Sizes are known at run
// time. Nothing is allocated after construction.
#pragma once

#include "linear/sparse_split.hpp"
#include "mechanism/drift.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/message.hpp"
#include "mechanism/row_sizes.hpp"
#include "mechanism/state.hpp"

namespace mechfmu {

class Agreement {
 public:
  Agreement(Arena&, const Mechanism&);

  /// Is true if there is anything to compare: rows that depend on others, or rows that nothing corrects.
  bool compares(Drift drift) const { return depend_ || drift == Drift::none; }
  /// Compares positions and velocities at p, where C and c_t were evaluated. `since` is the time at which they last
  /// agreed. The state has the closure tolerance, and learns that data are rounded. If it returns false, the message
  /// names the rows that contradict each other, or what has drifted away.
  bool hold(const Point& p, const double* C, const double* c_t, Drift, double since, State&, Message&);

  /// Finds at a p that was just assembled whether data are rounded, and tells the state. Returns true if they are and
  /// the state did not know it.
  bool notice_rounding(const Point& p, const double* C, State&);

  /// Compares the accelerations at p. `C_a` has the values of that matrix, and `open` has the residual C_a v̇ + γ of
  /// each row.
  bool hold_accelerations(const Point& p, const double* C_a, const double* open, const double* acceleration,
                          double closure_tolerance, Message&);

  /// Returns the largest |f_p| at p, each divided by its row's size.
  double gap(const Point& p, const double* C);

 private:
  enum class Level { position, velocity, acceleration };
  struct Rows {
    Level level;
    int count;               ///< number of rows that take part: the first rows of the matrix
    const Pattern& pattern;  ///< pattern of the matrix
    const double* values;
    const double* open;  ///< residual of each row
    double tolerance;    ///< residual that is allowed, divided by scale_
  };

  bool hold_positions(const Point& p, const double* C, Drift, double since, State&, Message&);
  bool hold_drift(const Point& p, State&, Message&);
  bool hold_branch(const Point& p, const double* C, Message&);
  void scale_rates(const Pattern&, int count, const double* values, const RowSizes&, const double* rates);
  bool agree(const Rows&, const Point& p, double since, Message&);
  void imply(const Rows&, int i);
  static bool depends_on_accelerations(const Rows&, int i);
  bool fail_contradiction(const Rows&, int worst, double open, const Point& p, double since, Message&);

  const Mechanism& mechanism_;
  bool depend_;  ///< is true if some rows depend on others
  double gap_ = 0;
  const double* c_t_ = nullptr;  ///< is set while hold() runs
  RowSizes sizes_, acceleration_sizes_;
  SparseSplit split_;
  Buffer<dynamic> f_, rate_, column_rate_, scale_, row_, dropped_, multipliers_;
};

}  // namespace mechfmu
