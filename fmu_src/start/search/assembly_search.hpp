// Finds the start's positions: the assembly that is nearest to the guesses.
#pragma once

#include "start/rows/rounded_loops.hpp"

namespace mechfmu {

class AssemblySearch {
 public:
  explicit AssemblySearch(RoundedLoops& rows) : w_(rows) {}

  /// Returns half the square of the distance of q from the guesses: the start makes it small.
  double distance(const VectorXd& guess, const Entries& metric, const VectorXd& weights, const VectorXd& q);
  /// Moves q so that it agrees with these guesses: the assembly is sought from there.
  void follow_guesses(VectorXd& q);
  /// Takes back whole turns that lead away from the guesses.
  void unwind(const VectorXd& guess, VectorXd& q);
  /// Returns false if a joint is assembled the wrong way round; the message names it.
  bool check_branches(const VectorXd& q, Message&);
  /// Moves from the guess onto the rows, then along them to the nearest point.
  bool approach(const VectorXd& guess, VectorXd& q, Message&);

 private:
  RoundedLoops& w_;  ///< has the rows and the ways onto them
};

}  // namespace mechfmu
