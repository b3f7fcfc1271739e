// The motion in generalised velocities: y = (q, v), v̇ and λ from the mechanism's accelerations, found by a solver
// without a tangent basis (saddle_solvers/) or, where a basis was chosen, as elsewhere (reactions/accelerations.hpp).
// What keeps the constraints:
//   projection  after an accepted step, by the same solver: q by (4.5a) of Blajer 1993, then v, M-orthogonally
//               δ = −M⁻¹Cᵀ (C M⁻¹ Cᵀ)⁻¹ (C v + c_t)
//   integral    (4.6a), y = (q, v, ∫f): q̇ = A (v − M⁻¹C_pᵀ (C_p M⁻¹ C_pᵀ)⁻¹ (G₁ f + G₀ ∫f)); v as above
//   baumgarte   C v̇ + γ + K_v (C v + c_t) + K_p f = 0 (Blajer, Bestle and Schiehlen 1994, (34)). For comparison: the
//               violation stays small but never vanishes, and it depends on the gains
#pragma once

#include "constraints/agreement.hpp"
#include "constraints/closing.hpp"
#include "constraints/priorities.hpp"
#include "constraints/projection.hpp"
#include "constraints/saddle_solvers/saddle_solver.hpp"
#include "constraints/shared_saddle.hpp"
#include "differences.hpp"
#include "mechanism/drift.hpp"
#include "mechanism/input_course.hpp"
#include "mechanism/kinematics.hpp"
#include "mechanism/state.hpp"
#include "mechanism/unwrapping.hpp"
#include "mechanism/whole_turns.hpp"
#include "reactions/accelerations.hpp"

namespace mechfmu {

template <class Model, class Solver>
class FullMotion {
 public:
  using F = Fixed<Model>;
  static constexpr int fixed_length = Model::generated ? F::nq + F::n : dynamic;

  /// `member`: which one, where Solver stands for any; −1: none was chosen, and it serves for corrections alone.
  template <class... Member>
  FullMotion(const Mechanism& mechanism, const Model& model, Drift drift, Member... member)
      : mechanism_(mechanism), model_(model), drift_(drift), solver_(model, member...),
        accelerations_(mechanism, (... || (member < 0)) ? nullptr : &solver_), projection_(mechanism),
        agreement_(mechanism), shared_(mechanism, mechanism.C, mechanism.sizes.rows() - mechanism.sizes.position_rank),
        pivoting_(mechanism.sizes.rows(), n(), mechanism.sizes.C_nonzeros), unwrapping_(mechanism),
        course_(mechanism.sizes), M_(mechanism.sizes.M_nonzeros), C_(mechanism.sizes.C_nonzeros),
        c_t_(mechanism.sizes.rows()), f_(position_rows()), f_scale_(position_rows()), feedback_(all_rows()),
        open_(mechanism.sizes.rows()), kept_(mechanism.sizes.rows()), multipliers_(all_rows()), delta_(n()),
        metric_(n()), M_full_(mechanism.sizes.rows() > 0 ? n() * n() : 0), A_(n() * mechanism.sizes.rows()),
        trial_(length()), sizes_(length()), work_(mechanism.sizes.work), row_(mechanism.sizes.rows()) {
    point_.work = work_.data();
    point_.context = mechanism.context;
  }
  bool ok() const {
    return solver_.ok() && accelerations_.ok() && projection_.ok() && agreement_.ok() && shared_.ok() &&
           pivoting_.ok() && unwrapping_.ok() && course_.ok() && M_.ok() && C_.ok() && c_t_.ok() && f_.ok() &&
           f_scale_.ok() && feedback_.ok() && open_.ok() && kept_.ok() && multipliers_.ok() && delta_.ok() &&
           metric_.ok() && M_full_.ok() && A_.ok() && trial_.ok() && sizes_.ok() && work_.ok() && row_.ok();
  }
  int length() const { return nq() + n() + (drift_ == Drift::integral ? position_rows() : 0); }
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
  void pack(const State& state, double* y) const {
    dense::copy(nq(), state.q, y);
    dense::copy(n(), state.v, y + nq());
    if (drift_ == Drift::integral) dense::copy(position_rows(), state.integral, y + nq() + n());
  }
  bool rate_at_state(double t, const double* y, double* dy) {
    if (!rate(t, y, dy) || !accelerations_agree()) return false;
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
    return drift_ != Drift::integral || position_rows() == 0 || feed_integral_back(y, dy);
  }

  /// Stiff methods see the equations as they are, on the constraints or not.
  bool rate_on_constraints(double t, const double* y, double* dy) { return rate(t, y, dy); }
  struct Directions {
    explicit Directions(const FullMotion&) {}
    bool ok() const { return true; }
  };

