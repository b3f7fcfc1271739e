// Sizes of residuals.
#include "row_sizes.hpp"

namespace mechfmu {

void RowSizes::find(const double* values, const double* q) {
  const RunTimeModel model(mechanism_);
  dense::fill(pattern_.rows, 0, size_.data());
  for (int e = 0; e < pattern_.nonzeros; ++e) {
    double& size = size_[mechanism_.same_unit[pattern_.row[e]]];
    dense::raise(size, std::fabs(values[e]) * scale_of(model, q, pattern_.column[e]));
  }
}

}  // namespace mechfmu
