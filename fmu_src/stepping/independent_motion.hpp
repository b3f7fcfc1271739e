// This is the motion in independent coordinates: y = (z, v_i), the coordinate partitioning of Wehage and Haug 1982
// (Pennestrì and Valentini 2007, (35)–(47)). These 2k numbers are all that is integrated. The independent coordinates
// are written as differences z from where they were at the beginning of the step, so that rotations need no other form.
// In every evaluation the dependent ones follow (d):
//
//   f_p(t, q_i, q_d) = 0                       Newton's method                               (36)
//   v = V v_i + p       C p = −c_t, p_i = 0    V = [−C_d⁻¹ C_e ; 1]                          (37), (39)
//   v̇ = a + V M̂⁻¹ Vᵀ (h − M a)                 C a = −γ, M̂ = VᵀMV, V M̂⁻¹ Vᵀ = W_d W_dᵀ       (45)–(47), (44)
//
// States of the file, which nothing constrains, follow in y.
//
// Nothing has to be put back onto the constraints. But positions with f_p = 0 are no assembly yet: the loops close in
// other ways, too. Newton's method begins where the step's beginning leads by its tangent and its curvature,
//
//   q_d ≈ q_d0 + V₀ z + p₀ (t − t₀) + ½ (v̇ − V v̇_i)₀ (t − t₀)²
//
// and a step is too long if it does not end near there, if the directions V z turn much, or if C_d at its end is far
// from C_d at its beginning. Assemblies meet where C_d is singular. A step may lead across such a position only if it
// is so short that it tells clearly which way goes on smoothly; no step can end there. If other coordinates are better,
// the choice changes after the step.
#pragma once

#include "resolved_motion.hpp"

namespace mechfmu {

template <class Model, template <class> class Basis>
class IndependentMotion : public ResolvedMotion<Model, Basis> {
  using Resolved = ResolvedMotion<Model, Basis>;
  using Resolved::mechanism_, Resolved::model_, Resolved::trouble_, Resolved::agreement_, Resolved::loads_,
      Resolved::point_, Resolved::M_, Resolved::C_, Resolved::c_t_, Resolved::delta_, Resolved::trial_,
      Resolved::sizes_, Resolved::choice_, Resolved::basis_, Resolved::accelerations_, Resolved::at_state_,
      Resolved::v_, Resolved::xi_, Resolved::kept_, Resolved::state_rates_, Resolved::shares;
  using Resolved::nq, Resolved::n, Resolved::k, Resolved::at, Resolved::go_to, Resolved::fail_singular,
      Resolved::configure, Resolved::evaluate_position, Resolved::drift_velocity, Resolved::velocities,
      Resolved::tangent_velocities, Resolved::find_reactions, Resolved::renew_choice, Resolved::rows_are_shared;

 public:
  using F = Fixed<Model>;
  static constexpr int fixed_length = Model::generated ? 2 * F::k + F::sizes.states() : dynamic;
  int length() const { return 2 * k() + model_.sizes().states(); }

  template <class... Member>
  IndependentMotion(Arena& arena, const Mechanism& mechanism, const Model& model, Drift drift, Member... member)
      : Resolved(arena, mechanism, model, drift, member...), is_plain_(is_plain(mechanism)), q_(arena, nq()),
        q_begin_(arena, nq()), q_error_(arena, nq()), d_(arena, n()), guess_(arena, n()), way_(arena, n()),
        move_(arena, n()), g_(arena, n()), f_(arena, model.sizes().position_rows), unit_(arena, k()),
        V_(arena, n(), k()), imposed_(arena, n()), curvature_(arena, n()), C_begin_(arena, model.sizes().C_nonzeros),
        change_(arena, rank(), rank()), lift_(arena, k(), shares ? k() : 0), lift_pivot_(arena, k()), u_(arena, k()),
        scratch_u_(arena, k()), gamma_(arena, mechanism.sizes.all_rows()), C_a_(arena, mechanism.C_a.nonzeros),
        v_rate_(arena, n()) {}

