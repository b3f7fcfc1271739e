// Says what messages tell about a joint's equations that stay open: which points are how far apart, and between which
// links.
#pragma once

#include "equations/equations.hpp"
#include "kinematics.hpp"

namespace mechfmu {

class RowMeanings {
 public:
  RowMeanings(const Description& description, const Kinematics& kinematics);

  RowMeaning of(const OpenRow& row, const MovingJoint& joint);
  /// Returns the unit in which the row is shown; if `rate` is true, that of its velocity.
  Unit unit_of(const OpenRow& row, bool rate) const;
  Unit unit_of(const Coupling& coupling, Level level) const;

 private:
  std::vector<std::pair<int, casadi::SX>> links(const MovingJoint& joint) const;
  std::string point(const PointReference& reference) const;
  const std::string& body(int index) const;
  bool room_for(std::size_t lengths);

  const Description& d_;
  const Kinematics& kinematics_;
  const Tree tree_;  ///< has the loops in which the links lie
  const Unit length_, angle_;
  std::size_t length_count_ = 0;
};

}  // namespace mechfmu
