// Does what the parts of the consistent start share.
#include "start_work.hpp"

#include "decompositions.hpp"
#include "linear/powers_of_two.hpp"

namespace mechfmu {

namespace {

HeldVector held(Arena& arena, int size) { return {arena.zeros<double>(size), size}; }

}  // namespace

ConsistentStart::Work::Work(Arena& arena, const Mechanism& m)
    : mechanism(m), s(m.sizes), model(m), point(), stage(held(arena, s.work + 1)),
      M_values(held(arena, m.M.nonzeros + 1)), C_values(held(arena, m.C.nonzeros + 1)), c_t(held(arena, s.rows() + 1)),
      unit(held(arena, s.velocities)), rank_place(held(arena, s.positions)), rank_scale(held(arena, s.velocities)),
      rank_squares(held(arena, s.rows())), row_lengths(held(arena, s.rows())), angles(held(arena, 3 * s.angles)),
      pivoting(arena, s.rows(), s.velocities, s.C_nonzeros), redundant(arena.zeros<int>(s.rows() + 1), s.rows() + 1) {
  if (!arena.ok()) return;
  point.work = stage.data();
  point.context = m.context;
  for (int j = 0; j < s.velocities; ++j) unit[j] = is_turned(model, j) ? 1 : power_of_two(m.nominal[j]);
}

void ConsistentStart::Work::locate(double time, const double* parameters, const double* inputs) {
  point.time = time;
  point.parameters = parameters;
  point.inputs = inputs;
  mechanism.prepare(point);
  if (s.angles == 0) return;
  point.q = rank_place.data();  // the guesses do not depend on it
  point.v = rank_scale.data();
  mechanism.angles(point, angles.data() + s.angles, angles.data() + 2 * s.angles, angles.data());
  point.angles = angles.data();
}

bool ConsistentStart::Work::guess(VectorXd& q, VectorXd& v, Message& message) {
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

VectorXd ConsistentStart::Work::violation(const VectorXd& q, Rows rows) {
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

void ConsistentStart::Work::matrices(const Eigen::Ref<const VectorXd>& q) {
  point.q = q.data();
  c_t.setZero();
  mechanism.position(point, M_values.data(), C_values.data(), c_t.data());
}

void ConsistentStart::Work::add_constraints(const double* values, int first, int count, Entries& to,
                                            int first_row) const {
  const Pattern& C = mechanism.C;
  for (int e = 0; e < C.nonzeros; ++e) {
    if (C.row[e] < first || C.row[e] >= first + count) continue;
    to.add(C.row[e] - first + first_row, C.column[e], values[e] * unit[C.column[e]]);
  }
}

void ConsistentStart::Work::add_rows(const double* values, int count, Entries& to) const {
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

Entries ConsistentStart::Work::position_slopes(const VectorXd& q, Rows rows) {
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

Entries ConsistentStart::Work::velocity_slopes(const VectorXd& q, const VectorXd& v) {
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

Entries ConsistentStart::Work::mass_matrix(double multiple) const {
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

bool ConsistentStart::Work::mass_is_definite() const {
  const Entries M = mass_matrix();
  return is_sparse() ? sparse_start::rank(M, nullptr) == s.velocities : Cholesky(M.dense()).is_definite();
}

void ConsistentStart::Work::find_metric_diagonal(Eigen::Ref<VectorXd> result) const {
  column_metric(mechanism.M, M_values.data(), mechanism.nominal, result.data());
  for (int j = 0; j < s.velocities; ++j) result[j] *= unit[j] * unit[j];
}

VectorXd ConsistentStart::Work::metric_diagonal() const {
  VectorXd result(s.velocities);
  find_metric_diagonal(result);
  return result;
}

Entries ConsistentStart::Work::metric() const { return mass_matrix(mass_is_definite() ? 0 : share_of_diagonal); }

VectorXd ConsistentStart::Work::moved(const VectorXd& q, const VectorXd& delta) const {
  VectorXd result = q;
  move(model, in_SI(delta).data(), result.data());
  return result;
}

double ConsistentStart::Work::size_of(const VectorXd& delta, const VectorXd& q) const {
  return relative_size(model, in_SI(delta).data(), q.data());
}

VectorXd ConsistentStart::Work::beside(const VectorXd& q, const MatrixXd& N, Scatter& scatter, double part) const {
  const VectorXd z = scatter.column(static_cast<int>(N.cols()));
  const VectorXd direction = N * z;
  return moved(q, part / (size_of(direction, q) * std::sqrt(static_cast<double>(z.size()))) * direction);
}

VectorXd ConsistentStart::Work::difference_from(const VectorXd& guess, const VectorXd& q) const {
  VectorXd result(s.velocities);
  difference(model, q.data(), guess.data(), result.data());
  return in_units(result);
}

VectorXd ConsistentStart::Work::scales(const VectorXd& q) const {
  VectorXd result(s.velocities);
  for (int j = 0; j < s.velocities; ++j) result[j] = scale_of(model, q.data(), j) / unit[j];
  return result;
}

namespace {

/// Finds steps that shrink by a constant part, (p − 1)/p where rows vanish in order p. Newton's steps do so at dead
/// points only.
class LinearConvergence {
 public:
  bool seen(double size, double small) {
    const double ratio = size / last_;
    last_ = size;
    in_a_row_ = 0.35 < ratio && ratio < 0.8 ? in_a_row_ + 1 : 0;
    return in_a_row_ >= 3 && size < small;
  }

 private:
  double last_ = beyond_all;
  int in_a_row_ = 0;
};

/// Finds residuals that so many steps have not halved.
class Standstill {
 public:
  bool seen(double square, int patience) {
    if (square <= mark_ / 4) {
      mark_ = square;
      since_ = 0;
    }
    return since_++ >= patience;
  }

 private:
  double mark_ = beyond_all;
  int since_ = 0;
};

}  // namespace

bool ConsistentStart::Work::close(const Entries& metric, Rows rows, VectorXd& q, Fold* met, int patience) {
  const bool* fixed = rows == always ? nullptr : mechanism.position_fixed;
  VectorXd f = violation(q, rows);
  if (f.size() == 0) return true;
  NewtonSteps steps(newton_rules::onto_rows);
  LinearConvergence linear;
  Standstill standstill;
  bool looks_for_folds = met != nullptr && mechanism.start.step_count > 0;
  Entries J_before(0, 0, 0);
  for (int iteration = 0; iteration < most_closing_steps; ++iteration) {
    matrices(q);
    const Entries J = position_slopes(q, rows);
    VectorXd step = smallest_move(J, f, metric, fixed);
    const double size = size_of(step, q);
    if (!is_finite(size)) return false;
    steps.take(size);
    if (looks_for_folds) {
      measure(J, q);
      if (linear.seen(size, is_sparse() ? near_dead_point_sparse : near_dead_point)) {
        looks_for_folds = false;  // it does not look again, whatever is found
        const double level = level_between(dimensionless(J_before), dimensionless(J), size);
        if (level > 0 && deflate(level, q, *met)) return true;
        matrices(q);
      }
      J_before = J;
    }
    if (steps.ended()) return open_row(J, f, scales(q)) < 0;
    const VectorXd weights = J.weights();  // make distances of residuals
    const double before = f.cwiseProduct(weights).squaredNorm();
    if (standstill.seen(before, patience)) return false;
    const bool at_rounding = f.cwiseQuotient(row_reach(J, scales(q)).cwiseMax(tiny)).norm() < rounding_of_closing;
    if (size > largest_move) step = damped_move(J.scaled(weights), weights.cwiseProduct(f), metric, fixed, q);
    double part = 1;
    bool better = false;
    for (int halving = 0; halving < 40; ++halving, part /= 2) {
      const VectorXd trial = moved(q, part * step);
      const VectorXd f_trial = violation(trial, rows);
      const double after = f_trial.cwiseProduct(weights).squaredNorm();
      if (after <= (1 - enough_descent * part) * before || (at_rounding && after <= before * 4)) {
        q = trial;
        f = f_trial;
        better = true;
        break;
      }
    }
    if (!better) return open_row(J, f, scales(q)) < 0;
  }
  return false;
}

Eigen::VectorXi free_columns(int count, const bool* fixed) {
  Eigen::VectorXi result(count);
  int found = 0;
  for (int j = 0; j < count; ++j) {
    if (!(fixed && fixed[j])) result[found++] = j;
  }
  result.conservativeResize(found);
  return result;
}

namespace {

/// Solves J Δ = −f for the columns that may move, in coordinates whose length is the metric's. `length` is what rows
/// had that are short here, in the metric.
struct ScaledMove {
  ScaledMove(const MatrixXd& J, const VectorXd& f, const MatrixXd& G, const bool* fixed, double length = 0)
      : free(free_columns(static_cast<int>(J.cols()), fixed)), b(-f), L(G(free, free)),
        A(L.solve_L(J(Eigen::all, free).transpose()).transpose()) {
    // A row that only fixed values could close is not closed by what rounding leaves of its other entries.
    const VectorXd scales = G.diagonal().cwiseMax(tiny).cwiseInverse();
    for (int i = 0; i < J.rows(); ++i) {
      const VectorXd squares = J.row(i).cwiseAbs2().transpose().cwiseProduct(scales);
      const double whole = std::max(squares.sum(), length * length);
      if (squares(free).sum() <= rank_tolerance * rank_tolerance * whole) A.row(i).setZero();
    }
  }
  bool empty() const { return A.size() == 0; }
  VectorXd move(const VectorXd& x, int velocities) const {
    VectorXd result = VectorXd::Zero(velocities);
    const VectorXd moves = L.solve_L_transposed(x);
    for (int j = 0; j < free.size(); ++j) result[free[j]] = moves[j];
    return result;
  }

  Eigen::VectorXi free;
  VectorXd b;
  Cholesky L;  ///< factors of the metric
  MatrixXd A;  ///< J L⁻ᵀ
};

}  // namespace

MatrixXd null_space(const MatrixXd& J, const bool* fixed) {
  const int n = static_cast<int>(J.cols());
  int pinned = 0;
  for (int i = 0; i < n; ++i) pinned += fixed && fixed[i];
  MatrixXd A = MatrixXd::Zero(J.rows() + pinned, n);
  A.topRows(J.rows()) = J;
  for (int i = 0, row = static_cast<int>(J.rows()); i < n; ++i) {
    if (fixed && fixed[i]) A(row++, i) = 1;
  }
  for (int i = 0; i < A.rows(); ++i) {
    const double length = A.row(i).norm();
    if (length > 0) A.row(i) /= length;
  }
  if (A.rows() == 0) return MatrixXd::Identity(n, n);
  int rank = 0;
  MatrixXd Q = reflections_of(A.transpose(), rank_tolerance, rank);
  for (int i = 0; fixed && i < n; ++i) {
    if (fixed[i]) Q.row(i).setZero();  // is without rounding: fixed values hold exactly
  }
  return Q.rightCols(n - rank);
}

VectorXd ConsistentStart::Work::smallest_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed,
                                              const VectorXd* lengths) const {
  const VectorXd weights = lengths != nullptr ? VectorXd(lengths->cwiseInverse()) : J.weights();
  const VectorXd b = weights.cwiseProduct(f);
  if (is_sparse())
    return sparse_start::smallest_move(J.scaled(weights), b, G, fixed, lengths != nullptr ? rank_tolerance : 0);
  const ScaledMove scaled(J.scaled(weights).dense(), b, G.dense(), fixed, lengths != nullptr ? 1 : 0);
  if (scaled.empty()) return VectorXd::Zero(s.velocities);
  return scaled.move(solve_least_squares(scaled.A, scaled.b, rank_tolerance).x, s.velocities);
}

/// Returns the largest move that is small enough, of those that `damped` gives for the exponents of μ. For a sparse
/// mechanism, where each move takes a factorisation, it is the largest to a hundredth.
template <class Damped>
VectorXd ConsistentStart::Work::largest_of(const Damped& damped, const VectorXd& q) const {
  const double long_enough = is_sparse() ? 0.99 : 1;
  double low = -30, high = 30;
  for (int halving = 0; halving < 30; ++halving) {
    const double middle = (low + high) / 2;
    const VectorXd move = damped(middle);
    const double size = size_of(move, q);
    if (size <= largest_move && size > long_enough * largest_move) return move;
    (size <= largest_move ? high : low) = middle;
  }
  return damped(high);
}

VectorXd ConsistentStart::Work::damped_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed,
                                            const VectorXd& q) const {
  if (is_sparse()) {
    return largest_of([&](double exponent) { return sparse_start::damped_move(J, f, G, fixed, std::exp(exponent)); },
                      q);
  }
  const ScaledMove scaled(J.dense(), f, G.dense(), fixed);
  if (s.velocities >= damped_by_eigenvalues_from) {
    const Eigenvalues eigen(scaled.A * scaled.A.transpose());
    const VectorXd squares = eigen.values.cwiseMax(0), b = eigen.vectors.transpose() * scaled.b;
    return largest_of(
        [&](double exponent) {
          const double mu = squares.maxCoeff() * std::exp(exponent);
          const VectorXd y = eigen.vectors * (b.array() / (squares.array() + mu)).matrix();
          return scaled.move(scaled.A.transpose() * y, s.velocities);
        },
        q);
  }
  const SingularValues svd(scaled.A, SingularValues::thin);
  const VectorXd& sigma = svd.values;
  const VectorXd b = svd.U.transpose() * scaled.b;
  return largest_of(
      [&](double exponent) {  // it is relative to the largest singular value's square
        const double mu = sigma[0] * sigma[0] * std::exp(exponent);
        return scaled.move(svd.V * (sigma.array() * b.array() / (sigma.array().square() + mu)).matrix(), s.velocities);
      },
      q);
}

MatrixXd ConsistentStart::Work::null_space(const Entries& rows, const bool* fixed) const {
  return is_sparse() ? sparse_start::null_space(rows, fixed) : mechfmu::null_space(rows.dense(), fixed);
}

VectorXd ConsistentStart::Work::multipliers(const Entries& J, const VectorXd& slope, const bool* fixed) const {
  if (J.rows() == 0) return VectorXd(0);
  if (is_sparse()) return sparse_start::multipliers(J, slope, fixed);
  const VectorXd weights = J.weights();
  MatrixXd A = J.scaled(weights).dense().transpose();
  VectorXd b = slope;
  for (int j = 0; fixed && j < A.rows(); ++j) {
    if (fixed[j]) A.row(j).setZero(), b[j] = 0;
  }
  return weights.cwiseProduct(solve_least_squares(A, b));
}

ConsistentStart::Work::Cut ConsistentStart::Work::cut(const Entries& J, const VectorXd& f, const bool* fixed,
                                                      double level, int most) const {
  if (is_sparse()) return sparse_start::cut(J, f, fixed, level, most);
  const Eigen::VectorXi free = free_columns(s.velocities, fixed);
  if (free.size() == 0) {
    return {MatrixXd(s.velocities, 0), MatrixXd::Identity(J.rows(), J.rows()), VectorXd::Zero(s.velocities)};
  }
  const SingularValues svd(J.dense()(Eigen::all, free), SingularValues::all);
  const VectorXd& sigma = svd.values;
  int r = 0;
  while (r < sigma.size() && r < most && sigma[r] > level) ++r;
  Cut result{MatrixXd::Zero(s.velocities, free.size() - r), svd.U.rightCols(J.rows() - r),
             VectorXd::Zero(s.velocities)};
  result.N(free, Eigen::all) = svd.V.rightCols(free.size() - r);
  result.particular(free) = -svd.V.leftCols(r) * (svd.U.leftCols(r).transpose() * f).cwiseQuotient(sigma.head(r));
  return result;
}

namespace {

/// Returns J with zeros in the columns that `without` marks.
MatrixXd without_columns(const Entries& J, const bool* without) {
  MatrixXd A = J.dense();
  for (int j = 0; without && j < A.cols(); ++j) {
    if (without[j]) A.col(j).setZero();
  }
  return A;
}

}  // namespace

int ConsistentStart::Work::rank(const Entries& J, const bool* without) const {
  if (is_sparse()) return sparse_start::rank(J, without);
  return rank_of(without_columns(J, without), rank_tolerance);
}

int ConsistentStart::Work::rank_at(double level, const Entries& J, const bool* without) const {
  if (is_sparse()) return sparse_start::rank(J, without, level, level);
  const VectorXd pivots = pivots_of(without_columns(J, without));
  return static_cast<int>((pivots.array() > level).count());
}

VectorXd row_reach(const Entries& J, const VectorXd& scales) {
  VectorXd result = VectorXd::Zero(J.rows());
  for (int e = 0; e < J.count(); ++e) result[J.row(e)] += std::fabs(J.value(e)) * scales[J.column(e)];
  return result;
}

int ConsistentStart::Work::open_row(const Entries& J, const VectorXd& f, const VectorXd& scales,
                                    const VectorXd& seen) const {
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

}  // namespace mechfmu
