// Writes words that messages share: numbers in the units of the mechanism file, and gaps that rows of C leave open.
#pragma once

#include "mechanism.hpp"
#include "message.hpp"

namespace mechfmu {

/// Adds a value: "12.5 deg".
void tell_value(const Mechanism&, Told, int index, double si, Message&);

/// Adds a difference of such values: the unit's offset does not count.
void tell_difference(const Mechanism&, Told, int index, double si, Message&);

/// Adds what a row of C_a is: "constraint 'guide'" or "motion of 'A.angle'".
void tell_row(const Mechanism&, int row, Message&);

/// Collects rows of C_a that a message names together.
class RowList {
 public:
  void add(int row);
  int count() const { return count_ + left_out_; }
  /// Adds "constraints 'C.x', 'C.y' and the motion of 'A.angle'".
  void tell(const Mechanism&, Message&) const;

 private:
  static constexpr int most_ = 12;  ///< the first ones are named, the others only counted
  int rows_[most_] = {};
  int count_ = 0, left_out_ = 0;
};

/// Adds the residual of a row of C_a for positions (level 0), rates (1) or accelerations (2). The level is not below
/// the row's own.
void tell_residual(const Mechanism&, int row, int level, double si, Message&);

/// Adds what a position row, and those that are told with it, leave open: "at the joint 'C' the pins coupler.C and
/// rocker.C stay 31 mm apart", or "the constraint 'guide' stays open by 2 m". `f` holds all position rows at `point`.
void tell_open(const Mechanism&, const Point&, int row, const double* f, Message&);

}  // namespace mechfmu
