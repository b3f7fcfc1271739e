// Watches indicators along a step.
#include "indicators.hpp"

#include <cmath>

#include "linear/tolerances.hpp"

namespace mechfmu {

void Indicators::begin() {
  for (int i = 0; i < count_; ++i) {
    // Rounding may take an indicator that begins at zero to the wrong side.
    const double least = begin_of_indicators * sizes_[i];
    shifts_[i] = values_[i] < least ? least - values_[i] : 0;
    begin_[i] = values_[i] += shifts_[i];
  }
  search_.begin(values_.data(), slopes_.data());
}

Changes::Seen Indicators::look(double time, double& length) {
  bool here = false, before = false;
  for (int i = 0; i < count_; ++i) {
    values_[i] += shifts_[i];
    const double fall = slopes_[i] == slopes_[i] ? std::fabs(slopes_[i]) * length : std::fabs(values_[i] - begin_[i]);
    tolerances_[i] = located_event * fall + sizes_[i];
    here = here || values_[i] <= tolerances_[i];
    before = before || values_[i] < -tolerances_[i];
  }
  search_.add(length, values_.data(), slopes_.data(), tolerances_.data());
  const double located = std::fmax(located_event * length, roundings_of_event_time * machine_epsilon * std::fabs(time));
  if (before && search_.width() > located) {
    length = search_.predict(located / 4);
    return Changes::Seen::earlier;
  }
  if (here) return Changes::Seen::event;
  double where = 0;
  if (!search_.clear()) {
    // Between two neighbouring times nothing can be found: the event lies at the second one, also if what was below
    // zero by rounding there is above it by rounding when the step is made again.
    where = search_.width() > located ? search_.predict(located / 4) : search_.late();
    for (int i = 0; length >= where && i < count_; ++i)
      if (search_.negative_there(i)) tolerances_[i] = std::fmax(tolerances_[i], values_[i]);
    if (length >= where) return Changes::Seen::event;
  } else if (!search_.dips(where) || !(where > 0 && where < length * (1 - rounding_of_count))) {
    return Changes::Seen::nothing;
  }
  length = where;
  return Changes::Seen::earlier;
}

}  // namespace mechfmu
