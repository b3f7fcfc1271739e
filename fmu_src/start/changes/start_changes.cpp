// Finds what everything that the start is made of changes by along a direction of parameters and inputs, and with moves
// of positions. All changes come from one tape, Mechanism::start, and those of forces from Mechanism::balance.
#include "start_changes.hpp"

#include <algorithm>

namespace mechfmu {

StartChanges::StartChanges(StartEquations& equations, const ConsistentStart::Direction& direction)
    : w_(equations), m_(equations.mechanism), s_(equations.s), direction_(direction),
      values_(std::max(m_.start.step_count, m_.balance.step_count)), slopes_(values_.size()),
      turn_(VectorXd::Zero(s_.positions)), results_(m_.start.result_count), still_(VectorXd::Zero(s_.velocities)) {
  dense::raise(seed_, std::fabs(direction.time));
  for (int i = 0; direction.parameters && i < s_.parameters; ++i)
    dense::raise(seed_, std::fabs(direction.parameters[i]));
  for (int i = 0; direction.inputs && i < s_.inputs; ++i) dense::raise(seed_, std::fabs(direction.inputs[i]));
}

StartTape StartChanges::slopes_along(const VectorXd& q, const VectorXd& v, const VectorXd& move) {
  return evaluate(q, v, move, false);
}

StartTape StartChanges::evaluate(const VectorXd& q, const VectorXd& v, const VectorXd& move, bool explicitly) {
  Point here = w_.point;
  here.q = q.data();
  here.v = v.data();
  run(m_.start, here, move, explicitly, results_);
  return StartTape(m_, results_.data());
}

StartTape StartChanges::by_rates(const VectorXd& q, const VectorXd& v, const VectorXd& change_of_v) {
  Point here = w_.point, change;
  here.q = q.data();
  here.v = v.data();
  const VectorXd in_SI = w_.in_SI(change_of_v);
  change.v = in_SI.data();
  differentiate(m_.start, here, change, values_.data(), slopes_.data(), results_.data());
  return StartTape(m_, results_.data());
}

void StartChanges::run(const Tape& tape, const Point& here, const VectorXd& move, bool explicitly, VectorXd& results) {
  Point change;
  rates(w_.model, here.q, w_.in_SI(move).data(), turn_.data());
  change.q = turn_.data();
  if (explicitly) {
    change.time = direction_.time;
    change.parameters = direction_.parameters;
    change.inputs = direction_.inputs;
  }
  differentiate(tape, here, change, values_.data(), slopes_.data(), results.data());
}

VectorXd StartChanges::guess_moves(const VectorXd& guess) {
  const StartTape parts = at(guess, still_, still_);
  VectorXd raw(s_.positions), ignored(s_.velocities), result(s_.velocities);
  m_.guess(w_.point, raw.data(), ignored.data());
  for_positions(
      w_.model, [&](int i, int j) { result[j] = parts.q[i]; },
      [&](int i, int j) {
        double p[4];
        quotient(&raw[i], parts.q + i, p);
        const double square = raw.segment<4>(i).squaredNorm();
        for (int c = 0; c < 3; ++c) result[j + c] = 2 * p[c + 1] / square;
      });
  return w_.in_units(result);
}

VectorXd StartChanges::metric_change(const double* M_change, const VectorXd& x) const {
  VectorXd result(s_.velocities);
  times_symmetric(m_.M, M_change, w_.in_SI(x).data(), result.data());
  result = w_.in_SI(result);
  if (w_.mass_is_definite()) return result;
  return result + share_of_diagonal * diagonal_change(M_change).cwiseProduct(x);
}

VectorXd StartChanges::diagonal_change(const double* M_change) const {
  VectorXd diagonal = VectorXd::Zero(s_.velocities), change = diagonal;
  for (int e = 0; e < m_.M.nonzeros; ++e) {
    const int j = m_.M.column[e];
    if (m_.M.row[e] != j) continue;
    diagonal[j] = w_.M_values[e] * w_.unit[j] * w_.unit[j];
    change[j] = M_change[e] * w_.unit[j] * w_.unit[j];
  }
  int smallest = -1;
  for (int j = 0; j < s_.velocities; ++j) {
    const auto size = [&](int i) { return diagonal[i] * w_.nominal_square(i); };
    if (diagonal[j] > 0 && (smallest < 0 || size(j) < size(smallest))) smallest = j;
  }
  for (int j = 0; j < s_.velocities; ++j) {
    if (diagonal[j] > 0) continue;
    change[j] = smallest < 0 ? 0 : change[smallest] * w_.nominal_square(smallest) / w_.nominal_square(j);
  }
  return change;
}

StartChanges::Guesses StartChanges::weigh(const MatrixXd& slopes, const StartTape& of_guess) const {
  const VectorXd D = w_.metric_diagonal(), D_change = diagonal_change(of_guess.M);
  const MatrixXd change =
      w_.by_moves(Eigen::Map<const MatrixXd>(of_guess.missed_slopes, s_.start_guess_rows, s_.velocities));
  Guesses result{StartEquations::guess_weights(slopes, D), VectorXd(s_.start_guess_rows)};
  for (int i = 0; i < s_.start_guess_rows; ++i) {
    double sum = 0, sum_change = 0;
    for (int j = 0; j < s_.velocities; ++j) {
      const double part = slopes(i, j) / D[j];
      sum += slopes(i, j) * part;
      sum_change += part * (2 * change(i, j) - part * D_change[j]);
    }
    result.change[i] = sum > 0 ? -result.weights[i] * sum_change / sum : 0;
  }
  return result;
}

VectorXd StartChanges::slope_change(const VectorXd& q, const VectorXd& guess, const VectorXd& move,
                                    const VectorXd& gamma, const Entries& G, const VectorXd& force,
                                    const VectorXd& force_change) const {
  VectorXd difference_change(s_.velocities), result(s_.velocities), turned(4 * s_.quaternions);
  double* p_change = turned.data();
  for_positions(
      w_.model, [&](int, int j) { difference_change[j] = move[j] - gamma[j]; },
      [&](int i, int j) {  // p = g⁻¹ q: p′ = ½ p (0, δ) − ½ (0, γ) p
        double p[4], by_move[4];
        rotation_between(&guess[i], &q[i], p);
        half_product(p, &move[j], by_move);
        const double* w = &gamma[j];
        const double by_guess[4] = {-w[0] * p[1] - w[1] * p[2] - w[2] * p[3], w[0] * p[0] + w[1] * p[3] - w[2] * p[2],
                                    w[1] * p[0] + w[2] * p[1] - w[0] * p[3], w[2] * p[0] + w[0] * p[2] - w[1] * p[1]};
        for (int c = 0; c < 4; ++c) p_change[c] = by_move[c] - 0.5 * by_guess[c];
        for (int c = 0; c < 3; ++c) difference_change[j + c] = 2 * p_change[c + 1];
        p_change += 4;
      });
  const VectorXd x_change = G.times(difference_change) + force_change;
  pull_back(w_.model, q.data(), guess.data(), x_change.data(), result.data());
  p_change = turned.data();
  for_positions(
      w_.model, [](int, int) {},
      [&](int, int j) {
        double y[3];
        pull_back_turned(p_change, &force[j], y);
        dense::add(3, 1, y, &result[j]);
        p_change += 4;
      });
  return result;
}

VectorXd StartChanges::pull_of_positions(const StartTape& parts, const VectorXd& mu) const {
  return pull(parts.C, s_.position_rows, parts.F, s_.start_position_rows, mu);
}

VectorXd StartChanges::pull_of_velocities(const StartTape& parts, const VectorXd& nu) const {
  const VectorXd result = pull(parts.C, s_.rows(), parts.R, s_.start_velocity_rows, nu);
  return s_.nonlinear_rows > 0 ? VectorXd(result + pull_of_nonlinear(parts, nu)) : result;
}

VectorXd StartChanges::pull_of_nonlinear(const StartTape& parts, const VectorXd& nu) const {
  const Eigen::Map<const MatrixXd> change(parts.F_v, s_.velocities, s_.nonlinear_rows);
  return w_.in_SI(change * nu.segment(s_.rows(), s_.nonlinear_rows));
}

VectorXd StartChanges::pull(const double* C_change, int own, const double* further_change, int further,
                            const VectorXd& mu) const {
  VectorXd result = Eigen::Map<const MatrixXd>(further_change, further, s_.velocities).transpose() * mu.tail(further);
  const VectorXd of_all = of_all_rows(mu.head(own));
  for (int e = 0; e < m_.C.nonzeros; ++e) {
    if (m_.C.row[e] < own) result[m_.C.column[e]] += C_change[e] * of_all[m_.C.row[e]];
  }
  return w_.in_SI(result);
}

VectorXd StartChanges::shared(VectorXd f) const {
  if (w_.shares()) f.head(s_.position_rows) = w_.sharing * f.head(s_.position_rows);
  return f;
}

VectorXd StartChanges::of_all_rows(VectorXd mu) const {
  if (w_.shares()) mu.head(s_.position_rows) = w_.sharing.transpose() * mu.head(s_.position_rows);
  return mu;
}

VectorXd StartChanges::position_rows_change(const StartTape& parts) const {
  return shared(VectorXd::Map(parts.f, s_.position_rows + s_.start_position_rows));  // f_start follows f
}

VectorXd StartChanges::velocity_rows_change(const StartTape& parts, const VectorXd& v) const {
  VectorXd result(s_.rate_rows() + s_.start_velocity_rows);
  times(m_.C, parts.C, v.data(), result.data());
  result.head(s_.rows()) += VectorXd::Map(parts.c_t, s_.rows());
  result.segment(s_.rows(), s_.nonlinear_rows) = VectorXd::Map(parts.f_v, s_.nonlinear_rows);
  result.tail(s_.start_velocity_rows) = VectorXd::Map(parts.r, s_.start_velocity_rows);
  return shared(result);
}

bool StartChanges::occur(const VectorXd& q) {
  const StartTape parts = at(q, still_, still_);
  const auto any = [](const double* first, const double* end) { return !VectorXd::Map(first, end - first).isZero(0); };
  return any(parts.M, parts.c_t) || any(parts.f, parts.r) || any(parts.missed, parts.v);
}

}  // namespace mechfmu
