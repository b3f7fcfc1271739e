// The consistent start; docs/method.md.
//
// Positions in two phases: first onto the constraints by Newton steps that are smallest in the metric M(q_g), with a
// line search on the residual; then along them to the point nearest to the guesses, by reduced Newton steps whose
// Hessian M(q_g) − Σ μ_i ∇²f_i is differenced from C. Velocities are a linear problem of the same kind.
#include "start.hpp"

#include <Eigen/Dense>
#include <new>

#include "choice.hpp"
#include "pivoting.hpp"
#include "products.hpp"

namespace mechfmu {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// A relative residual above this means that a constraint is open, not merely rounded.
constexpr double open_tolerance = 1e-9;

/// Largest part of a coordinate's size that one assembly step may move it.
constexpr double largest_move = 0.5;

}  // namespace

struct ConsistentStart::Work {
  explicit Work(const Mechanism& m)
      : mechanism(m), s(m.sizes), point(), stage(VectorXd::Zero(s.work + 1)), M_values(m.M.nonzeros + 1),
        C_values(m.C.nonzeros + 1), c_t(s.rows() + 1), place(VectorXd::Zero(s.positions)),
        scale(VectorXd::Zero(s.velocities)), angles(VectorXd::Zero(3 * s.angles)),
        M(s.velocities, s.velocities), C(s.rows(), s.velocities), pivoting(s.rows(), s.velocities), redundant(s.rows() + 1) {
    point.work = stage.data();
    point.context = m.context;
  }

  void locate(double time, const double* parameters, const double* inputs) {
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
  VectorXd violation(const VectorXd& q) {
    VectorXd f(s.position_rows);
    point.q = q.data();
    mechanism.violation(point, f.data());
    return f;
  }
  /// M and C at q, dense.
  void matrices(const VectorXd& q) {
    point.q = q.data();
    c_t.setZero();
    mechanism.position(point, M_values.data(), C_values.data(), c_t.data());
    expand_symmetric(mechanism.M, M_values.data(), M.data());
    expand(mechanism.C, C_values.data(), C.data());
  }
  /// The metric of moves: M, with something positive for coordinates without inertia.
  MatrixXd metric() const {
    MatrixXd result = M;
    VectorXd scale(s.velocities);
    column_metric(mechanism.M, M_values.data(), scale.data());
    if (Eigen::LLT<MatrixXd>(result).info() != Eigen::Success) result.diagonal() += 1e-3 * scale;
    return result;
  }

  void explain_open(const MatrixXd& J, int row, const bool* fixed, const char* const* names, const char* key,
                    int first_start, const VectorXd& reached, Message&) const;

  const Mechanism& mechanism;
  Sizes s;
  Point point;
  VectorXd stage, M_values, C_values, c_t;
  VectorXd place, scale;  ///< of ranks(), which must not allocate
  VectorXd angles;        ///< guesses first, which the angles shall be near to
  MatrixXd M, C;
  Pivoting pivoting;
  Eigen::VectorXi redundant;
};

namespace {

/// Δ with J Δ = −f, smallest in the metric G: least squares where J is rank-deficient. Only columns marked free move.
VectorXd smallest_move(const MatrixXd& J, const VectorXd& f, const MatrixXd& G, const bool* fixed) {
  const int n = static_cast<int>(J.cols());
  Eigen::VectorXi free(n);
  int count = 0;
  for (int i = 0; i < n; ++i) {
    if (!(fixed && fixed[i])) free[count++] = i;
  }
  VectorXd move = VectorXd::Zero(n);
  if (count == 0 || J.rows() == 0) return move;
  MatrixXd A(J.rows(), count), metric(count, count);
  for (int j = 0; j < count; ++j) {
    A.col(j) = J.col(free[j]);
    for (int i = 0; i < count; ++i) metric(i, j) = G(free[i], free[j]);
  }
  VectorXd b = -f;
  for (int i = 0; i < A.rows(); ++i) {  // rows of length one
    const double length = A.row(i).norm();
    if (!(length > 0)) continue;
    A.row(i) /= length;
    b[i] /= length;
  }
  const Eigen::LLT<MatrixXd> L(metric);
  const MatrixXd scaled = L.matrixL().solve(A.transpose()).transpose();  // A L^{-T}
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
  decomposition.setThreshold(rank_tolerance);
  decomposition.compute(scaled);
  const VectorXd x = L.matrixU().solve(decomposition.solve(b));
  for (int j = 0; j < count; ++j) move[free[j]] = x[j];
  return move;
}

/// Null vectors of J with zeros at the fixed columns, orthonormal.
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
  const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(n, n);
  return Q.rightCols(n - qr.rank());
}

/// The constraint that is open, and by how much; -1: all closed. Residuals are compared with what moving the
/// coordinates by their own size would change.
int open_row(const MatrixXd& J, const VectorXd& f, const VectorXd& q) {
  int worst = -1;
  double largest = open_tolerance;
  for (int i = 0; i < f.size(); ++i) {
    double scale = 0;
    for (int j = 0; j < J.cols(); ++j) scale += std::fabs(J(i, j)) * (1 + std::fabs(q[j]));
    const double relative = std::fabs(f[i]) / (scale > 0 ? scale : 1);
    if (!(relative <= largest)) {
      largest = relative;
      worst = i;
    }
  }
  return worst;
}

/// Damped Newton onto f_p = 0. Returns whether it converged; q is the best reached.
template <class Work>
bool close(Work& w, const MatrixXd& metric, const bool* fixed, VectorXd& q) {
  VectorXd f = w.violation(q);
  double last = 1e300;
  for (int iteration = 0; iteration < 200; ++iteration) {
    w.matrices(q);
    const MatrixXd J = w.C.topRows(w.s.position_rows);
    const VectorXd move = smallest_move(J, f, metric, fixed);
    double size = 0;
    for (int i = 0; i < q.size(); ++i) size = std::fmax(size, std::fabs(move[i]) / (1 + std::fabs(q[i])));
    if (!(size < 1e300)) return false;
    if (size <= 1e-15 || (size < 1e-10 && size > last / 2)) return open_row(J, f, q) < 0;
    last = size;
    VectorXd lengths(f.size());  // residuals as distances
    for (int i = 0; i < f.size(); ++i) {
      const double length = J.row(i).norm();
      lengths[i] = length > 0 ? 1 / length : 1;
    }
    const double before = f.cwiseProduct(lengths).squaredNorm();
    double part = size > largest_move ? largest_move / size : 1;
    bool better = false;
    for (int halving = 0; halving < 40; ++halving, part /= 2) {
      const VectorXd trial = q + part * move;
      const VectorXd f_trial = w.violation(trial);
      const double after = f_trial.cwiseProduct(lengths).squaredNorm();
      if (after <= (1 - 1e-4 * part) * before || (before < 1e-24 && after <= before * 4)) {
        q = trial;
        f = f_trial;
        better = true;
        break;
      }
    }
    if (!better) return open_row(J, f, q) < 0;
  }
  return false;
}

}  // namespace

