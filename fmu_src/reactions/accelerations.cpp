// Accelerations and multipliers; docs/method.md, reactions.
#include "accelerations.hpp"

#include <cmath>

#include "constraints/choice.hpp"
#include "constraints/priorities.hpp"
#include "linear/dense.hpp"
#include "linear/powers_of_two.hpp"
#include "linear/products.hpp"

namespace mechfmu {

namespace {

/// From as many unknowns on sparse factors are faster than dense ones.
constexpr int large_system_from = 64;

/// Without rows M is all that is factored, along its nonzeros.
bool is_free(const Sizes& s) { return s.all_rows() == 0 && is_large_and_free(s); }

Pattern mass_pattern(const Mechanism& m) { return is_free(m.sizes) ? m.M : Pattern{}; }

}  // namespace

Accelerations::Accelerations(const Mechanism& m, SaddleSolver* solver)
    : mechanism_(m), solver_(solver), n_(m.sizes.velocities), rows_(m.sizes.all_rows()), free_(is_free(m.sizes)),
      large_(!free_ && solver == nullptr && n_ + rows_ >= large_system_from), inertia_(mass_pattern(m), Pattern{}),
      shared_(m, m.C_a, rows_ - m.sizes.rank),
      constraints_(large_ ? rows_ : 0, large_ ? n_ : 0, large_ ? m.C_a.nonzeros : 0),
      system_(large_ ? n_ + rows_ : 0, large_ ? n_ + rows_ : 0,
              large_ ? 2 * m.M.nonzeros + m.C_a.nonzeros + (m.character.ideal ? m.C_a : m.B).nonzeros + rows_ : 0),
      right_side_(large_ ? n_ + rows_ : 0), solution_(large_ ? n_ + rows_ : 0),
      equation_scale_(large_ ? n_ + rows_ : 0), unknown_scale_(large_ ? n_ + rows_ : 0),
      pivoting_(large_ ? 0 : rows_, large_ ? 0 : n_, m.C_a.nonzeros),
      left_pivoting_(large_ ? 0 : rows_, large_ ? 0 : n_, rows_ * n_), loads_(m), h_(n_), gamma_(rows_), open_(rows_),
      C_values_(m.C_a.nonzeros), B_values_(m.B.nonzeros), C_(large_ ? 0 : rows_ * n_), B_(large_ ? 0 : rows_ * n_),
      metric_(n_), weights_(rows_), V_(square()), L_(square()), MV_(square()), K_(square()), C_d_(square()),
      B_b_(square()), force_(n_), x_(n_), acceleration_(n_), multipliers_(rows_),
      idle_multipliers_(rows_ * idle_room()), idle_products_(idle_room() * idle_room()), idle_part_(rows_),
      idle_force_(n_), idle_size_(n_), idle_rows_(rows_), load_actions_((n_ + rows_) * m.sizes.loads),
      acceleration_by_loads_(n_ * m.sizes.loads), multipliers_by_loads_(rows_ * m.sizes.loads),
      base_loads_(m.sizes.loads), base_acceleration_(n_), base_multipliers_(rows_),
      mass_(m.character.loads_in_mass ? m.M.nonzeros : 0), C_pivot_(n_), B_pivot_(n_), K_pivot_(n_),
      solver_mass_(solver != nullptr && !free_ ? n_ * n_ : 0), solver_rows_(solver != nullptr ? n_ * rows_ : 0),
      solver_directions_(solver != nullptr ? n_ * rows_ : 0), solver_multipliers_(rows_), shared_gamma_(rows_),
      answered_(rows_), shared_multipliers_(rows_), no_force_(n_), shared_order_(rows_) {}

bool Accelerations::ok() const {
  return inertia_.ok() && shared_.ok() && constraints_.ok() && system_.ok() && right_side_.ok() && solution_.ok() &&
         equation_scale_.ok() && unknown_scale_.ok() && pivoting_.ok() && left_pivoting_.ok() && loads_.ok() &&
         h_.ok() && gamma_.ok() && open_.ok() && C_values_.ok() && B_values_.ok() && C_.ok() && B_.ok() &&
         metric_.ok() && weights_.ok() && V_.ok() && L_.ok() && MV_.ok() && K_.ok() && C_d_.ok() && B_b_.ok() &&
         force_.ok() && x_.ok() && acceleration_.ok() && multipliers_.ok() && idle_multipliers_.ok() &&
         idle_products_.ok() && idle_part_.ok() && idle_force_.ok() && idle_size_.ok() && idle_rows_.ok() &&
         base_loads_.ok() && load_actions_.ok() && acceleration_by_loads_.ok() && multipliers_by_loads_.ok() &&
         base_acceleration_.ok() && base_multipliers_.ok() && mass_.ok() && C_pivot_.ok() && B_pivot_.ok() &&
         K_pivot_.ok() && solver_mass_.ok() && solver_rows_.ok() && solver_directions_.ok() &&
         solver_multipliers_.ok() && shared_gamma_.ok() && answered_.ok() && shared_multipliers_.ok() &&
         no_force_.ok() && shared_order_.ok();
}

bool Accelerations::solve(const Point& p, const double* M, const double* feedback, Message& message) {
  point_ = p;
  M_ = mechanism_.character.loads_in_mass ? mass_.data() : M;
  feedback_ = feedback;
  factored_ = false;
  if (mechanism_.sizes.loads > 0) return find_loads(message);
  if (!evaluate(base_loads_.data(), message)) return false;
  respond(h_.data(), gamma_.data(), acceleration_.data(), multipliers_.data());
  return true;
}

/// h, γ and the factors of the rest, with these loads.
bool Accelerations::evaluate(const double* loads, Message& message) {
  Point p = point_;
  p.loads = loads;
  mechanism_.acceleration(p, h_.data(), gamma_.data(), C_values_.data(), B_values_.data());
  if (feedback_ != nullptr) dense::add(rows_, 1, feedback_, gamma_.data());
  if (factored_ && !mechanism_.character.loads_in_matrices) return true;
  if (mechanism_.character.loads_in_mass) mechanism_.mass(p, mass_.data());
  factored_ = free_    ? inertia_.factor(M_) || fail_inertia(p.time, message)
              : large_ ? factor_system(p.time, message)
                       : factor(p.time, message);
  spread_ = false;
  shares_ = factored_ && share_rows_ && rank_ < rows_ && factor_shared();
  return factored_;
}

const double* Accelerations::find_open() {
  Point p = point_;
  p.loads = loads();
  if (mechanism_.sizes.loads > 0)
    mechanism_.acceleration(p, h_.data(), gamma_.data(), C_values_.data(), B_values_.data());
  times(mechanism_.C_a, C_values_.data(), acceleration(), open_.data());
  dense::add(rows_, 1, gamma_.data(), open_.data());
  return open_.data();
}

bool Accelerations::factor(double time, Message& message) {
  if (all_rows_kept()) {
    rank_ = rows_;
    expand_transposed(mechanism_.C_a, C_values_.data(), solver_rows_.data());
    if (!mechanism_.character.ideal) expand(mechanism_.B, B_values_.data(), solver_directions_.data());
    return factor_solver(time, message);
  }
  null_basis();
  if (!mechanism_.character.ideal && !left_basis(message)) return false;
  if (solver_ == nullptr) return factor_inertia(time, message);
  hand_over_kept_rows();
  return factor_solver(time, message);
}

bool Accelerations::all_rows_kept() const {
  const Sizes& s = mechanism_.sizes;
  return solver_ != nullptr && s.acceleration_rows == 0 && s.rank == s.rows();
}

void Accelerations::hand_over_kept_rows() {
  for (int i = 0; i < rank_; ++i) {
    for (int j = 0; j < n_; ++j) solver_rows_[j + i * n_] = C_[kept_row(i) + j * rows_];
    if (mechanism_.character.ideal) continue;
    dense::copy(n_, B_.data() + kept_row(i) * n_, solver_directions_.data() + i * n_);
  }
}

bool Accelerations::factor_solver(double time, Message& message) {
  expand_symmetric(mechanism_.M, M_, solver_mass_.data());
  const double* directions = mechanism_.character.ideal ? nullptr : solver_directions_.data();
  return solver_->factor(rank_, solver_mass_.data(), solver_rows_.data(), directions) ||
         message.fail(
             "The constraints or the mass matrix are singular at t = %.9g s: accelerations and reactions are "
             "not determined there.",
             time);
}

/// LᵀMV, factored. What belongs to a light body is small beside what belongs to a heavy one, or an angle's beside a
/// length's: so vectors of V have about the size one in M, and those of L make rows of that size. Its entries are sums
/// whose terms may cancel: pivots are small against these.
bool Accelerations::factor_inertia(double time, Message& message) {
  const int k = n_ - rank_;
  const auto scale = [this](double* column, double size) {
    for (int i = 0; i < n_; ++i) column[i] /= size;
  };
  const auto terms = [this](const double* a, const double* b) {
    double sum = 0;
    for (int i = 0; i < n_; ++i) sum += std::fabs(a[i] * b[i]);
    return sum;
  };
  for (int j = 0; j < k; ++j) {
    double *V = V_.data() + j * n_, *MV = MV_.data() + j * n_;
    times_symmetric(mechanism_.M, M_, V, MV);
    const double size = power_of_two(std::sqrt(terms(V, MV)));
    scale(V, size);
    scale(MV, size);
  }
  dense::fill(k, 0, x_.data());
  for (int i = 0; i < k; ++i) {
    double size = 0;
    for (int j = 0; j < k; ++j) size = std::fmax(size, terms(left() + i * n_, MV_.data() + j * n_));
    if (!mechanism_.character.ideal) scale(L_.data() + i * n_, power_of_two(size));
    for (int j = 0; j < k; ++j) {
      const double *L = left() + i * n_, *MV = MV_.data() + j * n_;
      K_[i + j * k] = dense::dot(n_, L, MV);
      x_[j] = std::fmax(x_[j], terms(L, MV));
    }
  }
  constexpr double singular = 1e-13;  // for each column: rounding
  return dense::factor_judged(k, K_.data(), K_pivot_.data(), x_.data()) > singular * k || fail_inertia(time, message);
}

bool Accelerations::fail_inertia(double time, Message& message) const {
  if (mechanism_.character.ideal) {
    return message.fail("The mass matrix is singular in a direction that the constraints leave free at t = %.9g s.",
                        time);
  }
  message.fail("The control (or friction) that is to realise");
  for (int i = 0, named = 0; i < rank_; ++i) {
    const int row = kept_row(i);
    if (mechanism_.realised[row]) message.add("%s '%s'", named++ == 0 ? "" : ",", mechanism_.constraint_names[row]);
  }
  message.add(
      " cannot do so at t = %.9g s: no value of it gives the acceleration that is demanded. Realise the "
      "constraint by a force that acts along it, or prescribe another motion.",
      time);
  return false;
}

/// respond_by_kept_rows() with γ and λ of the kept rows, in their order.
auto Accelerations::respond_in_order() {
  return [this](const double* h, const double* gamma, double* acceleration, double* mu) {
    for (int i = 0; i < rank_ && gamma != nullptr; ++i) shared_gamma_[kept_row(i)] = gamma[i];
    respond_by_kept_rows(h != nullptr ? h : no_force_.data(), gamma != nullptr ? shared_gamma_.data() : nullptr,
                         acceleration, answered_.data());
    for (int i = 0; i < rank_; ++i) mu[i] = answered_[kept_row(i)];
  };
}

/// v̇ and λ for the forces h; `gamma` = nullptr: 0.
void Accelerations::respond(const double* h, const double* gamma, double* acceleration, double* multipliers) {
  if (!shares_) return respond_by_kept_rows(h, gamma, acceleration, multipliers);
  shared_.respond(h, gamma, acceleration, multipliers, respond_in_order());
}

bool Accelerations::factor_shared() {
  for (int i = 0; i < rank_; ++i) shared_order_[i] = kept_row(i);
  if (!large_ && solver_ != nullptr) column_metric(mechanism_.M, M_, mechanism_.nominal, metric_.data());
  return shared_.factor(rows_, rank_, shared_order_.data(), M_, C_values_.data(), metric_.data(), respond_in_order());
}

void Accelerations::respond_by_kept_rows(const double* h, const double* gamma, double* acceleration,
                                         double* multipliers) {
  if (free_) {
    inertia_.solve(h, x_.data());
    return inertia_.along(x_.data(), acceleration);
  }
  if (solver_ != nullptr) {
    double* kept = solver_multipliers_.data();
    for (int i = 0; gamma != nullptr && i < rank_; ++i) multipliers[i] = gamma[kept_row(i)];
    solver_->solve(h, gamma != nullptr ? multipliers : nullptr, acceleration, kept);
    dense::fill(rows_, 0, multipliers);
    for (int i = 0; i < rank_; ++i) multipliers[kept_row(i)] = kept[i];
    return;
  }
  if (large_) return solve_system(h, gamma, acceleration, multipliers);
  const int k = n_ - rank_;
  dense::fill(n_, 0, acceleration);
  if (gamma != nullptr) {  // a_p
    for (int i = 0; i < rank_; ++i) x_[i] = -gamma[pivoting_.row(i)];
    dense::solve(rank_, C_d_.data(), C_pivot_.data(), x_.data());
    for (int i = 0; i < rank_; ++i) acceleration[pivoting_.column(i)] = x_[i];
  }
  times_symmetric(mechanism_.M, M_, acceleration, force_.data());
  for (int i = 0; i < n_; ++i) force_[i] = h[i] - force_[i];
  for (int j = 0; j < k; ++j) x_[j] = dense::dot(n_, left() + j * n_, force_.data());
  dense::solve(k, K_.data(), K_pivot_.data(), x_.data());
  for (int j = 0; j < k; ++j) dense::add(n_, x_[j], V_.data() + j * n_, acceleration);

  times_symmetric(mechanism_.M, M_, acceleration, force_.data());
  for (int i = 0; i < n_; ++i) force_[i] -= h[i];  // = Bλ
  kept_multipliers(force_.data(), multipliers);
}

/// Loads that others depend on: v̇, λ and the loads together. Multipliers are those of least norm.
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
    dense::add(n_, change, A() + j * n_, acceleration);
    dense::add(rows_, change, Lambda() + j * rows_, multipliers);
  }
  return true;
}

