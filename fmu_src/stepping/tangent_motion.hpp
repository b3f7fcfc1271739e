// This is the motion in tangent velocities: y = (q, u) with the resolved equations of Blajer 1993, (4.3)–(4.4).
//
//   q̇ = A v (mechanism/position_rates.hpp)
//   v = W_d u + ξ             ξ = v_p − W_d W_dᵀ M v_p,  C v_p = −c_t        (0 unless constraints depend on time)
//   u̇ = W_dᵀ (g + Bλ) + Ẇ_dᵀ M v                 g = h + Ṁ v
// States of the file are positions with rates of their own in place of those of A v (stepping/state_rates.hpp).
// The last line is d/dt (W_dᵀ M v). With M v̇ = h + Bλ it holds for any constraints; for ideal ones W_dᵀ B λ = 0, and
// neither M⁻¹ nor γ nor λ is needed. In short form (mechanism/mechanism.hpp: k = 1, nothing depends on time) u̇ = w_dᵀ
// Q. After an accepted step q is projected (4.5a) and u is kept. Then E* is judged and, if need be, changed: v stays,
// and u_new = W_d,newᵀ M v. Drift correction "integral" (4.6a) has y = (q, u, ∫f):
//   q̇ = A (W_d u + ξ − M⁻¹C_pᵀ(C_pM⁻¹C_pᵀ)⁻¹ (G₁ f + G₀ ∫f))
#pragma once

#include "constraints/closing.hpp"
#include "resolved_motion.hpp"

namespace mechfmu {

template <class Model, template <class> class Basis>
class TangentMotion : public ResolvedMotion<Model, Basis> {
  using Resolved = ResolvedMotion<Model, Basis>;
  using Resolved::mechanism_, Resolved::model_, Resolved::drift_, Resolved::trouble_, Resolved::projection_,
      Resolved::agreement_, Resolved::loads_, Resolved::point_, Resolved::M_, Resolved::C_, Resolved::c_t_,
      Resolved::f_scale_, Resolved::delta_, Resolved::trial_, Resolved::sizes_, Resolved::choice_, Resolved::basis_,
      Resolved::accelerations_, Resolved::at_state_, Resolved::v_, Resolved::Mv_, Resolved::xi_, Resolved::force_,
      Resolved::kept_, Resolved::scratch_, Resolved::state_rates_, Resolved::shares;
  using Resolved::nq, Resolved::n, Resolved::k, Resolved::at, Resolved::go_to, Resolved::fail_singular,
      Resolved::integral_place, Resolved::configure, Resolved::evaluate_position, Resolved::drift_velocity,
      Resolved::velocities, Resolved::smallest, Resolved::find_reactions, Resolved::renew_choice,
      Resolved::close_nonlinear;

 public:
  using F = Fixed<Model>;
  using Resolved::length;

  template <class... Member>
  TangentMotion(Arena& arena, const Mechanism& mechanism, const Model& model, Drift drift, Member... member)
      : Resolved(arena, mechanism, model, drift, member...), g_(arena, n()),
        M_rate_(arena, model.sizes().M_rate_nonzeros), C_rate_(arena, model.sizes().C_rate_nonzeros),
        f_(arena, model.sizes().position_rows), open_(arena, model.sizes().rows()), unit_(arena, k()) {}

  void pack(const State& state, double* y) const { Resolved::pack(state, state.u, y); }

  /// Computes ẏ at the state itself, where begin() or accept() left everything ready. A search for loads in the step
  /// begins from the loads that are found here.
  bool rate_at_state(double t, const double* y, double* dy) {
    trouble_.clear();
    go_to(t, y);
    if (!slopes(y, dy) || !Resolved::agrees(accelerations_)) return false;
    dense::copy(model_.sizes().loads, accelerations_.loads(), loads_);
    return true;
  }

  /// Computes ẏ anywhere.
  bool rate(double t, const double* y, double* dy) {
    trouble_.clear();
    at_state_ = false;
    return configure(t, y) && slopes(y, dy);
  }