ConsistentStart::ConsistentStart(const Mechanism& mechanism) : work_(new (std::nothrow) Work(mechanism)) {}
ConsistentStart::~ConsistentStart() { delete work_; }
bool ConsistentStart::ok() const { return work_ != nullptr && work_->pivoting.ok(); }

bool ConsistentStart::solve(double time, const double* parameters, const double* inputs, double* q, double* v, Message& message) {
  return solve_positions(time, parameters, inputs, q, message) &&
         solve_velocities(time, parameters, inputs, q, v, message);
}

bool ConsistentStart::solve_positions(double time, const double* parameters, const double* inputs, double* q_found,
                            Message& message) {
  Work& w = *work_;
  w.locate(time, parameters, inputs);
  const bool* fixed = w.mechanism.position_fixed;
  const VectorXd guess = VectorXd::Map(parameters + w.s.first_position_start(), w.s.positions);
  VectorXd q = guess;
  const auto keep = [&] { VectorXd::Map(q_found, w.s.positions) = q; };
  keep();
  for (int i = 0; i < w.s.positions; ++i) {
    if (!(std::fabs(guess[i]) < 1e300)) {
      return message.fail("The start value of '%s' is not finite.", w.mechanism.position_names[i]);
    }
  }
  if (w.s.position_rows == 0) return true;
  w.matrices(q);
  const MatrixXd metric = w.metric();
  if (!close(w, metric, fixed, q)) {
    keep();
    w.matrices(q);
    const MatrixXd J = w.C.topRows(w.s.position_rows);
    const VectorXd f = w.violation(q);
    int worst = open_row(J, f, q);
    if (worst < 0) worst = 0;
    message.fail("The mechanism cannot be assembled: constraint '%s' stays open by %.6g (SI).",
                 w.mechanism.constraint_names[worst], f[worst]);
    w.explain_open(J, worst, fixed, w.mechanism.position_names, "fixed = true", w.s.first_position_start(), q, message);
    return false;
  }
  // Along the constraints to the nearest point.
  const auto distance = [&](const VectorXd& x) { return 0.5 * (x - guess).dot(metric * (x - guess)); };
  for (int iteration = 0; iteration < 100; ++iteration) {
    w.matrices(q);
    const MatrixXd J = w.C.topRows(w.s.position_rows);
    const MatrixXd N = null_space(J, fixed);
    if (N.cols() == 0) break;
    const VectorXd slope = metric * (q - guess);
    const VectorXd reduced = N.transpose() * slope;
    const MatrixXd flat = N.transpose() * metric * N;
    if (reduced.cwiseAbs().maxCoeff() <= 1e-15 * (1 + slope.cwiseAbs().maxCoeff())) break;
    const VectorXd mu = J.transpose().completeOrthogonalDecomposition().solve(slope);
    MatrixXd curvature = MatrixXd::Zero(N.cols(), N.cols());
    for (int j = 0; j < N.cols(); ++j) {  // −∂(Cᵀμ)/∂q along the null vectors
      const double step = 6e-6 * (1 + q.cwiseAbs().maxCoeff());
      w.matrices(q + step * N.col(j));
      VectorXd there = w.C.topRows(w.s.position_rows).transpose() * mu;
      w.matrices(q - step * N.col(j));
      there -= w.C.topRows(w.s.position_rows).transpose() * mu;
      curvature.col(j) = -N.transpose() * there / (2 * step);
    }
    MatrixXd hessian = flat + 0.5 * (curvature + curvature.transpose());
    if (Eigen::LLT<MatrixXd>(hessian).info() != Eigen::Success) hessian = flat;
    const VectorXd move = -(N * hessian.ldlt().solve(reduced));
    double size = 0;
    for (int i = 0; i < q.size(); ++i) size = std::fmax(size, std::fabs(move[i]) / (1 + std::fabs(q[i])));
    if (!(size > 1e-13)) break;
    double part = size > largest_move ? largest_move / size : 1;
    bool better = false;
    for (int halving = 0; halving < 30 && !better; ++halving, part /= 2) {
      VectorXd trial = q + part * move;
      if (!close(w, metric, fixed, trial)) continue;
      if (distance(trial) < distance(q)) {
        q = trial;
        better = true;
      }
    }
    if (!better) break;
  }
  keep();
  return true;
}