void Accelerations::slopes(const double* loads, const double* acceleration, const double* multipliers) {
  if (!mechanism_.character.affine_loads) find_slopes(loads, acceleration, multipliers);
}

/// A column for each load: M A_j − B Λ_j = (h + B λ − M v̇)', C_a A_j = −(γ + C_a v̇)'.
void Accelerations::find_slopes(const double* loads, const double* acceleration, const double* multipliers) {
  Point p = point_;
  p.loads = loads;
  p.acceleration = acceleration;
  p.multipliers = multipliers;
  mechanism_.load_actions(p, load_actions_.data());
  for (int j = 0; j < mechanism_.sizes.loads; ++j) {
    const double* force = load_actions_.data() + j * (n_ + rows_);
    respond_spread(force, force + n_, acceleration_by_loads_.data() + j * n_, multipliers_by_loads_.data() + j * rows_);
  }
}

/// respond() with the multipliers of least norm.
void Accelerations::respond_spread(const double* h, const double* gamma, double* acceleration, double* multipliers) {
  respond(h, gamma, acceleration, multipliers);
  if (!spread_) find_idle_multipliers();
  spread_ = true;
  spread(multipliers);
}

/// λ of the kept rows with B λ = force, found from the rows of B chosen by pivoting; the others 0.
void Accelerations::kept_multipliers(const double* force, double* multipliers) {
  if (large_) {  // which leaves v̇ = 0
    for (int j = 0; j < n_; ++j) idle_size_[j] = -force[j];
    return solve_system(idle_size_.data(), nullptr, nullptr, multipliers);
  }
  for (int i = 0; i < rank_; ++i) x_[i] = force[acting_row(i)];
  if (mechanism_.character.ideal) dense::solve_transposed(rank_, C_d_.data(), C_pivot_.data(), x_.data());
  else dense::solve(rank_, B_b_.data(), B_pivot_.data(), x_.data());
  dense::fill(rows_, 0, multipliers);
  for (int i = 0; i < rank_; ++i) multipliers[pivoting_.row(i)] = x_[i];
}