  /// Computes what stiff methods integrate. If drift is corrected by projection, this is ẏ at the place next to y that
  /// fulfils the constraints, as far as one step of (4.5a) finds it. On the constraints it is ẏ; across them it does
  /// not change. (Across them ẏ itself is what the formulas happen to be there, and near a singular position it changes
  /// without bounds.)
  bool rate_on_constraints(double t, const double* y, double* dy) {
    if (!keeps_on_constraints()) return rate(t, y, dy);
    trouble_.clear();
    at_state_ = false;
    go_to(t, y);
    evaluate_position();
    if (!basis_.factor(M_.data(), C_.data(), choice_)) return false;
    model_.violation(point_, f_.data());
    smallest_closing(f_.data());
    rates(model_, y, delta_.data(), trial_.data());
    for (int i = 0; i < nq(); ++i) trial_[i] += y[i];
    dense::copy(length() - nq(), y + nq(), trial_.data() + nq());
    return rate(t, trial_.data(), dy);
  }

  /// Positions are moved along these directions for differences. The shares x tell how far a change goes along each
  /// direction, xᵀ q̇. Both are columns of n_q numbers.
  struct Directions {
    Directions(Arena& arena, const TangentMotion& motion)
        : moves(arena, motion.nq(), motion.n() + 1), shares(arena, motion.nq(), motion.n()),
          column(arena, motion.length()) {}
    Columns<F::nq, dynamic> moves, shares;
    Buffer<dynamic> column;
    int count = 0;
  };

  /// Computes J and f_t by differences. They are the derivatives of rate_on_constraints() at (t, y), where
  /// rate_at_state() has just given `slope`. Differences in u and ∫f leave the configuration alone. Positions move
  /// along the constraints,
  ///   ∂ẏ/∂q = (∂ẏ/∂q A W_d) (M W_d)ᵀ A⁺            f_t = ∂ẏ/∂t + ∂ẏ/∂q A ξ
  /// and along the directions that only velocity constraints forbid. States move one by one. Derivatives of their rates
  /// are exact.
  bool linearise(double t, const double* y, const double* slope, double* J, double* f_t, Directions& directions,
                 double& evaluations) {
    const WritableColumns<> jacobian(J, length());
    double* trial = trial_.data();
    dense::copy(length(), y, trial);
    nominal_sizes(y, sizes_.data());
    go_to(t, trial);
    velocities(trial + nq(), v_.data());
    point_.v = v_.data();
    state_rates_.linearise_at(point_);
    const int first_state = model_.sizes().first_state();
    const auto sharpen = [&](double change, double* column) {
      state_rates_.sharpen(point_, change, nullptr, column + first_state);
    };
    for (int j = nq(); j < length(); ++j) {
      ++evaluations;
      if (!difference(
              length(), trial[j], sizes_[j], slope[j], slope, [&](double* dy) { return slopes(trial, dy); },
              jacobian.column(j), sharpen)) {
        return false;
      }
    }
    find_directions(y, directions);
    dense::fill(nq() * length(), 0, J);
    for (int j = 0; j <= directions.count; ++j) {
      const bool of_time = j == directions.count;
      const double* direction = directions.moves.column(j);
      const double* share = of_time ? nullptr : directions.shares.column(j);
      const double step =
          of_time ? difference_step(t, mechanism_.duration, 1)
                  : std::copysign(difference_step(nq(), y, sizes_.data(), direction), dense::dot(nq(), share, slope));
      for (int i = 0; i < nq(); ++i) trial[i] = y[i] + step * direction[i];
      double* column = of_time ? f_t : directions.column.data();
      ++evaluations;
      if (!rate(of_time ? t + step : t, trial, column)) return false;
      for (int i = 0; i < length(); ++i) column[i] = (column[i] - slope[i]) / step;
      if (!of_time) state_rates_.sharpen(point_, step, direction, column + first_state);
      for (int i = 0; i < nq() && !of_time; ++i) dense::add(length(), share[i], column, jacobian.column(i));
    }
    dense::copy(nq(), y, trial);
    for (int j = first_state; j < nq(); ++j) {
      ++evaluations;
      if (!difference(
              length(), trial[j], sizes_[j], slope[j], slope, [&](double* dy) { return rate(t, trial, dy); },
              jacobian.column(j), sharpen)) {
        return false;
      }
    }
    return true;
  }

  /// Returns how large an error of y is in a step from y to y1. An error of u is measured by the error of v that it
  /// makes, so that it does not depend on E* or on masses. W_d and v are those of the last rate(), at the end of the
  /// step or near it.
  LargestError judge(const double* error, const double* y, const double* y1) {
    apply(basis_, n(), k(), error + nq(), delta_.data());
    return Resolved::judge(error, y, y1, delta_.data(), v_.data());
  }

