// Finds what fits the constraints next to given positions and velocities.
#include "fitting.hpp"

#include "linear/products.hpp"
#include "mechanism/tape.hpp"

namespace mechfmu {

Fitting::Fitting(Arena& arena, const Mechanism& m)
    : mechanism_(m), velocities_(arena, m, Projection::Rows::all), positions_(arena, m), nonlinear_(arena, m),
      M_(arena, m.sizes.M_nonzeros), C_(arena, m.sizes.C_nonzeros), c_t_(arena, m.sizes.rows()),
      open_(arena, m.sizes.rows()), v_(arena, m.sizes.velocities), correction_(arena, m.sizes.velocities),
      decay_(arena, m.sizes.velocities), feedback_(arena, m.sizes.velocities), led_back_(arena, m.sizes.velocities),
      tape_values_(arena, m.start.step_count), tape_slopes_(arena, m.start.step_count),
      start_slopes_(arena, m.start.result_count), v_slopes_(arena, m.sizes.velocities),
      correction_slopes_(arena, m.sizes.velocities), decay_slopes_(arena, m.sizes.velocities),
      led_back_slopes_(arena, m.sizes.velocities), force_(arena, m.sizes.velocities),
      multipliers_(arena, m.sizes.rows()), product_(arena, m.sizes.rows()), change_(arena, m.sizes.rows()),
      moves_(arena, m.sizes.velocities), q_slopes_(arena, m.sizes.positions), linear_v_(arena, m.sizes.velocities),
      parts_(arena, m.sizes.nonlinear_rows), direction_slopes_(arena, m.sizes.velocities, m.sizes.nonlinear_rows) {}

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
  if (s.rate_rows() > 0) {
    times(mechanism_.C, C_.data(), p.v, open_.data());
    dense::add(s.rows(), 1, c_t_.data(), open_.data());
    if (!velocities_.step(M_.data(), C_.data(), open_.data(), correction_.data())) return fail();
    dense::add(n, 1, correction_.data(), v_.data());
    weigh(s.rows(), open_.data(), open_.data());
    if (mechanism_.drift_gains != nullptr && !velocities_.step(M_.data(), C_.data(), open_.data(), decay_.data()))
      return fail();
  }
  if (s.nonlinear_rows > 0 && !fit_nonlinear(p, message)) return false;
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

/// Moves v_ from C v + c_t = 0 onto the velocity constraints that are not linear.
bool Fitting::fit_nonlinear(const Point& p, Message& message) {
  const int n = mechanism_.sizes.velocities;
  dense::copy(n, v_.data(), linear_v_.data());
  const auto respond = [this](const double* force, double* x) { velocities_.respond(M_.data(), nullptr, force, x); };
  if (!nonlinear_.close(p, v_.data(), message, respond)) return false;
  for (int j = 0; j < n; ++j) correction_[j] = v_[j] - p.v[j];
  if (mechanism_.drift_gains != nullptr) add_nonlinear_decay(1, decay_.data());
  return true;
}

/// Adds a multiple of what the rows that are not linear make decay, each with its gain.
void Fitting::add_nonlinear_decay(double multiple, double* decay) const {
  for (int i = 0; i < mechanism_.sizes.nonlinear_rows; ++i) {
    dense::add(mechanism_.sizes.velocities, multiple * nonlinear_gain(i) * nonlinear_.parts()[i],
               nonlinear_.direction(i), decay);
  }
}

/// Finds how a move x changes. It solves C x = −r and M x + Cᵀ ν = pull, so its change x′ solves C x′ = −(r′ + C′ x)
/// and M x′ + Cᵀ ν′ = pull′ − M′ x − C′ᵀ ν.
void Fitting::respond(Projection& projection, int rows, const double* move, const StartTape& change,
                      double* open_slopes, double* slopes, const Pull* pull) {
  const int n = mechanism_.sizes.velocities;
  const Pattern& C = mechanism_.C;
  times_symmetric(mechanism_.M, M_.data(), move, force_.data());
  if (pull != nullptr) dense::add(n, -1, pull->force, force_.data());
  projection.multipliers(force_.data(), multipliers_.data());  // −ν
  times_symmetric(mechanism_.M, change.M, move, force_.data());
  for (int j = 0; j < n; ++j) force_[j] = -force_[j];
  if (pull != nullptr) dense::add(n, 1, pull->change, force_.data());
  times(C, change.C, move, product_.data());
  dense::add(rows, 1, product_.data(), open_slopes);
  for (int e = 0; e < C.nonzeros; ++e) {
    if (C.row[e] < rows) force_[C.column[e]] += change.C[e] * multipliers_[C.row[e]];
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
  dense::fill(n, 0, decay_slopes_.data());
  if (s.rows() > 0) {
    times(mechanism_.C, C_.data(), v_slopes_.data(), change_.data());
    add_opening(p, slopes);
    weigh(s.rows(), change_.data(), open_.data());
    for (int j = 0; j < n && s.nonlinear_rows > 0; ++j) moves_[j] = linear_v_[j] - p.v[j];
    const double* move = s.nonlinear_rows > 0 ? moves_.data() : correction_.data();
    respond(velocities_, s.rows(), move, slopes, change_.data(), correction_slopes_.data());
    dense::add(n, 1, correction_slopes_.data(), v_slopes_.data());
    if (mechanism_.drift_gains != nullptr) {
      dense::copy(n, decay_.data(), moves_.data());
      add_nonlinear_decay(-1, moves_.data());
      respond(velocities_, s.rows(), moves_.data(), slopes, open_.data(), decay_slopes_.data());
    }
  }
  if (s.position_rows > 0) {
    weigh(s.position_rows, slopes.f, change_.data());
    respond(positions_, s.position_rows, feedback_.data(), slopes, change_.data(), led_back_slopes_.data());
  }
  if (s.nonlinear_rows > 0) differentiate_nonlinear(p, direction);
  if (mechanism_.drift_gains == nullptr)
    for (int j = 0; j < n; ++j) decay_slopes_[j] = gain_ * correction_slopes_[j];
  dense::add(n, 1, v_slopes_.data(), led_back_slopes_.data());
}

/// Takes v_slopes_ from those of v + Δ to those of v_c = v + Δ + X α, where f_v(v_c) = 0: F v_c′ = −f_v′ at a v that
/// stays. X′ follows from F′ at v + Δ.
void Fitting::differentiate_nonlinear(const Point& p, const Point& direction) {
  const Sizes& s = mechanism_.sizes;
  const int n = s.velocities;
  Point at = p, by = direction;
  at.v = linear_v_.data();
  by.v = v_slopes_.data();
  const StartTape slopes = slopes_along(at, by);
  nonlinear_.evaluate(at);
  for (int i = 0; i < s.nonlinear_rows; ++i) {
    const Pull pull{nonlinear_.row(i), slopes.F_v + i * n};
    dense::fill(s.rows(), 0, change_.data());
    respond(velocities_, s.rows(), nonlinear_.direction(i), slopes, change_.data(), direction_slopes_.column(i), &pull);
  }
  for (int i = 0; i < s.nonlinear_rows; ++i) {
    const double part = nonlinear_.parts()[i];
    dense::add(n, part, direction_slopes_.column(i), v_slopes_.data());
    dense::add(n, nonlinear_gain(i) * part, direction_slopes_.column(i), decay_slopes_.data());
  }
  at.v = v_.data();
  by.v = nullptr;
  nonlinear_.evaluate(at);
  follow_nonlinear(slopes_along(at, by).f_v);
  for (int i = 0; i < s.nonlinear_rows; ++i) {
    dense::add(n, nonlinear_gain(i) * parts_[i], nonlinear_.direction(i), decay_slopes_.data());
  }
  dense::copy(n, v_slopes_.data(), correction_slopes_.data());
  if (direction.v != nullptr) dense::add(n, -1, direction.v, correction_slopes_.data());
}

/// Adds to v_slopes_ what keeps the rows that were evaluated last closed, where they open by this at a v that stays.
void Fitting::follow_nonlinear(const double* open_slopes) {
  const Sizes& s = mechanism_.sizes;
  for (int i = 0; i < s.nonlinear_rows; ++i) {
    parts_[i] = open_slopes[i] + dense::dot(s.velocities, nonlinear_.row(i), v_slopes_.data());
  }
  if (!nonlinear_.solve(parts_.data(), parts_.data())) return;  // fit() has found them regular
  for (int i = 0; i < s.nonlinear_rows; ++i) {
    dense::add(s.velocities, parts_[i], nonlinear_.direction(i), v_slopes_.data());
  }
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
  if (s.rows() > 0) {
    dense::fill(s.rows(), 0, change_.data());
    add_opening(p, slopes_along(p, direction));
    velocities_.respond(M_.data(), change_.data(), force_.data(), v_slopes_.data());
  }
  if (s.nonlinear_rows > 0) {
    nonlinear_.evaluate(p);
    follow_nonlinear(slopes_along(p, direction).f_v);
  }
  return true;
}

}  // namespace mechfmu