  bool linearise(double t, const double* y, const double* slope, double* J, double* f_t, Directions&,
                 double& evaluations) {
    const int length = this->length();
    dense::copy(length, y, trial_.data());
    nominal_sizes(y, sizes_.data());
    const auto evaluate = [&](double* dy) {
      ++evaluations;
      return rate(t, trial_.data(), dy);
    };
    for (int j = 0; j < length; ++j) {
      if (!difference(length, trial_[j], sizes_[j], slope[j], slope, evaluate, J + j * length)) return false;
    }
    return difference(length, t, mechanism_.duration, 1, slope, evaluate, f_t);
  }

  /// How large an error of y is in a step from y to y1.
  LargestError judge(const double* error, const double* y, const double* y1) {
    LargestError largest;
    judge_positions(model_, error, y, y1, largest);
    judge_velocities(model_, error + nq(), y1 + nq(), largest);
    if (drift_ == Drift::integral) {
      const int begin = nq() + n();
      integral_sizes(model_, mechanism_, integral_time(), C_.data(), y, f_scale_.data());
      judge_integral(model_, error + begin, y1 + begin, f_scale_.data(), largest);
    }
    return largest;
  }

  void nominal_sizes(const double* y, double* sizes) const {
    position_sizes(model_, sizes);
    dense::copy(n(), model_.rate_nominal(), sizes + nq());
    if (drift_ == Drift::integral)
      integral_sizes(model_, mechanism_, integral_time(), C_.data(), y, sizes + nq() + n());
  }

  /// Those of the last linearise().
  const double* sizes() const { return sizes_.data(); }

  const Message& trouble() const { return trouble_; }

  bool accept(double t, const double* y, bool, State& state, Message& message) {
    const double since = *state.time;
    *state.time = t;
    dense::copy(nq(), y, state.q);
    normalise(model_, state.q);
    count_turns(mechanism_, state);
    dense::copy(n(), y + nq(), state.v);
    if (drift_ == Drift::integral) dense::copy(position_rows(), y + nq() + n(), state.integral);
    if (drift_ == Drift::projection && !close(state, message)) return false;
    const bool fits = drift_ == Drift::projection || drift_ == Drift::integral;
    if (fits && !fit_velocities(state, message)) return false;
    if (!agree(state, since, message)) return false;
    course_.settle(state);
    if (mechanism_.sizes.angles > 0) unwrapping_.end(at(state), state.angles);
    return true;
  }

 private:
  int nq() const { return mechanism_.sizes.positions; }
  int n() const { return mechanism_.sizes.velocities; }
  int position_rows() const { return mechanism_.sizes.position_rows; }
  int all_rows() const { return mechanism_.sizes.all_rows(); }

  void attach(State& state) {
    const Settings settings = state.get_settings();
    gain_1_ = settings.drift_gain_1;
    gain_0_ = settings.drift_gain_0;
    closure_tolerance_ = settings.closure_tolerance;
    shares_rows_ = *state.rounded != 0;
    projection_.share_rows(shares_rows_);
    projection_.accept_gap(closure_tolerance_);
    accelerations_.share_rows(shares_rows_);
    loads_ = state.loads;
    point_.loads = loads_;
    point_.inputs = course_.attach(state);
    point_.parameters = state.parameters;
    if (!prepared_) mechanism_.prepare(point_);
    prepared_ = true;
    if (mechanism_.sizes.angles == 0) return;
    point_.angles = unwrapping_.expected();
    unwrapping_.begin(at(state), state.angles);
  }
  Point at(const State& state) const {
    Point p = point_;
    p.time = *state.time;
    p.q = state.q;
    p.v = state.v;
    return p;
  }
  /// The position stage at (t, q).
  void locate(double t, const double* q) {
    point_.time = t;
    point_.q = q;
    course_.at(t);
    if (mechanism_.character.reads_angles) unwrapping_.expect(t);
    dense::fill(mechanism_.sizes.rows(), 0, c_t_.data());
    mechanism_.position(point_, M_.data(), C_.data(), c_t_.data());
  }

  bool accelerations_agree() {
    if (mechanism_.sizes.acceleration_rows == 0) return true;
    return agreement_.hold_accelerations(point_, accelerations_.rows(), accelerations_.find_open(),
                                         accelerations_.acceleration(), closure_tolerance_, trouble_);
  }
  bool agree(State& state, double since, Message& message) {
    if (!agreement_.compares(drift_)) return true;
    locate(*state.time, state.q);
    return agreement_.hold(at(state), C_.data(), c_t_.data(), drift_, since, state, message);
  }