  /// Finds the nominal sizes of y at the state: a u_j of its nominal size brings one velocity to its own.
  void nominal_sizes(const double* y, double* sizes) {
    position_sizes(model_, sizes);
    const double* nominal = model_.rate_nominal();
    for (int j = 0; j < k(); ++j) {
      tangent_direction(j);
      double largest = 0;
      for (int i = 0; i < n(); ++i) dense::raise(largest, std::fabs(v_[i]) / nominal[i]);
      sizes[nq() + j] = 1 / largest;
    }
    if (drift_ == Drift::integral) Resolved::measure_integral(y, sizes + integral_place());
  }

  /// Takes y for the state at t, corrects the drift and judges E*. `configured` is true if rate(t, y, …) was the last
  /// call.
  bool accept(double t, const double* y, bool configured, State& state, Message& message) {
    const double since = *state.time;
    configured = !Resolved::unpack(t, y, state, state.u) && configured;
    if (!configured && !configure(t, state.q)) return fail_singular(message);
    const bool moved = configured && model_.sizes().quaternions > 0;  // normalisation moves quaternions
    const Drift drift = Resolved::correction_now(state);
    if (drift == Drift::projection ? !project(state, moved, message) : !settle(state, moved, message)) return false;
    if (!renew_choice(state)) return fail_singular(message);
    if (choice_.unsaved()) choice_.store(state);
    velocities(state.u, state.v);
    if (keeps_rates(drift_) && !close_nonlinear(state, message)) return false;
    if (!agreement_.hold(at(state), C_.data(), c_t_.data(), drift, since, state, message)) return false;
    at_state_ = Resolved::settle_readings(state) || !model_.character.reads_angles;
    return true;
  }

 private:
  bool keeps_on_constraints() const { return drift_ == Drift::projection && model_.sizes().position_rows > 0; }

  /// Finds the directions at q, where the basis is. First come columns of A W_d with A⁺ᵀ M W_d. Then, for kept rows i
  /// of C that rate_on_constraints() does not keep, come A x_i with A⁺ᵀ C_iᵀ, where C x_i = e_i and W_dᵀ M x_i = 0. The
  /// last one keeps q on moving constraints, A ξ. (W_d W_dᵀ M + Σ x_i C_i = 1 over all kept rows.) Without constraints
  /// every velocity is a direction by itself.
  void find_directions(const double* q, Directions& directions) {
    directions.count = 0;
    const auto add = [&](const double* direction, const double* share) {
      const int place = directions.count++;
      rates(model_, q, direction, directions.moves.column(place));
      pull_back_rates(model_, q, share, directions.shares.column(place));
    };
    for (int j = 0; j < k(); ++j) {
      if (k() == n()) {
        dense::fill(n(), 0, v_.data());
        v_[j] = 1;
        add(v_.data(), v_.data());
        continue;
      }
      tangent_direction(j);
      times_symmetric<F::M>(model_.M(), M_.data(), v_.data(), Mv_.data());
      add(v_.data(), Mv_.data());
    }
    for (int i = 0; i < model_.sizes().rank; ++i) {
      if (keeps_on_constraints() && choice_.rows[i] < model_.sizes().position_rows) continue;
      dense::fill(model_.sizes().rank, 0, kept_.data());
      kept_[i] = 1;
      basis_.particular(kept_.data(), delta_.data());
      remove_tangent_part(model_, basis_.W(), M_.data(), delta_.data(), force_.data());
      dense::fill(model_.sizes().rows(), 0, open_.data());
      if constexpr (shares) basis_.spread(choice_, kept_.data(), open_.data());
      else open_[choice_.rows[i]] = 1;
      dense::fill(n(), 0, Mv_.data());
      for (int e = 0; e < model_.C().nonzeros; ++e) Mv_[model_.C().column[e]] += C_[e] * open_[model_.C().row[e]];
      add(delta_.data(), Mv_.data());
    }
    double* of_time = directions.moves.column(directions.count);
    dense::fill(nq(), 0, of_time);
    if (!model_.character.rheonomic || !keeps_on_constraints()) return;
    smallest_closing(c_t_.data());
    rates(model_, q, delta_.data(), of_time);
  }
  /// Finds δ, the smallest in M, with C δ = −residual for position rows and 0 for velocity rows.
  void smallest_closing(const double* residual) {
    if (model_.sizes().velocity_rows == 0) return smallest(residual, delta_.data());
    dense::fill(model_.sizes().rows(), 0, open_.data());
    dense::copy(model_.sizes().position_rows, residual, open_.data());
    smallest(open_.data(), delta_.data());
  }
  /// Writes a column of W_d to v_.
  void tangent_direction(int j) {
    dense::fill(k(), 0, unit_.data());
    unit_[j] = 1;
    apply(basis_, n(), k(), unit_.data(), v_.data());
  }

