// This is the motion in generalised velocities: y = (q, v). v̇ and λ are the mechanism's accelerations and multipliers.
// A solver without a tangent basis finds them (saddle_solvers/); if a basis was chosen, they are found as elsewhere
// (reactions/accelerations.hpp). The drift correction keeps the constraints:
//   projection  after an accepted step, by the same solver: q by (4.5a) of Blajer 1993, then v, M-orthogonally
//               δ = −M⁻¹Cᵀ (C M⁻¹ Cᵀ)⁻¹ (C v + c_t)
//   integral    (4.6a), y = (q, v, ∫f): q̇ = A (v − M⁻¹C_pᵀ (C_p M⁻¹ C_pᵀ)⁻¹ (G₁ f + G₀ ∫f)); v as above
//   baumgarte   C v̇ + γ + K_v (C v + c_t) + K_p f = 0 (Blajer, Bestle and Schiehlen 1994, (34)). It is for comparison:
//               the violation stays small but never vanishes, and it depends on the gains
#pragma once

#include "common_motion.hpp"
#include "constraints/closing.hpp"
#include "constraints/nonlinear_rows.hpp"
#include "constraints/priorities.hpp"
#include "constraints/saddle_solvers/saddle_solver.hpp"
#include "constraints/shared_saddle.hpp"

namespace mechfmu {

template <class Model, class Solver>
class FullMotion : public CommonMotion<Model, Fixed<Model>::n> {
  using Common = CommonMotion<Model, Fixed<Model>::n>;
  using Common::mechanism_, Common::model_, Common::drift_, Common::gain_1_, Common::gain_0_, Common::trouble_,
      Common::projection_, Common::agreement_, Common::loads_, Common::point_, Common::M_, Common::C_, Common::c_t_,
      Common::f_scale_, Common::delta_, Common::metric_, Common::trial_, Common::sizes_, Common::prepared_,
      Common::state_rates_;
  using Common::nq, Common::n, Common::position_rows, Common::at, Common::fail_singular, Common::integral_place;

 public:
  using F = Fixed<Model>;
  using Common::length;

  /// `member` says which solver is meant if Solver stands for any; −1 means that none was chosen, and it serves for
  /// corrections alone.
  template <class... Member>
  FullMotion(Arena& arena, const Mechanism& mechanism, const Model& model, Drift drift, Member... member)
      : Common(arena, mechanism, model, drift, model.sizes().velocities), solver_(arena, model, member...),
        accelerations_(arena, mechanism, (... || (member < 0)) ? nullptr : &solver_), nonlinear_(arena, mechanism),
        shared_(arena, mechanism, mechanism.C, mechanism.sizes.rows() - mechanism.sizes.position_rank),
        pivoting_(arena, mechanism.sizes.rows(), n(), mechanism.sizes.C_nonzeros), f_(arena, position_rows()),
        feedback_(arena, all_rows()), open_(arena, mechanism.sizes.rows()), kept_(arena, mechanism.sizes.rows()),
        multipliers_(arena, all_rows()), M_full_(arena, n(), mechanism.sizes.rate_rows() > 0 ? n() : 0),
        A_(arena, n(), mechanism.sizes.rows()), row_(arena, mechanism.sizes.rows()) {}
  void forget() { prepared_ = false; }

  /// Makes v fit. There are no tangent velocities.
  bool start(State& state, Message& message) {
    attach(state);
    dense::fill(position_rows(), 0, state.integral);
    dense::fill(mechanism_.sizes.degrees_of_freedom(), 0, state.u);
    return fit_velocities(state, message);
  }
  bool begin(State& state, Message&) {
    attach(state);
    return true;
  }
  bool refit(State&, Message&) { return true; }
  void step_back() {}
  void pack(const State& state, double* y) const { Common::pack(state, state.v, y); }
  bool rate_at_state(double t, const double* y, double* dy) {
    if (!rate(t, y, dy) || !Common::agrees(accelerations_)) return false;
    dense::copy(mechanism_.sizes.loads, accelerations_.loads(), loads_);
    return true;
  }

  bool rate(double t, const double* y, double* dy) {
    trouble_.clear();
    locate(t, y);
    point_.v = y + nq();
    const bool stabilised = drift_ == Drift::baumgarte;
    if (stabilised) feed_back();
    if (!accelerations_.solve(point_, M_.data(), stabilised ? feedback_.data() : nullptr, trouble_)) return false;
    rates(model_, y, point_.v, dy);
    dense::copy(n(), accelerations_.acceleration(), dy + nq());
    if (drift_ == Drift::integral && position_rows() > 0 && !feed_integral_back(y, dy)) return false;
    Point p = point_;
    p.loads = accelerations_.loads();
    state_rates_.find(p, dy + mechanism_.sizes.first_state());
    return true;
  }