  bool begin(State& state, Message& message) {
    state_q_ = state.q;
    return Resolved::begin(state, message);
  }
  void pack(const State& state, double* y) const {
    dense::fill(k(), 0, y);
    for (int j = 0; j < k(); ++j) y[k() + j] = state.v[choice_.independent[j]];
    dense::copy(states(), state.q + first_state(), y + 2 * k());
  }

  /// Computes ẏ at the state, and keeps what leads on from there.
  bool rate_at_state(double t, const double* y, double* dy) {
    trouble_.clear();
    t_begin_ = t;
    dense::copy(nq(), state_q_, q_begin_.data());
    dense::copy(nq(), state_q_, q_.data());
    dense::fill(n(), 0, d_.data());
    go_to(t, q_.data());
    if (!find_velocities(y) || !slopes(dy) || !this->agrees(accelerations_)) return false;
    for (int j = 0; j < k(); ++j) {
      dense::fill(k(), 0, unit_.data());
      unit_[j] = 1;
      lift(unit_.data(), V_.column(j));
    }
    remove_part_of_independent(v_.data(), imposed_.data());
    remove_part_of_independent(v_rate_.data(), curvature_.data());
    dense::copy(model_.C().nonzeros, C_.data(), C_begin_.data());
    dense::copy(mechanism_.sizes.loads, accelerations_.loads(), loads_);
    return true;
  }
  bool rate(double t, const double* y, double* dy) { return place(t, y) && slopes(dy); }
  /// All that is evaluated lies on the constraints.
  bool rate_on_constraints(double t, const double* y, double* dy) { return rate(t, y, dy); }

  struct Directions {
    Directions(Arena&, const IndependentMotion&) {}
  };
  bool linearise(double t, const double* y, const double* slope, double* J, double* f_t, Directions&,
                 double& evaluations) {
    dense::copy(length(), y, trial_.data());
    find_sizes();
    const auto evaluate = [&](double* dy) {
      ++evaluations;
      return rate(t, trial_.data(), dy);
    };
    Point here = point_;
    here.q = q_.data();
    here.v = v_.data();
    state_rates_.linearise_at(here);
    const auto sharpen = [&](double change, double* column) {
      state_rates_.sharpen(point_, change, nullptr, column + 2 * k());
    };
    for (int j = 0; j < length(); ++j) {
      if (!difference(length(), trial_[j], sizes_[j], slope[j], slope, evaluate, J + j * length(), sharpen))
        return false;
    }
    return difference(length(), t, mechanism_.duration, 1, slope, evaluate, f_t);
  }

  /// An error of independent coordinates or rates is measured by those that it makes in all of them.
  LargestError judge(const double* error, const double*, const double*) {
    lift(error, move_.data());
    rates(model_, q_.data(), move_.data(), q_error_.data());
    dense::copy(states(), error + 2 * k(), q_error_.data() + first_state());
    lift(error + k(), move_.data());
    LargestError largest;
    judge_positions(model_, q_error_.data(), q_begin_.data(), q_.data(), largest);
    judge_velocities(model_, move_.data(), v_.data(), largest);
    return largest;
  }

  /// Returns the position that was evaluated last.
  const double* position() const { return q_.data(); }

  /// Is false if C_d at the end of the step is no continuation of C_d at its beginning.
  bool lands(double t, const double* y, bool evaluated) {
    return (evaluated || place(t, y)) && (keeps_assembly() || fail_to_follow());
  }

  /// Takes the position at which the step has landed for the state, and judges the choice.
  bool accept(double t, const double*, bool, State& state, Message& message) {
    const double since = *state.time;
    *state.time = t;
    dense::copy(nq(), q_.data(), state.q);
    tangent_velocities(v_.data(), state.u);
    if (count_turns(mechanism_, state) && !configure(t, state.q)) return fail_singular(message);
    if (!renew_choice(state)) return fail_singular(message);
    if (choice_.unsaved()) choice_.store(state);
    velocities(state.u, state.v);
    if (!agreement_.hold(at(state), C_.data(), c_t_.data(), Drift::projection, since, state, message)) return false;
    at_state_ = this->settle_readings(state) || !model_.character.reads_angles;
    return true;
  }