bool ConsistentStart::solve_velocities(double time, const double* parameters, const double* inputs, const double* q_found,
                             double* v_found, Message& message) {
  Work& w = *work_;
  w.locate(time, parameters, inputs);
  const bool* fixed = w.mechanism.velocity_fixed;
  const VectorXd q = VectorXd::Map(q_found, w.s.positions);
  const VectorXd guess = VectorXd::Map(parameters + w.s.first_velocity_start(), w.s.velocities);
  auto v = VectorXd::Map(v_found, w.s.velocities);
  v = guess;
  for (int i = 0; i < w.s.velocities; ++i) {
    if (!(std::fabs(guess[i]) < 1e300)) {
      return message.fail("The start rate of '%s' is not finite.", w.mechanism.velocity_names[i]);
    }
  }
  w.matrices(q);
  const MatrixXd metric = w.metric();
  for (int pass = 0; pass < 2; ++pass) {  // the second removes the first one's rounding
    const VectorXd residual = w.C * v + w.c_t.head(w.s.rows());
    v += smallest_move(w.C, residual, metric, fixed);
  }
  const VectorXd residual = w.C * v + w.c_t.head(w.s.rows());
  const int worst = open_row(w.C, residual, v);
  if (worst < 0) return true;
  message.fail("The start velocities cannot be made consistent: the rate of constraint '%s' stays open by %.6g (SI).",
               w.mechanism.constraint_names[worst], residual[worst]);
  w.explain_open(w.C, worst, fixed, w.mechanism.velocity_names, "rate_fixed = true", w.s.first_velocity_start(), v,
                 message);
  return false;
}

/// What holds an open constraint, and what to do: fixed values, or guesses.
void ConsistentStart::Work::explain_open(const MatrixXd& J, int row, const bool* fixed, const char* const* names,
                               const char* key, int first_start, const VectorXd& reached, Message& message) const {
  // The fixed values are to blame if, without them, the constraints would have more independent directions.
  const auto rank = [&](bool only_free) {
    MatrixXd A = J;
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
    for (int i = 0; i < J.cols() && named < 10; ++i) {
      if ((fixed && fixed[i]) != wanted_fixed || (!wanted_fixed && J(row, i) == 0)) continue;
      message.add("%s'%s' (start %.6g, reached %.6g)", named++ == 0 ? " " : ", ", names[i],
                  point.parameters[first_start + i], reached[i]);
    }
    return named;
  };
  if (rank(true) < rank(false)) {
    message.add(" The fixed start values over-determine it:");
    list(true);
    message.add(". Remove '%s' from one of them.", key);
    return;
  }
  message.add(" Change the start values");
  if (list(false) == 0) list(true);
  message.add(", or check the constraint.");
}

