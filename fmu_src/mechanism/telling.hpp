// Words that messages share: numbers in the units that the author writes, and what rows of C leave open.
#pragma once

#include "mechanism.hpp"
#include "message.hpp"

namespace mechfmu {

/// Adds a value: "12.5 deg".
void tell_value(const Mechanism&, Told, int index, double si, Message&);

/// Adds a difference of such values: an offset of the unit does not count.
void tell_difference(const Mechanism&, Told, int index, double si, Message&);

/// Adds what a row of C_a is: "constraint 'guide'" or "motion of 'A.angle'".
void tell_row(const Mechanism&, int row, Message&);

/// Rows of C_a that a message names together.
class RowList {
 public:
  void add(int row);
  int count() const { return count_ + left_out_; }
  /// Adds "constraints 'C.x', 'C.y' and the motion of 'A.angle'".
  void tell(const Mechanism&, Message&) const;

 private:
  static constexpr int most_ = 12;  ///< the first ones are named, the others counted
  int rows_[most_] = {};
  int count_ = 0, left_out_ = 0;
};

/// Adds what a row of C_a leaves open of its positions (level 0), rates (1) or accelerations (2), not below its own.
void tell_residual(const Mechanism&, int row, int level, double si, Message&);

/// Adds what is open in a position row and in those that are told with it: "at the joint 'C' the pins coupler.C and
/// rocker.C stay 31 mm apart", or "the constraint 'guide' stays open by 2 m". `f`: of all position rows at `point`.
void tell_open(const Mechanism&, const Point&, int row, const double* f, Message&);

}  // namespace mechfmu
