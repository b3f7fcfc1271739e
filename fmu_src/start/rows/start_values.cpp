// Tells where the start's equations have no values, and whether conditions on a position hold.
#include <algorithm>

#include "mechanism/conditions.hpp"
#include "mechanism/telling.hpp"
#include "start_equations.hpp"

namespace mechfmu {

bool StartEquations::conditions_hold(const VectorXd& q, Message& message) {
  if (mechanism.condition_count == 0) return true;
  VectorXd values(2 * mechanism.condition_count);
  const VectorXd rest = VectorXd::Zero(std::max({s.velocities, s.all_rows(), s.loads}));
  point.q = q.data();
  Point here = point;
  here.v = here.acceleration = here.multipliers = here.loads = rest.data();
  return mechfmu::conditions_hold(mechanism, here, Condition::positioned, false, values.data(), message);
}

bool StartEquations::has_values(const VectorXd& q, bool rows, Message& message) {
  constexpr const char* advice =
      "Look for a division by zero, or for a root or logarithm of a negative number, or start "
      "elsewhere.";
  const auto first_bad = [](const VectorXd& values, int count) {
    int i = 0;
    while (i < count && is_finite(values[i])) ++i;
    return i;
  };
  matrices(q);
  const int in_M = first_bad(M_values, mechanism.M.nonzeros);
  int row = s.rows();
  if (rows) {
    const int in_C = first_bad(C_values, mechanism.C.nonzeros);
    const VectorXd f = violation(q, always);
    if (in_C < mechanism.C.nonzeros) row = mechanism.C.row[in_C];
    row = std::min(row, first_bad(c_t, s.rows()));
    if (const int open = first_bad(f, s.position_rows); open < s.position_rows) row = std::min(row, open);
  }
  if (in_M == mechanism.M.nonzeros && row == s.rows()) return true;
  if (!conditions_hold(q, message)) return false;
  if (row < s.rows()) {
    message.fail("The ");
    tell_row(mechanism, row, message);
    message.add(" has no value at the start, t = %.9g s. %s", point.time, advice);
    return false;
  }
  return message.fail("The inertia that '%s' moves has no value at the start, t = %.9g s. %s",
                      mechanism.velocity_names[mechanism.M.column[in_M]], point.time, advice);
}

}  // namespace mechfmu