ConsistentStart::Ranks ConsistentStart::ranks(double time, const double* parameters, const double* inputs, const double* q) {
  Work& w = *work_;
  w.locate(time, parameters, inputs);
  w.place = VectorXd::Map(q, w.s.positions);
  w.matrices(w.place);
  column_metric(w.mechanism.M, w.M_values.data(), w.scale.data());
  Ranks result;
  const auto rank = [&](int rows) {
    w.pivoting.clear();
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < w.s.velocities; ++j) w.pivoting.set(i, j, w.C(i, j) / std::sqrt(w.scale[j]));
    }
    return w.pivoting.eliminate(priorities(w.mechanism, w.s.rows()), w.s.velocities);
  };
  result.position = rank(w.s.position_rows);
  result.all = rank(w.s.rows());
  w.redundant.setOnes();
  for (int i = 0; i < result.all; ++i) w.redundant[w.pivoting.row(i)] = 0;
  return result;
}

bool ConsistentStart::redundant(int row) const { return work_->redundant[row] != 0; }

ConsistentStart::Ranks ConsistentStart::generic_ranks(double time, const double* parameters, const double* inputs, const double* q) {
  Work& w = *work_;
  Ranks most = ranks(time, parameters, inputs, q);
  const VectorXd start = VectorXd::Map(q, w.s.positions);
  w.matrices(start);
  const MatrixXd metric = w.metric();
  const MatrixXd N = null_space(w.C.topRows(w.s.position_rows), nullptr);
  unsigned seed = 1;
  VectorXd nearby = start;
  for (int trial = 0; trial < 4 && N.cols() > 0; ++trial) {
    VectorXd z(N.cols());
    for (int j = 0; j < z.size(); ++j) {
      seed = seed * 1664525u + 1013904223u;
      z[j] = static_cast<double>(seed >> 8) / 8388608.0 - 1;
    }
    VectorXd candidate = start + 1e-2 * (1 + start.cwiseAbs().maxCoeff()) * (N * z) / std::sqrt(1.0 * z.size());
    if (w.s.position_rows > 0 && !close(w, metric, nullptr, candidate)) continue;
    const Ranks there = ranks(time, parameters, inputs, candidate.data());
    if (there.all > most.all || there.position > most.position) nearby = candidate;
    most.all = there.all > most.all ? there.all : most.all;
    most.position = there.position > most.position ? there.position : most.position;
  }
  ranks(time, parameters, inputs, nearby.data());  // which rows are redundant, where C is regular
  return most;
}

bool ConsistentStart::check_mass(double time, const double* parameters, const double* inputs, const double* q, bool regular,
                       Message& message) {
  Work& w = *work_;
  w.locate(time, parameters, inputs);
  w.matrices(VectorXd::Map(q, w.s.positions));
  VectorXd metric(w.s.velocities);
  column_metric(w.mechanism.M, w.M_values.data(), metric.data());
  const VectorXd scale = metric.cwiseSqrt().cwiseInverse();
  const MatrixXd M = scale.asDiagonal() * w.M * scale.asDiagonal();
  const MatrixXd N = regular ? MatrixXd(MatrixXd::Identity(w.s.velocities, w.s.velocities))
                             : null_space(w.C * scale.asDiagonal(), nullptr);
  if (N.cols() == 0) return true;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(N.transpose() * M * N);
  if (eigen.eigenvalues()[0] > 1e-12) return true;
  int worst = 0;
  (N * eigen.eigenvectors().col(0)).cwiseAbs().maxCoeff(&worst);
  return message.fail("The mass matrix is not positive definite %s: nothing resists an acceleration of '%s' "
                      "(eigenvalue %.3g, scaled by the diagonal). Give it inertia%s.",
                      regular ? "(tangent basis 'gram_schmidt' needs it so in every direction)"
                              : "in the directions that the constraints leave free",
                      w.mechanism.velocity_names[worst], eigen.eigenvalues()[0],
                      regular ? ", or choose tangent_basis = \"partitioned\"" : ", or a constraint that fixes it");
}

}  // namespace mechfmu