/// act(velocity, row, entry of B)
template <class Act>
void Accelerations::for_reactions(Act&& act) const {
  const bool ideal = mechanism_.character.ideal;
  const Pattern& pattern = ideal ? mechanism_.C_a : mechanism_.B;
  for (int e = 0; e < pattern.nonzeros; ++e) {
    if (ideal) act(pattern.column[e], pattern.row[e], C_values_[e]);
    else act(pattern.row[e], pattern.column[e], B_values_[e]);
  }
}

/// [M −B; C_a 0] of the kept rows, its unknowns and equations measured so that M has a diagonal of about one, and rows
/// of C_a and columns of B are about as large.
bool Accelerations::factor_system(double time, Message& message) {
  const Sizes& s = mechanism_.sizes;
  column_metric(mechanism_.M, M_, mechanism_.nominal, metric_.data());
  constraints_.clear();
  const Pattern& C = mechanism_.C_a;
  for (int e = 0; e < C.nonzeros; ++e) constraints_.set(C.row[e], C.column[e], C_values_[e]);
  rank_ = constraints_.split(priorities(mechanism_, s.rank), s.acceleration_rows == 0 ? s.rank : n_, metric_.data());
  if (rank_ < s.rank) {
    return message.fail("The constraints are singular at t = %.9g s: accelerations are not determined there.", time);
  }
  for (int i = 0; i < rows_; ++i) idle_part_[i] = 0;
  for (int i = 0; i < rank_; ++i) idle_part_[kept_row(i)] = 1;
  measure_system();
  double *equation = equation_scale_.data(), *unknown = unknown_scale_.data();
  system_.clear();
  const auto set = [&](int i, int j, double value) { system_.set(i, j, equation[i] * value * unknown[j]); };
  const Pattern& inertia = mechanism_.M;
  for (int e = 0; e < inertia.nonzeros; ++e) {
    const int i = inertia.row[e], j = inertia.column[e];
    set(i, j, M_[e]);
    if (i != j) set(j, i, M_[e]);
  }
  for (int i = 0; i < rows_; ++i) {
    if (idle_part_[i] == 0) system_.set(n_ + i, n_ + i, 1);
  }
  for (int e = 0; e < C.nonzeros; ++e) {
    if (idle_part_[C.row[e]] != 0) set(n_ + C.row[e], C.column[e], C_values_[e]);
  }
  for_reactions([&](int velocity, int row, double value) {
    if (idle_part_[row] != 0) set(velocity, n_ + row, -value);
  });
  constexpr double singular = 1e-13;
  return system_.split({}, n_ + rows_, nullptr, singular) == n_ + rows_ || fail_inertia(time, message);
}

