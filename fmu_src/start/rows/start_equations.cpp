// Evaluates the equations of the start at a position.
#include "start_equations.hpp"

#include "constraints/choice.hpp"
#include "linear/powers_of_two.hpp"
#include "start/algebra/decompositions.hpp"

namespace mechfmu {

StartEquations::StartEquations(Arena& arena, const Mechanism& m)
    : mechanism(m), s(m.sizes), model(m), point(), stage(held(arena, s.work + 1)),
      M_values(held(arena, m.M.nonzeros + 1)), C_values(held(arena, m.C.nonzeros + 1)), c_t(held(arena, s.rows() + 1)),
      unit(held(arena, s.velocities)), some_q(held(arena, s.positions)), some_v(held(arena, s.velocities)),
      angles(held(arena, 3 * s.angles)) {
  if (!arena.ok()) return;
  point.work = stage.data();
  point.context = m.context;
  for (int j = 0; j < s.velocities; ++j) unit[j] = is_turned(model, j) ? 1 : power_of_two(m.nominal[j]);
}

void StartEquations::locate(double time, const double* parameters, const double* inputs) {
  point.time = time;
  point.parameters = parameters;
  point.inputs = inputs;
  mechanism.prepare(point);
  if (s.angles == 0) return;
  point.q = some_q.data();  // the guesses do not depend on it
  point.v = some_v.data();
  mechanism.angles(point, angles.data() + s.angles, angles.data() + 2 * s.angles, angles.data());
  point.angles = angles.data();
}

bool StartEquations::guess(VectorXd& q, VectorXd& v, Message& message) {
  q.resize(s.positions);
  v.resize(s.velocities);
  mechanism.guess(point, q.data(), v.data());
  for (int i = 0; i < s.positions; ++i) {
    if (!is_finite(q[i])) {
      return message.fail("The start value of '%s' is not finite.", mechanism.position_names[i]);
    }
  }
  for (int i = 0; i < s.velocities; ++i) {
    if (!is_finite(v[i])) {
      return message.fail("The start rate of '%s' is not finite.", mechanism.velocity_names[i]);
    }
  }
  for (int k = 0; k < s.quaternions; ++k) {
    const int i = mechanism.quaternions[k].position;
    if (!(q.segment(i, 4).norm() > 0)) {
      return message.fail("The start value of '%s' is no rotation: its quaternion is zero.",
                          mechanism.position_names[i]);
    }
  }
  normalise(model, q.data());
  return true;
}

VectorXd StartEquations::violation(const VectorXd& q, Rows rows) {
  VectorXd f(position_rows(rows));
  point.q = q.data();
  mechanism.violation(point, f.data());
  if (shares()) f.head(s.position_rows) = sharing * f.head(s.position_rows);
  if (rows != always && s.start_position_rows > 0) {
    MatrixXd F(s.start_position_rows, s.velocities);
    mechanism.start_positions(point, f.data() + s.position_rows, F.data());
  }
  if (rows == with_guesses) f.tail(s.start_guess_rows) = missed(q).by - wanted;
  return f;
}

void StartEquations::matrices(const Eigen::Ref<const VectorXd>& q) {
  point.q = q.data();
  c_t.setZero();
  mechanism.position(point, M_values.data(), C_values.data(), c_t.data());
}

void StartEquations::add_constraints(const double* values, int first, int count, Entries& to, int first_row) const {
  const Pattern& C = mechanism.C;
  for (int e = 0; e < C.nonzeros; ++e) {
    if (C.row[e] < first || C.row[e] >= first + count) continue;
    to.add(C.row[e] - first + first_row, C.column[e], values[e] * unit[C.column[e]]);
  }
}

void StartEquations::add_rows(const double* values, int count, Entries& to) const {
  const int shared = shares() ? s.position_rows : 0;
  if (shared > 0) {
    MatrixXd C = MatrixXd::Zero(shared, s.velocities);
    for (int e = 0; e < mechanism.C.nonzeros; ++e) {
      const int i = mechanism.C.row[e];
      if (i < shared) C.col(mechanism.C.column[e]) += sharing.col(i) * values[e];
    }
    to.add(by_moves(C), 0);
  }
  add_constraints(values, shared, count - shared, to, shared);
}

Entries StartEquations::position_slopes(const VectorXd& q, Rows rows) {
  const int further = position_rows(rows) - s.position_rows;
  const int room = shares() ? s.position_rows * s.velocities : s.C_nonzeros;
  Entries J(position_rows(rows), s.velocities, room + further * s.velocities);
  add_rows(s.position_rows, J);
  if (rows != always && s.start_position_rows > 0) {
    VectorXd f(s.start_position_rows);
    MatrixXd F(s.start_position_rows, s.velocities);
    point.q = q.data();
    mechanism.start_positions(point, f.data(), F.data());
    J.add(by_moves(F), s.position_rows);
  }
  if (rows == with_guesses) J.add(missed(q).slopes, s.position_rows + s.start_position_rows);
  return J;
}

Entries StartEquations::velocity_slopes(const VectorXd& q, const VectorXd& v) {
  const int further = s.start_velocity_rows;
  const int room = s.C_nonzeros + (shares() ? s.position_rows * s.velocities : 0);
  Entries J(s.rate_rows() + further, s.velocities, room + (s.nonlinear_rows + further) * s.velocities);
  add_rows(s.rows(), J);
  if (s.nonlinear_rows > 0) {
    VectorXd f(s.nonlinear_rows);
    MatrixXd F_transposed(s.velocities, s.nonlinear_rows);
    point.q = q.data();
    point.v = v.data();
    mechanism.nonlinear(point, f.data(), F_transposed.data());
    J.add(by_moves(F_transposed.transpose()), s.rows());
  }
  if (further > 0) {
    VectorXd r(further);
    MatrixXd R(further, s.velocities);
    point.q = q.data();
    point.v = v.data();
    mechanism.start_velocities(point, r.data(), R.data());
    J.add(by_moves(R), s.rate_rows());
  }
  return J;
}

Entries StartEquations::mass_matrix(double multiple) const {
  const Pattern& M = mechanism.M;
  VectorXd on_diagonal = multiple * metric_diagonal();
  Entries result(s.velocities, s.velocities, 2 * M.nonzeros + s.velocities);
  for (int e = 0; e < M.nonzeros; ++e) {
    const int i = M.row[e], j = M.column[e];
    const double value = unit[i] * M_values[e] * unit[j];
    if (i == j) {
      on_diagonal[i] += value;
      continue;
    }
    result.add(i, j, value);
    result.add(j, i, value);
  }
  for (int j = 0; j < s.velocities; ++j) result.add(j, j, on_diagonal[j]);
  return result;
}

bool StartEquations::mass_is_definite() const {
  const Entries M = mass_matrix();
  return is_sparse() ? sparse_start::rank(M, nullptr) == s.velocities : Cholesky(M.dense()).is_definite();
}

void StartEquations::find_metric_diagonal(Eigen::Ref<VectorXd> result) const {
  column_metric(mechanism.M, M_values.data(), mechanism.nominal, result.data());
  for (int j = 0; j < s.velocities; ++j) result[j] *= unit[j] * unit[j];
}

VectorXd StartEquations::metric_diagonal() const {
  VectorXd result(s.velocities);
  find_metric_diagonal(result);
  return result;
}

Entries StartEquations::metric() const { return mass_matrix(mass_is_definite() ? 0 : share_of_diagonal); }

VectorXd StartEquations::moved(const VectorXd& q, const VectorXd& delta) const {
  VectorXd result = q;
  move(model, in_SI(delta).data(), result.data());
  return result;
}

double StartEquations::size_of(const VectorXd& delta, const VectorXd& q) const {
  return relative_size(model, in_SI(delta).data(), q.data());
}

VectorXd StartEquations::beside(const VectorXd& q, const MatrixXd& N, Scatter& scatter, double part) const {
  const VectorXd z = scatter.column(static_cast<int>(N.cols()));
  const VectorXd direction = N * z;
  return moved(q, part / (size_of(direction, q) * std::sqrt(static_cast<double>(z.size()))) * direction);
}

VectorXd StartEquations::difference_from(const VectorXd& guess, const VectorXd& q) const {
  VectorXd result(s.velocities);
  difference(model, q.data(), guess.data(), result.data());
  return in_units(result);
}

VectorXd StartEquations::scales(const VectorXd& q) const {
  VectorXd result(s.velocities);
  for (int j = 0; j < s.velocities; ++j) result[j] = scale_of(model, q.data(), j) / unit[j];
  return result;
}

int StartEquations::open_row(const Entries& J, const VectorXd& f, const VectorXd& scales, const VectorXd& seen) const {
  int worst = -1;
  double largest = open_tolerance;
  VectorXd size = row_reach(J, scales);
  if (seen.size() > 0) size = size.cwiseMax(seen);
  VectorXd of_unit = VectorXd::Zero(s.position_rows);
  for (int i = 0; i < s.position_rows; ++i) dense::raise(of_unit[mechanism.same_unit[i]], size[i]);
  for (int i = 0; i < s.position_rows; ++i) {
    if (!(size[i] > 0)) size[i] = of_unit[mechanism.same_unit[i]];
  }
  for (int i = 0; i < f.size(); ++i) {
    const double relative = std::fabs(f[i]) / (size[i] > 0 ? size[i] : 1);
    if (!(relative <= largest)) {
      largest = relative;
      worst = i;
    }
  }
  return worst;
}

StartEquations::Missed StartEquations::missed(const VectorXd& q) {
  Missed result{VectorXd(s.start_guess_rows), MatrixXd(s.start_guess_rows, s.velocities)};
  point.q = q.data();
  if (s.start_guess_rows > 0) mechanism.start_guesses(point, result.by.data(), result.slopes.data());
  result.slopes = by_moves(result.slopes);
  return result;
}

VectorXd StartEquations::guess_weights(const MatrixXd& slopes, const VectorXd& metric_diagonal) {
  VectorXd result(slopes.rows());
  for (int i = 0; i < result.size(); ++i) {
    const double ease = slopes.row(i).transpose().cwiseAbs2().cwiseQuotient(metric_diagonal).sum();
    result[i] = ease > 0 ? insistence * insistence / ease : 0;
  }
  return result;
}

VectorXd row_reach(const Entries& J, const VectorXd& scales) {
  VectorXd result = VectorXd::Zero(J.rows());
  for (int e = 0; e < J.count(); ++e) result[J.row(e)] += std::fabs(J.value(e)) * scales[J.column(e)];
  return result;
}

}  // namespace mechfmu
