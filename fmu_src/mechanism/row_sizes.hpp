// What the residuals of constraints are large or small against. A row that says little, as that of a planar loop across
// its plane, has no size of its own: rows of the same unit have one in common, the most that one of them changes by
// when a coordinate moves by its own scale. For the lengths of a loop that is how far it reaches from its joints.
#pragma once

#include "kinematics.hpp"
#include "linear/buffer.hpp"
#include "mechanism.hpp"

namespace mechfmu {

class RowSizes {
 public:
  /// Of the rows of `pattern`, C or C_a.
  RowSizes(Arena& arena, const Mechanism& mechanism, const Pattern& pattern)
      : mechanism_(mechanism), pattern_(pattern), size_(arena, pattern.rows) {}

  /// Where the matrix has these values.
  void find(const double* values, const double* q);
  double operator[](int row) const { return size_[mechanism_.same_unit[row]]; }

 private:
  const Mechanism& mechanism_;
  const Pattern& pattern_;
  Buffer<dynamic> size_;  ///< at the first row of each unit
};

}  // namespace mechfmu
