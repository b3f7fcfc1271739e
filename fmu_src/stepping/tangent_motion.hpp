// The motion in tangent velocities: y = (q, u), the resolved equations of Blajer 1993, (4.3)–(4.4).
//
//   q̇ = A v (mechanism/kinematics.hpp)
//   v = W_d u + ξ             ξ = v_p − W_d W_dᵀ M v_p,  C v_p = −c_t        (0 unless constraints depend on time)
//   u̇ = W_dᵀ (g + Bλ) + Ẇ_dᵀ M v                 g = h + Ṁ v
// The last line is d/dt (W_dᵀ M v): with M v̇ = h + Bλ it holds for any constraints; for ideal ones W_dᵀ B λ = 0, and
// neither M⁻¹ nor γ nor λ is needed. In short form (mechanism/mechanism.hpp: k = 1, nothing depends on time) u̇ = w_dᵀ
// Q. After an accepted step q is projected (4.5a), u kept; then E* is judged and, if need be, changed: v stays, u_new =
// W_d,newᵀ M v. Drift correction "integral" (4.6a) is y = (q, u, ∫f): q̇ = A (W_d u + ξ − M⁻¹C_pᵀ(C_pM⁻¹C_pᵀ)⁻¹ (G₁ f +
// G₀ ∫f)).
#pragma once

#include <type_traits>

#include "constraints/agreement.hpp"
#include "constraints/closing.hpp"
#include "constraints/projection.hpp"
#include "constraints/tangent_bases/shared_basis.hpp"
#include "constraints/tangent_bases/unconstrained.hpp"
#include "differences.hpp"
#include "linear/powers_of_two.hpp"
#include "mechanism/drift.hpp"
#include "mechanism/input_course.hpp"
#include "mechanism/kinematics.hpp"
#include "mechanism/state.hpp"
#include "mechanism/unwrapping.hpp"
#include "mechanism/whole_turns.hpp"
#include "reactions/accelerations.hpp"

namespace mechfmu {

template <class Model, template <class> class Basis>
class TangentMotion {
 public:
  using F = Fixed<Model>;
  static constexpr int fixed_length = Model::generated ? F::nq + F::k : dynamic;

  /// `member`: which one, where Basis stands for any.
  template <class... Member>
  TangentMotion(const Mechanism& mechanism, const Model& model, Drift drift, Member... member)
      : mechanism_(mechanism), model_(model), drift_(drift), choice_(mechanism.sizes),
        basis_(make_basis(mechanism, model, member...)), projection_(mechanism), accelerations_(mechanism),
        agreement_(mechanism), unwrapping_(mechanism), course_(mechanism.sizes), M_(model.sizes().M_nonzeros),
        C_(model.sizes().C_nonzeros), c_t_(model.sizes().rows()), g_(n()), M_rate_(model.sizes().M_rate_nonzeros),
        C_rate_(model.sizes().C_rate_nonzeros), v_(n()), Mv_(n()), xi_(n()), delta_(n()), force_(n()),
        f_(model.sizes().position_rows), f_scale_(model.sizes().position_rows), kept_(model.sizes().rank),
        open_(model.sizes().rows()), metric_(n()), scratch_(n() * k()), picked_(k()), trial_(length()),
        sizes_(length()), unit_(k()), work_(model.sizes().work) {
    point_.work = work_.data();
    point_.context = mechanism.context;
  }
  bool ok() const {
    return choice_.ok() && basis_.ok() && projection_.ok() && accelerations_.ok() && agreement_.ok() &&
           unwrapping_.ok() && course_.ok() && M_.ok() && C_.ok() && c_t_.ok() && g_.ok() && M_rate_.ok() &&
           C_rate_.ok() && v_.ok() && Mv_.ok() && xi_.ok() && delta_.ok() && force_.ok() && f_.ok() && f_scale_.ok() &&
           kept_.ok() && open_.ok() && metric_.ok() && scratch_.ok() && picked_.ok() && trial_.ok() && sizes_.ok() &&
           unit_.ok() && work_.ok();
  }

  int length() const { return nq() + k() + (drift_ == Drift::integral ? model_.sizes().position_rows : 0); }