  /// Computes ẏ after configure() at y.
  bool slopes(const double* y, double* dy) {
    const double* u = y + nq();
    double* u_rate = dy + nq();
    velocities(u, v_.data());
    rates(model_, y, v_.data(), dy);
    if (drift_ == Drift::integral && !feed_back(y, dy)) return false;
    point_.v = v_.data();
    const Character& c = model_.character;
    const bool not_ideal = !c.ideal_without_contacts || model_.sizes().acceleration_rows > 0 || c.loads_in_mass;
    const bool held = model_.sizes().changing_rows > 0 && point_.held != nullptr;
    if ((not_ideal || held || model_.sizes().loads > 0) && !find_reactions()) return false;
    state_rates_.find(point_, dy + model_.sizes().first_state());
    model_.velocity(point_, g_.data(), C_rate_.data(), M_rate_.data());
    if (held && !not_ideal) accelerations_.add_changing_forces(g_.data());
    if (model_.character.short_form) {
      u_rate[0] = dense::dot(n(), basis_.W().column(0), g_.data());
      return true;
    }
    basis_.differentiate(M_.data(), M_rate_.data(), C_rate_.data());
    times_symmetric<F::M>(model_.M(), M_.data(), v_.data(), Mv_.data());
    basis_.rate_transposed_times(Mv_.data(), u_rate);
    if (not_ideal) {  // here g + Bλ = M v̇ + Ṁ v
      times_symmetric<F::M>(model_.M(), M_.data(), accelerations_.acceleration(), g_.data());
      times_symmetric<F::M_rate>(model_.M_rate(), M_rate_.data(), v_.data(), force_.data());
      dense::add(n(), 1, force_.data(), g_.data());
    }
    onto(basis_, n(), k(), g_.data(), scratch_.data());
    dense::add(k(), 1, scratch_.data(), u_rate);
    return true;
  }

  /// Computes q̇ with (4.6a) added, and the integral's own rate.
  bool feed_back(const double* y, double* dy) {
    Resolved::demand_feedback(y, dy, f_.data());
    if (!projection_.step(M_.data(), C_.data(), f_.data(), delta_.data())) return false;
    Resolved::feed_back(y, v_.data(), dy);
    return true;
  }

  /// Evaluates the position stage and the basis at the state, if q was moved since they were evaluated.
  bool settle(const State& state, bool moved, Message& message) {
    return !moved || configure(*state.time, state.q) || fail_singular(message);
  }

  /// Repeats (4.5a) until f_p is at round-off.
  bool project(State& state, bool moved, Message& message) {
    if (model_.sizes().position_rows == 0) return settle(state, moved, message);
    if (model_.sizes().velocity_rows > 0) {  // velocity rows take no part
      return projection_.correct(point_, state.q, message) && settle(state, true, message);
    }
    const Closing closing = close_positions(
        model_, C_.data(), f_.data(), f_scale_.data(), delta_.data(), state.q, newton_rules::back_after_step,
        [&] {
          go_to(*state.time, state.q);
          model_.violation(point_, f_.data());
        },
        [&] { smallest(f_.data(), delta_.data()); });
    if (closing == Closing::failed && !projection_.correct(point_, state.q, message)) return false;
    return settle(state, moved || closing != Closing::in_place, message);
  }

  Buffer<F::n> g_;  ///< g = h + Ṁ v, or a force
  Buffer<F::M_rate> M_rate_;
  Buffer<F::C_rate> C_rate_;
  Buffer<F::position_rows> f_;  ///< residuals of positions
  Buffer<F::rows> open_;        ///< a number for each row
  Buffer<F::k> unit_;
};

}  // namespace mechfmu
