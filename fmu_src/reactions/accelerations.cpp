// This file finds accelerations and multipliers; see docs/method.md, reactions.
#include "accelerations.hpp"

#include "free_response.hpp"
#include "linear/dense.hpp"
#include "linear/products.hpp"
#include "mechanism/state.hpp"
#include "null_space_response.hpp"
#include "solver_response.hpp"
#include "sparse_response.hpp"

namespace mechfmu {

namespace {

/// From as many unknowns on, sparse factors are faster than dense ones.
constexpr int sparse_response_from = 64;

bool takes_sparse_response(const Mechanism& m) {
  return m.sizes.velocities + m.sizes.all_rows() >= sparse_response_from;
}

Response* make_response(Arena& arena, const Mechanism& m, SaddleSolver* solver) {
  if (m.sizes.all_rows() == 0 && is_free_and_sparse(m.sizes)) return arena.make<FreeResponse>(arena, m);
  if (solver != nullptr) return arena.make<SolverResponse>(arena, m, *solver);
  if (takes_sparse_response(m)) return arena.make<SparseResponse>(arena, m);
  return arena.make<NullSpaceResponse>(arena, m);
}

/// Returns the index of the first row that is not linear in accelerations, or the number of rows.
int first_sought_row(const Mechanism& m) {
  int first = m.sizes.lasting_rows();
  for (int i = 0; m.load_rows != nullptr && i < m.sizes.loads; ++i) {
    if (m.load_rows[i] >= 0 && m.load_rows[i] < first) first = m.load_rows[i];
  }
  return first;
}

/// Returns how many rows may be dropped. Sparse systems are not solved where C is singular; in others any row may be
/// dropped there.
int most_dropped(const Mechanism& m, const SaddleSolver* solver) {
  return m.sizes.all_rows() - (solver == nullptr && takes_sparse_response(m) ? m.sizes.rank - count_free_rows(m) : 0);
}

}  // namespace

Accelerations::Accelerations(Arena& arena, const Mechanism& m, SaddleSolver* solver)
    : mechanism_(m), n_(m.sizes.velocities), rows_(m.sizes.all_rows()), first_sought_(first_sought_row(m)),
      response_(arena, m, make_response(arena, m, solver)), held_(arena, m), idle_(arena, m, most_dropped(m, solver)),
      loads_(arena, m), h_(arena, n_), gamma_(arena, rows_), open_(arena, rows_), C_values_(arena, m.C_a.nonzeros),
      B_values_(arena, m.B.nonzeros), acceleration_(arena, n_), multipliers_(arena, rows_),
      load_actions_(arena, n_ + rows_, m.sizes.loads), acceleration_by_loads_(arena, n_, m.sizes.loads),
      multipliers_by_loads_(arena, rows_, m.sizes.loads), base_loads_(arena, m.sizes.loads),
      base_acceleration_(arena, n_), base_multipliers_(arena, rows_),
      mass_(arena, m.character.loads_in_mass ? m.M.nonzeros : 0), unspread_(arena, rows_), force_(arena, n_),
      kept_part_(arena, rows_), turns_(arena, m.sizes.changing_rows) {}

void Accelerations::begin_at(const Point& p, const double* M, const double* feedback) {
  point_ = p;
  M_ = mechanism_.character.loads_in_mass ? mass_.data() : M;
  feedback_ = feedback;
  factored_ = false;
}

bool Accelerations::solve_with_loads(const Point& p, const double* M, const double* loads, Message& message) {
  begin_at(p, M, nullptr);
  if (!evaluate(loads, message)) return false;
  respond(h_.data(), gamma_.data(), acceleration_.data(), multipliers_.data());
  return true;
}

bool Accelerations::solve(const Point& p, const double* M, const double* feedback, Message& message) {
  begin_at(p, M, feedback);
  if (mechanism_.sizes.loads > 0) return find_loads(message);
  if (!evaluate(base_loads_.data(), message)) return false;
  respond(h_.data(), gamma_.data(), acceleration_.data(), multipliers_.data());
  return true;
}

/// Finds h, γ and the factors of the rest, with these loads.
bool Accelerations::evaluate(const double* loads, Message& message) {
  Point p = point_;
  p.loads = loads;
  evaluate_rows(p);
  if (feedback_ != nullptr) dense::add(rows_, 1, feedback_, gamma_.data());
  if (without_sought_) leave_out_sought();
  if (factored_ && !mechanism_.character.loads_in_matrices) return true;
  if (mechanism_.character.loads_in_mass) mechanism_.mass(p, mass_.data());
  spread_ = false;
  factored_ = response_.factor(matrices(), p.time, message);
  if (factored_ && held_.count() > 0) held_.factor(response_, M_);
  return factored_;
}

/// Evaluates h, γ, C_a and B. Rows that come and go are taken out of them.
void Accelerations::evaluate_rows(const Point& p) {
  mechanism_.acceleration(p, h_.data(), gamma_.data(), C_values_.data(), B_values_.data());
  if (mechanism_.sizes.changing_rows > 0) held_.take_out(p.held, C_values_.data(), B_values_.data(), gamma_.data());
}

/// Finds v̇ and λ of all rows, those of contacts that hold among them.
void Accelerations::respond(const double* h, const double* gamma, double* acceleration, double* multipliers) {
  response_.respond(h, gamma, acceleration, multipliers);
  if (held_.count() > 0) held_.add(gamma, acceleration, multipliers);
}

void Accelerations::respond_to_force(const double* force, double* acceleration) {
  respond(force, nullptr, acceleration, kept_part_.data());
}

void Accelerations::respond_to_force(const double* force, double* acceleration, double* multipliers) {
  respond_spread(force, nullptr, acceleration, multipliers);
}

void Accelerations::add_changing_forces(double* force) const { held_.add_forces(multipliers_.data(), force); }

const double* Accelerations::find_open() {
  Point p = point_;
  p.loads = loads();
  if (mechanism_.sizes.loads > 0) evaluate_rows(p);
  times(mechanism_.C_a, C_values_.data(), acceleration(), open_.data());
  dense::add(rows_, 1, gamma_.data(), open_.data());
  if (held_.count() > 0) held_.add_open(acceleration(), open_.data());
  return open_.data();
}

/// Finds v̇, λ and the loads together, because they depend on each other. Multipliers are those of least norm.
bool Accelerations::find_loads(Message& message) {
  if (mechanism_.character.affine_loads) {
    mechanism_.load_starts(point_, base_loads_.data());
    if (!evaluate(base_loads_.data(), message)) return false;
    respond_spread(h_.data(), gamma_.data(), base_acceleration_.data(), base_multipliers_.data());
    find_slopes(base_loads_.data(), base_acceleration_.data(), base_multipliers_.data());
  }
  return loads_.solve(point_, *this, acceleration_.data(), multipliers_.data(), message);
}

bool Accelerations::follow(const double* loads, double* acceleration, double* multipliers, Message& message) {
  if (!mechanism_.character.affine_loads) {
    if (!evaluate(loads, message)) return false;
    respond_spread(h_.data(), gamma_.data(), acceleration, multipliers);
    return true;
  }
  dense::copy(n_, base_acceleration_.data(), acceleration);
  dense::copy(rows_, base_multipliers_.data(), multipliers);
  for (int j = 0; j < mechanism_.sizes.loads; ++j) {
    const double change = loads[j] - base_loads_[j];
    dense::add(n_, change, A().column(j), acceleration);
    dense::add(rows_, change, Lambda().column(j), multipliers);
  }
  return true;
}

bool Accelerations::follow_without_sought(const double* loads, double* acceleration, double* multipliers,
                                          Message& message) {
  without_sought_ = true;
  factored_ = false;
  const bool found = evaluate(loads, message);
  without_sought_ = factored_ = false;
  if (found) respond_spread(h_.data(), gamma_.data(), acceleration, multipliers);
  return found;
}

void Accelerations::leave_out_sought() {
  const int lasting = mechanism_.sizes.lasting_rows();
  for (int i = first_sought_; i < lasting; ++i) gamma_[i] = 0;
  for (int e = 0; e < mechanism_.C_a.nonzeros; ++e) {
    const int row = mechanism_.C_a.row[e];
    if (row >= first_sought_ && row < lasting) C_values_[e] = 0;
  }
}

void Accelerations::slopes(const double* loads, const double* acceleration, const double* multipliers) {
  if (!mechanism_.character.affine_loads) find_slopes(loads, acceleration, multipliers);
}

/// Finds a column for each load: M A_j − B Λ_j = (h + B λ − M v̇)', C_a A_j = −(γ + C_a v̇)'.
void Accelerations::find_slopes(const double* loads, const double* acceleration, const double* multipliers) {
  Point p = point_;
  p.loads = loads;
  p.acceleration = acceleration;
  p.multipliers = multipliers;
  mechanism_.load_actions(p, load_actions_.data());
  for (int j = 0; j < mechanism_.sizes.loads; ++j) {
    const double* force = load_actions_.column(j);
    respond_spread(force, force + n_, acceleration_by_loads_.column(j), multipliers_by_loads_.column(j));
  }
}

/// Calls respond() and gives the multipliers of least norm.
void Accelerations::respond_spread(const double* h, const double* gamma, double* acceleration, double* multipliers) {
  respond(h, gamma, acceleration, multipliers);
  find_idle_multipliers();
  idle_.spread(multipliers);
}

/// Finds them once for the present factors.
void Accelerations::find_idle_multipliers() {
  if (!spread_) idle_.find(response_, matrices());
  spread_ = true;
}

void Accelerations::spread_multipliers() {
  if (spread_) return;
  if (response_.shares()) dense::copy(rows_, multipliers_.data(), unspread_.data());
  find_idle_multipliers();
  idle_.spread(multipliers_.data());
}

void Accelerations::find_kept_multipliers(double* multipliers) const {
  const bool shared = response_.shares() && mechanism_.sizes.loads == 0;
  dense::copy(rows_, shared ? unspread_.data() : multipliers_.data(), multipliers);
  if (!shared) idle_.gather(multipliers);
}

/// λ' = λ_b' − N' y − N y' with B_b N' y = −(B' N y)_b and Nᵀ λ' = −N'ᵀ λ = Nᵀ (Bᵀ z)' (docs/method.md, derivatives)
void Accelerations::respond_to_balance(const Changes& changes, double* acceleration, double* multipliers) {
  respond(changes.force, changes.gamma, acceleration, multipliers);
  if (idle_.count() == 0) return;
  for (int j = 0; j < n_; ++j) force_[j] = changes.force[j] - changes.shared_force[j];
  response_.multipliers(force_.data(), kept_part_.data());
  dense::add(rows_, 1, kept_part_.data(), multipliers);
  idle_.spread(multipliers, changes.image);
}

void Accelerations::follow_way(int j, double* acceleration, double* multipliers) const {
  held_.follow_way(j, acceleration, multipliers);
}

/// S n_j' = −S' n_j, where S are the rows' mobilities. Any solution serves, as the others differ by ways.
void Accelerations::turn_way(int j, const double* force, const double* gamma) {
  respond(force, gamma, force_.data(), kept_part_.data());
  const int lasting = mechanism_.sizes.lasting_rows();
  turns_[j] = -dense::dot(mechanism_.sizes.changing_rows, kept_part_.data() + lasting, multipliers_.data() + lasting);
}

void Accelerations::follow_turned_ways(double* acceleration, double* multipliers) {
  dense::fill(rows_, 0, kept_part_.data());
  held_.add_ways(turns_.data(), acceleration, kept_part_.data());
  idle_.spread(kept_part_.data());
  dense::add(rows_, 1, kept_part_.data(), multipliers);
}

void Accelerations::respond_to_load(int j, const Changes& changes) {
  respond_to_balance(changes, acceleration_by_loads_.column(j), multipliers_by_loads_.column(j));
}

void Accelerations::respond_to(const Changes& changes, double* acceleration, double* multipliers, double* loads) {
  respond_to_balance(changes, acceleration, multipliers);
  loads_.respond_to(changes.loads, *this, acceleration, multipliers, loads);
}

}  // namespace mechfmu
