// This class is common to the equations of motion, whichever velocities they are written in:
//
//   y = (q, w, ∫f)          w = u (tangent_motion.hpp) or v (full_motion.hpp); ∫f with drift correction "integral" only
//
// It holds the point at which they are evaluated (t, q, inputs, parameters, angles), finds the rates of the file's
// states, tells how large errors of y are, and lets a state take y over.
#pragma once

#include "constraints/agreement.hpp"
#include "constraints/projection.hpp"
#include "differences.hpp"
#include "mechanism/drift.hpp"
#include "mechanism/input_course.hpp"
#include "mechanism/position_rates.hpp"
#include "mechanism/state.hpp"
#include "mechanism/unwrapping.hpp"
#include "mechanism/whole_turns.hpp"
#include "reactions/accelerations.hpp"
#include "state_rates.hpp"

namespace mechfmu {

/// `w_length` is the length of w if the compiler knows it, else dynamic.
template <class Model, int w_length>
class CommonMotion {
 public:
  using F = Fixed<Model>;
  static constexpr int fixed_length = Model::generated ? F::nq + w_length : dynamic;

  /// Returns the length of y.
  int length() const { return integral_place() + (drift_ == Drift::integral ? position_rows() : 0); }
  /// Returns the nominal sizes of y at the last linearise().
  const double* sizes() const { return sizes_.data(); }
  /// Tells why the last rate() failed. It is empty if constraints or mass matrix were singular.
  const Message& trouble() const { return trouble_; }
  /// Returns the state as a point of evaluation, with `work` for stages that nothing of the motion needs any more.
  Point point_at(State& state) {
    course_.at(*state.time);
    Point p = at(state);
    p.angles = model_.sizes().angles > 0 ? state.angles : nullptr;
    p.loads = state.loads;
    return p;
  }
  /// Is asked once a step has led to y at t, before its error is judged. Returns false if the step is too long.
  /// `evaluated` is true if rate(t, y, …) was the last call. Most motions let error control decide alone.
  bool lands(double /*t*/, const double* /*y*/, bool /*evaluated*/) { return true; }

 protected:
  CommonMotion(Arena& arena, const Mechanism& mechanism, const Model& model, Drift drift, int w)
      : mechanism_(mechanism), model_(model), drift_(drift), w_(w), projection_(arena, mechanism),
        agreement_(arena, mechanism), unwrapping_(arena, mechanism), course_(arena, mechanism.sizes),
        state_rates_(arena, mechanism), M_(arena, model.sizes().M_nonzeros), C_(arena, model.sizes().C_nonzeros),
        c_t_(arena, model.sizes().rows()), f_scale_(arena, position_rows()), delta_(arena, n()), metric_(arena, n()),
        trial_(arena, length()), sizes_(arena, length()), work_(arena, model.sizes().work) {
    point_.work = work_.data();
    point_.context = mechanism.context;
  }

  int nq() const { return model_.sizes().positions; }
  int n() const { return model_.sizes().velocities; }
  int position_rows() const { return model_.sizes().position_rows; }
  int w() const { return w_length != dynamic ? w_length : w_; }
  /// Returns the place of ∫f in y.
  int integral_place() const { return nq() + w(); }

