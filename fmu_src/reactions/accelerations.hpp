// Accelerations and multipliers at one consistent state, for any constraints: ideal or not, redundant or not, given at
// position, velocity or acceleration level. Sizes at run time; no allocation after construction.
//
//   M v̇ = h + B λ,  C_a v̇ + γ = 0
//   v̇ = a_p + V (Lᵀ M V)⁻¹ Lᵀ (h − M a_p)      C_a V = 0, Lᵀ B = 0; ideal: L = V
//   λ = B_b⁻¹ (M v̇ − h)_b                       b: rows of B by pivoting; dropped constraints have λ = 0
// Large mechanisms solve the first line as it stands for the rows that are kept, by sparse factors of [M −B; C_a 0].
// Without any rows M is factored along its nonzeros.
// Loads that these contain are found together with v̇ and λ (reactions/loads.hpp). A solver of another kind may find v̇
// and λ in place of this null space (saddle_solvers/). Where data are rounded, kept rows share what the others leave
// open (shared_saddle.hpp), if all are ideal.
#pragma once

#include "constraints/saddle_solvers/saddle_solver.hpp"
#include "constraints/shared_saddle.hpp"
#include "linear/pivoting.hpp"
#include "linear/sparse_cholesky.hpp"
#include "linear/sparse_split.hpp"
#include "loads.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/message.hpp"

namespace mechfmu {

class Accelerations final : LoadResponse {
 public:
  /// `solver`, if given, must outlive this.
  Accelerations(Arena&, const Mechanism&, SaddleSolver* solver = nullptr);

  /// Whether rows that were dropped take part from the next solve() on.
  void share_rows(bool share) { share_rows_ = share && mechanism_.character.ideal; }

  /// At p.time, p.q, p.v with the mass matrix of position() there; p.loads to begin with, if there are any. `feedback`,
  /// if given, is added to γ: one number a row.
  bool solve(const Point& p, const double* M, const double* feedback, Message&);
  const double* acceleration() const { return acceleration_.data(); }
  /// λ of the kept rows; the dropped ones are 0, unless they have been spread (as with loads, which depend on them) or
  /// take part.
  const double* multipliers() const { return multipliers_.data(); }
  const double* loads() const { return loads_.values(); }
  /// C_a, and C_a v̇ + γ of all rows; the dropped ones are 0 where constraints agree.
  const double* rows() const { return C_values_.data(); }
  const double* find_open();

  // After solve() and spread_multipliers(), for derivatives; multipliers of least norm are λ_b − N y, where λ_b are
  // those of the kept rows and B N = 0.
  bool multipliers_are_shared() const { return idle_ > 0; }
  /// λ_b
  void find_kept_multipliers(double* multipliers) const;
  /// z with Bᵀ z = λ.
  void find_carrier(double* z);
  /// What the amounts on the right sides change by at fixed v̇, λ and loads: of M v̇ − B λ, −C_a v̇, the loads' residuals
  /// and Bᵀ z. Of the first `force` at λ_b, which v̇ belongs to, `shared_force` at λ (the same if nothing is shared).
  struct Changes {
    const double *force, *shared_force, *gamma, *loads, *carried;
  };
  /// What v̇, λ and the loads then change by.
  void respond_to(const Changes&, double* acceleration, double* multipliers, double* loads);
  /// What v̇ and λ change by with load j, exactly also where redundant rows contain it.
  void respond_to_load(int j, const Changes& changes);

  /// Replaces λ by the one of least Euclidean norm that gives the same Bλ, where rows were dropped.
  void spread_multipliers();

