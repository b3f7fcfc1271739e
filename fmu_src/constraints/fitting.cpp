// Finds what fits the constraints next to given positions and velocities.
#include "fitting.hpp"

#include "linear/products.hpp"
#include "mechanism/tape.hpp"

namespace mechfmu {

Fitting::Fitting(Arena& arena, const Mechanism& m)
    : mechanism_(m), velocities_(arena, m, Projection::Rows::all), positions_(arena, m), M_(arena, m.sizes.M_nonzeros),
      C_(arena, m.sizes.C_nonzeros), c_t_(arena, m.sizes.rows()), open_(arena, m.sizes.rows()),
      v_(arena, m.sizes.velocities), correction_(arena, m.sizes.velocities), decay_(arena, m.sizes.velocities),
      feedback_(arena, m.sizes.velocities), led_back_(arena, m.sizes.velocities),
      tape_values_(arena, m.start.step_count), tape_slopes_(arena, m.start.step_count),
      start_slopes_(arena, m.start.result_count), v_slopes_(arena, m.sizes.velocities),
      correction_slopes_(arena, m.sizes.velocities), decay_slopes_(arena, m.sizes.velocities),
      led_back_slopes_(arena, m.sizes.velocities), force_(arena, m.sizes.velocities),
      multipliers_(arena, m.sizes.rows()), product_(arena, m.sizes.rows()), change_(arena, m.sizes.rows()),
      moves_(arena, m.sizes.velocities), q_slopes_(arena, m.sizes.positions) {}

bool Fitting::fit(const Point& p, double gain, Message& message) {
  const Sizes& s = mechanism_.sizes;
  const int n = s.velocities;
  gain_ = gain;
  dense::fill(s.rows(), 0, c_t_.data());
  mechanism_.position(p, M_.data(), C_.data(), c_t_.data());
  dense::copy(n, p.v, v_.data());
  dense::fill(n, 0, correction_.data());
  dense::fill(n, 0, feedback_.data());
  const auto fail = [&] {
    return message.fail(
        "The constraints or the mass matrix are singular at t = %.9g s: the motion is not determined there.", p.time);
  };
  if (s.rows() > 0) {
    times(mechanism_.C, C_.data(), p.v, open_.data());
    dense::add(s.rows(), 1, c_t_.data(), open_.data());
    if (!velocities_.step(M_.data(), C_.data(), open_.data(), correction_.data())) return fail();
    dense::add(n, 1, correction_.data(), v_.data());
    weigh(s.rows(), open_.data(), open_.data());
    if (mechanism_.drift_gains != nullptr && !velocities_.step(M_.data(), C_.data(), open_.data(), decay_.data()))
      return fail();
  }
  if (mechanism_.drift_gains == nullptr)
    for (int j = 0; j < n; ++j) decay_[j] = gain * correction_[j];
  if (s.position_rows > 0) {
    mechanism_.violation(p, open_.data());
    weigh(s.position_rows, open_.data(), open_.data());
    if (!positions_.step(M_.data(), C_.data(), open_.data(), feedback_.data())) return fail();
  }
  dense::copy(n, v_.data(), led_back_.data());
  dense::add(n, 1, feedback_.data(), led_back_.data());
  return true;
}

/// Finds how a move x changes. It solves C x = −r and M x + Cᵀ ν = 0, so its change x′ solves C x′ = −(r′ + C′ x) and M
/// x′ + Cᵀ ν′ = −M′ x − C′ᵀ ν.
void Fitting::respond(Projection& projection, int rows, const double* move, const double* M_slopes,
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

StartTape Fitting::slopes_along(const Point& p, const Point& direction) {
  mechfmu::differentiate(mechanism_.start, p, direction, tape_values_.data(), tape_slopes_.data(),
                         start_slopes_.data());
  return StartTape(mechanism_, start_slopes_.data());
}

/// Adds C′ v + c_t′ to change_. C v + c_t opens by this at a v that stays.
void Fitting::add_opening(const Point& p, const StartTape& slopes) {
  const int rows = mechanism_.sizes.rows();
  times(mechanism_.C, slopes.C, p.v, product_.data());
  dense::add(rows, 1, product_.data(), change_.data());
  dense::add(rows, 1, slopes.c_t, change_.data());
}

void Fitting::differentiate(const Point& p, const Point& direction) {
  const Sizes& s = mechanism_.sizes;
  const int n = s.velocities;
  const StartTape slopes = slopes_along(p, direction);
  if (direction.v == nullptr) dense::fill(n, 0, v_slopes_.data());
  else dense::copy(n, direction.v, v_slopes_.data());
  dense::fill(n, 0, correction_slopes_.data());
  dense::fill(n, 0, led_back_slopes_.data());
  if (s.rows() > 0) {
    times(mechanism_.C, C_.data(), v_slopes_.data(), change_.data());
    add_opening(p, slopes);
    weigh(s.rows(), change_.data(), open_.data());
    respond(velocities_, s.rows(), correction_.data(), slopes.M, slopes.C, change_.data(), correction_slopes_.data());
    dense::add(n, 1, correction_slopes_.data(), v_slopes_.data());
    if (mechanism_.drift_gains != nullptr)
      respond(velocities_, s.rows(), decay_.data(), slopes.M, slopes.C, open_.data(), decay_slopes_.data());
  }
  if (mechanism_.drift_gains == nullptr)
    for (int j = 0; j < n; ++j) decay_slopes_[j] = gain_ * correction_slopes_[j];
  if (s.position_rows > 0) {
    weigh(s.position_rows, slopes.f, change_.data());
    respond(positions_, s.position_rows, feedback_.data(), slopes.M, slopes.C, change_.data(), led_back_slopes_.data());
  }
  dense::add(n, 1, v_slopes_.data(), led_back_slopes_.data());
}

bool Fitting::jump(const Point& p, const double* inputs, const double* parameters, Message& message) {
  const Sizes& s = mechanism_.sizes;
  if (!fit(p, 0, message)) return false;
  Point direction;
  direction.inputs = inputs;
  direction.parameters = parameters;
  dense::fill(s.velocities, 0, force_.data());
  dense::fill(s.velocities, 0, moves_.data());
  dense::fill(s.velocities, 0, v_slopes_.data());
  if (s.position_rows > 0) positions_.respond(M_.data(), slopes_along(p, direction).f, force_.data(), moves_.data());
  rates(RunTimeModel(mechanism_), p.q, moves_.data(), q_slopes_.data());
  direction.q = q_slopes_.data();
  if (s.rows() == 0) return true;
  dense::fill(s.rows(), 0, change_.data());
  add_opening(p, slopes_along(p, direction));
  velocities_.respond(M_.data(), change_.data(), force_.data(), v_slopes_.data());
  return true;
}

}  // namespace mechfmu