 private:
  int states() const { return model_.sizes().states(); }
  int first_state() const { return model_.sizes().first_state(); }
  int rank() const { return model_.sizes().rank; }
  /// Is true if v̇ follows from h and γ alone.
  static bool is_plain(const Mechanism& m) {
    return m.character.ideal && !m.sizes.has_further_rows() && m.sizes.loads == 0;
  }

  /// Finds q at (t, y), and evaluates there what depends on it, and v.
  bool place(double t, const double* y) {
    trouble_.clear();
    at_state_ = false;
    const double since = t - t_begin_;
    dense::fill(n(), 0, way_.data());
    for (int j = 0; j < k(); ++j) dense::add(n(), y[j], V_.column(j), way_.data());
    dense::add(n(), since, imposed_.data(), way_.data());
    dense::copy(n(), way_.data(), guess_.data());
    dense::add(n(), since * since / 2, curvature_.data(), guess_.data());
    for (int j = 0; j < k(); ++j) guess_[choice_.independent[j]] = y[j];
    dense::copy(n(), guess_.data(), d_.data());
    if (!displace(model_, q_begin_.data(), d_.data(), q_.data())) return fail_to_follow();
    take_states(y);
    if (rank() > 0 && !close(t, y)) return fail_to_follow();
    go_to(t, q_.data());
    evaluate_position();
    if (!basis_.factor(M_.data(), C_.data(), choice_) || !drift_velocity() || !find_velocities(y)) return false;
    return rank() == 0 || stays_near(y, since) || fail_to_follow();
  }

  void take_states(const double* y) { dense::copy(states(), y + 2 * k(), q_.data() + first_state()); }

  /// Solves f_p(t, q_i, q_d) = 0 for q_d by Newton's method. Factors of a place nearby serve as long as they shorten
  /// the corrections well.
  bool close(double t, const double* y) {
    NewtonSteps steps(newton_rules::onto_dependent);
    bool exact_factors = false;
    for (int renewals = 0;;) {
      go_to(t, q_.data());
      model_.violation(point_, f_.data());
      find_correction();
      const double size = relative_size(model_, delta_.data(), q_.data());
      if (size == 0) return true;
      steps.take(size);
      if (!steps.shrinks(exact_factors ? 0.5 : slow_closing)) {
        if (steps.at_rounding()) return true;
        if (size != size || ++renewals > most_renewals) return false;
        evaluate_position();
        if (!basis_.factor(M_.data(), C_.data(), choice_) || !prepare_lift()) return false;
        exact_factors = true;
        steps.forget();
        continue;
      }
      difference_rates(model_, d_.data(), delta_.data(), move_.data());
      for (int i = 0; i < rank(); ++i) d_[choice_.dependent[i]] += move_[choice_.dependent[i]];
      if (!displace(model_, q_begin_.data(), d_.data(), q_.data())) return false;
      take_states(y);
      if (steps.exact()) return true;
    }
  }
  /// Finds δ with C δ = −f_p that does not move the independent coordinates.
  void find_correction() {
    if (rows_are_shared()) return find_shared_correction();
    for (int i = 0; i < rank(); ++i) kept_[i] = -f_[choice_.rows[i]];
    basis_.OwnBasis::particular(kept_.data(), delta_.data());
  }
  [[gnu::noinline]] void find_shared_correction() {
    if constexpr (shares) basis_.close(choice_, f_.data(), kept_.data());
    basis_.particular(kept_.data(), delta_.data());
    remove_part_of_independent(delta_.data(), delta_.data());
  }

