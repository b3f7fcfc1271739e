// Judges conditions.
#include "conditions.hpp"

#include <cmath>
#include <cstdio>

namespace mechfmu {

namespace {

/// Returns false if a number is NaN.
bool holds(const Condition& condition, double number, double other) {
  switch (condition.relation) {
    case Condition::at_least: return number >= other;
    case Condition::more_than: return number > other;
    default: return std::fabs(number - other) <= condition.tolerance * (other == 0 ? 1 : std::fabs(other));
  }
}

}  // namespace

bool condition_holds(const Condition& condition, double number, double other, const char* when, Message& message) {
  if (holds(condition, number, other)) return true;
  const char *unit = condition.unit.symbol, *space = unit[0] == '\0' ? "" : " ";
  const auto shown = [&](double si) { return (si - condition.unit.offset) / condition.unit.factor; };
  message.fail("%s is %.9g%s%s%s", condition.what, shown(number), space, unit, when);
  if (condition.relation == Condition::agrees_with && condition.other[0] == '\0')
    message.add(", and has to be %.9g%s%s", shown(other), space, unit);
  else if (condition.relation == Condition::at_least && other > 0)
    message.add(", and has to be at least %.9g%s%s", shown(other), space, unit);
  else if (condition.relation == Condition::agrees_with)
    message.add(", but %s is %.9g%s%s", condition.other, shown(other), space, unit);
  else
    message.add(condition.relation == Condition::more_than ? ", and has to be positive" : ", and must not be negative");
  return false;
}

bool conditions_hold(const Mechanism& mechanism, const Point& point, Condition::When when, bool changing_only,
                     double* values, Message& message) {
  bool evaluated = false;
  for (int i = 0; i < mechanism.condition_count; ++i) {
    const Condition& condition = mechanism.conditions[i];
    const bool is_due =
        condition.when == when || (when == Condition::assembled && condition.when == Condition::positioned);
    if (!is_due || (changing_only && !condition.always)) continue;
    if (!evaluated) mechanism.condition_values(point, values);
    evaluated = true;
    char time[40];
    std::snprintf(time, sizeof time, " at t = %.9g s", point.time);
    if (condition_holds(condition, values[2 * i], values[2 * i + 1], time, message)) continue;
    message.add("; %s.", condition.repair);
    if (message.text[0] >= 'a' && message.text[0] <= 'z') message.text[0] += 'A' - 'a';
    return false;
  }
  return true;
}

}  // namespace mechfmu
