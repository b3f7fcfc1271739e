// Finds sizes of residuals.
#include "row_sizes.hpp"

namespace mechfmu {

void RowSizes::find(const double* values, const double* q) {
  const RunTimeModel model(mechanism_);
  for (int i = 0; i < pattern_.rows; ++i) size_[i] = mechanism_.bare[i] ? 1 : 0;
  for (int e = 0; e < pattern_.nonzeros; ++e) {
    double& size = size_[mechanism_.same_unit[pattern_.row[e]]];
    dense::raise(size, std::fabs(values[e]) * scale_of(model, q, pattern_.column[e]));
  }
}

}  // namespace mechfmu
