// A motion is integrated one internal step after the other. This page is the whole of a step:
//
//   prepare    y = (q, u, …) and its rate at the state                    motion.begin(), pack(), rate_at_state()
//   attempt    y₁ at t + h by the method                                  integrators/, motion.rate(), lands()
//   judge      how large the local error is; above 1 a shorter step       motion.judge()
//   accept     the state takes y₁ over: drift is corrected, the choice    motion.accept()
//              of coordinates renewed, constraints compared
//
// Then the watcher, if there is one, is told. The motions are tangent_motion.hpp, full_motion.hpp and
// independent_motion.hpp.
//
// All methods have this contract, whatever their kind. A member is a struct of constants,
//   name, order                         `order` is that of the solution that is kept
//   fixed_step                          true: no error estimate, the user's step is taken
//   error_exponent, safety              the step is scaled by safety · error^(-1/error_exponent)
// and names its kind as Step<length>, which offers
//   first_slope()                       f(t, y), filled before anything else at (t, y)
//   linearise(equations, t, y)          at once after that: finds what serves all trials from (t, y)
//   step(equations, t, y, h, y1)        y₁ from y
//   error(h, judge)                     local error of the last step, accepted if ≤ 1: judge(e) says how large an
//                                       error e of y₁ is
//   rough(bound, h, judge, Roughness&)  of a fixed step: true if its local error may be above `bound`
//   ends_at_result                      true: the last thing that step() evaluates is f(t + h, y₁)
//   linear                              true: it needs the derivatives of f
// linearise() and step() return false if the equations cannot be evaluated. A kind asks `equations` for
//   rate(t, y, dy)                      f
//   linearise(t, y, slope, J, f_t)      J = ∂f/∂y, column by column, and f_t = ∂f/∂t at (t, y), where f was just
//                                       evaluated; the motion decides how, and also decides what f is beside the
//                                       constraints
//   sizes()                             after that: the nominal sizes of y
#pragma once

#include <cmath>
#include <type_traits>

#include "changes.hpp"
#include "linear/tolerances.hpp"
#include "step_failures.hpp"
#include "stepper.hpp"
#include "tangent_motion.hpp"

namespace mechfmu {

template <class Motion, class Method>
class Integration final : public Stepper {
 public:
  template <class... MotionArguments>
  Integration(Arena& arena, const Mechanism& mechanism, const MotionArguments&... arguments)
      : motion_(arena, mechanism, arguments...), directions_(arena, motion_), length_(motion_.length()),
        mechanism_(mechanism), method_(arena, length_), y_(arena, length_), y1_(arena, length_), probe_(arena, length_),
        saved_(arena, State::kept(mechanism.sizes)),
        changes_(mechanism.make_changes != nullptr ? mechanism.make_changes(arena, mechanism) : nullptr),
        begun_(arena, changes_ != nullptr ? State::kept(mechanism.sizes) : 0) {}

  bool start(State& state, Message& message) override {
    *state.step = 0;
    if (!motion_.start(state, message)) return false;
    if (changes_ == nullptr) return true;
    state.note_decision();
    const bool begun = changes_->begin(motion_.point_at(state), state, message) && changed(state, message);
    changes_->take_evaluations();  // Those of a start do not count.
    return begun;
  }
  void forget() override {
    motion_.forget();
    if (changes_ != nullptr) changes_->forget();
  }

  Changes* changes() override { return changes_; }
  bool meet_event(State& state, Message& message) override {
    if (changes_ == nullptr) return true;
    if (*state.put_off == 0) return see_inputs(state, message);
    state.note_decision();
    if (!motion_.begin(state, message)) return false;
    const bool passed = changes_->pass(motion_.point_at(state), state, message) && changed(state, message);
    *state.evaluations += changes_->take_evaluations();
    return passed;
  }

