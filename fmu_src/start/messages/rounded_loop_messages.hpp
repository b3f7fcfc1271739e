// Says of loops whose data are rounded what tolerance they need, or that they are locked.
#pragma once

#include "start/rows/rounded_loops.hpp"

namespace mechfmu {

class RoundedLoopMessages {
 public:
  explicit RoundedLoopMessages(RoundedLoops& rows) : w_(rows) {}

  /// Is true if rows that depend on others disagree by what errors of data explain. The message names the rows, and a
  /// tolerance.
  bool tell_tolerance(const Entries& metric, const VectorXd& first, Message&);

 private:
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

  RoundedLoops& w_;  ///< has the rows and the ways onto them
};

}  // namespace mechfmu
