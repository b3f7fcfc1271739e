// Finds moves at the start by sparse factors, for mechanisms with many velocities. The smallest move onto rows is the
// solution of
//
//   [ G  Jᵀ ] [ Δ ]   [  0 ]
//   [ J −μ  ] [ y ] = [ −f ]          μ = 0: J has independent rows only; μ > 0: Levenberg, Marquardt
//
// This matrix has few nonzeros if J and G have few. G is divided by its largest entry, rounded to a power of two, so
// that its pivots compare with those of J, whose rows are of length one, in all units of mass. Pivots on J alone tell
// which rows are independent.
#include "start_sparse.hpp"
#include "decompositions.hpp"
#include "linear/powers_of_two.hpp"
#include "linear/sparse_split.hpp"

namespace mechfmu::sparse_start {

namespace {

/// Gives the rows of J to `split` that have entries larger than `shortest` in columns that are not fixed.
void set_rows(const Entries& J, const bool* fixed, double shortest, SparseSplit& split) {
  const auto is_free = [&](int e) { return !(fixed && fixed[J.column(e)]); };
  VectorXd sizes = VectorXd::Zero(J.rows());
  for (int e = 0; e < J.count(); ++e) {
    if (is_free(e)) dense::raise(sizes[J.row(e)], std::fabs(J.value(e)));
  }
  for (int e = 0; e < J.count(); ++e) {
    if (is_free(e) && !(sizes[J.row(e)] <= shortest)) split.set(J.row(e), J.column(e), J.value(e));
  }
}

/// Splits J without fixed columns. Pivots count by their part of a row, so that a row which is short as a whole has to
/// be left out by itself: this is a row without entries larger than `shortest`.
struct FreeSplit : private OwnMemory, SparseSplit {
  FreeSplit(const Entries& J, const bool* fixed, double shortest = 0, double tolerance = rank_tolerance)
      : FreeSplit(J, fixed, shortest, tolerance, J.rows()) {}
  /// Takes at most `most` pivots.
  FreeSplit(const Entries& J, const bool* fixed, double shortest, double tolerance, int most)
      : SparseSplit(memory, J.rows(), J.columns(), J.count()) {
    if (!memory.ok()) return;
    set_rows(J, fixed, shortest, *this);
    split({}, most, nullptr, tolerance);
  }

  /// Returns null vectors with zeros at the fixed columns, orthonormal.
  MatrixXd null_space(int n, const bool* fixed) const {
    MatrixXd V(n, n - rank());
    int count = 0;
    for (int j = 0; j < n - rank(); ++j) {
      if (!(fixed && fixed[column(rank() + j)])) null_vector(j, V.col(count++).data());
    }
    V.conservativeResize(Eigen::NoChange, count);
    return Cholesky(V.transpose() * V).solve_L(V.transpose()).transpose();
  }
};

/// Returns Δ of the system above, or NaN if there is no solution. `kept` has the numbers of J's rows in the system, −1
/// for rows that are left out.
VectorXd solve(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed, const Eigen::VectorXi& kept,
               int count, double mu) {
  const int n = J.columns(), size = n + count;
  const auto is_fixed = [&](int column) { return fixed && fixed[column]; };
  Arena memory;
  SparseSplit system(memory, size, size, G.count() + 2 * J.count() + n + count);
  VectorXd b = VectorXd::Zero(size), x = VectorXd::Constant(size, std::nan(""));
  if (!memory.ok()) return x.head(n);
  const double mass = power_of_two(G.largest());
  for (int e = 0; e < G.count(); ++e) {
    if (!is_fixed(G.row(e)) && !is_fixed(G.column(e))) system.set(G.row(e), G.column(e), G.value(e) / mass);
  }
  for (int j = 0; j < n; ++j) {
    if (is_fixed(j)) system.set(j, j, 1);
  }
  for (int e = 0; e < J.count(); ++e) {
    const int row = kept[J.row(e)];
    if (row < 0 || is_fixed(J.column(e))) continue;
    system.set(n + row, J.column(e), J.value(e));
    system.set(J.column(e), n + row, J.value(e));
  }
  for (int i = 0; i < f.size(); ++i) {
    if (kept[i] < 0) continue;
    b[n + kept[i]] = -f[i];
    if (mu > 0) system.set(n + kept[i], n + kept[i], -mu);
  }
  if (system.split({}, size, nullptr, 0) == size) system.particular(b.data(), x.data());
  return x.head(n);
}

}  // namespace

VectorXd smallest_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed, double shortest) {
  VectorXd widths = VectorXd::Ones(J.columns());
  for (int e = 0; shortest > 0 && e < G.count(); ++e) {
    if (G.row(e) == G.column(e)) widths[G.row(e)] = std::sqrt(G.value(e));
  }
  Entries measured(J.rows(), J.columns(), J.count());
  for (int e = 0; e < J.count(); ++e) measured.add(J.row(e), J.column(e), J.value(e) / widths[J.column(e)]);
  const FreeSplit split(measured, fixed, shortest);
  Eigen::VectorXi kept = Eigen::VectorXi::Constant(J.rows(), -1);
  for (int i = 0; i < split.rank(); ++i) kept[split.row(i)] = i;
  const VectorXd weights = J.weights();
  return solve(J.scaled(weights), weights.cwiseProduct(f), G, fixed, kept, split.rank(), 0);
}

VectorXd damped_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed, double mu) {
  Eigen::VectorXi kept(J.rows());
  for (int i = 0; i < J.rows(); ++i) kept[i] = i;
  return solve(J, f, G, fixed, kept, J.rows(), mu);
}

MatrixXd null_space(const Entries& J, const bool* fixed) { return FreeSplit(J, fixed).null_space(J.columns(), fixed); }

VectorXd multipliers(const Entries& J, const VectorXd& slope, const bool* fixed) {
  VectorXd mu(J.rows());
  FreeSplit(J, fixed).multipliers(slope.data(), mu.data());
  return mu;
}

int rank(const Entries& J, const bool* without, double shortest, double tolerance) {
  return FreeSplit(J, without, shortest, tolerance).rank();
}

void split(const Entries& J, double level, int most, SparseSplit& split) {
  set_rows(J, nullptr, level, split);
  split.split({}, most, nullptr, level);
}

LevelSplit split_at(const Entries& J, const VectorXd& f, const bool* fixed, double level, int most) {
  const FreeSplit split(J, fixed, level, level, most);
  const int left = J.rows() - split.rank();
  LevelSplit result{split.null_space(J.columns(), fixed), MatrixXd::Zero(J.rows(), left), VectorXd(J.columns())};
  const VectorXd b = -f;
  split.particular(b.data(), result.particular.data());
  for (int i = 0; i < left; ++i) {  // takes rows that were left out, less what the others make of them
    const int row = split.row(split.rank() + i);
    VectorXd slope = VectorXd::Zero(J.columns()), mu(J.rows());
    for (int e = 0; e < J.count(); ++e) {
      if (J.row(e) == row) slope[J.column(e)] += J.value(e);
    }
    split.multipliers(slope.data(), mu.data());
    mu = -mu;
    mu[row] += 1;
    result.Y.col(i) = mu.normalized();
  }
  return result;
}

}  // namespace mechfmu::sparse_start