  bool advance(State& state, double end, StepWatcher* watcher, Message& message) override {
    state.keep(saved_.data());
    if (see_inputs(state, message) && (Method::fixed_step ? equal_steps(state, end, watcher, message)
                                                          : controlled_steps(state, end, watcher, message))) {
      state.clear_sides();
      return true;
    }
    state.put_back(saved_.data());
    forget();
    return false;
  }

 private:
  static constexpr double largest_growth = 6, largest_shrink = 0.2;
  static constexpr int most_failures = 60;  // shrink the step by more than 1e-17 in a row

  bool controlled_steps(State& state, double end, StepWatcher* watcher, Message& message) {
    const Settings settings = state.get_settings();
    Pace pace(settings, *state.time);
    while (*state.time < end) {
      const double t = *state.time;
      if (!pace.allows(t, end)) return pace.fail(settings, t, end, limiting(), Method::error_exponent, message);
      if (!prepare(state, message)) return false;
      if (!(*state.step > 0)) *state.step = first_step(t, end - t, settings.tolerance);
      if (changes_ != nullptr && !changes_->begin_step(motion_.point_at(state), state, message)) return false;
      double t1 = t;
      if (!attempt_until_accurate(state, end, settings.tolerance, t1, message)) return false;
      const bool stops = watcher != nullptr && watcher->stops_at_events();
      if (changes_ == nullptr ? !accept(state, t1, message) : !accept_until_event(state, t, t1, stops, message))
        return false;
      if (changes_ != nullptr && *state.put_off != 0) end = *state.time;
      if (watcher != nullptr && !watcher->accepted(end, message)) return false;
    }
    return true;
  }

  /// Takes steps of the user's size, shortened so that a whole number of them fits.
  bool equal_steps(State& state, double end, StepWatcher* watcher, Message& message) {
    const Settings settings = state.get_settings();
    while (*state.time < end) {
      const double begin = *state.time, last = end;
      const double count = std::ceil((last - begin) / settings.step * (1 - rounding_of_count));
      if (count > settings.max_steps) return fail_count(settings, begin, end, count, message);
      const double h = (last - begin) / (count > 1 ? count : 1);
      for (double i = 1; *state.time < last && end == last; ++i) {
        const double t = *state.time, t1 = i >= count ? last : begin + i * h;
        if (!prepare(state, message)) return false;
        if (!attempt(t, t1 - t)) return fail_evaluation(t, motion_.trouble(), message);
        if (!judge_roughness(state, t1 - t, message) || !accept(state, t1, message)) return false;
        if (changes_ != nullptr && !catch_up(state, message)) return false;
        if (watcher != nullptr && !watcher->accepted(end, message)) return false;
      }
    }
    return true;
  }

  /// Finds y, its slope and what else the method needs at the state.
  bool prepare(State& state, Message& message) {
    evaluations_ = state.evaluations;
    if (!motion_.begin(state, message)) return false;
    motion_.pack(state, y_.data());
    ++*evaluations_;
    return (motion_.rate_at_state(*state.time, y_.data(), method_.first_slope()) &&
            method_.linearise(equations(), *state.time, y_.data())) ||
           fail_evaluation(*state.time, motion_.trouble(), message);
  }

  /// Shortens the step until its error is at most 1, and sets `t1`, its end, and the size of the next one.
  bool attempt_until_accurate(State& state, double end, double tolerance, double& t1, Message& message) {
    const double t = *state.time, left = end - t;
    for (int failures = 0;;) {
      // A step that would leave a crumb takes half of the rest; one that reaches the end lands on it.
      const double wanted = *state.step;
      const double h = wanted >= 0.999 * left ? left : wanted > 0.5 * left ? 0.5 * left : wanted;
      const bool evaluated = attempt(t, h);
      const double error =
          evaluated ? method_.error(h, [&](const double* e) { return judge(e, y1_.data()) / tolerance; }) : beyond_all;
      const double ideal =
          evaluated && error == error
              ? bounded(Method::safety *
                        std::pow(error > least_error ? error : least_error, -1.0 / Method::error_exponent))
              : largest_shrink;
      if (error <= 1) {
        t1 = h == left ? end : t + h;
        const double next = h * (failures > 0 && ideal > 1 ? 1 : ideal);
        // A step cut short to land on `end` says nothing against the longer one.
        *state.step = h < wanted && next < wanted ? wanted : next;
        return true;
      }
      ++*state.rejected_steps;
      *state.step = h * (ideal < 1 ? ideal : largest_shrink);
      // Steps of a few roundings of t would creep towards a place that cannot be passed, and never arrive.
      if (++failures > most_failures || t + *state.step / 10 <= t) {
        return evaluated ? fail_collapse(t, h, tolerance, limiting(), message)
                         : fail_evaluation(t, motion_.trouble(), message);
      }
    }
  }

