// Whether constraints agree with each other. Rows that depend on others are dropped from the motion, and nothing in it
// looks at them again: here they are compared with what the kept ones make of them, at the start and after every
// accepted step, for positions, velocities and accelerations; docs/method.md, redundancy. Sizes at run time, no
// allocation after construction.
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

  /// Whether there is anything to compare: rows that depend on others, or rows that nothing corrects.
  bool compares(Drift drift) const { return depend_ || drift == Drift::none; }
  /// Of positions and velocities at p, where C and c_t were evaluated; `since`: when they last agreed. The state has
  /// the closure tolerance, and learns that data are rounded. False: the message names the rows that contradict each
  /// other, or what has drifted away.
  bool hold(const Point& p, const double* C, const double* c_t, Drift, double since, State&, Message&);

  /// At a p that was just assembled: whether data are rounded, which the state learns. True: it did not know.
  bool notice_rounding(const Point& p, const double* C, State&);

  /// Of the accelerations there: C_a, and what is open of C_a v̇ + γ.
  bool hold_accelerations(const Point& p, const double* C_a, const double* open, const double* acceleration,
                          double closure_tolerance, Message&);

  /// Largest |f_p| at p, against its row's size.
  double gap(const Point& p, const double* C);

 private:
  enum class Level { position, velocity, acceleration };
  struct Rows {
    Level level;
    int count;               ///< the first rows of …
    const Pattern& pattern;  ///< … this matrix
    const double* values;
    const double* open;  ///< what they leave open
    double tolerance;    ///< of scale_
  };

  bool hold_positions(const Point& p, const double* C, Drift, double since, State&, Message&);
  bool hold_drift(const Point& p, State&, Message&);
  bool hold_branch(const Point& p, const double* C, Message&);
  void scale_rates(const Pattern&, int count, const double* values, const RowSizes&, const double* rates);
  bool agree(const Rows&, const Point& p, double since, Message&);
  void imply(const Rows&, int i);
  bool fail_contradiction(const Rows&, int worst, double open, const Point& p, double since, Message&);

  const Mechanism& mechanism_;
  bool depend_;  ///< some rows do
  double gap_ = 0;
  const double* c_t_ = nullptr;  ///< while hold() lasts
  RowSizes sizes_, acceleration_sizes_;
  SparseSplit split_;
  Buffer<dynamic> f_, rate_, column_rate_, scale_, row_, dropped_, multipliers_;
};

}  // namespace mechfmu