  /// Returns the forces of rows that come and go at the place of the last rate, if any of them holds.
  const double* changing_forces() const { return accelerations_.multipliers() + mechanism_.sizes.lasting_rows(); }

  /// Stiff methods see the equations as they are, on the constraints or not.
  bool rate_on_constraints(double t, const double* y, double* dy) { return rate(t, y, dy); }
  struct Directions {
    Directions(Arena&, const FullMotion&) {}
  };

  bool linearise(double t, const double* y, const double* slope, double* J, double* f_t, Directions&,
                 double& evaluations) {
    dense::copy(length(), y, trial_.data());
    nominal_sizes(y, sizes_.data());
    const auto evaluate = [&](double* dy) {
      ++evaluations;
      return rate(t, trial_.data(), dy);
    };
    Point here = point_;
    here.q = y;
    here.v = y + nq();
    state_rates_.linearise_at(here);
    const auto sharpen = [&](double change, double* column) {
      state_rates_.sharpen(point_, change, nullptr, column + mechanism_.sizes.first_state());
    };
    for (int j = 0; j < length(); ++j) {
      if (!difference(length(), trial_[j], sizes_[j], slope[j], slope, evaluate, J + j * length(), sharpen))
        return false;
    }
    return difference(length(), t, mechanism_.duration, 1, slope, evaluate, f_t);
  }

  /// Returns how large an error of y is in a step from y to y1.
  LargestError judge(const double* error, const double* y, const double* y1) {
    return Common::judge(error, y, y1, error + nq(), y1 + nq());
  }

  void nominal_sizes(const double* y, double* sizes) const {
    position_sizes(model_, sizes);
    dense::copy(n(), model_.rate_nominal(), sizes + nq());
    if (drift_ == Drift::integral) Common::measure_integral(y, sizes + integral_place());
  }

  bool accept(double t, const double* y, bool, State& state, Message& message) {
    const double since = *state.time;
    Common::unpack(t, y, state, state.v);
    const Drift drift = correction_now(state);
    if (drift == Drift::projection && !close(state, message)) return false;
    if (keeps_rates(drift_) && !fit_velocities(state, message)) return false;
    if (!agree(state, drift, since, message)) return false;
    Common::settle_readings(state);
    return true;
  }

 private:
  int all_rows() const { return mechanism_.sizes.all_rows(); }

  void attach(State& state) {
    shares_rows_ = *state.rounded != 0;
    projection_.share_rows(shares_rows_);
    accelerations_.share_rows(shares_rows_);
    point_.loads = state.loads;
    Common::attach_to(state);
  }
  /// Evaluates the position stage at (t, q).
  void locate(double t, const double* q) {
    Common::go_to(t, q);
    dense::fill(mechanism_.sizes.rows(), 0, c_t_.data());
    mechanism_.position(point_, M_.data(), C_.data(), c_t_.data());
  }

  bool agree(State& state, Drift drift, double since, Message& message) {
    if (!agreement_.compares(drift)) return true;
    locate(*state.time, state.q);
    return agreement_.hold(at(state), C_.data(), c_t_.data(), drift, since, state, message);
  }

  /// Says how the drift of an accepted step is corrected.
  Drift correction_now(State& state) {
    if (drift_ == Drift::projection && Common::bound_ > 0) locate(*state.time, state.q);
    return Common::correction_now(state);
  }

  /// Computes Baumgarte's terms for all rows.
  void feed_back() {
    const int rows = mechanism_.sizes.rows();
    mechanism_.violation(point_, f_.data());
    dense::fill(all_rows(), 0, feedback_.data());
    times(mechanism_.C, C_.data(), point_.v, feedback_.data());
    for (int i = 0; i < rows; ++i) feedback_[i] = mechanism_.gain_1(i, gain_1_) * (feedback_[i] + c_t_[i]);
    for (int i = 0; i < position_rows(); ++i) feedback_[i] += mechanism_.gain_0(i, gain_0_) * f_[i];
    if (mechanism_.sizes.nonlinear_rows > 0) nonlinear_.evaluate(point_);
    for (int i = 0; i < mechanism_.sizes.nonlinear_rows; ++i) {
      feedback_[rows + i] = mechanism_.gain_1(rows + i, gain_1_) * nonlinear_.residuals()[i];
    }
  }
  /// Computes q̇ with (4.6a) added, and the integral's own rate.
  bool feed_integral_back(const double* y, double* dy) {
    Common::demand_feedback(y, dy, open_.data());
    if (!factor_rows(position_rows(), mechanism_.sizes.position_rank)) return false;
    correct();
    Common::feed_back(y, point_.v, dy);
    return true;
  }

