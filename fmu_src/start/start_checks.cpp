// Finds the ranks of the constraints, and checks that the mass matrix is regular at a position.
#include <algorithm>

#include "constraints/priorities.hpp"
#include "decompositions.hpp"
#include "linear/sparse_split.hpp"
#include "mechanism/conditions.hpp"
#include "mechanism/telling.hpp"
#include "start_work.hpp"

namespace mechfmu {

bool ConsistentStart::Work::conditions_hold(const VectorXd& q, Message& message) {
  if (mechanism.condition_count == 0) return true;
  VectorXd values(2 * mechanism.condition_count);
  const VectorXd rest = VectorXd::Zero(std::max({s.velocities, s.all_rows(), s.loads}));
  point.q = q.data();
  Point here = point;
  here.v = here.acceleration = here.multipliers = here.loads = rest.data();
  return mechfmu::conditions_hold(mechanism, here, Condition::positioned, false, values.data(), message);
}

bool ConsistentStart::Work::has_values(const VectorXd& q, bool rows, Message& message) {
  constexpr const char* advice =
      "Look for a division by zero, or for a root or logarithm of a negative number, or start "
      "elsewhere.";
  const auto first_bad = [](const VectorXd& values, int count) {
    int i = 0;
    while (i < count && is_finite(values[i])) ++i;
    return i;
  };
  matrices(q);
  const int in_M = first_bad(M_values, mechanism.M.nonzeros);
  int row = s.rows();
  if (rows) {
    const int in_C = first_bad(C_values, mechanism.C.nonzeros);
    const VectorXd f = violation(q, always);
    if (in_C < mechanism.C.nonzeros) row = mechanism.C.row[in_C];
    row = std::min(row, first_bad(c_t, s.rows()));
    if (const int open = first_bad(f, s.position_rows); open < s.position_rows) row = std::min(row, open);
  }
  if (in_M == mechanism.M.nonzeros && row == s.rows()) return true;
  if (!conditions_hold(q, message)) return false;
  if (row < s.rows()) {
    message.fail("The ");
    tell_row(mechanism, row, message);
    message.add(" has no value at the start, t = %.9g s. %s", point.time, advice);
    return false;
  }
  return message.fail("The inertia that '%s' moves has no value at the start, t = %.9g s. %s",
                      mechanism.velocity_names[mechanism.M.column[in_M]], point.time, advice);
}

ConsistentStart::Ranks ConsistentStart::ranks(double time, const double* parameters, const double* inputs,
                                              const double* q) {
  Work& w = *work_;
  w.locate(time, parameters, inputs);
  w.some_q = VectorXd::Map(q, w.s.positions);
  w.matrices(w.some_q);
  w.find_metric_diagonal(w.some_v);
  w.some_v.array() /= w.unit.array().square();  // Pivoting asks for SI
  Ranks result;
  const Pattern& pattern = w.mechanism.C;
  w.rank_squares.setZero();
  for (int e = 0; e < pattern.nonzeros; ++e) {
    w.rank_squares[pattern.row[e]] += w.C_values[e] * w.C_values[e] / w.some_v[pattern.column[e]];
  }
  const auto vanishes = [&](int row) { return std::sqrt(w.rank_squares[row]) <= rank_tolerance * w.row_lengths[row]; };
  const auto rank = [&](int rows) {
    w.pivoting.clear();
    for (int e = 0; e < pattern.nonzeros; ++e) {
      if (pattern.row[e] < rows && !vanishes(pattern.row[e])) {
        w.pivoting.set(pattern.row[e], pattern.column[e], w.C_values[e]);
      }
    }
    w.pivoting.scale_columns(w.some_v.data());
    return w.pivoting.eliminate(priorities(w.mechanism), w.s.velocities);
  };
  result.position = rank(w.s.position_rows);
  result.all = rank(w.s.rows());
  w.redundant.setOnes();
  for (int i = 0; i < result.all; ++i) w.redundant[w.pivoting.row(i)] = 0;
  return result;
}

void ConsistentStart::accept_gaps(double closure_tolerance) { work_->closure_tolerance = closure_tolerance; }

ConsistentStart::Ranks ConsistentStart::strong_ranks(double time, const double* parameters, const double* inputs,
                                                     const double* q) {
  Work& w = *work_;
  w.locate(time, parameters, inputs);
  const VectorXd place = VectorXd::Map(q, w.s.positions);
  VectorXd sizes;
  const Entries J = w.by_units(place, w.s.rows(), sizes);
  Arena memory;
  SparseSplit split(memory, w.s.rows(), w.s.velocities, J.count());
  sparse_start::split(J, w.weak_level(), w.s.rows(), split);
  w.redundant.setOnes();
  for (int i = 0; i < split.rank(); ++i) w.redundant[split.row(i)] = 0;
  Ranks result;
  result.position = w.strong_rank(place, w.s.position_rows, w.weak_level());
  result.all = split.rank();
  return result;
}

bool ConsistentStart::redundant(int row) const { return work_->redundant[row] != 0; }

ConsistentStart::Ranks ConsistentStart::generic_ranks(double time, const double* parameters, const double* inputs,
                                                      const double* q) {
  Work& w = *work_;
  Ranks most = ranks(time, parameters, inputs, q);
  const VectorXd start = VectorXd::Map(q, w.s.positions);
  Ranks strong = strong_ranks(time, parameters, inputs, q);
  const MatrixXd shared = w.sharing;
  w.sharing.resize(0, 0);
  w.matrices(start);
  const Entries metric = w.metric();
  const MatrixXd N = w.null_space(w.position_slopes(start, Work::always), nullptr);
  Scatter scatter;
  VectorXd nearby = start;
  for (int trial = 0; trial < 4 && N.cols() > 0; ++trial) {
    VectorXd candidate = w.beside(start, N, scatter);
    if (!w.close(metric, Work::always, candidate)) continue;
    const Ranks there = ranks(time, parameters, inputs, candidate.data());
    const Ranks strong_there = strong_ranks(time, parameters, inputs, candidate.data());
    strong.position = std::max(strong.position, strong_there.position);
    strong.all = std::max(strong.all, strong_there.all);
    if (there.all > most.all || there.position > most.position) nearby = candidate;
    most.all = there.all > most.all ? there.all : most.all;
    most.position = there.position > most.position ? there.position : most.position;
  }
  ranks(time, parameters, inputs, nearby.data());  // finds which rows are redundant where C is regular
  w.sharing = shared;
  const bool weak = w.closure_tolerance > 0 && strong.position > 0 && strong.position < most.position;
  return weak && w.follows_weak_rows(start, strong.position) ? strong : most;
}

bool ConsistentStart::check_mass(double time, const double* parameters, const double* inputs, const double* q,
                                 const char* needs_regular_M, Message& message) {
  Work& w = *work_;
  w.locate(time, parameters, inputs);
  w.matrices(VectorXd::Map(q, w.s.positions));
  const VectorXd scale = w.metric_diagonal().cwiseSqrt().cwiseInverse();
  const Entries M = w.mass_matrix();
  Entries rows(w.s.rows(), w.s.velocities, w.s.C_nonzeros), C = rows;  // C has scaled columns
  w.add_constraints(0, w.s.rows(), rows);
  for (int e = 0; e < rows.count(); ++e) C.add(rows.row(e), rows.column(e), rows.value(e) * scale[rows.column(e)]);
  const MatrixXd N =
      needs_regular_M ? MatrixXd(MatrixXd::Identity(w.s.velocities, w.s.velocities)) : w.null_space(C, nullptr);
  if (N.cols() == 0) return true;
  MatrixXd reduced(N.cols(), N.cols());
  for (int j = 0; j < N.cols(); ++j) {
    reduced.col(j) = N.transpose() * scale.cwiseProduct(M.times(scale.cwiseProduct(N.col(j))));
  }
  const Eigenvalues eigen(reduced);
  if (eigen.values[0] > least_inertia) return true;
  int worst = 0;
  (N * eigen.vectors.col(0)).cwiseAbs().maxCoeff(&worst);
  message.fail("The mass matrix is not positive definite ");
  if (needs_regular_M) message.add("(tangent basis '%s' needs it so in every direction)", needs_regular_M);
  else message.add("in the directions that the constraints leave free");
  message.add(
      ": nothing resists an acceleration of '%s' (eigenvalue %.3g, scaled by the diagonal). Give it inertia, or %s.",
      w.mechanism.velocity_names[worst], eigen.values[0],
      needs_regular_M ? "choose tangent_basis = \"partitioned\"" : "a constraint that fixes it");
  return false;
}

}  // namespace mechfmu