  bool attempt(double t, double h) {
    if (changes_ != nullptr) changes_->begin_stages();
    return method_.step(equations(), t, y_.data(), h, y1_.data()) &&
           motion_.lands(t + h, y1_.data(), Step::ends_at_result);
  }

  /// Returns how large an error of y is that belongs to the step to y1.
  double judge(const double* error, const double* y1) {
    worst_ = motion_.judge(error, y_.data(), y1);
    return worst_.size;
  }
  /// A fixed step has no error control: this function at least tells if the step is rough. Returns false if the step
  /// leaves nothing of the motion.
  bool judge_roughness(State& state, double h, Message& message) {
    if constexpr (Method::fixed_step) {
      typename Step::Roughness rough;
      const auto size = [&](const double* e) { return judge(e, y1_.data()); };
      return !method_.rough(doubtful_error, h, size, rough) ||
             tell_roughness(rough.error, rough.rate, h, Method::order, limiting(), state, message);
    }
    return true;
  }

  bool accept(State& state, double t1, Message& message) {
    if (!is_finite(dense::largest(length_, y1_.data()))) {
      return message.fail("The motion is no longer finite at t = %.9g s.", t1);
    }
    ++*state.steps;
    if (!motion_.accept(t1, y1_.data(), Step::ends_at_result, state, message)) return false;
    state.widen_range();
    return true;
  }

  // --- Rows that come and go; nothing of this is there without them

  /// Decides anew what holds if inputs or parameters have changed since the last step.
  bool see_inputs(State& state, Message& message) {
    if (changes_ == nullptr || state.note_decision()) return true;
    if (!motion_.begin(state, message)) return false;
    const bool decided = changes_->decide(motion_.point_at(state), state, message) && changed(state, message);
    changes_->take_evaluations();
    return decided;
  }
  /// Puts a state that has changed onto the rows that hold, and lets the motion know.
  bool changed(State& state, Message& message) {
    bool moved = changes_->moved();
    if (!changes_->settle(motion_.point_at(state), state, message)) return false;
    moved = moved || changes_->moved();
    motion_.step_back();
    return !moved || motion_.refit(state, message);
  }

  /// Accepts the step to t1, or a shorter one that ends where a row comes or goes: after it has, or with `stops`
  /// before.
  [[gnu::noinline]] bool accept_until_event(State& state, double t, double t1, bool stops, Message& message) {
    const double next = *state.step;
    state.keep(begun_.data());
    double reached = t1;
    for (;;) {
      if (!accept(state, reached, message)) return false;
      double length = reached - t;
      const Changes::Seen seen = changes_->look(motion_.point_at(state), state, length, message);
      if (seen == Changes::Seen::trouble) return false;
      if (seen == Changes::Seen::nothing && !changes_->any_acts(state)) return true;
      if (seen != Changes::Seen::earlier) {
        const bool waits = seen == Changes::Seen::event && stops && changes_->put_off(state);
        if (!waits && !go_on(seen, state, message)) return false;
        *state.step = next;
        *state.evaluations += changes_->take_evaluations();
        return true;
      }
      const double evaluations = *state.evaluations;
      state.put_back(begun_.data());
      *state.evaluations = evaluations;
      motion_.step_back();
      reached = t + length;
      if (!motion_.begin(state, message)) return false;
      if (!attempt(t, length)) return fail_evaluation(t, motion_.trouble(), message);
    }
  }
  /// Changes rows if this is an event, and settles the state.
  bool go_on(Changes::Seen seen, State& state, Message& message) {
    return (seen != Changes::Seen::event || changes_->pass(motion_.point_at(state), state, message)) &&
           changed(state, message);
  }
  /// Changes rows at the end of a step of fixed length.
  [[gnu::noinline]] bool catch_up(State& state, Message& message) {
    if (!changes_->catch_up(motion_.point_at(state), state, message)) return false;
    const bool moved = changes_->moved();
    motion_.step_back();
    *state.evaluations += changes_->take_evaluations();
    return !moved || motion_.refit(state, message);
  }

