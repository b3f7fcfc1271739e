// What an outside integrator's positions and velocities mean.
#include "outside_motion.hpp"

#include "products.hpp"
#include "start_tape.hpp"

namespace mechfmu {

OutsideMotion::OutsideMotion(const Mechanism& m)
    : mechanism_(m), velocities_(m, Projection::Rows::all), positions_(m), M_(m.sizes.M_nonzeros), C_(m.sizes.C_nonzeros),
      c_t_(m.sizes.rows()), open_(m.sizes.rows()), v_(m.sizes.velocities), correction_(m.sizes.velocities),
      feedback_(m.sizes.velocities), led_back_(m.sizes.velocities), tape_values_(m.start.step_count), tape_slopes_(m.start.step_count),
      start_slopes_(m.start.result_count), v_slopes_(m.sizes.velocities), correction_slopes_(m.sizes.velocities),
      led_back_slopes_(m.sizes.velocities), force_(m.sizes.velocities), multipliers_(m.sizes.rows()),
      product_(m.sizes.rows()), change_(m.sizes.rows()) {}

bool OutsideMotion::ok() const {
  return velocities_.ok() && positions_.ok() && M_.ok() && C_.ok() && c_t_.ok() && open_.ok() && v_.ok() && correction_.ok() &&
         feedback_.ok() && led_back_.ok() && tape_values_.ok() && tape_slopes_.ok() && start_slopes_.ok() && v_slopes_.ok() &&
         correction_slopes_.ok() && led_back_slopes_.ok() && force_.ok() && multipliers_.ok() && product_.ok() && change_.ok();
}

bool OutsideMotion::fit(const Point& p, double gain, Message& message) {
  const Sizes& s = mechanism_.sizes;
  const int n = s.velocities;
  gain_ = gain;
  dense::fill(s.rows(), 0, c_t_.data());
  mechanism_.position(p, M_.data(), C_.data(), c_t_.data());
  dense::copy(n, p.v, v_.data());
  dense::fill(n, 0, correction_.data());
  dense::fill(n, 0, feedback_.data());
  const auto fail = [&] {
    return message.fail("The constraints or the mass matrix are singular at t = %.9g s: the motion is not determined there.",
                        p.time);
  };
  if (s.rows() > 0) {
    times(mechanism_.C, C_.data(), p.v, open_.data());
    dense::add(s.rows(), 1, c_t_.data(), open_.data());
    if (!velocities_.step(M_.data(), C_.data(), open_.data(), correction_.data())) return fail();
    dense::add(n, 1, correction_.data(), v_.data());
  }
  if (s.position_rows > 0) {
    mechanism_.violation(p, open_.data());
    for (int i = 0; i < s.position_rows; ++i) open_[i] *= gain;
    if (!positions_.step(M_.data(), C_.data(), open_.data(), feedback_.data())) return fail();
  }
  dense::copy(n, v_.data(), led_back_.data());
  dense::add(n, 1, feedback_.data(), led_back_.data());
  return true;
}

/// A move x with C x = −r and M x + Cᵀ ν = 0 changes by x′ with C x′ = −(r′ + C′ x) and M x′ + Cᵀ ν′ = −M′ x − C′ᵀ ν.
void OutsideMotion::respond(Projection& projection, int rows, const double* move, const double* M_slopes,
                            const double* C_slopes, double* open_slopes, double* slopes) {
  const int n = mechanism_.sizes.velocities;
  const Pattern& C = mechanism_.C;
  times_symmetric(mechanism_.M, M_.data(), move, force_.data());
  projection.multipliers(force_.data(), multipliers_.data());  // −ν
  times_symmetric(mechanism_.M, M_slopes, move, force_.data());
  for (int j = 0; j < n; ++j) force_[j] = -force_[j];
  times(C, C_slopes, move, product_.data());
  dense::add(rows, 1, product_.data(), open_slopes);
  for (int e = 0; e < C.nonzeros; ++e) {
    if (C.row[e] < rows) force_[C.column[e]] += C_slopes[e] * multipliers_[C.row[e]];
  }
  projection.respond(M_.data(), open_slopes, force_.data(), slopes);
}

void OutsideMotion::differentiate(const Point& p, const Point& along) {
  const Sizes& s = mechanism_.sizes;
  const int n = s.velocities;
  mechfmu::differentiate(mechanism_.start, p, along, tape_values_.data(), tape_slopes_.data(), start_slopes_.data());
  const StartTape changes(mechanism_, start_slopes_.data());
  double* change = change_.data();
  if (along.v == nullptr) dense::fill(n, 0, v_slopes_.data());
  else dense::copy(n, along.v, v_slopes_.data());
  dense::fill(n, 0, correction_slopes_.data());
  dense::fill(n, 0, led_back_slopes_.data());
  if (s.rows() > 0) {  // (C v + c_t)′
    times(mechanism_.C, C_.data(), v_slopes_.data(), change);
    times(mechanism_.C, changes.C, p.v, product_.data());
    dense::add(s.rows(), 1, product_.data(), change);
    dense::add(s.rows(), 1, changes.c_t, change);
    respond(velocities_, s.rows(), correction_.data(), changes.M, changes.C, change, correction_slopes_.data());
    dense::add(n, 1, correction_slopes_.data(), v_slopes_.data());
  }
  if (s.position_rows > 0) {
    for (int i = 0; i < s.position_rows; ++i) change[i] = gain_ * changes.f[i];
    respond(positions_, s.position_rows, feedback_.data(), changes.M, changes.C, change, led_back_slopes_.data());
  }
  dense::add(n, 1, v_slopes_.data(), led_back_slopes_.data());
}

}  // namespace mechfmu