/// The powers of two by which equations and unknowns of that system are multiplied.
void Accelerations::measure_system() {
  double *equation = equation_scale_.data(), *unknown = unknown_scale_.data();
  for (int j = 0; j < n_; ++j) equation[j] = unknown[j] = 1 / power_of_two(std::sqrt(metric_[j]));
  dense::fill(rows_, 0, equation + n_);
  dense::fill(rows_, 0, unknown + n_);
  const Pattern& C = mechanism_.C_a;
  for (int e = 0; e < C.nonzeros; ++e) {
    dense::raise(equation[n_ + C.row[e]], std::fabs(C_values_[e]) * unknown[C.column[e]]);
  }
  for_reactions([&](int velocity, int row, double value) {
    dense::raise(unknown[n_ + row], std::fabs(value) * equation[velocity]);
  });
  for (int i = n_; i < n_ + rows_; ++i) {
    equation[i] = 1 / power_of_two(equation[i]);
    unknown[i] = 1 / power_of_two(unknown[i]);
  }
}

/// v̇ (unless nullptr) and λ for the forces h; `gamma` = nullptr: 0.
void Accelerations::solve_system(const double* h, const double* gamma, double* acceleration, double* multipliers) {
  dense::copy(n_, h, right_side_.data());
  dense::fill(rows_, 0, right_side_.data() + n_);
  for (int i = 0; i < rank_ && gamma != nullptr; ++i) right_side_[n_ + kept_row(i)] = -gamma[kept_row(i)];
  for (int i = 0; i < n_ + rows_; ++i) right_side_[i] *= equation_scale_[i];
  system_.particular(right_side_.data(), solution_.data());
  for (int i = 0; i < n_ + rows_; ++i) solution_[i] *= unknown_scale_[i];
  if (acceleration != nullptr) dense::copy(n_, solution_.data(), acceleration);
  dense::copy(rows_, solution_.data() + n_, multipliers);
}

