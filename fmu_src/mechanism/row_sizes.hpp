// Residuals of constraints are compared with these sizes. The residual of a weak row has no size of its own; an example
// is a row of a planar loop across its plane. Rows of one unit therefore share a size: the largest change of one of
// them when a coordinate moves by its own scale. For the lengths of a loop, this is the reach of the loop from its
// joints.
#pragma once

#include "linear/buffer.hpp"
#include "mechanism.hpp"
#include "position_rates.hpp"

namespace mechfmu {

class RowSizes {
 public:
  /// Prepares sizes for the rows of `pattern`, C or C_a.
  RowSizes(Arena& arena, const Mechanism& mechanism, const Pattern& pattern)
      : mechanism_(mechanism), pattern_(pattern), size_(arena, pattern.rows) {}

  /// Finds the sizes at q, where the matrix has these values.
  void find(const double* values, const double* q);
  double operator[](int row) const { return size_[mechanism_.same_unit[row]]; }

 private:
  const Mechanism& mechanism_;
  const Pattern& pattern_;
  Buffer<dynamic> size_;  ///< has a number at the first row of each unit
};

}  // namespace mechfmu