 private:
  /// Whether no row can be dependent, so that a solver is given all of them.
  bool all_rows_kept() const;
  bool evaluate(const double* loads, Message&);
  bool factor(double time, Message&);
  void hand_over_kept_rows();
  bool factor_solver(double time, Message&);
  void null_basis();
  bool left_basis(Message&);
  const double* left() const { return mechanism_.character.ideal ? V_.data() : L_.data(); }
  bool factor_inertia(double time, Message&);
  bool fail_inertia(double time, Message&) const;
  bool factor_system(double time, Message&);
  void measure_system();
  void solve_system(const double* h, const double* gamma, double* acceleration, double* multipliers);
  bool factor_shared();
  auto respond_in_order();
  void respond(const double* h, const double* gamma, double* acceleration, double* multipliers);
  void respond_by_kept_rows(const double* h, const double* gamma, double* acceleration, double* multipliers);
  bool find_loads(Message&);
  bool follow(const double* loads, double* acceleration, double* multipliers, Message&) override;
  void slopes(const double* loads, const double* acceleration, const double* multipliers) override;
  void respond_to_balance(const Changes&, double* acceleration, double* multipliers);
  void find_slopes(const double* loads, const double* acceleration, const double* multipliers);
  void respond_spread(const double* h, const double* gamma, double* acceleration, double* multipliers);
  const double* A() const override { return acceleration_by_loads_.data(); }
  const double* Lambda() const override { return multipliers_by_loads_.data(); }
  int square() const { return large_ || free_ ? 0 : n_ * n_; }
  /// Dropped rows at most; a large mechanism has no reactions where C is singular.
  int idle_room() const { return large_ ? rows_ - mechanism_.sizes.rank : rows_; }
  /// In the order of pivots, then the dropped ones.
  int kept_row(int i) const { return all_rows_kept() ? i : large_ ? constraints_.row(i) : pivoting_.row(i); }
  int acting_row(int i) const { return mechanism_.character.ideal ? pivoting_.column(i) : left_pivoting_.column(i); }
  template <class Act>
  void for_reactions(Act&& act) const;
  void kept_multipliers(const double* force, double* multipliers);
  void find_idle_multipliers();
  void spread(double* multipliers, const double* carried = nullptr);

  const Mechanism& mechanism_;
  SaddleSolver* solver_;
  int n_, rows_, rank_ = 0;
  const bool free_;  ///< of constraints
  const bool large_;
  SparseCholesky inertia_;  ///< M, if it is free
  bool spread_ = false;
  bool share_rows_ = false, shares_ = false;  ///< if asked to; with the factors that there are
  SharedSaddle shared_;
  Point point_;                                      ///< of the last solve()
  const double *M_ = nullptr, *feedback_ = nullptr;  ///< at that point
  bool factored_ = false;                            ///< there, for some loads
  SparseSplit constraints_, system_;  ///< of a large mechanism: C_a, and [M −B; C_a 0] with its dropped rows struck out
  Buffer<dynamic> right_side_, solution_, equation_scale_, unknown_scale_;
  Pivoting pivoting_, left_pivoting_;
  Loads loads_;
  Buffer<dynamic> h_, gamma_, open_, C_values_, B_values_, C_, B_, metric_, weights_;
  Buffer<dynamic> V_, L_, MV_, K_, C_d_, B_b_, force_, x_;
  Buffer<dynamic> acceleration_, multipliers_;
  int idle_ = 0;  ///< multipliers that do nothing together: null vectors of B
  Buffer<dynamic> idle_multipliers_, idle_products_, idle_part_, idle_force_, idle_size_;
  IndexBuffer idle_rows_;  ///< the dropped row that each begins from
  Buffer<dynamic> load_actions_, acceleration_by_loads_, multipliers_by_loads_;
  Buffer<dynamic> base_loads_, base_acceleration_,
      base_multipliers_;  ///< where all is affine in loads: at their starts
  Buffer<dynamic> mass_;  ///< M with the loads, if it contains them
  IndexBuffer C_pivot_, B_pivot_, K_pivot_;
  Buffer<dynamic> solver_mass_, solver_rows_, solver_directions_,
      solver_multipliers_;  ///< of the solver, if there is one
  Buffer<dynamic> shared_gamma_, answered_, shared_multipliers_,
      no_force_;  ///< where rows share; λ before it was spread
  IndexBuffer shared_order_;
};

}  // namespace mechfmu
