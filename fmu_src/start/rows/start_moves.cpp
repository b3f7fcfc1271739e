// Finds moves of the start by dense decompositions, or by sparse factors.
#include "start_moves.hpp"

#include "start/algebra/decompositions.hpp"

namespace mechfmu {

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

VectorXd StartMoves::smallest_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed,
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
VectorXd StartMoves::largest_of(const Damped& damped, const VectorXd& q) const {
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

VectorXd StartMoves::damped_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed,
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

MatrixXd StartMoves::null_space(const Entries& rows, const bool* fixed) const {
  return is_sparse() ? sparse_start::null_space(rows, fixed) : mechfmu::null_space(rows.dense(), fixed);
}

VectorXd StartMoves::multipliers(const Entries& J, const VectorXd& slope, const bool* fixed) const {
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

LevelSplit StartMoves::split_at(const Entries& J, const VectorXd& f, const bool* fixed, double level, int most) const {
  if (is_sparse()) return sparse_start::split_at(J, f, fixed, level, most);
  const Eigen::VectorXi free = free_columns(s.velocities, fixed);
  if (free.size() == 0) {
    return {MatrixXd(s.velocities, 0), MatrixXd::Identity(J.rows(), J.rows()), VectorXd::Zero(s.velocities)};
  }
  const SingularValues svd(J.dense()(Eigen::all, free), SingularValues::all);
  const VectorXd& sigma = svd.values;
  int r = 0;
  while (r < sigma.size() && r < most && sigma[r] > level) ++r;
  LevelSplit result{MatrixXd::Zero(s.velocities, free.size() - r), svd.U.rightCols(J.rows() - r),
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

int StartMoves::rank(const Entries& J, const bool* without) const {
  if (is_sparse()) return sparse_start::rank(J, without);
  return rank_of(without_columns(J, without), rank_tolerance);
}

int StartMoves::rank_at(double level, const Entries& J, const bool* without) const {
  if (is_sparse()) return sparse_start::rank(J, without, level, level);
  const VectorXd pivots = pivots_of(without_columns(J, without));
  return static_cast<int>((pivots.array() > level).count());
}

}  // namespace mechfmu
