// Tells when a mechanism jams, since its friction grows with itself, and why loads are not found.
#include "loads.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/tolerances.hpp"
#include "mechanism/telling.hpp"

namespace mechfmu {

/// Finds G of the frictions, with the unknowns eliminated: 1 − G = J_ff − J_fu J_uu⁻¹ J_uf. Returns false if the
/// unknowns do not follow.
bool Loads::find_gains() {
  const int f = frictions_, u = count_ - f;
  const auto J = [&](int i, int j) { return J_(i, j); };
  const auto of_unknowns = matrix_.packed(u);
  for (int j = 0; j < u; ++j) {
    for (int i = 0; i < u; ++i) of_unknowns(i, j) = J(f + i, f + j);
  }
  if (u > 0 && !dense::factor(u, of_unknowns.data(), pivot_.data())) return false;
  for (int j = 0; j < f; ++j) {
    for (int i = 0; i < u; ++i) next_[i] = J(f + i, j);
    dense::solve(u, of_unknowns.data(), pivot_.data(), next_.data());
    for (int i = 0; i < f; ++i) {
      G_(i, j) = (i == j ? 1 : 0) - J(i, j);
      for (int k = 0; k < u; ++k) G_(i, j) += J(i, f + k) * next_[k];
    }
  }
  return true;
}

/// Is true if the spectral radius of |G| is one or more. It is less if (1 − |G|) x = 1 has a positive solution.
bool Loads::may_jam() {
  if (frictions_ == 0) return false;
  if (!find_gains()) return true;
  const int f = frictions_;
  const auto one_less_G = matrix_.packed(f);
  for (int j = 0; j < f; ++j) {
    for (int i = 0; i < f; ++i) one_less_G(i, j) = -std::fabs(G_(i, j));
    one_less_G(j, j) += 1;
  }
  dense::fill(f, 1, step_.data());
  if (!(factor_judged(f) > rank_tolerance)) return true;
  dense::solve(f, matrix_.data(), pivot_.data(), step_.data());
  for (int i = 0; i < f; ++i) {
    if (!(step_[i] > 0)) return true;
  }
  return false;
}

/// Seeks a solution that has a reaction the other way round. Load i is a length, so −φ_i, linear, may also be its
/// value. Returns true if there is one.
bool Loads::another_solution(const Point& p, LoadResponse& response) {
  const double scale = scale_;
  const int f = frictions_;
  const auto matrix = matrix_.packed(f);
  for (int i = 0; i < f; ++i) {
    dense::copy(count_, loads_.data(), other_.data());  // unknowns are found again
    for (int k = 0; k < f; ++k) {
      const double sign = k == i ? 1 : -1;  // (1 − G)_k L = (1 − G)_k L*, but (1 + G)_i L = −(1 − G)_i L*
      double right = loads_[k];
      for (int j = 0; j < f; ++j) {
        matrix(k, j) = (j == k ? 1 : 0) + sign * G_(k, j);
        right -= G_(k, j) * loads_[j];
      }
      other_[k] = -sign * right;
    }
    if (!(factor_judged(f) > rank_tolerance)) continue;
    dense::solve(f, matrix_.data(), pivot_.data(), other_.data());
    const bool found = newton(p, response, other_.data()).ending == Ending::converged;
    for (int k = 0; k < f && found; ++k) {
      if (std::fabs(other_[k] - loads_[k]) > distinct_loads * scale) return true;
    }
    residual(p, response, loads_.data());
    slopes(p, response, loads_.data());
    find_gains();
  }
  return false;
}

bool Loads::fail(double time, const Found& found, Message& message) const {
  const char* name = mechanism_.load_names[found.worst];
  const auto tell_open = [&] {
    tell_difference(mechanism_, Told::load_residuals, found.worst, found.residual, message);
  };
  const auto tell_place = [&] { tell_value(mechanism_, Told::loads, found.worst, loads_[found.worst], message); };
  if (!is_unknown(found.worst)) {
    message.fail("The load of '%s' cannot be found at t = %.9g s: what it depends on changes too abruptly, and ", name,
                 time);
    tell_open();
    message.add(" stay open. Make its friction set in more gently.");
  } else if (is_sought(found.worst)) {
    message.fail("No acceleration is found at t = %.9g s that fulfils the ", time);
    tell_row(mechanism_, mechanism_.load_rows[found.worst], message);
    message.add(", which is not linear in '%s': the search ends at ", name);
    tell_place();
    message.add(", where it misses by ");
    tell_open();
    message.add(". See whether there is one, beside the other constraints.");
  } else if (found.ending == Ending::undetermined) {
    message.fail("The unknown '%s' is not determined at t = %.9g s: at ", name, time);
    tell_place();
    message.add(" nothing changes with it in the equations of the unknowns, of which its own leaves ");
    tell_open();
    message.add(" open. Let them depend on it, or start it where they do.");
  } else {
    message.fail("The unknown '%s' cannot be found at t = %.9g s: its equation leaves ", name, time);
    tell_open();
    message.add(" open at ");
    tell_place();
    message.add(". See whether it has a solution there, and start it nearer to it.");
  }
  return false;
}

bool Loads::fail_jammed(double time, Message& message) const {
  const auto gain = [this](int i) {
    double sum = 0;
    for (int j = 0; j < frictions_; ++j) sum += std::fabs(G_(i, j));
    return sum;
  };
  int largest = 0;
  for (int i = 1; i < frictions_; ++i) {
    if (gain(i) > gain(largest)) largest = i;
  }
  message.fail("The mechanism jams at t = %.9g s: the friction of", time);
  for (int i = 0, named = 0; i < frictions_; ++i) {
    if (i != largest && !(gain(i) >= 1)) continue;
    message.add("%s '%s'", named++ == 0 ? "" : ",", mechanism_.load_names[i]);
  }
  message.add(
      " raises the reactions that it comes from so much that no motion agrees with them, or more than one. "
      "Lower its coefficient, or guide the parts over a longer distance.");
  return false;
}

}  // namespace mechfmu
