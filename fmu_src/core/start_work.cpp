// What the parts of the consistent start share.
#include "start_work.hpp"

#include <cstring>

namespace mechfmu {

namespace {

/// A relative residual above this means that a constraint is open, not merely rounded.
constexpr double open_tolerance = 1e-9;

}  // namespace

ConsistentStart::Work::Work(const Mechanism& m)
    : mechanism(m), s(m.sizes), model(m), point(), stage(VectorXd::Zero(s.work + 1)), M_values(m.M.nonzeros + 1),
      C_values(m.C.nonzeros + 1), c_t(s.rows() + 1), place(VectorXd::Zero(s.positions)),
      scale(VectorXd::Zero(s.velocities)), angles(VectorXd::Zero(3 * s.angles)),
      M(s.velocities, s.velocities), C(s.rows(), s.velocities), pivoting(s.rows(), s.velocities),
      redundant(s.rows() + 1) {
  point.work = stage.data();
  point.context = m.context;
}

void ConsistentStart::Work::locate(double time, const double* parameters, const double* inputs) {
  point.time = time;
  point.parameters = parameters;
  point.inputs = inputs;
  mechanism.prepare(point);
  if (s.angles == 0) return;
  point.q = place.data();  // the guesses do not depend on it
  point.v = scale.data();
  mechanism.angles(point, angles.data() + s.angles, angles.data() + 2 * s.angles, angles.data());
  point.angles = angles.data();
}

bool ConsistentStart::Work::guess(VectorXd& q, VectorXd& v, Message& message) {
  q.resize(s.positions);
  v.resize(s.velocities);
  mechanism.guess(point, q.data(), v.data());
  for (int i = 0; i < s.positions; ++i) {
    if (!(std::fabs(q[i]) < 1e300)) {
      return message.fail("The start value of '%s' is not finite.", mechanism.position_names[i]);
    }
  }
  for (int i = 0; i < s.velocities; ++i) {
    if (!(std::fabs(v[i]) < 1e300)) {
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
  if (f.size() > s.position_rows) {
    MatrixXd F(s.start_position_rows, s.velocities);
    mechanism.start_positions(point, f.data() + s.position_rows, F.data());
  }
  return f;
}

void ConsistentStart::Work::matrices(const VectorXd& q) {
  point.q = q.data();
  c_t.setZero();
  mechanism.position(point, M_values.data(), C_values.data(), c_t.data());
  expand_symmetric(mechanism.M, M_values.data(), M.data());
  expand(mechanism.C, C_values.data(), C.data());
}

MatrixXd ConsistentStart::Work::position_slopes(const VectorXd& q, Rows rows) {
  MatrixXd J(position_rows(rows), s.velocities);
  J.topRows(s.position_rows) = C.topRows(s.position_rows);
  if (J.rows() > s.position_rows) {
    VectorXd f(s.start_position_rows);
    MatrixXd F(s.start_position_rows, s.velocities);
    point.q = q.data();
    mechanism.start_positions(point, f.data(), F.data());
    J.bottomRows(s.start_position_rows) = F;
  }
  return J;
}

MatrixXd ConsistentStart::Work::metric() const {
  MatrixXd result = M;
  VectorXd diagonal(s.velocities);
  column_metric(mechanism.M, M_values.data(), diagonal.data());
  if (Eigen::LLT<MatrixXd>(result).info() != Eigen::Success) result.diagonal() += 1e-3 * diagonal;
  return result;
}

VectorXd ConsistentStart::Work::moved(const VectorXd& q, const VectorXd& delta) const {
  VectorXd result = q;
  move(model, delta.data(), result.data());
  return result;
}

VectorXd ConsistentStart::Work::difference_from(const VectorXd& guess, const VectorXd& q) const {
  VectorXd result(s.velocities);
  difference(model, q.data(), guess.data(), result.data());
  return result;
}

VectorXd ConsistentStart::Work::scales(const VectorXd& q) const {
  VectorXd result(s.velocities);
  for (int j = 0; j < s.velocities; ++j) result[j] = scale_of(model, q.data(), j);
  return result;
}

bool ConsistentStart::Work::close(const MatrixXd& metric, Rows rows, VectorXd& q) {
  const bool* fixed = rows == at_start ? mechanism.position_fixed : nullptr;
  VectorXd f = violation(q, rows);
  if (f.size() == 0) return true;
  double last = 1e300;
  for (int iteration = 0; iteration < 200; ++iteration) {
    matrices(q);
    const MatrixXd J = position_slopes(q, rows);
    VectorXd step = smallest_move(J, f, metric, fixed);
    const double size = relative_size(model, step.data(), q.data());
    if (!(size < 1e300)) return false;
    if (size <= 1e-15 || (size < 1e-10 && size > last / 2)) return open_row(J, f, scales(q)) < 0;
    last = size;
    VectorXd weights(f.size());  // residuals as distances
    for (int i = 0; i < f.size(); ++i) weights[i] = weight_of(J.row(i));
    const double before = f.cwiseProduct(weights).squaredNorm();
    if (size > largest_move) step = damped_move(weights.asDiagonal() * J, weights.cwiseProduct(f), metric, fixed, q);
    double part = 1;
    bool better = false;
    for (int halving = 0; halving < 40; ++halving, part /= 2) {
      const VectorXd trial = moved(q, part * step);
      const VectorXd f_trial = violation(trial, rows);
      const double after = f_trial.cwiseProduct(weights).squaredNorm();
      if (after <= (1 - 1e-4 * part) * before || (before < 1e-24 && after <= before * 4)) {
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

void ConsistentStart::Work::tell(int j, bool of_velocities, const VectorXd& guess, const VectorXd& reached,
                                 Message& message) const {
  if (of_velocities) {
    message.add("'%s' (start %.6g, reached %.6g)", mechanism.velocity_names[j], guess[j], reached[j]);
    return;
  }
  const int i = position_of(model, j);
  const char* name = mechanism.position_names[i];
  if (!is_turned(model, j)) {
    message.add("'%s' (start %.6g, reached %.6g)", name, guess[i], reached[i]);
    return;
  }
  double p[4];
  rotation_between(&guess[i], &reached[i], p);
  const char* end = std::strrchr(name, '.');  // "A.orientation.w" is told as "A.orientation"
  message.add("'%.*s' (turned by %.6g rad from its start)",
              static_cast<int>(end != nullptr ? end - name : static_cast<long>(std::strlen(name))), name,
              2 * std::atan2(std::sqrt(dense::dot(3, p + 1, p + 1)), p[0]));
}

void ConsistentStart::Work::explain(const Open& open, Message& message) const {
  const bool* fixed = open.of_velocities ? mechanism.velocity_fixed : mechanism.position_fixed;
  const MatrixXd& J = open.J;
  const int start_rows = static_cast<int>(J.rows()) - open.own_rows;
  // The fixed values are to blame if, without them, the constraints would have more independent directions.
  const auto rank = [&](MatrixXd A, bool only_free) {
    for (int j = 0; j < A.cols(); ++j) {
      if (only_free && fixed && fixed[j]) A.col(j).setZero();
    }
    Eigen::ColPivHouseholderQR<MatrixXd> qr;
    qr.setThreshold(rank_tolerance);
    qr.compute(A);
    return qr.rank();
  };
  const auto list = [&](bool wanted_fixed) {
    int named = 0;
    for (int j = 0, width = 1; j < J.cols() && named < 10; j += width) {
      width = !open.of_velocities && is_turned(model, j) ? 3 : 1;
      bool wanted = false;
      for (int c = j; c < j + width; ++c) {
        if ((fixed && fixed[c]) == wanted_fixed) wanted = wanted || wanted_fixed || J(open.row, c) != 0;
      }
      if (!wanted) continue;
      message.add(named++ == 0 ? " " : ", ");
      tell(j, open.of_velocities, open.guess, open.reached, message);
    }
    for (int i = 0; wanted_fixed && i < start_rows && named < 10; ++i) {
      message.add("%s'%s'", named++ == 0 ? " " : ", ",
                  (open.of_velocities ? mechanism.start_velocity_names : mechanism.start_position_names)[i]);
    }
    return named;
  };
  if (rank(J, true) < rank(J.topRows(open.own_rows), false) + start_rows) {
    message.add(" The fixed start values over-determine it:");
    list(true);
    message.add(". Remove '%s' from one of them.", open.of_velocities ? "rate_fixed = true" : "fixed = true");
    return;
  }
  message.add(" Change the start values");
  if (list(false) == 0) list(true);
  message.add(", or check the constraint.");
}

namespace {

/// J Δ = −f for the columns that may move, in coordinates whose length is the metric's.
struct ScaledMove {
  ScaledMove(const MatrixXd& J, const VectorXd& f, const MatrixXd& G, const bool* fixed) : free(J.cols()), b(-f) {
    int count = 0;
    for (int i = 0; i < J.cols(); ++i) {
      if (!(fixed && fixed[i])) free[count++] = i;
    }
    free.conservativeResize(count);
    L.compute(G(free, free));
    A = L.matrixL().solve(J(Eigen::all, free).transpose()).transpose();  // J L^{-T}
  }
  bool empty() const { return A.size() == 0; }
  VectorXd move(const VectorXd& x, int velocities) const {
    VectorXd result = VectorXd::Zero(velocities);
    const VectorXd moves = L.matrixU().solve(x);
    for (int j = 0; j < free.size(); ++j) result[free[j]] = moves[j];
    return result;
  }

  Eigen::VectorXi free;
  VectorXd b;
  Eigen::LLT<MatrixXd> L;
  MatrixXd A;
};

}  // namespace

VectorXd smallest_move(const MatrixXd& J, const VectorXd& f, const MatrixXd& G, const bool* fixed) {
  VectorXd weights(f.size());
  for (int i = 0; i < f.size(); ++i) weights[i] = weight_of(J.row(i));
  const ScaledMove scaled(weights.asDiagonal() * J, weights.cwiseProduct(f), G, fixed);
  const int n = static_cast<int>(J.cols());
  if (scaled.empty()) return VectorXd::Zero(n);
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
  decomposition.setThreshold(rank_tolerance);
  decomposition.compute(scaled.A);
  return scaled.move(decomposition.solve(scaled.b), n);
}

VectorXd ConsistentStart::Work::damped_move(const MatrixXd& J, const VectorXd& f, const MatrixXd& G, const bool* fixed,
                                            const VectorXd& q) const {
  const ScaledMove scaled(J, f, G, fixed);
  const int n = static_cast<int>(J.cols());
  const Eigen::BDCSVD<MatrixXd> svd(scaled.A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const VectorXd sigma = svd.singularValues(), b = svd.matrixU().transpose() * scaled.b;
  const auto damped = [&](double mu) {
    return scaled.move(svd.matrixV() * (sigma.array() * b.array() / (sigma.array().square() + mu)).matrix(), n);
  };
  double low = -30, high = 30;  // exponents of mu relative to the largest singular value's square
  for (int halving = 0; halving < 30; ++halving) {
    const double middle = (low + high) / 2;
    const VectorXd move = damped(sigma[0] * sigma[0] * std::exp(middle));
    (relative_size(model, move.data(), q.data()) <= largest_move ? high : low) = middle;
  }
  return damped(sigma[0] * sigma[0] * std::exp(high));
}

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
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
  qr.setThreshold(rank_tolerance);
  qr.compute(A.transpose());
  MatrixXd Q = qr.householderQ() * MatrixXd::Identity(n, n);
  for (int i = 0; fixed && i < n; ++i) {
    if (fixed[i]) Q.row(i).setZero();  // without rounding: what is fixed holds exactly
  }
  return Q.rightCols(n - qr.rank());
}

int open_row(const MatrixXd& J, const VectorXd& f, const VectorXd& scales) {
  int worst = -1;
  double largest = open_tolerance;
  for (int i = 0; i < f.size(); ++i) {
    double scale = 0;
    for (int j = 0; j < J.cols(); ++j) scale += std::fabs(J(i, j)) * scales[j];
    const double relative = std::fabs(f[i]) / (scale > 0 ? scale : 1);
    if (!(relative <= largest)) {
      largest = relative;
      worst = i;
    }
  }
  return worst;
}

}  // namespace mechfmu