/// Kept rows, C_d = C_a(rows, columns) factored, and V.
void Accelerations::null_basis() {
  column_metric(mechanism_.M, M_, mechanism_.nominal, metric_.data());
  pivoting_.take(mechanism_.C_a, C_values_.data());
  pivoting_.scale_columns(metric_.data());
  const Sizes& s = mechanism_.sizes;
  const int limit = s.acceleration_rows == 0 ? s.rank : n_;
  rank_ = pivoting_.eliminate(priorities(mechanism_, s.rank), limit);
  expand(mechanism_.C_a, C_values_.data(), C_.data());
  for (int i = 0; i < rank_; ++i) {
    for (int j = 0; j < rank_; ++j) C_d_[i + j * rank_] = C_[pivoting_.row(i) + pivoting_.column(j) * rows_];
    weights_[i] = 1 / pivoting_.size(pivoting_.row(i));
  }
  dense::factor(rank_, C_d_.data(), C_pivot_.data(), weights_.data());
  for (int j = 0; j < n_ - rank_; ++j) {
    const int column = pivoting_.column(rank_ + j);
    double* V = V_.data() + j * n_;
    dense::fill(n_, 0, V);
    for (int i = 0; i < rank_; ++i) x_[i] = -C_[pivoting_.row(i) + column * rows_];
    dense::solve(rank_, C_d_.data(), C_pivot_.data(), x_.data());
    for (int i = 0; i < rank_; ++i) V[pivoting_.column(i)] = x_[i];
    V[column] = 1;
  }
}