  /// Takes settings, inputs, parameters and angles from this state from here on.
  void attach_to(State& state) {
    const Settings settings = state.get_settings();
    gain_1_ = settings.drift_gain_1;
    gain_0_ = settings.drift_gain_0;
    interval_ = settings.drift_interval;
    bound_ = settings.drift_bound;
    closure_tolerance_ = settings.closure_tolerance;
    projection_.accept_gap(closure_tolerance_);
    loads_ = state.loads;
    point_.inputs = course_.attach(state);
    point_.parameters = state.parameters;
    state.give_contacts(point_);
    if (!prepared_) mechanism_.prepare(point_);
    prepared_ = true;
    if (model_.sizes().angles == 0) return;
    point_.angles = unwrapping_.expected();
    unwrapping_.begin(at(state), state.angles);
  }
  /// Lets the equations be evaluated at (t, q) from here on.
  void go_to(double t, const double* q) {
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

  void pack(const State& state, const double* w, double* y) const {
    dense::copy(nq(), state.q, y);
    dense::copy(this->w(), w, y + nq());
    if (drift_ == Drift::integral) dense::copy(position_rows(), state.integral, y + integral_place());
  }
  /// Lets the state take y at t over; it keeps w in `w`. Returns true if q lost whole turns, which the state counts.
  bool unpack(double t, const double* y, State& state, double* w) const {
    *state.time = t;
    dense::copy(nq(), y, state.q);
    normalise(model_, state.q);
    const bool turned = count_turns(mechanism_, state);
    dense::copy(this->w(), y + nq(), w);
    if (drift_ == Drift::integral) dense::copy(position_rows(), y + integral_place(), state.integral);
    return turned;
  }
  /// Settles inputs and angles of the accepted state. Returns false if some angle has other turns than expected, so
  /// that its readers were misled.
  bool settle_readings(State& state) {
    course_.settle(state);
    return model_.sizes().angles == 0 || unwrapping_.end(at(state), state.angles);
  }

  /// Says how the drift of an accepted step is corrected. With projection this may happen occasionally (Blajer 1993,
  /// section 4): after a number of steps, or if positions have become too inaccurate. In between nothing is corrected.
  /// C_ is that of the state or near it.
  Drift correction_now(State& state) {
    if (drift_ != Drift::projection || corrects_each_step(interval_, bound_)) return drift_;
    *state.uncorrected += 1;
    const bool now = (interval_ > 0 && *state.uncorrected >= interval_) ||
                     (bound_ > 0 && agreement_.gap(at(state), C_.data()) > bound_);
    if (now) *state.uncorrected = 0;
    return now ? Drift::projection : Drift::none;
  }

  /// Returns how large an error of y is in a step from y to y1; `v_error` is the same error in the velocities v.
  LargestError judge(const double* error, const double* y, const double* y1, const double* v_error, const double* v) {
    LargestError largest;
    judge_positions(model_, error, y, y1, largest);
    judge_velocities(model_, v_error, v, largest);
    if (drift_ == Drift::integral) {
      measure_integral(y, f_scale_.data());
      judge_integral(model_, error + integral_place(), y1 + integral_place(), f_scale_.data(), largest);
    }
    return largest;
  }
  /// Finds the nominal sizes of ∫f, which weighs as much as f in (4.6a).
  void measure_integral(const double* y, double* sizes) const {
    const double time = gain_1_ > 0 && gain_0_ > 0 ? gain_1_ / gain_0_ : mechanism_.duration;
    integral_sizes(model_, mechanism_, time, C_.data(), y, sizes);
  }

  /// Computes the rate of ∫f, and the demand that (4.6a) corrects: G₁ f + G₀ ∫f.
  void demand_feedback(const double* y, double* dy, double* demand) {
    const double* integral = y + integral_place();
    double* f = dy + integral_place();
    model_.violation(point_, f);
    for (int i = 0; i < position_rows(); ++i)
      demand[i] = mechanism_.gain_1(i, gain_1_) * f[i] + mechanism_.gain_0(i, gain_0_) * integral[i];
  }
  /// Computes q̇ = A (v + δ), where δ is the correction.
  void feed_back(const double* y, const double* v, double* dy) {
    dense::add(n(), 1, v, delta_.data());
    rates(model_, y, delta_.data(), dy);
  }

  bool agrees(Accelerations& accelerations) {
    if (model_.sizes().acceleration_rows == 0) return true;
    return agreement_.hold_accelerations(point_, accelerations.rows(), accelerations.find_open(),
                                         accelerations.acceleration(), closure_tolerance_, trouble_);
  }
  bool fail_singular(Message& message) const {
    return message.fail(
        "The constraints or the mass matrix are singular at t = %.9g s: the motion is not determined there.",
        point_.time);
  }

  const Mechanism& mechanism_;
  Model model_;
  Drift drift_;
  int w_;
  double gain_1_ = 0, gain_0_ = 0, interval_ = 1, bound_ = 0, closure_tolerance_ = 0;
  bool prepared_ = false;  ///< `prepare` was called for the parameters
  Message trouble_;
  Projection projection_;
  Agreement agreement_;
  Unwrapping unwrapping_;
  InputCourse course_;
  StateRates state_rates_;
  double* loads_ = nullptr;  ///< the state's loads
  Point point_;              ///< the point at which the equations are evaluated
  Buffer<F::M> M_;           ///< M, C and c_t are those of the last position stage
  Buffer<F::C> C_;
  Buffer<F::rows> c_t_;
  Buffer<F::position_rows> f_scale_;    ///< nominal sizes of ∫f, or sizes of f while positions are closed
  Buffer<F::n> delta_, metric_;         ///< a correction or an error of v; the metric of columns
  Buffer<fixed_length> trial_, sizes_;  ///< y at another place; nominal sizes of y at the last linearise()
  Buffer<dynamic> work_;                ///< numbers that a stage leaves for the next
};

}  // namespace mechfmu
