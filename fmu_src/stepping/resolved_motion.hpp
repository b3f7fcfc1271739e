// This class is common to the motions that a tangent basis resolves (tangent_motion.hpp, independent_motion.hpp). It
// has the basis at the point of evaluation, and with it
//
//   v = W_d u + ξ             u = W_dᵀ M v (4.7)          C ξ = −c_t, W_dᵀ M ξ = 0
//
// and the smallest move, in M, that closes rows. It chooses E* at the start. At accepted states it judges E* and, if
// need be, changes it: v stays, and u_new = W_d,newᵀ M v. The numbers in parentheses are those of Blajer 1993.
#pragma once

#include <type_traits>

#include "common_motion.hpp"
#include "constraints/nonlinear_rows.hpp"
#include "constraints/tangent_bases/shared_basis.hpp"
#include "constraints/tangent_bases/unconstrained.hpp"
#include "linear/powers_of_two.hpp"

namespace mechfmu {

template <class Model, template <class> class Basis>
class ResolvedMotion : public CommonMotion<Model, Fixed<Model>::k> {
 protected:
  using Common = CommonMotion<Model, Fixed<Model>::k>;
  using Common::mechanism_, Common::model_, Common::trouble_, Common::projection_, Common::loads_, Common::point_,
      Common::M_, Common::C_, Common::c_t_, Common::metric_, Common::prepared_;
  using Common::nq, Common::n, Common::at, Common::go_to, Common::fail_singular;

 public:
  using F = Fixed<Model>;

  /// `member` says which basis is meant if Basis stands for any.
  template <class... Member>
  ResolvedMotion(Arena& arena, const Mechanism& mechanism, const Model& model, Drift drift, Member... member)
      : Common(arena, mechanism, model, drift, model.sizes().degrees_of_freedom()), choice_(arena, mechanism.sizes),
        basis_(make_basis(arena, mechanism, model, member...)), accelerations_(arena, mechanism),
        nonlinear_(arena, mechanism), v_(arena, n()), Mv_(arena, n()), xi_(arena, n()), force_(arena, n()),
        kept_(arena, model.sizes().rank), scratch_(arena, n(), k()), chosen_(arena, mechanism) {}

  /// Returns the forces of rows that come and go at the place of the last rate, if any of them holds.
  const double* changing_forces() const { return accelerations_.multipliers() + mechanism_.sizes.lasting_rows(); }

  /// Forgets what is remembered, because parameters, time or q were changed from outside.
  void forget() { prepared_ = at_state_ = false; }

  /// Chooses E* at the state's (t, q), sets u from v: u = W_dᵀ M v (4.7), and makes v fit.
  bool start(State& state, Message& message) {
    attach(state);
    dense::fill(model_.sizes().position_rows, 0, state.integral);
    go_to(*state.time, state.q);
    evaluate_position();
    column_metric(model_.M(), M_.data(), model_.nominal(), metric_.data());
    if (!choice_.by_pivoting(mechanism_, C_.data(), metric_.data())) return fail_singular(message);
    choice_.covectors = state.covectors;
    unit_covectors(state);
    if (!basis_.factor(M_.data(), C_.data(), choice_)) return fail_singular(message);
    if (k() < n()) {
      chosen_.find(basis_.W(), metric_.data(), nullptr, scratch_.data());
      choice_.take_independent(chosen_.columns());
      choice_.renew_rows(mechanism_, C_.data(), metric_.data());
      unit_covectors(state);
      if (!basis_.factor(M_.data(), C_.data(), choice_)) return fail_singular(message);
    }
    if (basis_.carried && !carry(state)) return fail_singular(message);
    choice_.store(state);
    tangent_velocities(state.v, state.u);
    if (!drift_velocity()) return fail_singular(message);
    velocities(state.u, state.v);
    at_state_ = true;
    return close_nonlinear(state, message);
  }

  /// Finds anew, before steps, everything that the state may have changed.
  bool begin(State& state, Message& message) {
    attach(state);
    if (at_state_) return true;
    choice_.take_from(state);
    if (!configure(*state.time, state.q)) return fail_singular(message);
    at_state_ = true;
    return true;
  }

  /// Finds u anew after somebody has moved the state's q and v.
  bool refit(State& state, Message& message) {
    at_state_ = false;
    if (!begin(state, message)) return false;
    tangent_velocities(state.v, state.u);
    velocities(state.u, state.v);
    return true;
  }
  /// Says that the state was put back.
  void step_back() { at_state_ = false; }

 protected:
  int k() const { return model_.sizes().degrees_of_freedom(); }

  void attach(State& state) {
    Common::attach_to(state);
    if (shares && rows_are_shared() != (*state.rounded != 0)) share_rows(*state.rounded != 0);
  }
  [[gnu::noinline]] void share_rows(bool share) {
    if constexpr (shares) basis_.share_rows(share);
    projection_.share_rows(share);
    accelerations_.share_rows(share);
    at_state_ = false;
  }
  bool rows_are_shared() const {
    if constexpr (shares) return basis_.shares();
    else return false;
  }
  /// Finds x, the smallest in M, with C x = −open.
  void smallest(const double* open, double* x) {
    if (rows_are_shared()) return smallest_shared(open, x);
    for (int i = 0; i < model_.sizes().rank; ++i) kept_[i] = -open[choice_.rows[i]];
    basis_.OwnBasis::particular(kept_.data(), x);
    remove_tangent_part(model_, basis_.OwnBasis::W(), M_.data(), x, force_.data());
  }
  [[gnu::noinline]] void smallest_shared(const double* open, double* x) {
    if constexpr (shares) basis_.close(choice_, open, kept_.data());
    basis_.particular(kept_.data(), x);
    remove_tangent_part(model_, basis_.W(), M_.data(), x, force_.data());
  }
  /// Evaluates M, C and c_t at the point.
  void evaluate_position() {
    model_.position(point_, M_.data(), C_.data(), c_t_.data());
    see(basis_, point_);
  }
  /// Evaluates the position stage and the basis at (t, q).
  bool configure(double t, const double* q) {
    go_to(t, q);
    evaluate_position();
    return basis_.factor(M_.data(), C_.data(), choice_) && drift_velocity();
  }