/// L = [−B_b^{-T} B_eᵀ ; I] for the kept columns of B; rows b by pivoting.
bool Accelerations::left_basis(Message& message) {
  expand(mechanism_.B, B_values_.data(), B_.data());  // n × rows
  // Pivoting on Bᵀ (kept constraints as rows), coordinates measured in the inverse metric, as forces are.
  left_pivoting_.clear();
  for (int i = 0; i < rank_; ++i) {
    for (int j = 0; j < n_; ++j) left_pivoting_.set(i, j, B_[j + pivoting_.row(i) * n_] / std::sqrt(metric_[j]));
  }
  if (left_pivoting_.eliminate({}, rank_) < rank_) {
    return message.fail("The reactions' directions are dependent: two constraints are realised by the same control.");
  }
  for (int i = 0; i < rank_; ++i) {
    for (int j = 0; j < rank_; ++j) B_b_[i + j * rank_] = B_[left_pivoting_.column(i) + pivoting_.row(j) * n_];
    weights_[i] = 1 / std::sqrt(metric_[left_pivoting_.column(i)]);
  }
  dense::factor(rank_, B_b_.data(), B_pivot_.data(), weights_.data());
  for (int j = 0; j < n_ - rank_; ++j) {
    const int free_row = left_pivoting_.column(rank_ + j);
    double* L = L_.data() + j * n_;
    dense::fill(n_, 0, L);
    for (int i = 0; i < rank_; ++i) x_[i] = -B_[free_row + pivoting_.row(i) * n_];
    dense::solve_transposed(rank_, B_b_.data(), B_pivot_.data(), x_.data());
    for (int i = 0; i < rank_; ++i) L[left_pivoting_.column(i)] = x_[i];
    L[free_row] = 1;
  }
  return true;
}

