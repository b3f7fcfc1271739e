// What the residuals of constraints are large or small against. A row that says little, as that of a planar loop across
// its plane, has no size of its own: rows of the same unit have one in common, the most that one of them changes by when
// a coordinate moves by its own scale. For the lengths of a loop that is how far it reaches from its joints.
#pragma once

#include "buffer.hpp"
#include "kinematics.hpp"
#include "mechanism.hpp"

namespace mechfmu {

class RowSizes {
 public:
  /// Of the rows of `pattern`, C or C_a.
  RowSizes(const Mechanism&, const Pattern& pattern);
  bool ok() const { return first_.ok() && size_.ok(); }

  /// Where the matrix has these values.
  void find(const double* values, const double* q);
  double operator[](int row) const { return size_[first_[row]]; }

 private:
  RunTimeModel model_;
  const Pattern& pattern_;
  IndexBuffer first_;  ///< row → the first one of its unit
  Buffer<dynamic> size_;
};

}  // namespace mechfmu
