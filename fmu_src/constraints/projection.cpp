// Projects onto the position constraints; docs/method.md, drift.
#include "projection.hpp"

#include "mechanism/telling.hpp"

namespace mechfmu {

Mechanism Projection::with_rows(const Mechanism& full, Rows rows, IndexBuffer& row, IndexBuffer& column,
                                IndexBuffer& entry) {
  Mechanism sub = full;
  sub.sizes.acceleration_rows = sub.sizes.nonlinear_rows = sub.sizes.changing_rows = sub.sizes.contacts = 0;
  if (rows == Rows::positions) {
    sub.sizes.velocity_rows = 0;
    sub.sizes.rank = full.sizes.position_rank;
  }
  if (entry.data() == nullptr) return sub;  // memory is short
  int used = 0;
  for (int e = 0; e < full.C.nonzeros; ++e) {
    if (full.C.row[e] >= sub.sizes.rows()) continue;
    row[used] = full.C.row[e];
    column[used] = full.C.column[e];
    entry[used++] = e;
  }
  sub.sizes.C_nonzeros = used;
  sub.C = {sub.sizes.rows(), full.sizes.velocities, used, row.data(), column.data()};
  return sub;
}

Projection::Projection(Arena& arena, const Mechanism& full, Rows rows)
    : full_(full), row_(arena, full.C.nonzeros), column_(arena, full.C.nonzeros), entry_(arena, full.C.nonzeros),
      mechanism_(with_rows(full, rows, row_, column_, entry_)), model_(mechanism_), choice_(arena, mechanism_.sizes),
      basis_(arena, mechanism_, model_), M_(arena, full.M.nonzeros), C_(arena, full.C.nonzeros),
      c_t_(arena, full.sizes.rows()), C_p_(arena, full.C.nonzeros), f_(arena, full.sizes.position_rows),
      f_scale_(arena, full.sizes.position_rows), kept_(arena, mechanism_.sizes.rank),
      delta_(arena, full.sizes.velocities), metric_(arena, full.sizes.velocities),
      force_(arena, full.sizes.velocities) {}

bool Projection::step(const double* M, const double* C, const double* f, double* delta) {
  for (int e = 0; e < mechanism_.C.nonzeros; ++e) C_p_[e] = C[entry_[e]];
  column_metric(mechanism_.M, M, mechanism_.nominal, metric_.data());
  if (!choice_.by_pivoting(mechanism_, C_p_.data(), metric_.data())) return false;
  if (!basis_.factor(M, C_p_.data(), choice_)) return false;
  particular(f, delta);
  remove_tangent_part(model_, basis_.W(), M, delta, force_.data());
  return true;
}

void Projection::particular(const double* f, double* delta) {
  basis_.close(choice_, f, kept_.data());
  basis_.particular(kept_.data(), delta);
}

void Projection::respond(const double* M, const double* f, const double* force, double* delta) {
  const int n = mechanism_.sizes.velocities, k = mechanism_.sizes.degrees_of_freedom();
  dense::fill(n, 0, delta);
  if (f != nullptr) {
    particular(f, delta);
    remove_tangent_part(model_, basis_.W(), M, delta, force_.data());
  }
  for (int j = 0; j < k; ++j) {
    const double* w = basis_.W().column(j);
    dense::add(n, dense::dot(n, w, force), w, delta);
  }
}

bool Projection::correct(Point p, double* q, Message& message) {
  const Sizes& s = full_.sizes;
  if (s.position_rows == 0) return true;
  p.q = q;
  NewtonSteps steps(newton_rules::onto_positions);
  for (int iteration = 0; iteration < 30; ++iteration) {
    full_.violation(p, f_.data());
    full_.position(p, M_.data(), C_.data(), c_t_.data());
    const bool closed = at_round_off(RunTimeModel(full_), C_.data(), s.position_rows, f_.data(), q, f_scale_.data());
    if (!step(M_.data(), C_.data(), f_.data(), delta_.data())) return closed || fail_open(p, message);
    const double size = relative_size(model_, delta_.data(), q);
    steps.take(size);
    // Only rounding is left. Near a singular position its correction is large.
    if (closed && !steps.shrinks()) return true;
    if (!(size < largest_correction)) break;
    move(model_, delta_.data(), q);
    if (steps.ended()) return true;
  }
  return fail_open(p, message);
}

bool Projection::fail_open(const Point& p, Message& message) {
  const Sizes& s = full_.sizes;
  full_.violation(p, f_.data());
  row_scales(RunTimeModel(full_), C_.data(), s.position_rows, p.q, f_scale_.data());
  int worst = 0;
  bool holds = true;  // if it stays true, the trouble is not what is open
  for (int i = 0; i < s.position_rows; ++i) {
    if (!(std::fabs(f_[i]) <= std::fabs(f_[worst]))) worst = i;
    holds = holds && std::fabs(f_[i]) < std::fmax(rounding_of_lengths, gap_ * f_scale_[i]);
  }
  if (holds) {
    return message.fail(
        "The position is singular at t = %.9g s: the constraints hold, but they depend on each other there, "
        "and which motion keeps them is not determined.",
        p.time);
  }
  message.fail("The constraints cannot be closed at t = %.9g s: ", p.time);
  tell_open(full_, p, worst, f_.data(), message);
  message.add(".");
  return false;
}

}  // namespace mechfmu