  using Step = typename Method::template Step<Motion::fixed_length>;

  /// A method sees the equations of motion through this class, which counts its evaluations.
  struct Nothing {
    Nothing(Arena&, const Motion&) {}
  };
  using Directions = std::conditional_t<Step::linear, typename Motion::Directions, Nothing>;
  struct Equations {
    Motion& motion;
    Directions& directions;
    double& evaluations;
    Changes* changes;
    bool rate(double t, const double* y, double* dy) const {
      ++evaluations;
      if (!(Step::linear ? motion.rate_on_constraints(t, y, dy) : motion.rate(t, y, dy))) return false;
      if (changes != nullptr) changes->see_stage(t, motion.changing_forces());
      return true;
    }
    bool linearise(double t, const double* y, const double* slope, double* J, double* f_t) const {
      return motion.linearise(t, y, slope, J, f_t, directions, evaluations);
    }
    const double* sizes() const { return motion.sizes(); }
  };
  Equations equations() { return {motion_, directions_, *evaluations_, changes_}; }

  static double bounded(double factor) {
    return factor < largest_shrink ? largest_shrink : factor > largest_growth ? largest_growth : factor;
  }

  /// Returns a first step from the sizes of y, ẏ and a difference of slopes (Hairer, Nørsett, Wanner I, section II.4),
  /// with the time of the file's experiment as the unit of time.
  double first_step(double t, double left, double tolerance) {
    const double T = mechanism_.duration;
    const double* slope = method_.first_slope();
    const auto size = [&](const double* x) { return judge(x, y_.data()) / tolerance; };
    const double d0 = size(y_.data()), d1 = size(slope) * T;
    double h0 = d0 < unknown_size || d1 < unknown_size ? first_part * T : 0.01 * d0 / d1 * T;
    if (h0 > left) h0 = left;
    for (int i = 0; i < length_; ++i) y1_[i] = y_[i] + h0 * slope[i];
    if (!equations().rate(t + h0, y1_.data(), probe_.data())) return first_part * left;
    for (int i = 0; i < length_; ++i) probe_[i] -= slope[i];
    const double d2 = size(probe_.data()) * T / h0 * T;
    const double steepest = d1 > d2 ? d1 : d2;
    const double h1 = steepest <= unseen_slope
                          ? (first_part * T > h0 * least_growth ? first_part * T : h0 * least_growth)
                          : std::pow(0.01 / steepest, 1.0 / (Method::order + 1)) * T;
    const double h = 100 * h0 < h1 ? 100 * h0 : h1;
    return h < left ? h : left;
  }

  /// Returns the name of the coordinate that allows no longer step than the last one.
  const char* limiting() const { return worst_.name(mechanism_); }

  Motion motion_;
  Directions directions_;
  int length_;
  const Mechanism& mechanism_;
  LargestError worst_;  ///< largest part of the error that was judged last
  Step method_;
  Buffer<Motion::fixed_length> y_, y1_, probe_;
  Buffer<dynamic> saved_;
  Changes* changes_;  ///< nullptr if no rows come and go
  Buffer<dynamic> begun_;
  double* evaluations_ = nullptr;
};

}  // namespace mechfmu