  /// Is true if the dependent coordinates are about where the beginning of the step leads. Also finds how far aside
  /// they are, and how much the direction there differs from what was expected.
  bool stays_near(const double* y, double since) {
    if (model_.character.rheonomic) remove_part_of_independent(v_.data(), delta_.data());
    lift(y, move_.data());
    if (model_.character.rheonomic) dense::add(n(), since, delta_.data(), move_.data());
    dense::add(n(), -1, way_.data(), move_.data());
    dense::add(n(), -since * since, curvature_.data(), move_.data());
    dense::add(n(), -1, d_.data(), guess_.data());
    const double length = std::fmax(size_of(way_.data()), size_of(d_.data())), aside = size_of(guess_.data());
    aside_ = aside / std::fmax(length, tiny);
    bend_ = size_of(move_.data()) / std::fmax(length, tiny);
    return aside <= largest_detour * length + rounding_of_positions;
  }
  double size_of(const double* move) const {
    double size = 0;
    for (int i = 0; i < n(); ++i) dense::raise(size, std::fabs(move[i]) / model_.nominal()[i]);
    return size;
  }

  /// Is true if C_d at the beginning of the step, in terms of the present C_d, has pivots near 1. Some pivot is
  /// negative if the step has led across a position at which loops can go on in two ways.
  bool keeps_assembly() {
    const Pattern& pattern = model_.C();
    const int r = rank();
    for (int j = 0; j < r; ++j) {
      dense::fill(r, 0, kept_.data());
      for (int e = 0; e < pattern.nonzeros; ++e) {
        const int row = choice_.row_slot[pattern.row[e]];
        if (row >= 0 && pattern.column[e] == choice_.dependent[j]) kept_[row] = C_begin_[e] - C_[e];
      }
      basis_.OwnBasis::particular(kept_.data(), delta_.data());
      for (int i = 0; i < r; ++i) change_(i, j) = delta_[choice_.dependent[i]];
      change_(j, j) += 1;
    }
    for (int c = 0; c < r; ++c) {
      const double pivot = change_(c, c);
      const bool kept = pivot >= least_kept_pivot && pivot * least_kept_pivot <= 1;
      if (!kept && !is_clearly_crossed(-pivot)) return false;
      for (int j = c + 1; j < r; ++j) {
        const double factor = change_(c, j) / pivot;
        if (factor == 0) continue;
        for (int i = c + 1; i < r; ++i) change_(i, j) -= factor * change_(i, c);
      }
    }
    return true;
  }
  /// Is true if the step has led across a singular position by so much, and on the way that goes on smoothly.
  bool is_clearly_crossed(double pivot) const {
    return pivot >= least_crossed_pivot && pivot * least_crossed_pivot <= 1 && bend_ <= bend_of_crossing &&
           aside_ <= aside_of_crossing;
  }
  bool fail_to_follow() {
    return trouble_.fail(
        "The dependent coordinates do not follow from the independent ones beyond t = %.9g s: the constraints become "
        "singular there. tangent_basis = \"partitioned\" may pass where 'coordinate_partitioning' cannot.",
        t_begin_);
  }

  /// Finds v from v_i.
  bool find_velocities(const double* y) {
    if (!prepare_lift()) return false;
    for (int j = 0; j < k(); ++j) {
      u_[j] = y[k() + j] - (model_.character.rheonomic ? xi_[choice_.independent[j]] : 0);
    }
    lift(u_.data(), v_.data());
    if (model_.character.rheonomic) dense::add(n(), 1, xi_.data(), v_.data());
    return true;
  }

  /// Computes ẏ where place() has left everything ready.
  bool slopes(double* dy) {
    point_.v = v_.data();
    if (!(is_plain_ ? find_plain_rates() : find_other_rates())) return false;
    difference_rates(model_, d_.data(), v_.data(), move_.data());
    for (int j = 0; j < k(); ++j) {
      dy[j] = move_[choice_.independent[j]];
      dy[k() + j] = v_rate_[choice_.independent[j]];
    }
    state_rates_.find(point_, dy + 2 * k());
    return true;
  }
  /// v̇ = a + W_d W_dᵀ (h − M a)
  bool find_plain_rates() {
    mechanism_.acceleration(point_, g_.data(), gamma_.data(), C_a_.data(), nullptr);
    if (rank() > 0) {
      this->smallest(gamma_.data(), v_rate_.data());
    } else {
      dense::fill(n(), 0, v_rate_.data());
    }
    onto(basis_, n(), k(), g_.data(), u_.data());
    apply(basis_, n(), k(), u_.data(), move_.data());
    dense::add(n(), 1, move_.data(), v_rate_.data());
    return true;
  }
  bool find_other_rates() {
    if (!find_reactions()) return false;
    dense::copy(n(), accelerations_.acceleration(), v_rate_.data());
    return true;
  }