void Accelerations::spread_multipliers() {
  if (spread_) return;
  if (shares_) dense::copy(rows_, multipliers_.data(), shared_multipliers_.data());
  find_idle_multipliers();
  spread(multipliers_.data());
  spread_ = true;
}

/// Null vectors of B: each dropped row that repeats kept ones, with −B_b⁻¹ B_c of the kept. And their products,
/// factored.
void Accelerations::find_idle_multipliers() {
  idle_ = 0;
  for (int d = rank_; d < rows_; ++d) {
    const int dropped = kept_row(d);
    dense::fill(n_, 0, idle_force_.data());
    for_reactions([&](int velocity, int row, double value) {
      if (row == dropped) idle_force_[velocity] = -value;
    });
    double* N = idle_multipliers_.data() + idle_ * rows_;
    kept_multipliers(idle_force_.data(), N);
    N[dropped] = 1;
    bool repeats = true;  // a reaction of another direction stays 0
    if (!mechanism_.character.ideal) {
      dense::fill(n_, 0, idle_force_.data());
      dense::fill(n_, 0, idle_size_.data());
      for_reactions([&](int velocity, int row, double value) {
        idle_force_[velocity] += value * N[row];
        idle_size_[velocity] += std::fabs(value * N[row]);
      });
      for (int j = 0; j < n_ && repeats; ++j) repeats = std::fabs(idle_force_[j]) <= rank_tolerance * idle_size_[j];
    }
    if (repeats) idle_rows_[idle_++] = dropped;
  }
  for (int i = 0; i < idle_; ++i) {
    for (int j = 0; j <= i; ++j) {
      idle_products_[i + j * idle_] =
          dense::dot(rows_, idle_multipliers_.data() + i * rows_, idle_multipliers_.data() + j * rows_);
    }
  }
  dense::factor_downward(idle_, idle_products_.data());
}

/// λ ← λ − N (NᵀN)⁻¹ Nᵀ (λ − carried)
void Accelerations::spread(double* multipliers, const double* carried) {
  for (int i = 0; i < idle_; ++i) {
    const double* N = idle_multipliers_.data() + i * rows_;
    idle_part_[i] = dense::dot(rows_, N, multipliers) - (carried == nullptr ? 0 : dense::dot(rows_, N, carried));
  }
  dense::solve_downward(idle_, idle_products_.data(), idle_part_.data());
  for (int i = 0; i < idle_; ++i) {
    dense::add(rows_, -idle_part_[i], idle_multipliers_.data() + i * rows_, multipliers);
  }
}

}  // namespace mechfmu