  /// Brings q onto f_p = 0.
  bool close(State& state, Message& message) {
    if (position_rows() == 0) return true;
    locate(*state.time, state.q);
    if (!factor_rows(position_rows(), mechanism_.sizes.position_rank)) return fail_singular(message);
    dense::copy(nq(), state.q, trial_.data());
    const Closing closing = close_positions(
        model_, C_.data(), open_.data(), f_scale_.data(), delta_.data(), state.q, newton_rules::back_for_reactions,
        [&] {
          point_.q = state.q;
          mechanism_.violation(point_, open_.data());
        },
        [&] { correct(); });
    if (closing != Closing::failed) return true;
    dense::copy(nq(), trial_.data(), state.q);  // Near a singular position some solvers' corrections lead astray.
    return projection_.correct(point_, state.q, message);
  }
  /// Brings v onto C v + c_t = 0, and from there onto the velocity constraints that are not linear.
  bool fit_velocities(State& state, Message& message) {
    const Sizes& s = mechanism_.sizes;
    if (s.rate_rows() == 0) return true;
    locate(*state.time, state.q);
    if (!factor_rows(s.rows(), s.rank)) return fail_singular(message);
    times(mechanism_.C, C_.data(), state.v, open_.data());
    dense::add(s.rows(), 1, c_t_.data(), open_.data());
    correct();
    dense::add(n(), 1, delta_.data(), state.v);
    return nonlinear_.close(at(state), state.v, message, [this](const double* force, double* x) { respond(force, x); });
  }

  /// Factors M and the first `rows` rows of C, of which `rank` are kept.
  bool factor_rows(int rows, int rank) {
    const Pattern& pattern = mechanism_.C;
    kept_count_ = rank;
    for (int i = 0; i < rows; ++i) row_[i] = i;
    if (rank < rows) {
      pivoting_.clear();
      for (int e = 0; e < pattern.nonzeros; ++e) {
        if (pattern.row[e] < rows) pivoting_.set(pattern.row[e], pattern.column[e], C_[e]);
      }
      column_metric(mechanism_.M, M_.data(), mechanism_.nominal, metric_.data());
      pivoting_.scale_columns(metric_.data());
      if (pivoting_.eliminate(priorities(mechanism_), rank) < rank) return false;
      for (int i = 0; i < rank; ++i) row_[i] = pivoting_.row(i);
    }
    expand_symmetric(mechanism_.M, M_.data(), M_full_.data());
    dense::fill(n() * kept_count_, 0, A_.data());
    for (int e = 0; e < pattern.nonzeros; ++e) {
      for (int i = 0; i < kept_count_; ++i) {
        if (row_[i] == pattern.row[e]) A_(pattern.column[e], i) = C_[e];
      }
    }
    if (!solver_.factor(kept_count_, M_full_.data(), A_.data(), nullptr)) return false;
    shared_now_ = shares_rows_ && rank < rows;
    return !shared_now_ || shared_.factor(rows, rank, row_.data(), M_.data(), C_.data(), metric_.data(), solve());
  }
  /// Finds δ, the smallest with C δ = −open for the rows that were factored.
  void correct() {
    if (shared_now_) return shared_.respond(nullptr, open_.data(), delta_.data(), multipliers_.data(), solve());
    for (int i = 0; i < kept_count_; ++i) kept_[i] = open_[row_[i]];
    solver_.solve(nullptr, kept_.data(), delta_.data(), multipliers_.data());
  }
  /// Finds the x along which a force moves what the factored rows leave free.
  void respond(const double* force, double* x) {
    if (shared_now_) return shared_.respond(force, nullptr, x, multipliers_.data(), solve());
    solver_.solve(force, nullptr, x, multipliers_.data());
  }
  auto solve() {
    return [this](const double* h, const double* gamma, double* x, double* mu) { solver_.solve(h, gamma, x, mu); };
  }

  Solver solver_;
  Accelerations accelerations_;
  NonlinearRows nonlinear_;
  SharedSaddle shared_;
  Pivoting pivoting_;
  bool shares_rows_ = false, shared_now_ = false;  ///< dependent rows take part; they do in the last factors
  int kept_count_ = 0;                             ///< number of rows that were factored last
  Buffer<dynamic> f_, feedback_, open_, kept_, multipliers_;
  RunTimeColumns M_full_, A_;  ///< M, dense; Cᵀ of the kept rows, n × kept
  IndexBuffer row_;            ///< kept rows of C, by their place in A_
};

}  // namespace mechfmu