  /// Factors the rows of W_d that belong to the independent coordinates. If rows do not share, these are U^{-T}, which
  /// has this form already.
  bool prepare_lift() {
    if (!rows_are_shared()) return true;
    for (int j = 0; j < k(); ++j) {
      for (int i = 0; i < k(); ++i) lift_(i, j) = basis_.W()(choice_.independent[i], j);
    }
    return dense::factor(k(), lift_.data(), lift_pivot_.data());
  }
  /// x = V x_i
  void lift(const double* part, double* x) {
    if (rank() == 0) {
      for (int j = 0; j < k(); ++j) x[choice_.independent[j]] = part[j];
      return;
    }
    const ColumnsView<F::n> W = basis_.W();
    double* u = scratch_u_.data();
    dense::copy(k(), part, u);
    if (rows_are_shared()) {
      dense::solve(k(), lift_.data(), lift_pivot_.data(), u);
    } else {
      for (int j = 0; j < k(); ++j) {
        const int i = choice_.independent[j];
        for (int l = 0; l < j; ++l) u[j] -= W(i, l) * u[l];
        u[j] /= W(i, j);
      }
    }
    dense::fill(n(), 0, x);
    for (int j = 0; j < k(); ++j) dense::add(n(), u[j], W.column(j), x);
  }
  /// Computes x − V x_i, which does not move the independent coordinates.
  void remove_part_of_independent(const double* x, double* rest) {
    for (int j = 0; j < k(); ++j) u_[j] = x[choice_.independent[j]];
    lift(u_.data(), move_.data());
    for (int i = 0; i < n(); ++i) rest[i] = x[i] - move_[i];
  }

  /// Finds the nominal sizes of y at the beginning of the step: a coordinate or a rate of its size brings one of them
  /// all to its own.
  void find_sizes() {
    for (int j = 0; j < k(); ++j) {
      double coordinate = 0, rate = 0;
      for (int i = 0; i < n(); ++i) {
        dense::raise(coordinate, std::fabs(V_(i, j)) / model_.nominal()[i]);
        dense::raise(rate, std::fabs(V_(i, j)) / model_.rate_nominal()[i]);
      }
      sizes_[j] = 1 / coordinate;
      sizes_[k() + j] = 1 / rate;
    }
    for_states(model_, [&](int i, int nominal) { sizes_[2 * k() + i - first_state()] = model_.nominal()[nominal]; });
  }

  using OwnBasis = typename Resolved::OwnBasis;
  const bool is_plain_;
  const double* state_q_ = nullptr;
  double t_begin_ = 0;
  double aside_ = 0, bend_ = 0;  ///< how far q_d was from where it was expected, and V z turned: parts of the way
  Buffer<F::nq> q_, q_begin_;    ///< the position that was evaluated last, and that at the beginning of the step
  Buffer<F::nq> q_error_;
  Buffer<F::n> d_, guess_, way_;  ///< differences from the beginning: of q, of what was expected, along the tangent
  Buffer<F::n> move_;             ///< a move or a velocity, for a moment
  Buffer<F::n> g_;                ///< h − M a
  Buffer<F::position_rows> f_;    ///< residuals of positions
  Buffer<F::k> unit_;
  Columns<F::n, F::k> V_;             ///< V at the beginning of the step
  Buffer<F::n> imposed_, curvature_;  ///< p and v̇ − V v̇_i there
  Buffer<F::C> C_begin_;              ///< C there
  Columns<F::r, F::r> change_;        ///< C_d at the beginning in terms of that at the end, or factors of it
  RunTimeColumns lift_;               ///< factors of rows of W_d, if rows share
  IndexBuffer lift_pivot_;
  Buffer<F::k> u_, scratch_u_;
  Buffer<dynamic> gamma_, C_a_;
  Buffer<F::n> v_rate_;  ///< v̇
};

}  // namespace mechfmu