  /// Parameters, time or q were changed from outside.
  void forget() { prepared_ = at_state_ = false; }

  /// Chooses E* at the state's (t, q), sets u from v: u = W_dᵀ M v (4.7), and makes v fit.
  bool start(State& state, Message& message) {
    attach(state);
    dense::fill(model_.sizes().position_rows, 0, state.integral);
    locate(*state.time, state.q);
    model_.position(point_, M_.data(), C_.data(), c_t_.data());
    column_metric(model_.M(), M_.data(), model_.nominal(), metric_.data());
    if (!choice_.by_pivoting(mechanism_, C_.data(), metric_.data())) return fail_singular(message);
    choice_.covectors = state.covectors;
    unit_covectors(state);
    if (!basis_.factor(M_.data(), C_.data(), choice_)) return fail_singular(message);
    if (k() < n()) {
      double quality = 0;
      best_columns(n(), k(), basis_.W(), metric_.data(), nullptr, picked_.data(), &quality, scratch_.data());
      choice_.take_independent(picked_.data());
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
    return true;
  }

  /// Before steps: everything that the state may have changed.
  bool begin(State& state, Message& message) {
    attach(state);
    if (at_state_) return true;
    choice_.load(state);
    if (!configure(*state.time, state.q)) return fail_singular(message);
    at_state_ = true;
    return true;
  }

  void pack(const State& state, double* y) const {
    dense::copy(nq(), state.q, y);
    dense::copy(k(), state.u, y + nq());
    if (drift_ == Drift::integral) dense::copy(model_.sizes().position_rows, state.integral, y + nq() + k());
  }

  /// ẏ at the state itself, where begin() or accept() left everything ready. Loads found here are where a search in the
  /// step begins.
  bool rate_at_state(double t, const double* y, double* dy) {
    trouble_.clear();
    locate(t, y);
    if (!slopes(y, dy) || !accelerations_agree()) return false;
    dense::copy(model_.sizes().loads, accelerations_.loads(), loads_);
    return true;
  }

  /// ẏ anywhere.
  bool rate(double t, const double* y, double* dy) {
    trouble_.clear();
    at_state_ = false;
    return configure(t, y) && slopes(y, dy);
  }

  /// ẏ at the place next to y that fulfils the constraints, as far as one step of (4.5a) finds it, where drift is
  /// corrected by projection: what stiff methods integrate. On the constraints it is ẏ; across them it does not change.
  /// (Across them ẏ itself is what the formulas happen to be there, and near a singular position it changes without
  /// bounds.)
  bool rate_on_constraints(double t, const double* y, double* dy) {
    if (!keeps_on_constraints()) return rate(t, y, dy);
    trouble_.clear();
    at_state_ = false;
    locate(t, y);
    model_.position(point_, M_.data(), C_.data(), c_t_.data());
    if (!basis_.factor(M_.data(), C_.data(), choice_)) return false;
    model_.violation(point_, f_.data());
    close_along(f_.data());
    rates(model_, y, delta_.data(), trial_.data());
    for (int i = 0; i < nq(); ++i) trial_[i] += y[i];
    dense::copy(length() - nq(), y + nq(), trial_.data() + nq());
    return rate(t, trial_.data(), dy);
  }

  /// What positions are moved along for differences, and how far a change goes along each, xᵀ q̇: columns of n_q
  /// numbers.
  struct Directions {
    explicit Directions(const TangentMotion& motion)
        : along(motion.nq() * (motion.n() + 1)), shares(motion.nq() * motion.n()), column(motion.length()) {}
    bool ok() const { return along.ok() && shares.ok() && column.ok(); }
    Buffer<dynamic> along, shares, column;
    int count = 0;
  };

  /// J and f_t, the derivatives of rate_on_constraints() at (t, y), where rate_at_state() has just given `slope`: by
  /// differences, of which those in u and ∫f leave the configuration alone. Positions move along the constraints,
  ///   ∂ẏ/∂q = (∂ẏ/∂q A W_d) (M W_d)ᵀ A⁺            f_t = ∂ẏ/∂t + ∂ẏ/∂q A ξ
  /// and along what only velocity constraints forbid.
  bool linearise(double t, const double* y, const double* slope, double* J, double* f_t, Directions& directions,
                 double& evaluations) {
    const int nq = this->nq(), length = this->length();
    double* trial = trial_.data();
    dense::copy(length, y, trial);
    nominal_sizes(y, sizes_.data());
    locate(t, trial);
    for (int j = nq; j < length; ++j) {
      ++evaluations;
      if (!difference(
              length, trial[j], sizes_[j], slope[j], slope, [&](double* dy) { return slopes(trial, dy); },
              J + j * length)) {
        return false;
      }
    }
    find_directions(y, directions);
    dense::fill(nq * length, 0, J);
    for (int j = 0; j <= directions.count; ++j) {
      const bool of_time = j == directions.count;
      const double* direction = directions.along.data() + j * nq;
      const double* share = of_time ? nullptr : directions.shares.data() + j * nq;
      const double step =
          of_time ? difference_step(t, mechanism_.duration, 1)
                  : std::copysign(difference_step(nq, y, sizes_.data(), direction), dense::dot(nq, share, slope));
      for (int i = 0; i < nq; ++i) trial[i] = y[i] + step * direction[i];
      double* column = of_time ? f_t : directions.column.data();
      ++evaluations;
      if (!rate(of_time ? t + step : t, trial, column)) return false;
      for (int i = 0; i < length; ++i) column[i] = (column[i] - slope[i]) / step;
      for (int i = 0; i < nq && !of_time; ++i) dense::add(length, share[i], column, J + i * length);
    }
    return true;
  }

  /// How large an error of y is in a step from y to y1: that of u by what it is in v, so that it does not depend on E*
  /// or on masses. W_d and v are those of the last rate(), at the end of the step or near it.
  LargestError judge(const double* error, const double* y, const double* y1) {
    LargestError largest;
    judge_positions(model_, error, y, y1, largest);
    along(basis_, n(), k(), error + nq(), delta_.data());
    judge_velocities(model_, delta_.data(), v_.data(), largest);
    if (drift_ == Drift::integral) {
      const int begin = nq() + k();
      integral_sizes(model_, mechanism_, integral_time(), C_.data(), y, f_scale_.data());
      judge_integral(model_, error + begin, y1 + begin, f_scale_.data(), largest);
    }
    return largest;
  }

  /// Nominal sizes of y at the state: that of u_j brings one velocity to its own.
  void nominal_sizes(const double* y, double* sizes) {
    position_sizes(model_, sizes);
    const double* nominal = model_.rate_nominal();
    for (int j = 0; j < k(); ++j) {
      tangent_direction(j);
      double largest = 0;
      for (int i = 0; i < n(); ++i) dense::raise(largest, std::fabs(v_[i]) / nominal[i]);
      sizes[nq() + j] = 1 / largest;
    }
    if (drift_ == Drift::integral)
      integral_sizes(model_, mechanism_, integral_time(), C_.data(), y, sizes + nq() + k());
  }

  /// Those of the last linearise().
  const double* sizes() const { return sizes_.data(); }

  /// Why the last rate() failed; empty: constraints or mass matrix were singular.
  const Message& trouble() const { return trouble_; }

  /// Takes y for the state at t: corrects the drift, judges E*. `configured`: rate(t, y, …) was the last call.
  bool accept(double t, const double* y, bool configured, State& state, Message& message) {
    const double since = *state.time;
    *state.time = t;
    dense::copy(nq(), y, state.q);
    normalise(model_, state.q);
    configured = !count_turns(mechanism_, state) && configured;
    dense::copy(k(), y + nq(), state.u);
    if (drift_ == Drift::integral) dense::copy(model_.sizes().position_rows, y + nq() + k(), state.integral);
    if (!configured && !configure(t, state.q)) return fail_singular(message);
    const bool moved = configured && model_.sizes().quaternions > 0;  // by their normalisation
    if (drift_ == Drift::projection ? !project(state, moved, message) : !settle(state, moved, message)) return false;
    if (!renew_choice(state)) return fail_singular(message);
    if (choice_.unsaved()) choice_.store(state);
    velocities(state.u, state.v);
    if (!agreement_.hold(at(state), C_.data(), c_t_.data(), drift_, since, state, message)) return false;
    course_.settle(state);
    at_state_ = count_angles(state) || !model_.character.reads_angles;
    return true;
  }

 private:
  int nq() const { return model_.sizes().positions; }
  int n() const { return model_.sizes().velocities; }
  int k() const { return model_.sizes().degrees_of_freedom(); }

  void attach(State& state) {
    loads_ = state.loads;
    const Settings settings = state.get_settings();
    gain_1_ = settings.drift_gain_1;
    gain_0_ = settings.drift_gain_0;
    closure_tolerance_ = settings.closure_tolerance;
    projection_.accept_gap(closure_tolerance_);
    if (shares && rows_are_shared() != (*state.rounded != 0)) share_rows(*state.rounded != 0);
    point_.inputs = course_.attach(state);
    point_.parameters = state.parameters;
    if (!prepared_) mechanism_.prepare(point_);
    prepared_ = true;
    if (model_.sizes().angles == 0) return;
    point_.angles = unwrapping_.expected();
    unwrapping_.begin(at(state), state.angles);
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
  void locate(double t, const double* q) {
    point_.time = t;
    point_.q = q;
    course_.at(t);
    if (model_.character.reads_angles) unwrapping_.expect(t);
  }
  Point at(const State& state) const {
    Point p = point_;
    p.time = *state.time;
    p.q = state.q;
    p.v = state.v;
    return p;
  }
  /// At an accepted state. False: some angle has other turns than expected, so that its readers were misled.
  bool count_angles(State& state) { return model_.sizes().angles == 0 || unwrapping_.end(at(state), state.angles); }

  bool keeps_on_constraints() const { return drift_ == Drift::projection && model_.sizes().position_rows > 0; }

  /// At q, where the basis is: columns of A W_d with A⁺ᵀ M W_d; then, for kept rows i of C that rate_on_constraints()
  /// does not keep, A x_i with A⁺ᵀ C_iᵀ, where C x_i = e_i and W_dᵀ M x_i = 0; at last what keeps q on moving
  /// constraints, A ξ. (W_d W_dᵀ M + Σ x_i C_i = 1 over all kept rows.) Without constraints every velocity is a
  /// direction by itself.
  void find_directions(const double* q, Directions& directions) {
    directions.count = 0;
    const auto add = [&](const double* direction, const double* share) {
      const int place = directions.count++ * nq();
      rates(model_, q, direction, directions.along.data() + place);
      pull_back_rates(model_, q, share, directions.shares.data() + place);
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
    double* of_time = directions.along.data() + directions.count * nq();
    dense::fill(nq(), 0, of_time);
    if (!model_.character.rheonomic || !keeps_on_constraints()) return;
    close_along(c_t_.data());
    rates(model_, q, delta_.data(), of_time);
  }
  /// δ, the smallest in M, with C δ = −residual for position rows and 0 for velocity rows.
  void close_along(const double* residual) {
    if (model_.sizes().velocity_rows == 0) return smallest(residual, delta_.data());
    dense::fill(model_.sizes().rows(), 0, open_.data());
    dense::copy(model_.sizes().position_rows, residual, open_.data());
    smallest(open_.data(), delta_.data());
  }
  /// x, the smallest in M, with C x = −open.
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
  /// A column of W_d, into v_.
  void tangent_direction(int j) {
    dense::fill(k(), 0, unit_.data());
    unit_[j] = 1;
    along(basis_, n(), k(), unit_.data(), v_.data());
  }

  /// The position stage and the basis at (t, q).
  bool configure(double t, const double* q) {
    locate(t, q);
    model_.position(point_, M_.data(), C_.data(), c_t_.data());
    return basis_.factor(M_.data(), C_.data(), choice_) && drift_velocity();
  }

  /// ξ
  bool drift_velocity() {
    if (!model_.character.rheonomic) return true;
    smallest(c_t_.data(), xi_.data());
    return true;
  }

  /// v = W_d u + ξ
  void velocities(const double* u, double* v) const {
    along(basis_, n(), k(), u, v);
    if (model_.character.rheonomic) dense::add(n(), 1, xi_.data(), v);
  }
  /// u = W_dᵀ M v
  void tangent_velocities(const double* v, double* u) {
    times_symmetric<F::M>(model_.M(), M_.data(), v, Mv_.data());
    onto(basis_, n(), k(), Mv_.data(), u);
  }

  /// ẏ after configure at y.
  bool slopes(const double* y, double* dy) {
    const int nq = this->nq(), n = this->n(), k = this->k();
    const double* u = y + nq;
    double* u_rate = dy + nq;
    velocities(u, v_.data());
    rates(model_, y, v_.data(), dy);
    if (drift_ == Drift::integral && !feed_back(y, dy)) return false;
    point_.v = v_.data();
    const Character& c = model_.character;
    const bool not_ideal = !c.ideal || model_.sizes().acceleration_rows > 0 || c.loads_in_mass;
    if ((not_ideal || model_.sizes().loads > 0) && !find_reactions()) return false;
    model_.velocity(point_, g_.data(), C_rate_.data(), M_rate_.data());
    if (model_.character.short_form) {
      u_rate[0] = dense::dot(n, basis_.W(), g_.data());
      return true;
    }
    basis_.differentiate(M_.data(), M_rate_.data(), C_rate_.data());
    times_symmetric<F::M>(model_.M(), M_.data(), v_.data(), Mv_.data());
    basis_.rate_transposed_times(Mv_.data(), u_rate);
    if (not_ideal) {  // g + Bλ = M v̇ + Ṁ v
      times_symmetric<F::M>(model_.M(), M_.data(), accelerations_.acceleration(), g_.data());
      times_symmetric<F::M_rate>(model_.M_rate(), M_rate_.data(), v_.data(), force_.data());
      dense::add(n, 1, force_.data(), g_.data());
    }
    onto(basis_, n, k, g_.data(), scratch_.data());
    dense::add(k, 1, scratch_.data(), u_rate);
    return true;
  }

  /// v̇, and the loads that forces contain.
  bool find_reactions() {
    point_.loads = loads_;
    const bool found = accelerations_.solve(point_, M_.data(), nullptr, trouble_);
    point_.loads = accelerations_.loads();
    return found;
  }

  bool accelerations_agree() {
    if (model_.sizes().acceleration_rows == 0) return true;
    return agreement_.hold_accelerations(point_, accelerations_.rows(), accelerations_.find_open(),
                                         accelerations_.acceleration(), closure_tolerance_, trouble_);
  }

  /// q̇ with (4.6a) added, and the integral's own rate.
  bool feed_back(const double* y, double* dy) {
    const int rows = model_.sizes().position_rows;
    const double* integral = y + nq() + k();
    double* integral_rate = dy + nq() + k();
    model_.violation(point_, integral_rate);
    for (int i = 0; i < rows; ++i) f_[i] = gain_1_ * integral_rate[i] + gain_0_ * integral[i];
    if (!projection_.step(M_.data(), C_.data(), f_.data(), delta_.data())) return false;
    dense::add(n(), 1, v_.data(), delta_.data());
    rates(model_, y, delta_.data(), dy);
    return true;
  }

  /// The position stage and the basis at the state, if q was moved since they were evaluated.
  bool settle(const State& state, bool moved, Message& message) {
    return !moved || configure(*state.time, state.q) || fail_singular(message);
  }

  /// (4.5a) until f_p is at round-off.
  bool project(State& state, bool moved, Message& message) {
    if (model_.sizes().position_rows == 0) return settle(state, moved, message);
    if (model_.sizes().velocity_rows > 0) {  // velocity rows take no part
      return projection_.correct(point_, state.q, message) && settle(state, true, message);
    }
    constexpr double rounding =
        1e-9;  // 1e-7 beside a singular position or farther: too small to lead onto another branch
    const Closing closing = close_positions(
        model_, C_.data(), f_.data(), f_scale_.data(), delta_.data(), state.q, rounding,
        [&] {
          locate(*state.time, state.q);
          model_.violation(point_, f_.data());
        },
        [&] { smallest(f_.data(), delta_.data()); });
    if (closing == Closing::failed && !projection_.correct(point_, state.q, message)) return false;
    return settle(state, moved || closing != Closing::in_place, message);
  }

  /// The projective criterion at the accepted state. The choice changes when its smallest pivot has fallen below half
  /// of the best one's.
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
    double quality = 0;
    const double best = best_columns(n(), k(), basis_.W(), metric_.data(), choice_.independent.data(), picked_.data(),
                                     &quality, scratch_.data());
    if (quality >= 0.5 * best) return true;
    velocities(state.u, v_.data());
    choice_.take_independent(picked_.data());
    if (!basis_.factor(M_.data(), C_.data(), choice_) || !drift_velocity()) return false;
    tangent_velocities(v_.data(), state.u);
    ++*state.basis_switches;
    return true;
  }

  /// Where rows share, W_d follows the basis of the kept ones, which may be others now, and v stays.
  [[gnu::noinline]] void hold_velocity(const State& state) { velocities(state.u, v_.data()); }
  [[gnu::noinline]] void take_velocity(State& state) { tangent_velocities(v_.data(), state.u); }

  /// E* = M W_d: W_d and u stay as they are, and W_d is differentiable along the next step.
  bool carry(State& state) {
    for (int j = 0; j < k(); ++j) {
      times_symmetric<F::M>(model_.M(), M_.data(), basis_.W() + j * n(), state.covectors + j * n());
    }
    return basis_.factor(M_.data(), C_.data(), choice_) && drift_velocity();
  }
  void unit_covectors(State& state) {
    if (!basis_.carried) return;
    dense::fill(n() * k(), 0, state.covectors);
    for (int j = 0; j < k(); ++j) {
      const int i = choice_.independent[j];
      state.covectors[i + j * n()] = 1 / power_of_two(model_.nominal()[i]);  // of the same size in all units
    }
  }

  /// In which ∫f weighs as much as f in (4.6a).
  double integral_time() const { return gain_1_ > 0 && gain_0_ > 0 ? gain_1_ / gain_0_ : mechanism_.duration; }

  bool fail_singular(Message& message) const {
    return message.fail(
        "The constraints or the mass matrix are singular at t = %.9g s: the motion is not determined there.",
        point_.time);
  }

  const Mechanism& mechanism_;
  Model model_;
  Drift drift_;
  double gain_1_ = 0, gain_0_ = 0, closure_tolerance_ = 0;
  bool prepared_ = false, at_state_ = false;
  Message trouble_;
  Choice choice_;
  static constexpr bool unconstrained = Model::generated && is_large_and_free(F::sizes);
  using OwnBasis = std::conditional_t<unconstrained, UnconstrainedBasis<Model>, Basis<Model>>;
  static constexpr bool shares = !Model::generated || F::rows > F::r;  ///< some rows depend on others, or may
  using SharingBasis = std::conditional_t<shares, SharedBasis<Model, OwnBasis>, OwnBasis>;
  template <class... Member>
  static SharingBasis make_basis(const Mechanism& mechanism, const Model& model, Member... member) {
    if constexpr (shares) return SharingBasis(mechanism, model, member...);
    else return SharingBasis(model, member...);
  }
  SharingBasis basis_;
  Projection projection_;
  Accelerations accelerations_;
  Agreement agreement_;
  Unwrapping unwrapping_;
  InputCourse course_;
  double* loads_ = nullptr;  ///< the state's
  Point point_;
  Buffer<F::M> M_;
  Buffer<F::C> C_;
  Buffer<F::rows> c_t_;
  Buffer<F::n> g_;
  Buffer<F::M_rate> M_rate_;
  Buffer<F::C_rate> C_rate_;
  Buffer<F::n> v_, Mv_, xi_, delta_, force_;
  Buffer<F::position_rows> f_, f_scale_;
  Buffer<F::r> kept_;
  Buffer<F::rows> open_;
  Buffer<F::n> metric_;
  Buffer<area(F::n, F::k)> scratch_;
  IndexBuffer picked_;
  Buffer<fixed_length> trial_, sizes_;
  Buffer<F::k> unit_;
  Buffer<dynamic> work_;
};

}  // namespace mechfmu
