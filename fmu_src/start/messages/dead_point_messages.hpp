// Tells of dead points at the start, and of fixed values that lie beyond what the mechanism can reach.
#pragma once

#include "start/rows/start_closing.hpp"

namespace mechfmu {

class DeadPointMessages {
 public:
  explicit DeadPointMessages(StartClosing& rows) : w_(rows) {}

  /// Returns false if rows hold positions but no rates, since their slopes vanish there. The message names them.
  bool check_slopes(const VectorXd& q, Message&);
  /// Is true if a fixed value lies beyond what the mechanism can reach from q; adds how far it goes.
  bool tell_limit(const VectorXd& guess, const VectorXd& q, Message&);
  /// Is true if rates stay open by `open` since q is a dead point; the message says which.
  bool tell_dead_point(const VectorXd& q, const VectorXd& v, const VectorXd& open, const VectorXd& lengths, Message&);
  /// Warns of large rates near a dead point.
  void warn_near(const VectorXd& guess, const VectorXd& v, Message&);

 private:
  /// Names the rows that y is made of, in a list. Returns how many they are.
  int tell_rows(const VectorXd& y, int count, Message&) const;

  bool find_limit(int fixed, VectorXd& q, double& beyond);
  Eigen::VectorXi responsible(const VectorXd& q);

  StartClosing& w_;  ///< has the rows and the ways onto them
};

}  // namespace mechfmu