  /// Computes ξ.
  bool drift_velocity() {
    if (!model_.character.rheonomic) return true;
    smallest(c_t_.data(), xi_.data());
    return true;
  }

  /// Computes v = W_d u + ξ.
  void velocities(const double* u, double* v) const {
    apply(basis_, n(), k(), u, v);
    if (model_.character.rheonomic) dense::add(n(), 1, xi_.data(), v);
  }
  /// Computes u = W_dᵀ M v.
  void tangent_velocities(const double* v, double* u) {
    times_symmetric<F::M>(model_.M(), M_.data(), v, Mv_.data());
    onto(basis_, n(), k(), Mv_.data(), u);
  }

  /// Finds v̇, and the loads that forces contain.
  bool find_reactions() {
    point_.loads = loads_;
    const bool found = accelerations_.solve(point_, M_.data(), nullptr, trouble_);
    point_.loads = accelerations_.loads();
    return found;
  }

  /// Moves v, and u with it, onto the velocity constraints that are not linear.
  bool close_nonlinear(State& state, Message& message) {
    if (model_.sizes().nonlinear_rows == 0) return true;
    const auto respond = [this](const double* force, double* x) {  // x = W_d W_dᵀ force
      onto(basis_, n(), k(), force, scratch_.data());
      apply(basis_, n(), k(), scratch_.data(), x);
    };
    if (!nonlinear_.close(at(state), state.v, message, respond)) return false;
    tangent_velocities(state.v, state.u);
    return true;
  }

  /// Applies the projective criterion at the accepted state.
  bool renew_choice(State& state) {
    const bool shared = rows_are_shared();
    if (shared) hold_velocity(state);
    if (model_.sizes().rank < model_.sizes().rows() && k() < n()) {
      column_metric(model_.M(), M_.data(), model_.nominal(), metric_.data());
      choice_.renew_rows(mechanism_, C_.data(), metric_.data());
      if (!basis_.factor(M_.data(), C_.data(), choice_) || !drift_velocity()) return false;
    }
    if (basis_.carried && !carry(state)) return false;
    if (shared) take_velocity(state);
    if (basis_.carried) return true;
    if (k() == 0 || k() == n()) return true;
    column_metric(model_.M(), M_.data(), model_.nominal(), metric_.data());
    if (!chosen_.find(basis_.W(), metric_.data(), &choice_, scratch_.data())) return true;
    velocities(state.u, v_.data());
    choice_.take_independent(chosen_.columns());
    if (!basis_.factor(M_.data(), C_.data(), choice_) || !drift_velocity()) return false;
    tangent_velocities(v_.data(), state.u);
    ++*state.basis_switches;
    return true;
  }

  /// If rows share, W_d follows the basis of the kept ones, which may be others now. These two functions let v stay.
  [[gnu::noinline]] void hold_velocity(const State& state) { velocities(state.u, v_.data()); }
  [[gnu::noinline]] void take_velocity(State& state) { tangent_velocities(v_.data(), state.u); }

  /// Sets E* = M W_d. W_d and u stay as they are, and W_d is differentiable during the next step.
  bool carry(State& state) {
    const WritableColumns<F::n> covectors(state.covectors, n());
    for (int j = 0; j < k(); ++j) {
      times_symmetric<F::M>(model_.M(), M_.data(), basis_.W().column(j), covectors.column(j));
    }
    return basis_.factor(M_.data(), C_.data(), choice_) && drift_velocity();
  }
  void unit_covectors(State& state) {
    if (!basis_.carried) return;
    const WritableColumns<F::n> covectors(state.covectors, n());
    dense::fill(n() * k(), 0, covectors.data());
    for (int j = 0; j < k(); ++j) {
      const int i = choice_.independent[j];
      covectors(i, j) = 1 / power_of_two(model_.nominal()[i]);  // its size is the same in all units
    }
  }

  bool at_state_ = false;  ///< true while everything is evaluated at the state
  Choice choice_;
  static constexpr bool unconstrained = Model::generated && is_free_and_sparse(F::sizes);
  using OwnBasis = std::conditional_t<unconstrained, UnconstrainedBasis<Model>, Basis<Model>>;
  static constexpr bool shares = !Model::generated || F::rows > F::r;  ///< some rows depend on others, or may do so
  using SharingBasis = std::conditional_t<shares, SharedBasis<Model, OwnBasis>, OwnBasis>;
  template <class... Member>
  static SharingBasis make_basis(Arena& arena, const Mechanism& mechanism, const Model& model, Member... member) {
    if constexpr (shares) return SharingBasis(arena, mechanism, model, member...);
    else return SharingBasis(arena, model, member...);
  }
  SharingBasis basis_;
  Accelerations accelerations_;
  NonlinearRows nonlinear_;
  Buffer<F::n> v_, Mv_, xi_, force_;  ///< v at the last rate(), or a direction; M v; ξ; a force
  Buffer<F::r> kept_;                 ///< a number for each kept row
  Columns<F::n, F::k> scratch_;
  ChosenColumns chosen_;
};

}  // namespace mechfmu
