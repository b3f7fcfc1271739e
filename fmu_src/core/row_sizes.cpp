// Sizes of residuals.
#include "row_sizes.hpp"

#include <cstring>

namespace mechfmu {

RowSizes::RowSizes(const Mechanism& mechanism, const Pattern& pattern)
    : model_(mechanism), pattern_(pattern), first_(pattern.rows), size_(pattern.rows) {
  for (int i = 0; i < pattern.rows && ok(); ++i) {
    first_[i] = 0;
    while (std::strcmp(mechanism.constraint_units[first_[i]], mechanism.constraint_units[i]) != 0) ++first_[i];
  }
}

void RowSizes::find(const double* values, const double* q) {
  dense::fill(pattern_.rows, 0, size_.data());
  for (int e = 0; e < pattern_.nonzeros; ++e) {
    dense::raise(size_[first_[pattern_.row[e]]], std::fabs(values[e]) * scale_of(model_, q, pattern_.column[e]));
  }
}

}  // namespace mechfmu
