// Keeps parameters and inputs within the min and max of modelDescription.xml. A value exactly at a limit is inside.
#include <cmath>

#include "linear/tolerances.hpp"
#include "values.hpp"

namespace mechfmu {

namespace {

/// Returns the bound that a value lies beyond by more than `slip`, or nullptr if it lies inside.
const double* exceeded(const VariableRow& row, double value, double slip = 0) {
  if (value < row.minimum - slip) return &row.minimum;
  if (value > row.maximum + slip) return &row.maximum;
  return nullptr;
}

}  // namespace

Status Values::refuse_beyond(const VariableRow& row, double value, const double* bound) {
  const bool below = bound == &row.minimum;
  const int digits = std::fabs(value - *bound) < looks_equal * std::fabs(value) ? 17 : 12;
  const char* gap = *row.unit == '\0' ? "" : " ";
  return fail("%s cannot be %.*g%s%s: that is %s its %s, %.12g%s%s", row.name, digits, value, gap, row.unit,
              below ? "below" : "above", below ? "min" : "max", *bound, gap, row.unit);
}

Status Values::check_limits(const VariableRow& row, double value) {
  const double* bound = exceeded(row, value);
  return bound == nullptr ? Status::ok : refuse_beyond(row, value, bound);
}

/// They may miss a bound by round-off, as in a mechanism file.
bool Values::calculated_parameters_lie_inside() {
  const double* parameters = simulation_.parameters();
  for (const VariableRow& row : variables_.all()) {
    if (row.role != Role::calculated_parameter) continue;
    const double value = (parameters[row.index] - row.offset) / row.factor;
    const double* bound = exceeded(row, value, rounding_of_formulas * std::fabs(value));
    if (bound != nullptr) return refuse_beyond(row, value, bound) == Status::ok;
  }
  return true;
}

}  // namespace mechfmu