  /// Baumgarte's terms, for all rows.
  void feed_back() {
    const int rows = mechanism_.sizes.rows();
    mechanism_.violation(point_, f_.data());
    dense::fill(all_rows(), 0, feedback_.data());
    times(mechanism_.C, C_.data(), point_.v, feedback_.data());
    for (int i = 0; i < rows; ++i) feedback_[i] = gain_1_ * (feedback_[i] + c_t_[i]);
    for (int i = 0; i < position_rows(); ++i) feedback_[i] += gain_0_ * f_[i];
  }
  /// q̇ with (4.6a) added, and the integral's own rate.
  bool feed_integral_back(const double* y, double* dy) {
    const double* integral = y + nq() + n();
    double* integral_rate = dy + nq() + n();
    mechanism_.violation(point_, integral_rate);
    for (int i = 0; i < position_rows(); ++i) open_[i] = gain_1_ * integral_rate[i] + gain_0_ * integral[i];
    if (!factor_rows(position_rows(), mechanism_.sizes.position_rank)) return false;
    correct();
    dense::add(n(), 1, point_.v, delta_.data());
    rates(model_, y, delta_.data(), dy);
    return true;
  }

  /// q onto f_p = 0.
  bool close(State& state, Message& message) {
    if (position_rows() == 0) return true;
    locate(*state.time, state.q);
    if (!factor_rows(position_rows(), mechanism_.sizes.position_rank)) return fail_singular(message);
    dense::copy(nq(), state.q, trial_.data());
    constexpr double rounding = 1e-11;  // v̇, too, has to have digits
    const Closing closing = close_positions(
        model_, C_.data(), open_.data(), f_scale_.data(), delta_.data(), state.q, rounding,
        [&] {
          point_.q = state.q;
          mechanism_.violation(point_, open_.data());
        },
        [&] { correct(); });
    if (closing != Closing::failed) return true;
    dense::copy(nq(), trial_.data(), state.q);  // near a singular position some solvers' corrections lead astray
    return projection_.correct(point_, state.q, message);
  }
  /// v onto C v + c_t = 0.
  bool fit_velocities(State& state, Message& message) {
    const Sizes& s = mechanism_.sizes;
    if (s.rows() == 0) return true;
    locate(*state.time, state.q);
    if (!factor_rows(s.rows(), s.rank)) return fail_singular(message);
    times(mechanism_.C, C_.data(), state.v, open_.data());
    dense::add(s.rows(), 1, c_t_.data(), open_.data());
    correct();
    dense::add(n(), 1, delta_.data(), state.v);
    return true;
  }

  /// M and the first `rows` rows of C, of which `rank` are kept.
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
        if (row_[i] == pattern.row[e]) A_[pattern.column[e] + i * n()] = C_[e];
      }
    }
    if (!solver_.factor(kept_count_, M_full_.data(), A_.data(), nullptr)) return false;
    shared_now_ = shares_rows_ && rank < rows;
    return !shared_now_ || shared_.factor(rows, rank, row_.data(), M_.data(), C_.data(), metric_.data(), solve());
  }
  /// δ, the smallest with C δ = −open for the rows that were factored.
  void correct() {
    if (shared_now_) return shared_.respond(nullptr, open_.data(), delta_.data(), multipliers_.data(), solve());
    for (int i = 0; i < kept_count_; ++i) kept_[i] = open_[row_[i]];
    solver_.solve(nullptr, kept_.data(), delta_.data(), multipliers_.data());
  }
  auto solve() {
    return [this](const double* h, const double* gamma, double* x, double* mu) { solver_.solve(h, gamma, x, mu); };
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
  Solver solver_;
  Accelerations accelerations_;
  Projection projection_;
  Agreement agreement_;
  SharedSaddle shared_;
  Pivoting pivoting_;
  Unwrapping unwrapping_;
  InputCourse course_;
  double* loads_ = nullptr;  ///< the state's
  double gain_1_ = 0, gain_0_ = 0, closure_tolerance_ = 0;
  bool prepared_ = false;
  bool shares_rows_ = false, shared_now_ = false;  ///< where rows depend on others; those that were factored
  int kept_count_ = 0;
  Message trouble_;
  Point point_;
  Buffer<dynamic> M_, C_, c_t_, f_, f_scale_, feedback_, open_, kept_, multipliers_, delta_, metric_, M_full_, A_,
      trial_, sizes_, work_;
  IndexBuffer row_;
};

}  // namespace mechfmu
