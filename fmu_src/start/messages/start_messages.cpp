// Says why a start cannot be found: which rows stay open, by how much, and which values are to blame.
#include "start_messages.hpp"

#include <cstring>

#include "dead_point_messages.hpp"
#include "mechanism/telling.hpp"

namespace mechfmu {

void StartMessages::tell(int j, bool of_velocities, const VectorXd& guess, const VectorXd& reached,
                         Message& message) const {
  if (!of_velocities && is_turned(w_.model, j)) {
    const int i = position_of(w_.model, j);
    const char* name = w_.mechanism.position_names[i];
    constexpr double pi = 3.141592653589793;
    double p[4];
    rotation_between(&guess[i], &reached[i], p);
    const char* end = std::strrchr(name, '.');  // "A.orientation.w" is told as "A.orientation"
    message.add("'%.*s' (turned by %.6g deg from its start)",
                static_cast<int>(end != nullptr ? end - name : static_cast<long>(std::strlen(name))), name,
                360 / pi * std::atan2(std::sqrt(dense::dot(3, p + 1, p + 1)), p[0]));
    return;
  }
  const int i = of_velocities ? j : position_of(w_.model, j);
  const Told what = of_velocities ? Told::velocities : Told::positions;
  message.add("'%s' (start ", (of_velocities ? w_.mechanism.velocity_names : w_.mechanism.position_names)[i]);
  tell_value(w_.mechanism, what, i, guess[i], message);
  message.add(", reached ");
  tell_value(w_.mechanism, what, i, reached[i], message);
  message.add(")");
}

/// Names the values that hold exactly, at most ten: those of coordinates, then those of the start's further rows, whose
/// residuals are `f`.
void StartMessages::tell_fixed(bool of_velocities, const VectorXd& guess, const VectorXd& reached, const double* f,
                               Message& message) const {
  constexpr int most = 10;
  const bool* fixed = of_velocities ? w_.mechanism.velocity_fixed : w_.mechanism.position_fixed;
  int named = 0;
  for (int j = 0, width = 1; fixed && j < w_.s.velocities && named < most; j += width) {
    width = !of_velocities && is_turned(w_.model, j) ? 3 : 1;
    bool any = false;
    for (int c = j; c < j + width; ++c) any = any || fixed[c];
    if (!any) continue;
    message.add(named++ == 0 ? " " : ", ");
    tell(j, of_velocities, guess, reached, message);
  }
  const int rows = of_velocities ? w_.s.start_velocity_rows : w_.s.start_position_rows;
  for (int i = 0; i < rows && named < most; ++i) {
    message.add("%s'%s' (missed by ", named++ == 0 ? " " : ", ",
                (of_velocities ? w_.mechanism.start_velocity_names : w_.mechanism.start_position_names)[i]);
    tell_difference(w_.mechanism, of_velocities ? Told::start_velocities : Told::start_positions, i, f[i], message);
    message.add(")");
  }
}

bool StartMessages::over_determined(const Entries& J, int own_rows, const bool* fixed) const {
  const Entries all = J.scaled(J.weights());
  Entries own(own_rows, J.columns(), all.count());
  for (int e = 0; e < all.count(); ++e) {
    if (all.row(e) < own_rows) own.add(all.row(e), all.column(e), all.value(e));
  }
  return w_.rank(all, fixed) < w_.rank(own, nullptr) + J.rows() - own_rows;
}

/// Looks at a position that fulfils the mechanism's own rows and at such positions around it, since one may be
/// singular.
bool StartMessages::over_determined_near(const Entries& metric, const VectorXd& assembled) {
  Scatter scatter;
  for (int trial = 0; trial < 4; ++trial) {
    VectorXd q = assembled;
    w_.matrices(q);
    if (trial > 0) {
      const MatrixXd N = w_.null_space(w_.position_slopes(q, StartEquations::always), nullptr);
      if (N.cols() > 0) q = w_.beside(q, N, scatter, 0.1);
      if (!w_.close(metric, StartEquations::always, q)) continue;
      w_.matrices(q);
    }
    if (!over_determined(w_.position_slopes(q, StartEquations::at_start), w_.s.position_rows,
                         w_.mechanism.position_fixed))
      return false;
  }
  return true;
}

bool StartMessages::fail_assembly(const VectorXd& guess, VectorXd& q, Message& message) {
  bool any_fixed = w_.s.start_position_rows > 0;
  for (int j = 0; w_.mechanism.position_fixed && j < w_.s.velocities; ++j)
    any_fixed = any_fixed || w_.mechanism.position_fixed[j];
  VectorXd freed = q;
  bool closes_freed = false;
  w_.matrices(freed);
  const Entries G = w_.metric();
  if (any_fixed)
    closes_freed = w_.close_or_approach(G, StartEquations::always, freed) ||
                   w_.close_from_nearby(G, StartEquations::always, guess, freed);
  if (any_fixed && !closes_freed) q = freed;

  if (!w_.has_values(q, true, message)) return false;
  const VectorXd f = w_.violation(q, StartEquations::at_start);
  const Entries J = w_.position_slopes(q, closes_freed ? StartEquations::at_start : StartEquations::always);
  const int worst = std::max(0, w_.open_row(J, f.head(J.rows()), w_.scales(q)));
  message.fail("The mechanism cannot be assembled: ");
  if (worst < w_.s.position_rows) {
    w_.point.q = q.data();
    tell_open(w_.mechanism, w_.point, worst, f.data(), message);
  } else {
    const int i = worst - w_.s.position_rows;
    message.add("the fixed start value of '%s' is missed by ", w_.mechanism.start_position_names[i]);
    tell_difference(w_.mechanism, Told::start_positions, i, f[worst], message);
  }
  if (!closes_freed) {
    message.add(". No start of %d tries reaches further%s: check the numbers in it.", StartClosing::nearby_trials,
                any_fixed ? ", not even with nothing fixed" : "");
    return false;
  }
  const VectorXd missed_by = w_.violation(freed, StartEquations::at_start).tail(w_.s.start_position_rows);
  if (over_determined_near(G, freed)) {
    message.add(". The fixed start values over-determine it:");
    tell_fixed(false, guess, q, f.data() + w_.s.position_rows, message);
    message.add(". Remove 'fixed = true' from one of them.");
    return false;
  }
  message.add(".");
  if (DeadPointMessages(w_).tell_limit(guess, q, message)) return false;
  message.add(" No start of %d tries reaches further while these values are fixed; with nothing fixed it closes near:",
              StartClosing::nearby_trials);
  tell_fixed(false, guess, freed, missed_by.data(), message);
  message.add(". Change one of them, or remove its 'fixed = true'.");
  return false;
}

void StartMessages::tell_open_rate(int row, double open, Message& message) const {
  const int own = w_.s.rate_rows();
  if (row < own) {
    message.add(row < w_.s.rows() ? "the rate of the " : "the ");
    tell_row(w_.mechanism, row, message);
    message.add(" stays open by ");
    return tell_residual(w_.mechanism, row, 1, open, message);
  }
  message.add("the fixed start value of '%s' is missed by ", w_.mechanism.start_velocity_names[row - own]);
  tell_difference(w_.mechanism, Told::start_velocities, row - own, open, message);
}

bool StartMessages::fail_velocities(const Entries& J, const VectorXd& open, int worst, const VectorXd& guess,
                                    const VectorXd& reached, Message& message) const {
  const int own = w_.s.rate_rows();
  message.fail("The start velocities cannot be made consistent: ");
  tell_open_rate(worst, open[worst], message);
  if (!over_determined(J, own, w_.mechanism.velocity_fixed)) {
    message.add(". No rates fulfil it at these positions: the constraints contradict each other there.");
    return false;
  }
  message.add(". The fixed start values over-determine it:");
  tell_fixed(true, guess, reached, open.data() + own, message);
  message.add(". Remove 'rate_fixed = true' from one of them.");
  return false;
}

}  // namespace mechfmu
