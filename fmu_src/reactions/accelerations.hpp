// This class finds accelerations and multipliers at one consistent state, for any constraints: ideal or not, redundant
// or not, given at position, velocity or acceleration level. Sizes are known at run time; nothing is allocated after
// construction.
//
//   M v̇ = h + B λ,  C_a v̇ + γ = 0
//
// A response (response.hpp) factors this for the rows that are kept and solves it. Loads that the equations contain are
// found together with v̇ and λ (loads.hpp). If rows were dropped, λ of least norm is shown (idle_multipliers.hpp).
#pragma once

#include "held_rows.hpp"
#include "idle_multipliers.hpp"
#include "loads.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/message.hpp"
#include "shared_response.hpp"

namespace mechfmu {

class SaddleSolver;

class Accelerations final : LoadResponse {
 public:
  /// `solver`, if given, must outlive this.
  Accelerations(Arena&, const Mechanism&, SaddleSolver* solver = nullptr);

  /// Says whether rows that were dropped take part from the next solve() on.
  void share_rows(bool share) { response_.share(share); }

  /// Solves at p.time, p.q, p.v with the mass matrix of position() there. If there are loads, the search begins with
  /// p.loads. `feedback`, if given, is added to γ; it has one number for each row. Returns false if there is no
  /// solution, and the message says why.
  bool solve(const Point& p, const double* M, const double* feedback, Message&);
  /// Does the same with these loads, whatever their equations say.
  bool solve_with_loads(const Point& p, const double* M, const double* loads, Message&);
  const double* acceleration() const { return acceleration_.data(); }
  /// Returns λ of the kept rows. Multipliers of the dropped rows are 0, unless λ has been spread (as with loads, which
  /// depend on it) or these rows take part.
  const double* multipliers() const { return multipliers_.data(); }
  const double* loads() const { return loads_.values(); }
  /// The two functions return C_a, and C_a v̇ + γ of all rows. The dropped rows' numbers are 0 where constraints agree.
  const double* rows() const { return C_values_.data(); }
  const double* find_open();

  /// Finds how accelerations respond to a force, with the factors of the last solve(): M v̇ = force + B λ, C_a v̇ = 0.
  void respond_to_force(const double* force, double* acceleration);
  /// Finds λ of least norm, too.
  void respond_to_force(const double* force, double* acceleration, double* multipliers);
  /// Adds the forces of the rows that come and go, at the multipliers of the last solve().
  void add_changing_forces(double* force) const;

  // These functions serve derivatives, after solve() and spread_multipliers(). Multipliers of least norm are λ_b − N y,
  // where λ_b are those of the kept rows and B N = 0.
  bool multipliers_are_shared() const { return idle_.count() > 0; }
  /// Finds λ_b.
  void find_kept_multipliers(double* multipliers) const;
  /// Finds z with Bᵀ z = λ.
  void find_preimage(double* z) { response_.preimage(multipliers_.data(), z); }
  /// These are the changes that the right sides of M v̇ − B λ, −C_a v̇, the loads' residuals and Bᵀ z have at fixed v̇, λ
  /// and loads. The first of them changes by `force` at λ_b, which v̇ belongs to, and by `shared_force` at λ (it is the
  /// same if nothing is shared).
  struct Changes {
    const double *force, *shared_force, *gamma, *loads, *image;
  };
  /// Finds how v̇, λ and the loads then change.
  void respond_to(const Changes&, double* acceleration, double* multipliers, double* loads);
  /// Finds how v̇ and λ change with load j. The result is exact also where redundant rows contain this load.
  void respond_to_load(int j, const Changes& changes);

  /// Returns in how many ways rows of contacts share forces. Forces x of least norm are across all ways, Nᵀx = 0.
  int ways() const { return held_.ways(); }
  /// Finds v̇ and λ of forces along way j.
  void follow_way(int j, double* acceleration, double* multipliers) const;
  /// Takes the changes that the right sides have at the numbers of follow_way(j) in place of v̇ and λ: the way then
  /// turns by n_j'.
  void turn_way(int j, const double* force, const double* gamma);
  /// Adds to the changes of v̇ and λ that Nᵀx' = −N'ᵀx.
  void follow_turned_ways(double* acceleration, double* multipliers);

  /// Replaces λ by the one of least Euclidean norm that gives the same Bλ, where rows were dropped.
  void spread_multipliers();

 private:
  Response::Matrices matrices() const { return {M_, C_values_.data(), B_values_.data()}; }
  bool evaluate(const double* loads, Message&);
  void begin_at(const Point& p, const double* M, const double* feedback);
  void leave_out_sought();
  void evaluate_rows(const Point&);
  void respond(const double* h, const double* gamma, double* acceleration, double* multipliers);
  bool find_loads(Message&);
  bool follow(const double* loads, double* acceleration, double* multipliers, Message&) override;
  bool follow_without_sought(const double* loads, double* acceleration, double* multipliers, Message&) override;
  void slopes(const double* loads, const double* acceleration, const double* multipliers) override;
  void respond_to_balance(const Changes&, double* acceleration, double* multipliers);
  void find_slopes(const double* loads, const double* acceleration, const double* multipliers);
  void respond_spread(const double* h, const double* gamma, double* acceleration, double* multipliers);
  void find_idle_multipliers();
  ColumnsView<> A() const override { return acceleration_by_loads_; }
  ColumnsView<> Lambda() const override { return multipliers_by_loads_; }

  const Mechanism& mechanism_;
  int n_, rows_, first_sought_;  ///< rows of C_a from first_sought_ on are not linear in accelerations
  SharedResponse response_;      ///< responds for the rows that last
  HeldRows held_;                ///< adds those of contacts
  IdleMultipliers idle_;
  bool spread_ = false;                              ///< idle multipliers of the present factors are known
  Point point_;                                      ///< the point of the last solve()
  const double *M_ = nullptr, *feedback_ = nullptr;  ///< the matrix and the numbers that belong to `point_`
  bool without_sought_ = false;                      ///< these rows are left out
  bool factored_ = false;                            ///< the matrices at `point_` are factored, for some loads
  Loads loads_;
  Buffer<dynamic> h_, gamma_, open_, C_values_, B_values_, acceleration_, multipliers_;
  RunTimeColumns load_actions_, acceleration_by_loads_, multipliers_by_loads_;
  Buffer<dynamic> base_loads_, base_acceleration_,
      base_multipliers_;               ///< values at the loads' starts, if all is affine in loads
  Buffer<dynamic> mass_;               ///< M with the loads, if it contains them
  Buffer<dynamic> unspread_;           ///< λ of rows that share, before it was spread
  Buffer<dynamic> force_, kept_part_;  ///< numbers of respond_to_balance() alone
  Buffer<dynamic> turns_;              ///< −n_j'ᵀx of each way
};

}  // namespace mechfmu
