// The motion in generalised velocities with Baumgarte's stabilisation: y = (q, v), constraints at acceleration level
// replaced by C v̇ + γ + K_v (C v + c_t) + K_p f = 0 (Blajer, Bestle and Schiehlen 1994, (34)). For comparison: the
// violation stays small but never vanishes, and it depends on the gains. Sizes at run time.
#pragma once

#include "accelerations.hpp"
#include "state.hpp"
#include "tangent_motion.hpp"

namespace mechfmu {

/// Wraps the tangent motion of the same basis, which supplies the state's u for whoever changes the drift correction.
template <template <class> class Basis>
class StabilisedMotion {
 public:
  static constexpr int fixed_length = dynamic;

  template <class... Member>
  StabilisedMotion(const Mechanism& mechanism, const RunTimeModel& model, Drift, Member... member)
      : mechanism_(mechanism), tangent_(mechanism, model, Drift::none, member...), accelerations_(mechanism),
        unwrapping_(mechanism), course_(mechanism.sizes), M_(mechanism.sizes.M_nonzeros),
        C_(mechanism.sizes.C_nonzeros), c_t_(mechanism.sizes.rows()), f_(mechanism.sizes.position_rows),
        feedback_(mechanism.sizes.all_rows()),
        trial_(length()), work_(mechanism.sizes.work) {
    point_.work = work_.data();
    point_.context = mechanism.context;
  }
  bool ok() const {
    return tangent_.ok() && accelerations_.ok() && unwrapping_.ok() && course_.ok() && M_.ok() && C_.ok() &&
           c_t_.ok() && f_.ok() && feedback_.ok() && trial_.ok() && work_.ok();
  }
  int length() const { return mechanism_.sizes.positions + mechanism_.sizes.velocities; }
  void forget() {
    prepared_ = false;
    tangent_.forget();
  }
  bool start(State& state, Message& message) { return tangent_.start(state, message); }
  bool begin(State& state, Message&) {
    const Settings settings = state.get_settings();
    K_v_ = settings.drift_gain_1;
    K_p_ = settings.drift_gain_0;
    loads_ = state.loads;
    point_.loads = loads_;
    point_.inputs = course_.attach(state);
    point_.parameters = state.parameters;
    if (!prepared_) mechanism_.prepare(point_);
    prepared_ = true;
    if (mechanism_.sizes.angles == 0) return true;
    point_.angles = unwrapping_.expected();
    unwrapping_.begin(at(state), state.angles);
    return true;
  }
  void pack(const State& state, double* y) const {
    dense::copy(mechanism_.sizes.positions, state.q, y);
    dense::copy(mechanism_.sizes.velocities, state.v, y + mechanism_.sizes.positions);
  }
  bool rate_at_state(double t, const double* y, double* dy) {
    if (!rate(t, y, dy)) return false;
    dense::copy(mechanism_.sizes.loads, accelerations_.loads(), loads_);
    return true;
  }

  bool rate(double t, const double* y, double* dy) {
    const Sizes& s = mechanism_.sizes;
    point_.time = t;
    point_.q = y;
    point_.v = y + s.positions;
    course_.at(t);
    if (mechanism_.character.reads_angles) unwrapping_.expect(t);
    dense::fill(s.rows(), 0, c_t_.data());
    mechanism_.position(point_, M_.data(), C_.data(), c_t_.data());
    mechanism_.violation(point_, f_.data());
    dense::fill(s.all_rows(), 0, feedback_.data());
    times(mechanism_.C, C_.data(), point_.v, feedback_.data());
    for (int i = 0; i < s.rows(); ++i) feedback_[i] = K_v_ * (feedback_[i] + c_t_[i]);
    for (int i = 0; i < s.position_rows; ++i) feedback_[i] += K_p_ * f_[i];
    if (!accelerations_.solve(point_, M_.data(), feedback_.data(), trouble_)) return false;
    rates(RunTimeModel(mechanism_), point_.q, point_.v, dy);
    dense::copy(s.velocities, accelerations_.acceleration(), dy + s.positions);
    return true;
  }

  bool linearise(double t, const double* y, const double* slope, double* J, double* f_t, double& evaluations) {
    const int length = this->length();
    dense::copy(length, y, trial_.data());
    const auto evaluate = [&](double* dy) {
      ++evaluations;
      return rate(t, trial_.data(), dy);
    };
    for (int j = 0; j < length; ++j) {
      if (!difference(length, trial_[j], slope[j], slope, evaluate, J + j * length)) return false;
    }
    return difference(length, t, 1, slope, evaluate, f_t);
  }

  const Message& trouble() const { return trouble_; }

  bool accept(double t, const double* y, bool, State& state, Message&) {
    *state.time = t;
    dense::copy(mechanism_.sizes.positions, y, state.q);
    normalise(RunTimeModel(mechanism_), state.q);
    dense::copy(mechanism_.sizes.velocities, y + mechanism_.sizes.positions, state.v);
    course_.settle(state);
    if (mechanism_.sizes.angles > 0) unwrapping_.end(at(state), state.angles);
    return true;
  }

 private:
  Point at(const State& state) const {
    Point p = point_;
    p.time = *state.time;
    p.q = state.q;
    p.v = state.v;
    return p;
  }

  const Mechanism& mechanism_;
  TangentMotion<RunTimeModel, Basis> tangent_;
  Accelerations accelerations_;
  Unwrapping unwrapping_;
  InputCourse course_;
  double* loads_ = nullptr;  ///< the state's
  double K_v_ = 0, K_p_ = 0;
  bool prepared_ = false;
  Message trouble_;
  Point point_;
  Buffer<dynamic> M_, C_, c_t_, f_, feedback_, trial_, work_;
};

}  // namespace mechfmu
